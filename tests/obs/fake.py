"""A small obs-websocket 5 that speaks the public protocol and remembers what it was asked for.

It stands in for what a test machine's OBS lacks (a browser source, chapters) and for an OBS that
comes and goes at will.
"""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve

Data = dict[str, Any]
PASSWORD = "ace of spades"
_SALT, _CHALLENGE = "c2FsdA==", "Y2hhbGxlbmdl"

NOT_FOUND, NOT_RUNNING, EXISTS, UNKNOWN = 600, 501, 601, 204


class FakeRefusal(Exception):  # noqa: N818 (a refusal is no error of the fake)
    """A request that this OBS says no to."""

    def __init__(self, code: int) -> None:
        super().__init__(str(code))
        self.code = code


class FakeObs:
    """One OBS; its scenes stay when it is closed and started again, as OBS's do."""

    def __init__(self, password: str = PASSWORD) -> None:
        self.password = password
        self.scenes: dict[str, list[Data]] = {"Scene": []}
        self.inputs: dict[str, Data] = {}
        self.kinds = ["ffmpeg_source", "browser_source", "image_source"]
        self.unknown: set[str] = set()
        """Requests that it is too old for."""
        self.program = "Scene"
        self.replaying = False
        self.recording = True
        self.chapters: list[str] = []
        self.replays = 0
        self.asked: list[tuple[str, Data]] = []
        self.port = 0
        self._next_item = 1
        self._server: Server | None = None
        self._open: set[ServerConnection] = set()
        self._changed = threading.Condition()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """Listen, on the port of the time before."""
        self._server = serve(self._talk, "127.0.0.1", self.port, compression=None)
        self.port = self._server.socket.getsockname()[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Close, with all connections."""
        assert self._server is not None
        self._server.shutdown()
        for connection in list(self._open):
            connection.close()
        self.replaying = False

    def wait_for(self, holds: Callable[[], bool], timeout_s: float = 20.0) -> None:
        """Wait until something holds, looked at after each request."""
        with self._changed:
            assert self._changed.wait_for(holds, timeout_s), self.asked

    # -- the protocol

    def _talk(self, connection: ServerConnection) -> None:
        self._open.add(connection)
        try:
            self._greet(connection)
            for message in connection:
                request = json.loads(message)
                assert request["op"] == 6
                connection.send(json.dumps({"op": 7, "d": self._answer(request["d"])}))
                with self._changed:
                    self._changed.notify_all()
        except ConnectionClosed:
            pass
        finally:
            self._open.discard(connection)

    def _greet(self, connection: ServerConnection) -> None:
        hello: Data = {"obsWebSocketVersion": "5.5.0", "rpcVersion": 1}
        if self.password:
            hello["authentication"] = {"challenge": _CHALLENGE, "salt": _SALT}
        connection.send(json.dumps({"op": 0, "d": hello}))
        identity = json.loads(connection.recv())
        assert identity["op"] == 1 and identity["d"]["rpcVersion"] == 1
        if self.password and identity["d"].get("authentication") != self._expected():
            connection.close(4009, "Authentication failed.")
            return
        connection.send(json.dumps({"op": 2, "d": {"negotiatedRpcVersion": 1}}))

    def _expected(self) -> str:
        secret = base64.b64encode(hashlib.sha256((self.password + _SALT).encode()).digest())
        return base64.b64encode(hashlib.sha256(secret + _CHALLENGE.encode()).digest()).decode()

    def _answer(self, request: Data) -> Data:
        name, data = request["requestType"], request.get("requestData") or {}
        self.asked.append((name, data))
        status: Data = {"result": True, "code": 100}
        response: Data | None = None
        try:
            handler = None if name in self.unknown else getattr(self, f"_{name}", None)
            if handler is None:
                raise FakeRefusal(UNKNOWN)
            response = handler(data)
        except FakeRefusal as refusal:
            status = {"result": False, "code": refusal.code, "comment": "no"}
        return {
            "requestType": name,
            "requestId": request["requestId"],
            "requestStatus": status,
            "responseData": response,
        }

    # -- requests, named as in the protocol

    def _GetVersion(self, data: Data) -> Data:  # noqa: N802
        known = [
            name.removeprefix("_")
            for name in dir(self)
            if name[:2].isupper() or name[1:2].isupper()
        ]
        return {
            "obsVersion": "30.2.0",
            "obsWebSocketVersion": "5.5.0",
            "availableRequests": [name for name in known if name not in self.unknown],
        }

    def _GetSceneList(self, data: Data) -> Data:  # noqa: N802
        return {"scenes": [{"sceneName": name} for name in self.scenes]}

    def _CreateScene(self, data: Data) -> None:  # noqa: N802
        if data["sceneName"] in self.scenes:
            raise FakeRefusal(EXISTS)
        self.scenes[data["sceneName"]] = []

    def _GetInputKindList(self, data: Data) -> Data:  # noqa: N802
        return {"inputKinds": self.kinds}

    def _GetInputList(self, data: Data) -> Data:  # noqa: N802
        return {
            "inputs": [
                {"inputName": name, "unversionedInputKind": one["kind"]}
                for name, one in self.inputs.items()
            ]
        }

    def _CreateInput(self, data: Data) -> Data:  # noqa: N802
        if data["inputName"] in self.inputs:
            raise FakeRefusal(EXISTS)
        self.inputs[data["inputName"]] = {
            "kind": data["inputKind"],
            "settings": dict(data["inputSettings"]),
        }
        return self._CreateSceneItem(data | {"sourceName": data["inputName"]})

    def _GetInputSettings(self, data: Data) -> Data:  # noqa: N802
        return {"inputSettings": self.inputs[data["inputName"]]["settings"]}

    def _SetInputSettings(self, data: Data) -> None:  # noqa: N802
        self.inputs[data["inputName"]]["settings"].update(data["inputSettings"])

    def _CreateSceneItem(self, data: Data) -> Data:  # noqa: N802
        item = {"id": self._next_item, "source": data["sourceName"], "shown": True}
        self._next_item += 1
        self.scenes[data["sceneName"]].append(item)
        return {"sceneItemId": item["id"]}

    def _GetSceneItemId(self, data: Data) -> Data:  # noqa: N802
        for item in self.scenes[data["sceneName"]]:
            if item["source"] == data["sourceName"]:
                return {"sceneItemId": item["id"]}
        raise FakeRefusal(NOT_FOUND)

    def _SetSceneItemTransform(self, data: Data) -> None:  # noqa: N802
        self._item(data)["transform"] = data["sceneItemTransform"]

    def _SetSceneItemIndex(self, data: Data) -> None:  # noqa: N802
        items = self.scenes[data["sceneName"]]
        item = self._item(data)
        items.remove(item)
        items.insert(data["sceneItemIndex"], item)

    def _SetSceneItemEnabled(self, data: Data) -> None:  # noqa: N802
        self._item(data)["shown"] = data["sceneItemEnabled"]

    def _GetVideoSettings(self, data: Data) -> Data:  # noqa: N802
        return {"baseWidth": 2560, "baseHeight": 1440}

    def _GetMediaInputStatus(self, data: Data) -> Data:  # noqa: N802
        return {"mediaState": "OBS_MEDIA_STATE_PLAYING"}

    def _GetCurrentProgramScene(self, data: Data) -> Data:  # noqa: N802
        return {"currentProgramSceneName": self.program}

    def _SetCurrentProgramScene(self, data: Data) -> None:  # noqa: N802
        if data["sceneName"] not in self.scenes:
            raise FakeRefusal(NOT_FOUND)
        self.program = data["sceneName"]

    def _GetReplayBufferStatus(self, data: Data) -> Data:  # noqa: N802
        return {"outputActive": self.replaying}

    def _StartReplayBuffer(self, data: Data) -> None:  # noqa: N802
        self.replaying = True

    def _SaveReplayBuffer(self, data: Data) -> None:  # noqa: N802
        if not self.replaying:
            raise FakeRefusal(NOT_RUNNING)
        self.replays += 1

    def _CreateRecordChapter(self, data: Data) -> None:  # noqa: N802
        if not self.recording:
            raise FakeRefusal(NOT_RUNNING)
        self.chapters.append(data["chapterName"])

    def _item(self, data: Data) -> Data:
        items = self.scenes[data["sceneName"]]
        return next(item for item in items if item["id"] == data["sceneItemId"])
