"""A connection to obs-websocket 5: requests and their answers.

The protocol is public (obs-websocket's ``docs/generated/protocol.md``): JSON messages with an
operation's number ``op`` and its data ``d``. OBS begins with Hello, we identify ourselves (with
an answer to its challenge, where it has a password), then each request gets one response.
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import ExitStack
from itertools import count
from typing import Any, Final
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from referee.errors import RefereeError

ADDRESS: Final = "127.0.0.1:4455"
"""Where OBS listens unless told otherwise."""

PATIENCE_S: Final = 5.0
"""How long OBS may take to answer."""

_HELLO, _IDENTIFY, _IDENTIFIED, _REQUEST, _RESPONSE = 0, 1, 2, 6, 7
_RPC_VERSION: Final = 1
_WRONG_PASSWORD: Final = 4009
_LARGEST_BYTES: Final = 8 * 1024 * 1024

UNKNOWN_REQUEST: Final = 204
"""This OBS is too old for the request."""
OUTPUT_NOT_RUNNING: Final = 501
"""Nothing is recorded, or the replay buffer is off."""
NOT_FOUND: Final = 600
"""There is no scene, source or output of that name."""


class ObsError(RefereeError):
    """OBS is not there, refuses the password, or broke off."""


class ObsPasswordError(ObsError):
    """OBS wants another password."""


class ObsRefusedError(ObsError):
    """OBS understood a request and says no to it."""

    def __init__(self, request: str, code: int, comment: str) -> None:
        super().__init__(f"OBS refused {request} ({code}): {comment or 'no reason given'}")
        self.code = code
        """As in the protocol's list of status codes."""


def answer_to(challenge: str, salt: str, password: str) -> str:
    """What proves to OBS that we know its password, as the protocol has it."""
    secret = base64.b64encode(hashlib.sha256((password + salt).encode()).digest())
    return base64.b64encode(hashlib.sha256(secret + challenge.encode()).digest()).decode()


class Obs:
    """An open connection. Not for use from several threads at once."""

    def __init__(self, address: str = ADDRESS, password: str = "") -> None:
        """Connect and identify; `address` is ``host:port``, with or without ``ws://``.

        Raises ObsPasswordError where the password is wrong or missing, ObsError where nobody
        answers or somebody else does.
        """
        self.address = address
        self._numbers = count(1)
        self._ending = ExitStack()
        url = address if "://" in address else f"ws://{address}"
        try:
            parts = urlsplit(url)
            known = parts.scheme in ("ws", "wss") and parts.hostname and parts.port
        except ValueError:
            known = None
        if not known:
            raise ObsError(f"expected OBS's address as host:port, found {address!r}")
        try:
            # OBS answers small messages; compressing them is only another thing to go wrong.
            self._socket = self._ending.enter_context(
                connect(
                    url,
                    subprotocols=[Subprotocol("obswebsocket.json")],
                    compression=None,
                    open_timeout=PATIENCE_S,
                    close_timeout=1,
                    max_size=_LARGEST_BYTES,
                    proxy=None,
                )
            )
        except (OSError, InvalidHandshake, InvalidURI) as error:
            raise ObsError(
                f"OBS does not answer at {address}: is it running, with 'Enable WebSocket server' "
                "ticked under Tools, WebSocket Server Settings?"
            ) from error
        try:
            self._identify(password)
        except BaseException:
            self._ending.close()
            raise

    def __enter__(self) -> Obs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._ending.close()

    def ask(self, request: str, **data: Any) -> dict[str, Any]:
        """Send a request and return what OBS answers; fields are named as in the protocol.

        Raises ObsRefusedError where OBS says no, ObsError where the connection has ended.
        """
        number = str(next(self._numbers))
        self._send(
            _REQUEST, {"requestType": request, "requestId": number, "requestData": data or None}
        )
        deadline_s = time.monotonic() + PATIENCE_S
        while True:
            op, answer = self._receive(deadline_s)
            if op != _RESPONSE or answer.get("requestId") != number:
                continue
            status = answer["requestStatus"]
            if not status["result"]:
                raise ObsRefusedError(request, int(status["code"]), str(status.get("comment", "")))
            found: dict[str, Any] = answer.get("responseData") or {}
            return found

    def is_alive(self) -> bool:
        """Whether OBS still answers."""
        try:
            self.ask("GetVersion")
        except ObsRefusedError:
            return True
        except ObsError:
            return False
        return True

    def _identify(self, password: str) -> None:
        deadline_s = time.monotonic() + PATIENCE_S
        op, hello = self._receive(deadline_s)
        if op != _HELLO:
            raise ObsError(f"expected OBS's greeting at {self.address}, found message {op}")
        # No events are wanted: 0 subscribes to none.
        identity: dict[str, Any] = {"rpcVersion": _RPC_VERSION, "eventSubscriptions": 0}
        challenge = hello.get("authentication")
        if challenge is not None:
            if not password:
                raise ObsPasswordError(
                    f"OBS at {self.address} wants its password: Tools, WebSocket Server "
                    "Settings, Show Connect Info shows it"
                )
            identity["authentication"] = answer_to(
                challenge["challenge"], challenge["salt"], password
            )
        self._send(_IDENTIFY, identity)
        op, _ = self._receive(deadline_s)
        if op != _IDENTIFIED:
            raise ObsError(f"expected OBS to accept us at {self.address}, found message {op}")

    def _send(self, op: int, data: Mapping[str, Any]) -> None:
        try:
            self._socket.send(json.dumps({"op": op, "d": data}))
        except ConnectionClosed as closed:
            raise self._ended(closed) from closed

    def _receive(self, deadline_s: float) -> tuple[int, dict[str, Any]]:
        try:
            message = self._socket.recv(timeout=max(0.0, deadline_s - time.monotonic()))
            read = json.loads(message)
            return int(read["op"]), read["d"]
        except TimeoutError as error:
            raise ObsError(
                f"OBS at {self.address} did not answer within {PATIENCE_S:.0f} seconds"
            ) from error
        except ConnectionClosed as closed:
            raise self._ended(closed) from closed
        except (ValueError, KeyError, TypeError) as error:
            raise ObsError(f"what answers at {self.address} is no obs-websocket 5") from error

    def _ended(self, closed: ConnectionClosed) -> ObsError:
        if closed.rcvd is not None and closed.rcvd.code == _WRONG_PASSWORD:
            return ObsPasswordError(f"OBS at {self.address} does not accept the password")
        return ObsError(f"OBS at {self.address} has ended the connection")
