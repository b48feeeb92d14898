"""Running the server: the port, the thread, the end."""

from __future__ import annotations

import errno
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import uvicorn
from fastapi import APIRouter

from referee.errors import RefereeError
from referee.overlay.source import Source
from referee.server.access import Access, is_loopback, own_names
from referee.server.app import create_app
from referee.server.connections import PatientProtocol
from referee.server.hub import Hub
from referee.server.links import PAGES, LinksFile, Role, reachable

HOST, PORT = "127.0.0.1", 8017
"""Where the server listens unless told otherwise: on this machine alone."""

SWITCH_S = 0.001

STOP_S = 3.0
"""How long the server may take to end."""


def bind(host: str = HOST, port: int = PORT) -> socket.socket:
    """Take the port before any other work begins.

    Raises RefereeError where the port is in use or the address is not this machine's.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except socket.gaierror as error:
        raise RefereeError(f"expected a name or address to listen on, found {host!r}") from error
    try:
        # Without this, a server that was just stopped would block its own port for a minute.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise RefereeError(_why(error, host, port)) from error
    return listener


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} on {host} is in use by another program; choose one with --port"
    if error.errno == errno.EACCES:
        return f"port {port} needs more rights than this program has; choose one above 1023"
    return f"cannot listen on {host} port {port}: {error.strerror}"


class Serving:
    """A server that runs in a thread of its own, for as long as a ``with`` lasts."""

    def __init__(
        self,
        source: Source,
        listener: socket.socket,
        delay_s: float = 0.0,
        names: Iterable[str] = (),
        routers: Sequence[Callable[[Hub], APIRouter]] = (),
    ) -> None:
        """Serve `source` on a socket from `bind`.

        On an address that other machines reach, guests need a key. `names` are further names by
        which the server may be asked; `routers` are further addresses, see `create_app`. Raises
        RefereeError where the keys cannot be had.
        """
        host, port = listener.getsockname()[:2]
        local = is_loopback(host)
        self.access = Access(own_names(host, names), None if local else LinksFile(), port)
        self.url = f"http://{reachable(host)}:{port}"
        self.hub = Hub(source, delay_s)
        app = create_app(source, access=self.access, hub=self.hub, routers=routers)
        config = uvicorn.Config(
            app,
            http=PatientProtocol,
            ws="none",
            log_level="error",  # what strangers send is none of the user's worries
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        self._listener = listener
        self._thread = threading.Thread(
            target=self._server.run, args=([listener],), name="server", daemon=True
        )

    def link(self, role: Role, page: str | None = None) -> str:
        """The address to give to a kind of guest, of their usual page or another."""
        if self.access.is_open:
            return f"{self.url}{page or PAGES[role]}"
        return self.access.links.address(role, self.url, page)

    def start(self) -> None:
        """Begin to answer."""
        # Sending to a viewer gives the interpreter away, and a thread that computes keeps it for
        # this long: with a hundred viewers the usual 5 ms would add up to half a second.
        sys.setswitchinterval(SWITCH_S)
        self._thread.start()

    def stop(self) -> None:
        """End the feeds, then the server."""
        self.hub.end()
        self._server.should_exit = True
        self._thread.join(STOP_S)
        self._listener.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@contextmanager
def serving(source: Source, listener: socket.socket, delay_s: float = 0.0) -> Iterator[str]:
    """Serve while the body runs; gives the server's address."""
    with Serving(source, listener, delay_s) as server:
        yield server.url
