"""Answers, and never ends the line."""

from __future__ import annotations

import json
import sys

from golden.drivers.faulty.honest import requests, say
from radial_cli.driver import reply

if __name__ == "__main__":
    for request in requests():
        if request["cmd"] == "start":
            say(reply(request))
        else:
            sys.stdout.write(json.dumps(reply(request)))
            sys.stdout.flush()
