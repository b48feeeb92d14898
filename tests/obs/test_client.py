"""The connection to obs-websocket: greeting, password, requests, refusals, ends."""

from __future__ import annotations

import socket
import threading

import pytest
from websockets.sync.server import ServerConnection, serve

from referee.obs.client import Obs, ObsError, ObsPasswordError, ObsRefusedError, answer_to
from tests.obs.fake import PASSWORD, UNKNOWN, FakeObs


def test_the_answer_to_a_challenge_is_that_of_the_protocol() -> None:
    # The example of obs-websocket's protocol.md.
    salt = "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI="
    challenge = "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY="
    assert answer_to(challenge, salt, "supersecretpassword") == (
        "1Ct943GAT+6YQUUX47Ia/ncufilbe6+oD6lY+5kaCu4="
    )


def test_a_request_is_answered(fake: FakeObs) -> None:
    with Obs(fake.address, PASSWORD) as obs:
        assert obs.ask("GetCurrentProgramScene") == {"currentProgramSceneName": "Scene"}
        obs.ask("CreateScene", sceneName="Two")
        assert obs.ask("StartReplayBuffer") == {}
    assert list(fake.scenes) == ["Scene", "Two"]


def test_an_obs_without_a_password_asks_for_none() -> None:
    fake = FakeObs(password="")
    fake.start()
    with Obs(f"ws://{fake.address}") as obs:
        assert obs.is_alive()
    fake.stop()


@pytest.mark.parametrize(("password", "says"), [("", "wants its password"), ("x", "not accept")])
def test_a_wrong_password_is_told(fake: FakeObs, password: str, says: str) -> None:
    with pytest.raises(ObsPasswordError, match=says):
        Obs(fake.address, password)


def test_a_refusal_has_its_code(fake: FakeObs) -> None:
    fake.unknown.add("CreateRecordChapter")
    with Obs(fake.address, PASSWORD) as obs:
        with pytest.raises(ObsRefusedError, match="refused CreateRecordChapter") as refused:
            obs.ask("CreateRecordChapter", chapterName="x")
        assert refused.value.code == UNKNOWN
        assert obs.is_alive()


def test_an_obs_that_closes_is_noticed(fake: FakeObs) -> None:
    with Obs(fake.address, PASSWORD) as obs:
        fake.stop()
        with pytest.raises(ObsError, match="ended the connection"):
            obs.ask("GetVersion")
        assert not obs.is_alive()
    fake.start()


def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(ObsError, match="does not answer"):
            Obs(f"127.0.0.1:{taken.getsockname()[1]}")


def test_somebody_else_there() -> None:
    def talk(connection: ServerConnection) -> None:
        connection.send("good evening")

    server = serve(talk, "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with pytest.raises(ObsError, match="no obs-websocket"):
            Obs(f"127.0.0.1:{server.socket.getsockname()[1]}")
    finally:
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("address", ["here", "127.0.0.1", "http://127.0.0.1:4455", "a:b:c"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(ObsError, match="expected OBS's address"):
        Obs(address)
