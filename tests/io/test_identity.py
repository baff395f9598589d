"""From a DID to its PDS."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from radial_io.atproto.identity import (
    DidResolver,
    FixedPds,
    Identity,
    SigningKey,
    document_url,
    open_servers,
    read_document,
)
from radial_io.atproto.xrpc import XrpcClient, open_client
from radial_io.errors import AddressError, IdentityError, NotJsonError, RefusedError
from tests.io.fakes import ALICE, BOB, FakePlc, Reply, serving

PLC = "https://plc.example.com"
WEB = "did:web:alice.example.com"


def _document(**changes: Any) -> dict[str, Any]:
    service = {
        "id": "#atproto_pds",
        "type": "AtprotoPersonalDataServer",
        "serviceEndpoint": "https://pds.example.com",
    }
    return {"id": ALICE, "service": [service | changes]}


def test_a_did_plc_is_asked_of_the_directory_and_a_did_web_of_its_host() -> None:
    assert document_url(ALICE, PLC) == f"{PLC}/{ALICE}"
    assert document_url(WEB, PLC) == "https://alice.example.com/.well-known/did.json"


@pytest.mark.parametrize(
    "did",
    [
        "did:plc:short",
        "did:plc:" + "A" * 24,
        "did:plc:" + "a" * 24 + "/../x",
        "did:web:alice.example.com:path",
        "did:web:localhost",
        "did:web:localhost%3A2583",
        "did:web:127.0.0.1",
        "did:web:2130706433",
        "did:web:alice.example.com%2Fpath",
        "did:web:",
        "did:key:zQ3shXjHeiBuRCKmM36cuYnm7YEMzhGnCmCyW92sRJ9pribSF",
        "alice.example.com",
        "",
    ],
)
def test_other_dids_lead_nowhere(did: str) -> None:
    with pytest.raises(IdentityError):
        document_url(did, PLC)


@pytest.mark.parametrize("name", ["#atproto_pds", f"{ALICE}#atproto_pds"])
def test_both_ways_to_name_the_service(name: str) -> None:
    identity = read_document(_document(id=name), ALICE, allow_private=False)
    assert identity == Identity(ALICE, "https://pds.example.com", None)


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "#atproto_labeler"},
        {"id": f"{BOB}#atproto_pds"},
        {"type": "AtprotoLabeler"},
        {"serviceEndpoint": None},
        {"serviceEndpoint": {"uri": "https://pds.example.com"}},
        {"serviceEndpoint": "https://pds.example.com/path"},
        {"serviceEndpoint": "http://pds.example.com"},
        {"serviceEndpoint": "http://localhost:2583"},
        {"serviceEndpoint": "https://me:secret@pds.example.com"},
    ],
)
def test_a_service_that_cannot_be_used(changes: dict[str, Any]) -> None:
    with pytest.raises(IdentityError, match=ALICE):
        read_document(_document(**changes), ALICE, allow_private=False)


@pytest.mark.parametrize(
    "document",
    [None, [], "x", {}, {"id": ALICE}, {"id": ALICE, "service": {}}, {"id": ALICE, "service": ["x", None, 5]}],
)
def test_a_document_that_is_none(document: Any) -> None:
    with pytest.raises(IdentityError):
        read_document(document, ALICE, allow_private=False)


def test_the_document_must_be_about_the_did() -> None:
    with pytest.raises(IdentityError, match="somebody else"):
        read_document(_document(), BOB, allow_private=False)


def test_the_first_service_that_fits_is_taken() -> None:
    first, second = _document()["service"][0], _document(serviceEndpoint="https://other.example.com")["service"][0]
    document = {"id": ALICE, "service": [{"id": "#other"}, first | {"type": "Other"}, first, second]}
    assert read_document(document, ALICE, allow_private=False).pds == "https://pds.example.com"


@pytest.mark.parametrize("name", ["#atproto", f"{ALICE}#atproto"])
@pytest.mark.parametrize("kind", ["Multikey", "EcdsaSecp256k1VerificationKey2019", "EcdsaSecp256r1VerificationKey2019"])
def test_both_styles_of_key(name: str, kind: str) -> None:
    method = {"id": name, "type": kind, "controller": ALICE, "publicKeyMultibase": "zQ3"}
    identity = read_document(_document() | {"verificationMethod": [method]}, ALICE, allow_private=False)
    assert identity.key == SigningKey(kind, "zQ3")


@pytest.mark.parametrize(
    "changes", [{"id": "#other"}, {"type": "Other"}, {"controller": BOB}, {"publicKeyMultibase": None}]
)
def test_a_key_that_is_none_of_ours_is_left(changes: dict[str, Any]) -> None:
    method = {"id": "#atproto", "type": "Multikey", "controller": ALICE, "publicKeyMultibase": "zQ3"} | changes
    identity = read_document(_document() | {"verificationMethod": [method]}, ALICE, allow_private=False)
    assert identity.key is None


@pytest.mark.parametrize(
    ("name", "pds", "kind"),
    [
        ("did_plc_doc.json", "https://bsky.social", "Multikey"),
        ("did_plc_doc_legacy.json", "https://bsky.social", "EcdsaSecp256k1VerificationKey2019"),
    ],
)
def test_real_documents(shared: Path, name: str, pds: str, kind: str) -> None:
    document = json.loads((shared / "fixtures/atproto-interop/extra-indigo" / name).read_text())
    identity = read_document(document, document["id"], allow_private=False)
    assert identity.pds == pds
    assert identity.key is not None
    assert identity.key.kind == kind


def test_looking_up() -> None:
    plc = FakePlc()
    plc.register(ALICE, "http://localhost:2583")
    with serving(plc.answer) as url, open_client(allow_private=True) as client:
        assert DidResolver(client, url, allow_private=True).identity(ALICE).pds == "http://localhost:2583"


@pytest.mark.parametrize(("status", "said"), [(404, "never registered"), (410, "given up")])
def test_an_unknown_and_a_given_up_did(status: int, said: str) -> None:
    plc = FakePlc({ALICE: status})
    with (
        serving(plc.answer) as url,
        open_client(allow_private=True) as client,
        pytest.raises(IdentityError, match=said) as caught,
    ):
        DidResolver(client, url, allow_private=True).identity(ALICE)
    assert url in str(caught.value)


def test_a_did_web_is_fetched_from_its_host() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        body = httpx.ByteStream(json.dumps(_document() | {"id": WEB}).encode())
        return httpx.Response(200, headers={"content-type": "application/json"}, stream=body)

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        identity = DidResolver(XrpcClient(http), PLC).identity(WEB)
    assert asked == ["https://alice.example.com/.well-known/did.json"]
    assert identity == Identity(WEB, "https://pds.example.com")


def test_a_did_web_that_is_gone_is_a_refusal() -> None:
    transport = httpx.MockTransport(lambda _request: httpx.Response(404, stream=httpx.ByteStream(b"")))
    with httpx.Client(transport=transport) as http, pytest.raises(RefusedError):
        DidResolver(XrpcClient(http), PLC).identity(WEB)


@pytest.mark.parametrize("body", [b"[" * 100_000, b"{", b""])
def test_a_document_that_is_no_json(body: bytes) -> None:
    with (
        serving(lambda _path, _query: Reply(body)) as url,
        open_client(allow_private=True) as client,
        pytest.raises(NotJsonError),
    ):
        DidResolver(client, url, allow_private=True).identity(ALICE)


def test_one_pds_for_all() -> None:
    assert FixedPds("https://pds.example.com").identity(BOB) == Identity(BOB, "https://pds.example.com")


def test_local_servers_may_be_contacted_when_they_are_named_by_hand() -> None:
    plc = FakePlc()
    plc.register(ALICE, "http://127.0.0.1:2583")
    with serving(plc.answer) as url, open_servers(plc=url + "/") as (_, resolver):
        assert resolver.identity(ALICE).pds == "http://127.0.0.1:2583"
    with open_servers(pds="http://localhost:2583") as (_, resolver):
        assert resolver == FixedPds("http://localhost:2583")


def test_public_servers_named_by_hand_lead_to_public_ones() -> None:
    heard: list[dict[str, str]] = []
    with serving(lambda _path, _query: Reply.json({}), heard) as url:
        for given in ({"plc": "https://plc.example.com"}, {"pds": "https://pds.example.com"}, {}):
            with open_servers(**given) as (client, _), pytest.raises(AddressError):
                client.get(url)
    assert heard == []


@pytest.mark.parametrize("url", ["http://plc.example.com", "https://plc.example.com/path", "plc.example.com", ""])
def test_a_server_named_wrongly(url: str) -> None:
    with pytest.raises(AddressError), open_servers(plc=url):
        pass
    with pytest.raises(AddressError), open_servers(pds=url):
        pass
