"""Which addresses may be contacted.

Strategy: the URLs we follow come from other people's DID documents, so they are not trusted to point outwards. The
check stands where the connection is made: a name is resolved once, each address it gives is judged, and the socket is
opened to a judged address, so that no second look-up can answer otherwise. TLS still checks the name. Proxies and
`.netrc` are not consulted: a proxy would resolve the name anew, out of our sight.

A server that the operator names by hand may be private: that one host and port is opened, at the addresses that its
name had then, and no other.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import AsyncIterator, Iterable
from typing import Final, TypeAlias

import anyio
import attrs
import httpcore
import httpx

from radial_io.errors import AddressError, mapped, quoted

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# What the standard library does not call private, reserved or the like, in every Python we run on.
_NEVER_PUBLIC = tuple(map(ipaddress.ip_network, ("fec0::/10", "2001::/32", "192.0.0.0/24")))
# Link-local, and where clouds hand out secrets to whoever asks: not even by hand.
_OFF_LIMITS = tuple(
    map(ipaddress.ip_network, ("169.254.0.0/16", "fe80::/10", "fd00:ec2::254/128", "100.100.100.200/32"))
)
_PORTS = frozenset({None, *range(1, 2**16)})
_DEFAULT_PORTS = {"http": 80, "https": 443}
_KEPT_OPEN: Final = 32  # connections that wait for a next question


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


def _is_off_limits(address: Address) -> bool:
    inner = _wrapped(address) or address
    return inner.is_multicast or any(inner in network for network in _OFF_LIMITS if network.version == inner.version)


@attrs.frozen
class Reach:
    """What may be contacted beside the open internet: by itself, nothing.

    `host` and `port` were given by hand, and `addresses` is what the name stood for then. With `loopback`, every port
    of this machine too, under a name that says so: a directory on this machine has its servers there. `beside` is
    what other servers open that were given by hand as well.
    """

    host: str = ""
    port: int = 0
    addresses: frozenset[Address] = frozenset()
    loopback: bool = False
    beside: tuple[Reach, ...] = ()

    def opens(self, host: str, port: int) -> bool:
        """Tell whether private addresses may stand behind this host and port."""
        here = (host, port) == (self.host, self.port) or (self.loopback and _names_loopback(host))
        return here or any(reach.opens(host, port) for reach in self.beside)

    def admits(self, host: str, port: int, address: Address) -> bool:
        """Tell whether this address of a host may be contacted."""
        if is_public(address):
            return True
        given = (host, port) == (self.host, self.port) and address in self.addresses
        here = given or (self.loopback and _names_loopback(host) and address.is_loopback)
        return here or any(reach.admits(host, port, address) for reach in self.beside)


PUBLIC: Final = Reach()


async def reach_of(url: str, *, neighbours: bool) -> Reach:
    """Say what a plain URL given by hand opens: its own host and port, when all its addresses are private.

    With `neighbours`, and when it is on this machine, the other ports of this machine too. The name is looked up;
    raises `UnreachableError` when it has no address.
    """
    host, port = _place(httpx.URL(url))
    with mapped(url):
        addresses = frozenset(await resolve(host, port))
    if any(is_public(address) or _is_off_limits(address) for address in addresses):
        return PUBLIC
    return Reach(host, port, addresses, neighbours and all(address.is_loopback for address in addresses))


def plain(url: str) -> str:
    """Check that a URL is http or https, host and port and no more, and give its plain form. Raises `AddressError`."""
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as error:
        raise AddressError(f"{quoted(url)} is no URL") from error
    if parsed.scheme not in _DEFAULT_PORTS:
        raise AddressError(f"{quoted(url)} does not begin with https://")
    bare = f"{parsed.scheme}://{parsed.netloc.decode('ascii')}"
    written = url.rstrip("/").lower()
    is_bare = written in {bare, f"{bare}:{_DEFAULT_PORTS[parsed.scheme]}"}
    if not parsed.host or not is_bare or parsed.port not in _PORTS:
        raise AddressError(f"{quoted(url)} is more, or less, than scheme, host and port")
    return bare


def origin(url: str, reach: Reach = PUBLIC) -> str:
    """Give a URL in its plain form, when it may be contacted as far as its text tells. Raises `AddressError`.

    The scheme is https; plain http is for private hosts within `reach` only.
    """
    bare = plain(url)
    parsed = httpx.URL(bare)
    host, port = _place(parsed)
    if reach.opens(host, port):
        return bare
    if parsed.scheme != "https":
        raise AddressError(f"{quoted(url)} does not begin with https://")
    literal = _literal(host)
    if _names_loopback(host) or (literal is not None and not is_public(literal)):
        raise AddressError(f"{quoted(url)} names a host that is not public")
    return bare


def _place(url: httpx.URL) -> tuple[str, int]:
    return url.raw_host.decode("ascii"), url.port or _DEFAULT_PORTS[url.scheme]


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _names_loopback(host: str) -> bool:
    literal = _literal(host)
    return host == "localhost" if literal is None else literal.is_loopback


class GuardedBackend(httpcore.AnyIOBackend):
    """Opens sockets to public addresses, and to what is within `reach`."""

    def __init__(self, reach: Reach = PUBLIC) -> None:
        self._reach = reach

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the interface's own parameters
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of `host` that may be contacted and answers. Raises `AddressError`."""
        refused: Exception = AddressError(f"{quoted(host)} has no public address")
        for address in await resolve(host, port):
            if self._reach.admits(host, port, address):
                try:
                    return await super().connect_tcp(str(address), port, timeout, local_address, socket_options)
                except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                    refused = error
        raise refused

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,  # noqa: ARG002
    ) -> httpcore.AsyncNetworkStream:
        """Refuse: no URL of ours is a file."""
        raise AddressError(f"{quoted(path)} is a file")


async def resolve(host: str, port: int) -> tuple[Address, ...]:
    """Look up a name: its addresses, each once, in the resolver's order. Raises httpcore's `ConnectError`."""
    try:
        found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(f"the name {quoted(host)} cannot be resolved") from error
    texts = dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found)
    return tuple(map(ipaddress.ip_address, texts))


class GuardedTransport(httpx.AsyncBaseTransport):
    """Carries httpx's requests over connections that `GuardedBackend` has judged."""

    def __init__(self, reach: Reach = PUBLIC) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=httpx.create_ssl_context(trust_env=False),
            max_connections=None,  # who asks bounds how much is asked at once; a pool that waits could wait for itself
            max_keepalive_connections=_KEPT_OPEN,
            network_backend=GuardedBackend(reach),
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request. Raises httpcore's errors, and `AddressError`."""
        answer = await self._pool.handle_async_request(
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
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer), extensions=answer.extensions)

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    """The body of an answer, given back to the pool when it is closed."""

    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._answer.aiter_stream():
            yield piece

    async def aclose(self) -> None:
        await self._answer.aclose()
