"""Who may ask for what: the door in front of all addresses.

A server that listens on this machine alone asks nobody for a key; one that others can reach asks
everybody. Both answer only to names of their own (a page elsewhere could otherwise have its name
point to us and read along) and let nothing be changed by a page of another server.

What is not listed here as open to others needs the key to the desk: an address that is forgotten
in the list is closed, not open.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders

from referee.errors import RefereeError
from referee.server.links import KEY, Links, LinksFile, Role

LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]", "::1"})

_READS = frozenset({"GET", "HEAD", "OPTIONS"})

_OPEN: tuple[tuple[str, Role | None], ...] = (
    # Nobody needs a key for the pages' own files, nor to ask whether the server is up.
    ("/static/", None),
    ("/health", None),
    ("/favicon.ico", None),
    ("/", Role.PUBLIC),
    ("/overlay", Role.PUBLIC),
    ("/api/state", Role.PUBLIC),
    ("/api/events", Role.PUBLIC),
    ("/sounds/", Role.PUBLIC),
    ("/moments/", Role.PUBLIC),
    ("/video", Role.DISPLAY),
    ("/picture.jpg", Role.DISPLAY),
)
"""Addresses (all below, where one ends in a stroke) and what they need."""


def needed(path: str) -> Role | None:
    """The role that an address asks for; None: it is open to all."""
    for known, role in _OPEN:
        if path == known or (known != "/" and known.endswith("/") and path.startswith(known)):
            return role
    return Role.CONTROL


class Access:
    """Judges requests by their headers. For the event loop's thread."""

    def __init__(
        self,
        hosts: frozenset[str] | None = LOOPBACK,
        file: LinksFile | None = None,
        port: int = 0,
    ) -> None:
        """``hosts`` are the names by which the server may be asked, None for any. With a
        ``file``, every guest needs a key; ``port`` keeps the cookies of two servers on one
        machine apart. Raises RefereeError where the file cannot be used.
        """
        self._hosts = hosts
        self._file = file
        self._port = port
        self._stamp: object = None
        self._links = Links({})
        if file is not None:
            self._links = file.load()
            self._stamp = file.stamp()

    @property
    def is_open(self) -> bool:
        """Whether no key is asked for."""
        return self._file is None

    @property
    def links(self) -> Links:
        """The keys that are good now."""
        return self._links

    def refresh(self) -> bool:
        """Look whether the keys were changed; True if so. A file that went bad lets nobody in."""
        if self._file is None or (stamp := self._file.stamp()) == self._stamp:
            return False
        self._stamp = stamp
        try:
            # A file that is gone is not made anew: whoever removed it wants nobody to come in.
            self._links = Links({}) if stamp is None else self._file.load()
        except RefereeError:
            self._links = Links({})
        return True

    def knows(self, headers: Headers) -> bool:
        """Whether the request names this server by one of its own names."""
        name = host_name(headers.get("host", ""))
        if self._hosts is None or name in self._hosts:
            return True
        # Where others can reach us there may be more addresses than this machine knows of.
        return not self.is_open and _is_number(name)

    def may_change(self, method: str, headers: Headers) -> bool:
        """Whether a request that changes something comes from our own pages, or from no page.

        Browsers tell with every such request which page it came from, or at least from how far;
        programs (a Stream Deck, curl) say nothing, and no page can make them.
        """
        if method in _READS:
            return True
        origin = headers.get("origin")
        if origin is not None:
            return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
        return headers.get("sec-fetch-site", "none") in ("same-origin", "none")

    def presented(self, query: bytes, headers: Headers) -> tuple[str, ...]:
        """All keys that a request shows: in its address, as a bearer's, in its cookies."""
        keys = [value for name, value in parse_qsl(query.decode("latin-1")) if name == KEY]
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            keys.append(bearer.strip())
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return tuple(keys)
        mine = (self._cookie(role) for role in Role)
        return (*keys, *(cookies[name].value for name in mine if name in cookies))

    def role(self, keys: Iterable[str]) -> Role | None:
        """The highest role among the keys; on an open server everybody runs the game."""
        if self.is_open:
            return Role.CONTROL
        roles = [role for key in keys if (role := self._links.role(key)) is not None]
        return max(roles, default=None)

    def key_in(self, query: bytes) -> tuple[Role, str] | None:
        """A good key that stands in the address, where it should not stay."""
        for name, value in parse_qsl(query.decode("latin-1")):
            role = self._links.role(value) if name == KEY else None
            if role is not None:
                return role, value
        return None

    def set_cookie(self, headers: MutableHeaders, role: Role, key: str, secure: bool) -> None:
        """Have the browser keep a key where no page and no other server's page can get at it."""
        headers.append(
            "Set-Cookie",
            f"{self._cookie(role)}={key}; Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000"
            + ("; Secure" if secure else ""),
        )

    def _cookie(self, role: Role) -> str:
        return f"referee_{self._port}_{role.name.lower()}"


def without_key(path: str, query: bytes) -> str:
    """An address with its key taken out."""
    rest = [(n, v) for n, v in parse_qsl(query.decode("latin-1"), True) if n != KEY]
    # A path that begins with two strokes would be another server's name to the browser.
    return "/" + path.lstrip("/") + (f"?{urlencode(rest)}" if rest else "")


def host_name(host: str) -> str:
    """The host that was asked for, without its port."""
    host = host.lower()
    return host.partition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]


def own_names(host: str, more: Iterable[str] = ()) -> frozenset[str]:
    """The names by which a server that listens on ``host`` may be asked.

    On this machine alone: its own. Else this machine's names as well, and what the user says in
    ``more`` (behind a proxy with a name of its own).
    """
    names = LOOPBACK | {name.lower() for name in more}
    names |= {f"[{host}]" if ":" in host else host.lower()}
    if is_loopback(host):
        return names
    own = socket.gethostname().lower()
    return names | {own, own.partition(".")[0], f"{own.partition('.')[0]}.local"}


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach ``host``."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_number(name: str) -> bool:
    """Whether a host is named by its address. Names can be made to point anywhere, these not."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
