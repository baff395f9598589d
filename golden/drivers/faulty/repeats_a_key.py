"""Writes a key twice in one object; which of the two is meant is anybody's guess."""

from __future__ import annotations

import json
import sys

from golden.drivers.faulty.honest import requests, say
from radial_cli.driver import reply

if __name__ == "__main__":
    for request in requests():
        if request["cmd"] == "run":
            sys.stdout.write(json.dumps(reply(request))[:-1] + ', "answers": []}\n')
            sys.stdout.flush()
        else:
            say(reply(request))
