"""Where decks are kept: the user's own, and those that come with the program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from calibration.deck import SUFFIX, Deck, DeckError, load_deck

BUILT_IN: Final = Path(__file__).parent / "decks"


@dataclass(frozen=True, slots=True)
class Shelved:
    """A deck file on a shelf."""

    name: str
    """What it is asked for by: the file's name without its ending."""
    path: Path
    own: bool
    """Whether it is the user's, and not one that comes with the program."""


def user_folder() -> Path:
    """Where enrolled decks go unless another file is named."""
    return Path(platformdirs.user_data_path("table-referee")) / "decks"


def shelved() -> list[Shelved]:
    """All decks by name; one of the user's hides one of the program's that is called alike."""
    found: dict[str, Shelved] = {}
    for folder, own in ((BUILT_IN, False), (user_folder(), True)):
        for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
            name = path.name.removesuffix(SUFFIX)
            found[name] = Shelved(name, path, own)
    return [found[name] for name in sorted(found)]


def find_deck(asked: str) -> Path:
    """The file of a deck that is asked for by its name or its path; raises `DeckError`."""
    path = Path(asked)
    if path.is_file():
        return path
    names = {one.name: one.path for one in shelved()}
    kept_as = file_name(asked).removesuffix(SUFFIX)
    if kept_as in names:
        return names[kept_as]
    if path.suffix == ".toml" or path.parent != Path():
        raise DeckError(f"{asked}: expected a deck file, found none")
    raise DeckError(f"expected the name of a deck ({', '.join(names)}) or a file, found {asked!r}")


def open_deck(asked: str) -> Deck:
    """The deck that is asked for by its name or its path; raises `DeckError`."""
    return load_deck(find_deck(asked))


def file_name(name: str) -> str:
    """The file that a deck of a name is kept in: blanks become dashes."""
    return "-".join(name.split()) + SUFFIX
