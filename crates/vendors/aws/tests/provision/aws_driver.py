"""The real AWS CLI as a server, in front of moto's: a client sends the words of a command on a line, and gets its exit code, output and
errors on another. One process loads the CLI once, where every `aws` of a script would for itself. Ends when its input does.

    aws_driver.py MOTO_SERVER
"""

import base64
import contextlib
import io
import os
import socket
import subprocess
import sys
import threading
import time

from awscli.clidriver import create_clidriver


class Text(io.TextIOWrapper):
    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def taken(self):
        return base64.b64encode(self.buffer.getvalue()).decode() or "-"


def moto(program):
    """Its process and port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = [program, "-H", "127.0.0.1", "-p", str(port)]
    nowhere = subprocess.DEVNULL
    # Without its images it starts an instance of any in a moment.
    environment = dict(os.environ, MOTO_EC2_LOAD_DEFAULT_AMIS="false")
    server = subprocess.Popen(words, stdin=nowhere, stdout=nowhere, stderr=nowhere, env=environment)
    for _ in range(1200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return server, port
        time.sleep(0.05)
    raise SystemExit("moto does not answer")


def end_with_input(server):
    sys.stdin.buffer.read()
    server.kill()
    os._exit(0)


def main():
    services, port = moto(sys.argv[1])
    threading.Thread(target=end_with_input, args=[services], daemon=True).start()
    os.environ["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{port}"
    driver = create_clidriver()
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], port, flush=True)
    while True:
        client, _ = server.accept()
        with client, client.makefile("r", encoding="utf-8", newline="\n") as asked:
            words = asked.readline().rstrip("\n").split("\x1f")[:-1]
            out, err = Text(), Text()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    code = driver.main(words)
                except SystemExit as left:
                    code = left.code
            client.sendall(f"{code} {out.taken()} {err.taken()}\n".encode())


if __name__ == "__main__":
    main()
