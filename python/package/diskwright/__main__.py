"""The program `diskwright`."""

from __future__ import annotations

import signal
import sys

from . import _native


def main() -> int:
    # The program has handlers of its own; without one, a signal ends it as it ends any program.
    for name in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(name, signal.SIG_DFL)
    return _native.main(["diskwright", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
