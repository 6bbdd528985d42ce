"""The argument parser of the real Azure CLI, without an account and without a network.

Every line of the input is a question in JSON, every line of the output its answer:
{"args": [...]}                    is this a command line? {"refused": null} or what is wrong with it
{"query": ..., "document": ...}    what does `--query ... --output tsv` print of this record? {"tsv": ...}
"""

import contextlib
import io
import json
import os
import sys
import tempfile

settings = tempfile.TemporaryDirectory()
os.environ["AZURE_CONFIG_DIR"] = settings.name
os.environ["AZURE_CORE_COLLECT_TELEMETRY"] = "no"
os.environ["AZURE_CORE_USE_COMMAND_INDEX"] = "no"

from azure.cli.core import get_default_cli  # noqa: E402
from azure.cli.core.commands.events import EVENT_INVOKER_PRE_LOAD_ARGUMENTS  # noqa: E402
from azure.cli.core.parser import AzCliCommandParser  # noqa: E402
from jmespath import search  # noqa: E402
from knack.output import format_tsv  # noqa: E402
from knack.util import CommandResultItem  # noqa: E402


class Refused(Exception):
    pass


def refuse(_, message):
    """In the place of a page of help."""
    raise Refused(message)


AzCliCommandParser.error = refuse
cli = get_default_cli()


def refusal(args):
    invocation = cli.invocation_cls(
        cli_ctx=cli, parser_cls=cli.parser_cls, commands_loader_cls=cli.commands_loader_cls, help_cls=cli.help_cls
    )
    cli.invocation = invocation
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            loader = invocation.commands_loader
            loader.load_command_table(args)
            command = invocation._rudimentary_get_command(args)
            invocation.data["command_string"] = command
            loader.command_name = command
            # Arguments of all commands, such as --subscription.
            cli.raise_event(EVENT_INVOKER_PRE_LOAD_ARGUMENTS, commands_loader=loader)
            loader.load_arguments(command)
            invocation.parser.load_command_table(loader)
            invocation.parser.parse_args(args)
    except Refused as why:
        return str(why)
    except SystemExit:
        return said.getvalue()
    return None


for line in sys.stdin:
    question = json.loads(line)
    if "args" in question:
        answer = {"refused": refusal(question["args"])}
    else:
        found = search(question["query"], question["document"])
        # az prints nothing where nothing was found.
        answer = {"tsv": "" if found is None else format_tsv(CommandResultItem(found))}
    print(json.dumps(answer), flush=True)
