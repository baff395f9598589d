"""Lets the last write win: of several versions the one that arrived last is the record (against V1)."""

from __future__ import annotations

from golden.drivers.faulty.honest import requests, say
from radial_cli.driver import reply

if __name__ == "__main__":
    for request in requests():
        if "records" in request:
            request["records"] = [*{record["uri"]: record for record in request["records"]}.values()]
        say(reply(request))
