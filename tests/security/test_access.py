"""Who may ask for what, on a server that other machines can reach and on one that they cannot."""

from __future__ import annotations

import os
import stat
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import RefereeError
from referee.server import guard
from referee.server.access import Access, needed, own_names, without_key
from referee.server.app import create_app
from referee.server.links import KEY, LinksFile, Role
from tests.server.desk import Desk

PAGE = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    return TestClient(app, base_url="http://table.lan", follow_redirects=False)


def bearer(file: LinksFile, role: Role | None) -> dict[str, str]:
    return {} if role is None else {"Authorization": f"Bearer {file.load().keys[role]}"}


# -- keys and what they open

NOBODY, PUBLIC, DISPLAY, CONTROL = None, Role.PUBLIC, Role.DISPLAY, Role.CONTROL


ADDRESSES = [
    ("/health", NOBODY),
    ("/static/overlay.js", NOBODY),
    ("/overlay", PUBLIC),
    ("/api/state", PUBLIC),
    ("/picture.jpg", DISPLAY),
    ("/metrics", CONTROL),
    ("/openapi.json", CONTROL),
    ("/docs", CONTROL),
    ("/desk", CONTROL),
    ("/setup", CONTROL),
    ("/api/control/undo", CONTROL),
    ("/no/such/page", CONTROL),
]


def test_each_key_opens_its_own_and_what_lies_below(client: TestClient, file: LinksFile) -> None:
    for role in (NOBODY, PUBLIC, DISPLAY, CONTROL):
        for path, needs in ADDRESSES:
            status = client.get(path, headers=bearer(file, role)).status_code
            if needs is None or (role is not None and role >= needs):
                assert status not in (401, 403), (path, role)
            else:
                assert status == (401 if role is None else 403), (path, role)


@given(st.from_regex(r"/[a-z0-9/_.-]{1,30}", fullmatch=True))
def test_an_address_that_nobody_thought_of_is_closed(path: str) -> None:
    known = ("/static/", "/sounds/")
    named = {"/health", "/favicon.ico", "/", "/overlay", "/api/state", "/api/events"}
    if not path.startswith(known) and path not in named | {"/video", "/picture.jpg"}:
        assert needed(path) is Role.CONTROL


def test_a_wrong_key_opens_nothing(client: TestClient, file: LinksFile) -> None:
    for key in ("", "x", "ä", "A" * 32, "A" * 2000):
        assert file.load().role(key) is None
        assert client.get("/api/state", params={KEY: key}).status_code == 401
        for name in ("Cookie", "Authorization"):
            cookie = f"referee_8017_control={key}" if name == "Cookie" else f"Bearer {key}"
            headers = [(name.encode(), cookie.encode("latin-1"))]
            assert client.get("/api/state", headers=headers).status_code == 401


def test_the_cookie_of_another_server_opens_nothing(client: TestClient, file: LinksFile) -> None:
    key = file.load().keys[CONTROL]
    for name, status in (("referee_8017_control", 200), ("referee_8018_control", 401)):
        answer = client.get("/api/state", headers={"Cookie": f"{name}={key}"})
        assert answer.status_code == status


# -- the link


def test_the_key_does_not_stay_in_the_address(client: TestClient, file: LinksFile) -> None:
    key = file.load().keys[CONTROL]
    answer = client.get("/docs", params={"lang": "de", KEY: key}, headers=PAGE)
    assert answer.status_code == 200
    assert 'content="0; url=/docs?lang=de"' in answer.text and key not in answer.text
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    # The client kept it: the page opens, and so does what it loads.
    assert client.get("/docs?lang=de", headers=PAGE).status_code == 200
    assert client.get("/openapi.json").status_code == 200


def test_a_display_and_the_desk_in_one_browser_do_not_lose_each_other(
    client: TestClient, file: LinksFile
) -> None:
    keys = file.load().keys
    client.get("/docs", params={KEY: keys[CONTROL]}, headers=PAGE)
    client.get("/overlay", params={KEY: keys[PUBLIC]}, headers=PAGE)
    assert client.get("/openapi.json").status_code == 200


def test_a_media_player_gives_its_key_with_each_request(
    client: TestClient, file: LinksFile, desk: Desk
) -> None:
    desk.take()
    answer = client.get("/picture.jpg", params={KEY: file.load().keys[DISPLAY]})
    assert answer.status_code == 200 and "set-cookie" not in answer.headers


def test_whoever_has_no_key_is_told_in_a_page(client: TestClient) -> None:
    answer = client.get("/desk", headers=PAGE)
    assert answer.status_code == 401
    assert "referee links" in answer.text
    assert "script" not in answer.text


@given(
    st.sampled_from(["//evil.example", "/\\evil.example", "/overlay", "///x", "/a//b"]),
    st.dictionaries(st.sampled_from(["lang", "x", KEY]), st.text(max_size=5), max_size=3),
)
def test_a_link_never_leads_to_another_server(path: str, query: dict[str, str]) -> None:
    to = without_key(path, urlencode(query).encode())
    assert urlsplit(urljoin("http://table.lan/", to)).netloc == "table.lan"
    assert KEY not in parse_qs(urlsplit(to).query, keep_blank_values=True)


# -- the file of keys


def test_the_file_is_for_its_owner_alone(file: LinksFile) -> None:
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    file.rotate([Role.PUBLIC])
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="rights of this kind are POSIX's")
def test_a_file_that_others_may_read_is_refused(file: LinksFile) -> None:
    file.path.chmod(0o644)
    with pytest.raises(RefereeError, match="chmod 600"):
        file.load()


def test_a_file_that_is_none_of_ours_is_refused(file: LinksFile) -> None:
    for text in ("", "{}", "[]", '{"control": 1}', '{"control": "short"}'):
        file.path.write_text(text)
        with pytest.raises(RefereeError, match="expected a key for each"):
            file.load()


def test_one_link_is_made_anew_and_the_others_stay(file: LinksFile) -> None:
    before = file.load().keys
    after = file.rotate([Role.DISPLAY]).keys
    assert after[Role.DISPLAY] != before[Role.DISPLAY]
    assert {r: after[r] for r in (PUBLIC, CONTROL)} == {r: before[r] for r in (PUBLIC, CONTROL)}
    assert len(set(after.values())) == 3


def test_a_running_server_takes_new_keys_at_once(client: TestClient, file: LinksFile) -> None:
    old = bearer(file, CONTROL)
    assert client.get("/docs", headers=old).status_code == 200
    file.rotate([Role.CONTROL])
    assert client.get("/docs", headers=old).status_code == 401
    assert client.get("/docs", headers=bearer(file, CONTROL)).status_code == 200


def test_without_a_file_nobody_comes_in(client: TestClient, file: LinksFile) -> None:
    key = bearer(file, CONTROL)
    file.path.unlink()
    assert client.get("/docs", headers=key).status_code == 401
    assert not file.path.exists()


# -- names and origins


def test_names_under_which_a_reachable_server_answers(app: FastAPI, file: LinksFile) -> None:
    """A number cannot be made to point elsewhere, a name can."""
    for host, status in (
        ("table.lan", 200),
        ("192.168.1.7:8017", 200),
        ("[fe80::1]:8017", 200),
        ("evil.example", 421),
    ):
        client = TestClient(app, base_url=f"http://{host}")
        answer = client.get("/api/state", headers=bearer(file, CONTROL))
        assert answer.status_code == status, host


def test_names_of_a_server() -> None:
    assert "192.168.1.7" in own_names("192.168.1.7")
    assert "game.example" in own_names("0.0.0.0", ["Game.example"])
    assert own_names("127.0.0.1") == {"127.0.0.1", "localhost", "[::1]", "::1"}


PAGES: list[tuple[dict[str, str], bool]] = [
    ({}, True),  # curl, a Stream Deck
    ({"Origin": "http://127.0.0.1:8017"}, True),
    ({"Sec-Fetch-Site": "same-origin"}, True),
    ({"Origin": "http://evil.example"}, False),
    ({"Origin": "http://127.0.0.1:8018"}, False),  # another program on this machine
    ({"Origin": "https://127.0.0.1.evil.example"}, False),
    ({"Origin": "null"}, False),  # a page from a file, a sandboxed frame
    ({"Sec-Fetch-Site": "cross-site"}, False),
    ({"Sec-Fetch-Site": "same-site"}, False),
]


def test_no_page_of_another_server_changes_anything(desk: Desk) -> None:
    client = TestClient(create_app(desk), base_url="http://127.0.0.1:8017")
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for headers, allowed in PAGES:
            status = client.request(method, "/api/state", headers=headers).status_code
            assert status == (405 if allowed else 403), (method, headers)


def test_a_cookie_does_not_help_another_page(client: TestClient, file: LinksFile) -> None:
    client.get("/docs", params={KEY: file.load().keys[CONTROL]}, headers=PAGE)
    answer = client.post("/api/state", headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403


# -- sizes


def test_a_body_may_be_only_so_large(desk: Desk) -> None:
    client = TestClient(create_app(desk), base_url="http://127.0.0.1")
    large = b"x" * (guard.MAX_BODY_BYTES + 1)
    assert client.post("/api/state", content=large).status_code == 413
    assert client.post("/api/state", content=b"x").status_code == 405


def test_open_to_all_means_this_machine_alone(file: LinksFile) -> None:
    assert Access().role([]) is Role.CONTROL
    assert Access(None, file).role([]) is None
