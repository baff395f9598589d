"""What DID documents say beside the PDS: keys and handles; and how long it is believed."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import attrs
import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from radial_io.atproto.documents import LONGEST_DOCUMENT, Identity, read_document
from radial_io.atproto.handles import handle_url, normal_handle, read_handle_answer
from radial_io.atproto.identity import DidResolver, RememberingResolver, confirmed_handle
from radial_io.atproto.keys import SigningKey, read_did_key, read_legacy_key
from radial_io.atproto.remembering import IdentityCache
from radial_io.atproto.xrpc import XrpcClient
from radial_io.errors import IdentityError, RadialIoError, RateLimitError, RefusedError, TooLargeError, UnreachableError
from tests.io.fakes import ALICE, BOB
from tests.io.repos import KEY, SIGNER

pytestmark = pytest.mark.anyio

PDS = "https://pds.example.com"
MULTIKEY = SIGNER.multikey


def _document(methods: Any = None, names: Any = None) -> dict[str, Any]:
    service = {"id": "#atproto_pds", "type": "AtprotoPersonalDataServer", "serviceEndpoint": PDS}
    return {"id": ALICE, "service": [service], "verificationMethod": methods, "alsoKnownAs": names}


def _method(**changes: Any) -> dict[str, Any]:
    method = {"id": f"{ALICE}#atproto", "type": "Multikey", "controller": ALICE, "publicKeyMultibase": MULTIKEY}
    return method | changes


def _key(*methods: Any) -> SigningKey | None:
    return read_document(_document(list(methods)), ALICE).key


def test_both_ways_to_name_the_key() -> None:
    assert _key(_method()) == KEY
    assert _key(_method(id="#atproto")) == KEY


@pytest.mark.parametrize(("curve", "kind"), [("k256", "EcdsaSecp256k1"), ("p256", "EcdsaSecp256r1")])
@pytest.mark.parametrize("form", [PublicFormat.CompressedPoint, PublicFormat.UncompressedPoint])
def test_the_older_types_name_the_curve_and_hold_a_bare_point(curve: str, kind: str, form: PublicFormat) -> None:
    public = ec.derive_private_key(5, ec.SECP256K1() if curve == "k256" else ec.SECP256R1()).public_key()
    point = public.public_bytes(Encoding.X962, form)
    key = _key(_method(id="#atproto", type=f"{kind}VerificationKey2019", publicKeyMultibase="z" + _base58(point)))
    assert key == SigningKey.of_point(curve, point)


def _base58(raw: bytes) -> str:
    number, text = int.from_bytes(raw), ""
    while number:
        number, digit = divmod(number, 58)
        text = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[digit] + text
    return text


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "#atproto_label"},
        {"id": f"{BOB}#atproto"},
        {"controller": BOB},
        {"controller": None},
        {"type": "EcdsaSecp256k1VerificationKey2019"},  # a Multikey is no bare point
        {"type": "JsonWebKey2020"},
        {"type": None},
        {"publicKeyMultibase": None},
        {"publicKeyMultibase": "z" + "1" * 1000},
        {"publicKeyMultibase": "did:key:" + MULTIKEY},
    ],
)
def test_a_key_that_cannot_be_used_leaves_the_pds(changes: dict[str, Any]) -> None:
    identity = read_document(_document([_method(**changes)]), ALICE)
    assert (identity.key, identity.pds) == (None, PDS)


def test_the_first_method_that_claims_to_be_the_key_is_it() -> None:
    other = _method(publicKeyMultibase="zQ3shXjHeiBuRCKmM36cuYnm7YEMzhGnCmCyW92sRJ9pribSF")
    assert _key(_method(id="#other"), "x", None, _method(), other) == KEY
    assert _key(_method(controller=BOB), _method()) == KEY
    assert _key(_method(publicKeyMultibase="z1"), _method()) is None
    assert read_document(_document({}), ALICE).key is None


def test_the_keys_of_real_documents(shared: Path) -> None:
    folder = shared / "fixtures/atproto-interop/extra-indigo"

    def read(name: str) -> tuple[Identity, str]:
        document = json.loads((folder / name).read_text())
        document["service"][0]["serviceEndpoint"] = PDS  # some were made on one machine alone
        return read_document(document, document["id"]), document["verificationMethod"][0]["publicKeyMultibase"]

    modern, text = read("did_plc_doc.json")
    assert modern.key == read_did_key("did:key:" + text)
    assert modern.handles == ("atproto.com",)
    legacy, text = read("did_plc_doc_legacy.json")
    assert legacy.key == read_legacy_key("EcdsaSecp256k1VerificationKey2019", text)
    for name, curve, handle in (
        ("did_plc_z5vnbioquyhivxirw3bbljmu.didDoc.json", "k256", "koch5149-c5.test"),
        ("fakermaker.didDoc.json", "p256", "ebert9014-89.test"),
    ):
        identity, _ = read(name)
        assert identity.key is not None
        assert (identity.key.curve, identity.handles) == (curve, (handle,))


def test_a_real_document_without_a_pds(shared: Path) -> None:
    document = json.loads((shared / "fixtures/atproto-interop/extra-indigo/did_web_doc.json").read_text())
    with pytest.raises(IdentityError, match="names no PDS"):
        read_document(document, document["id"])


@pytest.mark.parametrize(
    ("names", "handles"),
    [
        (["at://alice.example.com"], ("alice.example.com",)),
        (["https://a.example.com", "at://A.Example.com", "at://b.example.com"], ("a.example.com", "b.example.com")),
        (["at://alice.example.com", "at://ALICE.example.com"], ("alice.example.com",)),
        (["at://" + ALICE, "at://localhost", "at://a.b/c", 7, None, ["x"]], ()),
        ([f"at://h{number}.a.com" for number in range(99)], tuple(f"h{number}.a.com" for number in range(16))),
        ("at://alice.example.com", ()),
        (None, ()),
    ],
)
def test_the_handles_that_are_claimed(names: Any, handles: tuple[str, ...]) -> None:
    assert read_document(_document(names=names), ALICE).handles == handles


def test_where_a_handle_is_asked_for() -> None:
    assert handle_url("alice.example.com") == "https://alice.example.com/.well-known/atproto-did"
    for handle in (
        "alice.test",
        "nas.local",
        "a.localhost",
        "b.internal",
        "c.arpa",
        "d.onion",
        "e.invalid",
        "x.example",
    ):
        assert normal_handle(handle) == handle
        assert handle_url(handle) is None
    assert normal_handle("not a handle") is None


@pytest.mark.parametrize(
    ("body", "did"),
    [
        (ALICE.encode(), ALICE),
        (b"  " + ALICE.encode() + b"\r\n", ALICE),
        (b"did:web:alice.example.com", "did:web:alice.example.com"),
        (b"", None),
        (b"alice", None),
        (b"<html>" + ALICE.encode() + b"</html>", None),
        (ALICE.encode() + b"\n" + BOB.encode(), None),
        ("did:plc:é".encode(), None),
        (b" " * 5000 + ALICE.encode(), None),
    ],
)
def test_what_a_handle_s_host_answers(body: bytes, did: str | None) -> None:
    assert read_handle_answer(body) == did


HANDLE = "alice.example.com"


async def _confirmed(answer: Callable[[httpx.Request], httpx.Response], *handles: str) -> str | None:
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        return await confirmed_handle(http, Identity(ALICE, PDS, None, handles), seconds=0.2)


def _says(
    body: bytes, status: int = 200, headers: Mapping[str, str] | None = None
) -> Callable[[httpx.Request], httpx.Response]:
    return lambda _request: httpx.Response(status, headers=headers, stream=httpx.ByteStream(body))


async def test_a_handle_counts_when_both_sides_say_so() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return _says(ALICE.encode() + b"\n")(request)

    assert await _confirmed(answer, HANDLE, "other.example.com") == HANDLE
    assert asked == [f"https://{HANDLE}/.well-known/atproto-did"]


@pytest.mark.parametrize(
    "answer",
    [
        _says(BOB.encode()),
        _says(ALICE.encode(), 404),
        _says(ALICE.encode(), 301, {"location": f"https://other.example.com/{ALICE}"}),
        _says(b""),
        _says(ALICE.encode() + b" " * 10_000),
    ],
    ids=["another DID", "not found", "a redirect", "nothing", "too much"],
)
async def test_a_handle_that_its_host_does_not_confirm(answer: Callable[[httpx.Request], httpx.Response]) -> None:
    assert await _confirmed(answer, HANDLE) is None


async def test_a_host_that_never_answers_or_never_ends_confirms_nothing() -> None:
    def broken(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no route")

    class Dripping(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            while True:
                yield b" "
                await anyio.sleep(0.01)

    assert await _confirmed(broken, HANDLE) is None
    assert await _confirmed(lambda _: httpx.Response(200, stream=Dripping()), HANDLE) is None
    assert await _confirmed(broken) is None
    assert await _confirmed(broken, "alice.test") is None


async def test_of_an_endless_answer_little_is_read() -> None:
    sent: list[bytes] = []

    class Endless(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            while True:
                sent.append(b" " * 1000)
                yield sent[-1]

    assert await _confirmed(lambda _: httpx.Response(200, stream=Endless()), HANDLE) is None
    assert len(sent) == 3


async def test_a_document_of_immoderate_length_is_refused() -> None:
    body = json.dumps(_document() | {"more": "x" * LONGEST_DOCUMENT}).encode()
    answer = _says(body, headers={"content-type": "application/json"})
    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as http:
        with pytest.raises(TooLargeError):
            await DidResolver(XrpcClient(http)).identity(ALICE)


@attrs.define
class _Directory:
    """A resolver that can be told what to answer, and counts how often it is asked."""

    answer: Identity | RadialIoError
    asked: int = 0

    async def identity(self, did: str, *, fresh: bool = False) -> Identity:
        self.asked += 1
        assert (did, fresh in {True, False}) == (ALICE, True)
        if isinstance(self.answer, RadialIoError):
            raise self.answer
        return self.answer


HERE, THERE = Identity(ALICE, PDS, KEY), Identity(ALICE, "https://elsewhere.example.com", KEY)
GONE = UnreachableError("https://plc.example.com", "no answer in time")


def _remembering(directory: _Directory, times: list[float]) -> RememberingResolver:
    return RememberingResolver(directory, lambda: times[0])


async def test_an_identity_is_believed_for_an_hour() -> None:
    directory, times = _Directory(HERE), [100.0]
    resolver = _remembering(directory, times)
    for moment, asked in ((100.0, 1), (3700.0, 1), (3701.0, 2), (3702.0, 2)):
        times[0] = moment
        assert await resolver.identity(ALICE) == HERE
        assert directory.asked == asked


async def test_a_move_is_followed_at_once_by_who_doubts_and_in_an_hour_by_all() -> None:
    directory, times = _Directory(HERE), [0.0]
    resolver = _remembering(directory, times)
    assert await resolver.identity(ALICE) == HERE
    directory.answer = THERE
    assert await resolver.identity(ALICE) == HERE
    times[0] = 60.0
    assert await resolver.identity(ALICE, fresh=True) == HERE  # a minute has not passed
    times[0] = 61.0
    assert await resolver.identity(ALICE, fresh=True) == THERE
    assert await resolver.identity(ALICE) == THERE
    assert directory.asked == 2


@pytest.mark.parametrize(
    "error", [GONE, RefusedError("u", 503, "", ""), RateLimitError("u", 429, None), RefusedError("u", 500, "", "")]
)
async def test_what_was_said_holds_for_a_day_while_the_directory_is_away(error: RadialIoError) -> None:
    directory, times = _Directory(HERE), [0.0]
    resolver = _remembering(directory, times)
    assert await resolver.identity(ALICE) == HERE
    directory.answer = error
    times[0] = 86_400.0
    assert await resolver.identity(ALICE) == HERE
    with pytest.raises(type(error)):
        await resolver.identity(ALICE, fresh=True)
    times[0] = 86_401.0
    with pytest.raises(type(error)):
        await resolver.identity(ALICE)


@pytest.mark.parametrize("error", [IdentityError("given up"), RefusedError("u", 404, "", "")])
async def test_an_answer_holds_at_once(error: RadialIoError) -> None:
    directory, times = _Directory(HERE), [0.0]
    resolver = _remembering(directory, times)
    await resolver.identity(ALICE)
    directory.answer, times[0] = error, 4000.0
    with pytest.raises(type(error)):
        await resolver.identity(ALICE)


async def test_a_did_that_was_given_up_is_not_remembered() -> None:
    directory, times = _Directory(HERE), [0.0]
    resolver = _remembering(directory, times)
    await resolver.identity(ALICE)
    directory.answer, times[0] = IdentityError("given up"), 4000.0
    with pytest.raises(IdentityError):
        await resolver.identity(ALICE)
    directory.answer = GONE
    with pytest.raises(UnreachableError):
        await resolver.identity(ALICE)


def test_no_more_than_so_many_are_remembered() -> None:
    cache = IdentityCache(most=2)
    dids = [f"did:web:{name}.example.com" for name in "abc"]
    for moment, did in enumerate([dids[0], dids[1], dids[0], dids[2]]):
        cache.keep(Identity(did, PDS), moment)
    assert [cache.get(did, 4, 100) is None for did in dids] == [False, True, False]
