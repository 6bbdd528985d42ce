"""The program `diskwright`."""

from __future__ import annotations

import os
import signal
import sys

from . import _native


def main() -> int:
    # One VM of an estate's results, which are Parquet.
    if sys.argv[1:2] == ["report"] and any(argument.split("=")[0] == "--vm" for argument in sys.argv[2:]):
        from .fleet.__main__ import main as fleet

        return fleet(sys.argv[1:])
    # The program has handlers of its own; without one, a signal ends it as it ends any program.
    for name in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(name, signal.SIG_DFL)
    # What is no UTF-8 in a file's name is replaced, as the program does.
    arguments = [os.fsencode(argument).decode("utf-8", "replace") for argument in sys.argv[1:]]
    return _native.main(["diskwright", *arguments])


if __name__ == "__main__":
    sys.exit(main())
