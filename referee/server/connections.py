"""Connections that cost nothing: the quiet are hung up on, the slow hold no old pictures."""

from __future__ import annotations

import asyncio
import socket

from uvicorn.protocols.http.h11_impl import H11Protocol

FIRST_REQUEST_S = 10.0
"""How long a connection may be open before it has asked for anything."""

MAX_CONNECTIONS = 500
"""Open at once; one more is hung up on. Browsers keep several, some of them idle."""

SEND_BUFFER_BYTES = 512 * 1024
"""What the system holds back for a client that reads slowly. Left to itself it grows to many
megabytes, and a viewer would be shown pictures from seconds ago."""


class PatientProtocol(H11Protocol):
    """uvicorn's HTTP, hung up on where a client sends no whole request in time."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come; the argument is narrower than asyncio's, as uvicorn's own is."""
        if len(self.connections) >= MAX_CONNECTIONS:
            transport.abort()
        self._waiting = self.loop.call_later(FIRST_REQUEST_S, transport.abort)
        connection = transport.get_extra_info("socket")
        if connection is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        super().connection_made(transport)

    def handle_events(self) -> None:
        """Something arrived: once it was a whole request, its own limits hold."""
        super().handle_events()
        if self.cycle is not None and self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone."""
        if self._waiting is not None:
            self._waiting.cancel()
        super().connection_lost(exc)
