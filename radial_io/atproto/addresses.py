"""Which addresses may be contacted.

Strategy: the URLs we follow come from other people's DID documents, so they are not trusted to point outwards. The
check stands where the connection is made: a name is resolved once, each address it gives is judged, and the socket is
opened to a judged address, so that no second look-up can answer otherwise. TLS still checks the name. Proxies and
`.netrc` are not consulted: a proxy would resolve the name anew, out of our sight.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import httpcore
import httpx

from radial_io.errors import AddressError, quoted

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# What the standard library does not call private, reserved or the like, in every Python we run on.
_NEVER_PUBLIC = tuple(map(ipaddress.ip_network, ("fec0::/10", "2001::/32", "192.0.0.0/24")))
_PORTS = frozenset({None, *range(1, 2**16)})
_DEFAULT_PORTS = {"http": 80, "https": 443}


def is_public(address: Address) -> bool:
    """Tell whether an address belongs to the open internet, also when it wraps an IPv4 address of another kind."""
    inner = _wrapped(address)
    if inner is not None:
        return is_public(inner)
    if any(address in network for network in _NEVER_PUBLIC if network.version == address.version):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _wrapped(address: Address) -> ipaddress.IPv4Address | None:
    """Give the IPv4 address that an IPv6 address carries (mapped, 6to4, NAT64)."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour


def origin(url: str, *, allow_private: bool) -> str:
    """Check that a URL is scheme, host and port and no more, and give it in its plain form.

    The scheme is https; plain http is for private hosts only. Raises `AddressError`.
    """
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as error:
        raise AddressError(f"{quoted(url)} is no URL") from error
    if parsed.scheme != "https" and not (parsed.scheme == "http" and allow_private):
        raise AddressError(f"{quoted(url)} does not begin with https://")
    bare = f"{parsed.scheme}://{parsed.netloc.decode('ascii')}"
    if not parsed.host or url.rstrip("/").lower() != bare or parsed.port not in _PORTS:
        raise AddressError(f"{quoted(url)} is more, or less, than scheme, host and port")
    return bare


def names_private_host(url: str) -> bool:
    """Tell whether a URL names this machine or a private network: what its giver then means to contact."""
    try:
        host = httpx.URL(url).host
        return host == "localhost" or not is_public(ipaddress.ip_address(host))
    except (httpx.InvalidURL, ValueError):
        return False


class GuardedBackend(httpcore.SyncBackend):
    """Opens sockets to public addresses only, or to any when `allow_private`."""

    def __init__(self, *, allow_private: bool) -> None:
        self._allow_private = allow_private

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address of `host` that may be contacted and answers. Raises `AddressError`."""
        refused: Exception = AddressError(f"{quoted(host)} has no public address")
        for address in resolve(host, port):
            if self._allow_private or is_public(address):
                try:
                    return super().connect_tcp(str(address), port, timeout, local_address, socket_options)
                except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                    refused = error
        raise refused

    def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ARG002 - the interface's own parameters
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        """Refuse: no URL of ours is a file."""
        raise AddressError(f"{quoted(path)} is a file")


def resolve(host: str, port: int) -> tuple[Address, ...]:
    """Look up a name: its addresses, each once, in the resolver's order. Raises httpcore's `ConnectError`."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(f"the name {quoted(host)} cannot be resolved") from error
    texts = dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found)
    return tuple(map(ipaddress.ip_address, texts))


class GuardedTransport(httpx.BaseTransport):
    """Carries httpx's requests over connections that `GuardedBackend` has judged."""

    def __init__(self, *, allow_private: bool) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(trust_env=False),
            network_backend=GuardedBackend(allow_private=allow_private),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request. Raises httpcore's errors, and `AddressError`."""
        answer = self._pool.handle_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=request.url.raw_scheme,
                    host=request.url.raw_host,
                    port=request.url.port or _DEFAULT_PORTS[request.url.scheme],
                    target=request.url.raw_path,
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer))

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()


class _Body(httpx.SyncByteStream):
    """The body of an answer, given back to the pool when it is closed."""

    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        yield from self._answer.iter_stream()

    def close(self) -> None:
        self._answer.close()
