"""Write a page for OBS that waits for the server and then shows its overlay."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Annotated

import typer

from referee.server.app import STATIC
from referee.server.serve import HOST, PORT

PLACE = "__OVERLAY_ADDRESS__"
"""What stands in the page for the overlay's address."""


def run(
    url: Annotated[
        str, typer.Option(help="The overlay's address, with its parameters.")
    ] = f"http://{HOST}:{PORT}/overlay",
    out: Annotated[Path, typer.Option(dir_okay=False, metavar="FILE", help="The page.")] = Path(
        "overlay.html"
    ),
) -> None:
    """Write a local page that shows the overlay as soon as the server is there.

    OBS that is started before the referee shows an error page instead of the overlay, and never
    asks again. Give OBS this file instead (browser source, 'Local file'): it is there at once,
    waits without a trace, and shows the overlay whenever the server is up.

    \b
    Examples:
      referee overlay-page
      referee overlay-page --url "http://127.0.0.1:8017/overlay?lang=de&theme=light" --out de.html
    """
    if not url.startswith(("http://", "https://")):
        raise typer.BadParameter(f"expected an address with http://, found {url!r}")
    write_page(url, out)
    print(f"{out.resolve()}\nIn OBS: add a browser source, tick 'Local file', choose this file,")
    print("width 1920, height 1080.")


def write_page(url: str, out: Path) -> None:
    """Write the page that waits for an overlay's address, with the folders that it lies in."""
    page = (STATIC / "launcher.html").read_text(encoding="utf-8")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(page.replace(PLACE, html.escape(url, quote=True)), encoding="utf-8")
