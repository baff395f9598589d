"""Which addresses and URLs may be contacted."""

from __future__ import annotations

import ipaddress
import socket
from functools import partial

import anyio
import httpcore
import pytest

from radial_io.atproto.addresses import PUBLIC, GuardedBackend, Reach, is_public, origin, reach_of
from radial_io.atproto.retries import Patience
from radial_io.atproto.xrpc import XrpcClient, open_client
from radial_io.errors import AddressError, UnreachableError
from tests.io.fakes import LOOPBACK, Reply, serving


async def _get(url: str, reach: Reach) -> bytes:
    """Ask once over guarded connections."""
    async with open_client(reach) as client:
        return await XrpcClient(client.http, patience=Patience(attempts=1)).get(url)


@pytest.mark.parametrize("text", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_public(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1",
        "127.255.0.9",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",  # noqa: S104 - an address to refuse, not to bind
        "224.0.0.1",
        "255.255.255.255",
        "198.18.0.1",
        "192.0.0.8",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "fec0::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:db8::1",
    ],
)
def test_not_public(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://pds.example.com", "https://pds.example.com"),
        ("https://pds.example.com/", "https://pds.example.com"),
        ("https://pds.example.com:443", "https://pds.example.com"),
        ("https://pds.example.com:443/", "https://pds.example.com"),
        ("https://PDS.example.com:8443", "https://pds.example.com:8443"),
    ],
)
def test_origin(url: str, plain: str) -> None:
    assert origin(url) == plain


@pytest.mark.parametrize(
    "url",
    [
        "http://pds.example.com",
        "ftp://pds.example.com",
        "pds.example.com",
        "https://",
        "https://pds.example.com/path",
        "https://pds.example.com?x=1",
        "https://pds.example.com#x",
        "https://user:secret@pds.example.com",
        "https://user@pds.example.com",
        "https://pds.example.com:99999999",
        "https://pds.example.com\n/",
        "file:///etc/passwd",
        "https://pds.example.com:80x",
        "https://10.0.0.1",
        "https://localhost",
        "https://[::1]:8443",
        "",
    ],
)
def test_origin_refuses(url: str) -> None:
    with pytest.raises(AddressError):
        origin(url)


def test_plain_http_is_for_private_hosts() -> None:
    assert origin("http://127.0.0.1:2583/", LOOPBACK) == "http://127.0.0.1:2583"


@pytest.mark.parametrize(
    ("url", "neighbours", "opened"),
    [
        ("http://127.0.0.1:2583", True, ["127.0.0.1:2583", "127.0.0.1:22", "localhost:5432"]),
        ("http://127.0.0.1:2583", False, ["127.0.0.1:2583"]),
        ("http://192.168.1.7", True, ["192.168.1.7:80"]),
        ("https://1.1.1.1", True, []),
        ("http://169.254.169.254", True, []),
        ("http://[fe80::1]", True, []),
        ("http://[fd00:ec2::254]", True, []),
        ("http://[::ffff:169.254.169.254]", True, []),
        ("http://100.100.100.200", True, []),
    ],
)
def test_what_a_url_given_by_hand_opens(url: str, neighbours: bool, opened: list[str]) -> None:  # noqa: FBT001
    reach = anyio.run(partial(reach_of, url, neighbours=neighbours))
    places = ["127.0.0.1:2583", "127.0.0.1:22", "localhost:5432", "192.168.1.7:80", "192.168.1.8:80", "10.0.0.1:443"]
    places += ["1.1.1.1:443", "169.254.169.254:80", "fe80::1:80", "fd00:ec2::254:80", "100.100.100.200:80"]
    split = [place.rpartition(":") for place in places]
    assert [f"{host}:{port}" for host, _, port in split if reach.opens(host, int(port))] == opened


def test_a_private_name_given_by_hand_opens_the_addresses_it_had_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", _resolving_to("192.168.1.7"))
    reach = anyio.run(partial(reach_of, "http://pds.lab:2583", neighbours=True))
    assert origin("http://pds.lab:2583", reach) == "http://pds.lab:2583"
    admitted = [
        reach.admits(host, port, ipaddress.ip_address(address))
        for host, port, address in [
            ("pds.lab", 2583, "192.168.1.7"),
            ("pds.lab", 2583, "192.168.1.8"),
            ("pds.lab", 2584, "192.168.1.7"),
            ("other.lab", 2583, "192.168.1.7"),
            ("pds.lab", 2583, "127.0.0.1"),
        ]
    ]
    assert admitted == [True, False, False, False, False]


def test_a_name_with_a_public_address_among_others_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", _resolving_to("192.168.1.7", "1.1.1.1"))
    reach = anyio.run(partial(reach_of, "http://pds.example.com", neighbours=True))
    assert reach == Reach()
    with pytest.raises(AddressError, match="https"):
        origin("http://pds.example.com", reach)


def test_a_strangers_name_for_this_machine_stays_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", _resolving_to("127.0.0.1"))
    with pytest.raises(AddressError):
        anyio.run(GuardedBackend(LOOPBACK).connect_tcp, "evil.example.com", 443)


def _resolving_to(*texts: str) -> object:
    def getaddrinfo(_host: str, port: int, *_options: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (text, port)) for text in texts]

    return getaddrinfo


def test_a_public_name_with_a_private_address_is_not_contacted(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[dict[str, str]] = []
    with serving(lambda _path, _query: Reply.json({}), heard) as url:
        monkeypatch.setattr(socket, "getaddrinfo", _resolving_to("127.0.0.1"))
        with pytest.raises(AddressError, match="no public address"):
            anyio.run(_get, url.replace("127.0.0.1", "pds.example.com"), PUBLIC)
    assert heard == []


def test_only_the_public_ones_of_several_addresses_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    async def connect(_self: object, host: str, *_arguments: object) -> None:
        tried.append(host)
        raise httpcore.ConnectError("not here")

    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)
    monkeypatch.setattr(socket, "getaddrinfo", _resolving_to("10.0.0.1", "1.1.1.1", "127.0.0.1", "8.8.8.8"))
    with pytest.raises(httpcore.ConnectError, match="not here"):
        anyio.run(GuardedBackend().connect_tcp, "pds.example.com", 443)
    assert tried == ["1.1.1.1", "8.8.8.8"]


def test_a_name_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it cannot be public when judged and private when contacted."""
    looked_up: list[bytes] = []
    contacted: list[str] = []

    def getaddrinfo(host: bytes, port: int, *_options: object) -> list[object]:
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("1.1.1.1", port))]

    async def connect_tcp(remote_host: str, *_arguments: object, **_options: object) -> None:
        contacted.append(remote_host)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(anyio, "connect_tcp", connect_tcp)
    with pytest.raises(httpcore.ConnectError):
        anyio.run(GuardedBackend().connect_tcp, "pds.example.com", 443)
    assert looked_up == [b"pds.example.com"]
    assert contacted == ["1.1.1.1"]


def test_localhost_is_contacted_when_private_hosts_may_be() -> None:
    """Also where the name resolves to ::1 first and the server listens on 127.0.0.1 alone."""
    with serving(lambda _path, _query: Reply.json({"is": "there"})) as url:
        assert anyio.run(_get, url.replace("127.0.0.1", "localhost"), LOOPBACK) == b'{"is": "there"}'


def test_an_unknown_name_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    def getaddrinfo(*_arguments: object, **_options: object) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    with pytest.raises(UnreachableError, match="cannot be resolved"):
        anyio.run(_get, "https://pds.example.com", PUBLIC)


def test_unix_sockets_are_refused() -> None:
    with pytest.raises(AddressError):
        anyio.run(GuardedBackend(LOOPBACK).connect_unix_socket, "/run/docker.sock")
