"""Starts the first time only: it crashes at the first fold, and finds its own lock when it is started again."""

from __future__ import annotations

import sys
from pathlib import Path

from golden.drivers.faulty.honest import requests, say
from radial_cli.driver import reply

if __name__ == "__main__":
    lock = Path(sys.argv[1])
    if lock.exists():
        sys.exit("it is running already")
    lock.touch()
    for request in requests():
        if request["cmd"] == "run":
            sys.exit("gone")
        say(reply(request))
