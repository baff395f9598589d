"""Ends after its first answer, as a program that is started once for each question."""

from __future__ import annotations

from golden.drivers.faulty.honest import requests, say
from radial_cli.driver import reply

if __name__ == "__main__":
    for request in requests():
        say(reply(request))
        if request["cmd"] != "start":
            break
