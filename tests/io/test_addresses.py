"""Which addresses and URLs may be contacted."""

from __future__ import annotations

import ipaddress
import socket

import httpcore
import pytest

from radial_io.atproto.addresses import GuardedBackend, is_public, names_private_host, origin
from radial_io.atproto.retries import Patience
from radial_io.atproto.xrpc import XrpcClient, open_client
from radial_io.errors import AddressError, UnreachableError
from tests.io.fakes import Reply, serving


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
        ("https://PDS.example.com:8443", "https://pds.example.com:8443"),
    ],
)
def test_origin(url: str, plain: str) -> None:
    assert origin(url, allow_private=False) == plain


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
        "",
    ],
)
def test_origin_refuses(url: str) -> None:
    with pytest.raises(AddressError):
        origin(url, allow_private=False)


def test_plain_http_is_for_private_hosts() -> None:
    assert origin("http://127.0.0.1:2583/", allow_private=True) == "http://127.0.0.1:2583"


@pytest.mark.parametrize(
    ("url", "private"),
    [
        ("http://localhost:2583", True),
        ("http://127.0.0.1:2583", True),
        ("http://[::1]:2583", True),
        ("http://192.168.1.7", True),
        ("https://pds.example.com", False),
        ("https://1.1.1.1", False),
        ("http://[nonsense", False),
    ],
)
def test_names_private_host(url: str, private: bool) -> None:  # noqa: FBT001
    assert names_private_host(url) is private


def _resolving_to(*texts: str) -> object:
    def getaddrinfo(_host: str, port: int, **_options: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (text, port)) for text in texts]

    return getaddrinfo


def test_a_public_name_with_a_private_address_is_not_contacted(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[dict[str, str]] = []
    with serving(lambda _path, _query: Reply.json({}), heard) as url, open_client() as client:
        monkeypatch.setattr(socket, "getaddrinfo", _resolving_to("127.0.0.1"))
        with pytest.raises(AddressError, match="no public address"):
            client.get(url.replace("127.0.0.1", "pds.example.com"))
    assert heard == []


def test_only_the_public_ones_of_several_addresses_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def connect(_self: object, host: str, *_arguments: object) -> None:
        tried.append(host)
        raise httpcore.ConnectError("not here")

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)
    monkeypatch.setattr(socket, "getaddrinfo", _resolving_to("10.0.0.1", "1.1.1.1", "127.0.0.1", "8.8.8.8"))
    with pytest.raises(httpcore.ConnectError, match="not here"):
        GuardedBackend(allow_private=False).connect_tcp("pds.example.com", 443)
    assert tried == ["1.1.1.1", "8.8.8.8"]


def test_a_name_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it cannot be public when judged and private when contacted."""
    looked_up: list[str] = []
    contacted: list[str] = []

    def getaddrinfo(host: str, port: int, **_options: object) -> list[object]:
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("1.1.1.1", port))]

    def create_connection(address: tuple[str, int], *_arguments: object, **_options: object) -> None:
        contacted.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(socket, "create_connection", create_connection)
    with pytest.raises(httpcore.ConnectError):
        GuardedBackend(allow_private=False).connect_tcp("pds.example.com", 443)
    assert looked_up == ["pds.example.com"]
    assert contacted == ["1.1.1.1"]


def test_localhost_is_contacted_when_private_hosts_may_be() -> None:
    """Also where the name resolves to ::1 first and the server listens on 127.0.0.1 alone."""
    with serving(lambda _path, _query: Reply.json({"is": "there"})) as url, open_client(allow_private=True) as client:
        assert client.get(url.replace("127.0.0.1", "localhost")) == b'{"is": "there"}'


def test_an_unknown_name_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    def getaddrinfo(*_arguments: object, **_options: object) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    with open_client() as client, pytest.raises(UnreachableError, match="cannot be resolved"):
        XrpcClient(client._http, patience=Patience(attempts=1)).get("https://pds.example.com")


def test_unix_sockets_are_refused() -> None:
    with pytest.raises(AddressError):
        GuardedBackend(allow_private=True).connect_unix_socket("/run/docker.sock")
