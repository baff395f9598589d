"""Keeps what it was told before: each fold holds the records of all scenarios so far."""

from __future__ import annotations

from golden.drivers.faulty.honest import Message, requests, say
from radial_cli.driver import reply

if __name__ == "__main__":
    everything: list[Message] = []
    for request in requests():
        if "records" in request:
            everything += request["records"]
            request["records"] = everything
        say(reply(request))
