"""The keys to a server that other machines can reach: one for each kind of guest.

Whoever listens on an address beyond this machine gives out three links: to the public, to the
displays of the show (OBS on another computer), and to those who run the game. Each holds a key of
its own and can be made anew alone. The keys lie in one file that nobody else on the machine may
read; a server that runs notices when it changes.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import secrets
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from urllib.parse import urlencode

from platformdirs import user_config_path

from referee.errors import RefereeError

KEY = "key"
"""The parameter of a link that holds its key."""

KEY_BYTES = 24
"""Of chance in a key; nobody guesses 192 bits, however fast the server answers."""

_FILE = "links.json"
_OWNER_ONLY = 0o600


class Role(IntEnum):
    """What a guest may do; each may also do what those below may."""

    PUBLIC = 1
    """See the overlay."""
    DISPLAY = 2
    """See the camera's picture, too."""
    CONTROL = 3
    """Set the table up, correct the game, see what the public must not."""


PAGES: Mapping[Role, str] = {
    Role.PUBLIC: "/overlay",
    Role.DISPLAY: "/overlay",
    Role.CONTROL: "/desk",
}
"""Where each kind of guest is sent."""


@dataclass(frozen=True, slots=True)
class Links:
    """A key for each role."""

    keys: Mapping[Role, str]

    def role(self, key: str) -> Role | None:
        """Whose key it is. Takes as long for a wrong key as for a right one."""
        found: Role | None = None
        for role, known in self.keys.items():
            if hmac.compare_digest(known.encode(), key.encode()):
                found = role
        return found

    def address(self, role: Role, base: str, page: str | None = None) -> str:
        """The link for a role, ``base`` being the server's address without a path."""
        return f"{base}{page or PAGES[role]}?{urlencode({KEY: self.keys[role]})}"


def config_folder() -> Path:
    """Where this user's settings lie; the environment's REFEREE_CONFIG names another folder."""
    named = os.environ.get("REFEREE_CONFIG")
    return Path(named) if named else user_config_path("table-referee", appauthor=False)


class LinksFile:
    """The file that holds the keys."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or config_folder()) / _FILE

    def stamp(self) -> tuple[int, int, int] | None:
        """Changes whenever the file does; None where there is none."""
        try:
            stat = self.path.stat()
        except OSError:
            return None
        return stat.st_ino, stat.st_mtime_ns, stat.st_size

    def load(self) -> Links:
        """The keys, made now where there is no file yet.

        Raises RefereeError for a file that is none of ours, or one that others may read.
        """
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return self.rotate(Role)
        except OSError as error:
            raise RefereeError(f"{self.path}: cannot read the keys ({error.strerror})") from error
        if os.name == "posix" and self.path.stat().st_mode & 0o077:
            raise RefereeError(
                f"{self.path}: expected a file that its owner alone may read (chmod 600), found"
                " one that others may; 'referee links --rotate all' makes new keys"
            )
        links = _parsed(text)
        if links is None:
            raise RefereeError(
                f"{self.path}: expected a key for each of"
                f" {', '.join(role.name.lower() for role in Role)}, found something else;"
                " 'referee links --rotate all' makes new ones"
            )
        return links

    def rotate(self, roles: Iterable[Role]) -> Links:
        """Make new keys for these roles: the old links stop at once. Returns all keys."""
        known = None
        with contextlib.suppress(OSError, UnicodeDecodeError):
            known = _parsed(self.path.read_text(encoding="utf-8"))
        anew = set(roles)
        before = {} if known is None else dict(known.keys)
        links = Links(
            {
                role: secrets.token_urlsafe(KEY_BYTES)
                if role in anew or role not in before
                else before[role]
                for role in Role
            }
        )
        self._write(links)
        return links

    def _write(self, links: Links) -> None:
        text = json.dumps({role.name.lower(): key for role, key in links.keys.items()}, indent=1)
        beside = self.path.with_name(f".{_FILE}.{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            beside.unlink(missing_ok=True)
            # The rights are set as the file is made: there is no moment at which others may read.
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text + "\n")
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except OSError as error:
            raise RefereeError(f"{self.path}: cannot write the keys ({error.strerror})") from error


def _parsed(text: str) -> Links | None:
    try:
        data = json.loads(text)
        keys = {role: data[role.name.lower()] for role in Role}
    except (ValueError, KeyError, TypeError):
        return None
    if not all(isinstance(key, str) and len(key) >= KEY_BYTES for key in keys.values()):
        return None
    return Links(keys)


def reachable(host: str) -> str:
    """A name under which other machines find this one, for a server that listens on ``host``.

    Where it listens on all addresses, the one that leads to the network is taken; no packet is
    sent to find it.
    """
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe,
    ):
        probe.connect(("192.0.2.1", 9))  # an address for documentation; a datagram socket only
        return str(probe.getsockname()[0])  # looks up the way
    return socket.gethostname()
