"""The web server: overlay, feeds and picture of a game, over plain HTTP and without a build."""

from referee.server.app import create_app
from referee.server.hub import Hub
from referee.server.serve import bind, serving

__all__ = ["Hub", "bind", "create_app", "serving"]
