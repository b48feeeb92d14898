"""OBS set up by itself: a scene with the camera's picture and the overlay, and a look at what works.

Setting up twice changes nothing: what is there is brought up to date, never doubled, and what
the user has moved or resized stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from referee.obs.client import NOT_FOUND, Obs, ObsRefusedError

SCENE: Final = "Table Referee"
CAMERA: Final = "Referee camera"
OVERLAY: Final = "Referee overlay"
"""Names of what is made; they are how it is found again."""

CANVAS_PX: Final = (1920, 1080)
"""What the overlay is drawn for; OBS scales it to the canvas it has."""

_CAMERA_KIND, _OVERLAY_KIND = "ffmpeg_source", "browser_source"
NO_BROWSER: Final = (
    "this OBS has no browser source, which the overlay needs: Debian's own package lacks it, "
    "the ones from obsproject.com and Flathub have it"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at or done."""

    ok: bool
    what: str
    advice: str = ""
    """What to do about it, where it is not well."""


def install(
    obs: Obs, *, video: str, overlay: str, page: Path | None = None, scene: str = SCENE
) -> list[Finding]:
    """Create the scene with its two sources, or bring them up to date.

    `video` and `overlay` are the referee's addresses. With `page`, the browser source shows that
    local file (see ``referee overlay-page``), which waits where OBS is started first.
    """
    done: list[Finding] = []
    scenes = [one["sceneName"] for one in obs.ask("GetSceneList")["scenes"]]
    if scene in scenes:
        done.append(Finding(True, f"scene '{scene}' is there already"))
    else:
        obs.ask("CreateScene", sceneName=scene)
        done.append(Finding(True, f"scene '{scene}' made"))
    done.append(_bring(obs, scene, CAMERA, _CAMERA_KIND, camera_settings(video), 0))
    if _OVERLAY_KIND in obs.ask("GetInputKindList", unversioned=True)["inputKinds"]:
        settings = overlay_settings(overlay, page)
        done.append(_bring(obs, scene, OVERLAY, _OVERLAY_KIND, settings, 1))
    else:
        done.append(Finding(False, f"source '{OVERLAY}' was not made", NO_BROWSER))
    return done


def camera_settings(video: str) -> dict[str, Any]:
    """Of a media source that shows the referee's picture and comes back when it breaks off."""
    return {
        "is_local_file": False,
        "input": video,
        "input_format": "mjpeg",
        "buffering_mb": 0,  # a live picture is shown as it comes
        "reconnect_delay_sec": 2,
        "restart_on_activate": False,
        "clear_on_media_end": False,  # the last picture stays while the referee restarts
        "hw_decode": False,
    }


def overlay_settings(overlay: str, page: Path | None) -> dict[str, Any]:
    """Of a browser source with the overlay, its sound in OBS's mixer."""
    where: dict[str, Any] = (
        {"is_local_file": False, "url": overlay}
        if page is None
        else {"is_local_file": True, "local_file": str(page)}
    )
    width, height = CANVAS_PX
    return {
        **where,
        "width": width,
        "height": height,
        "reroute_audio": True,
        "shutdown": False,
        "restart_when_active": False,
    }


def _bring(
    obs: Obs, scene: str, name: str, kind: str, settings: dict[str, Any], index: int
) -> Finding:
    """Make a source in a scene, or give the one of that name its settings."""
    kinds = {
        one["inputName"]: one["unversionedInputKind"] for one in obs.ask("GetInputList")["inputs"]
    }
    if name in kinds and kinds[name] != kind:
        return Finding(
            False,
            f"source '{name}' is a {kinds[name]}, not a {kind}",
            "rename or delete it in OBS and run this again",
        )
    if name in kinds:
        now = obs.ask("GetInputSettings", inputName=name)["inputSettings"]
        changed = {key: value for key, value in settings.items() if now.get(key) != value}
        if changed:
            obs.ask("SetInputSettings", inputName=name, inputSettings=settings, overlay=True)
    if name in kinds and _item(obs, scene, name) is not None:
        said = "brought up to date" if changed else "is there already"
        return Finding(True, f"source '{name}' {said}")
    if name in kinds:
        item = obs.ask("CreateSceneItem", sceneName=scene, sourceName=name)["sceneItemId"]
    else:
        item = obs.ask(
            "CreateInput", sceneName=scene, inputName=name, inputKind=kind, inputSettings=settings
        )["sceneItemId"]
    _fill_canvas(obs, scene, item)
    obs.ask("SetSceneItemIndex", sceneName=scene, sceneItemId=item, sceneItemIndex=index)
    return Finding(True, f"source '{name}' made")


def _item(obs: Obs, scene: str, name: str) -> int | None:
    try:
        return int(obs.ask("GetSceneItemId", sceneName=scene, sourceName=name)["sceneItemId"])
    except ObsRefusedError as refusal:
        if refusal.code == NOT_FOUND:
            return None
        raise


def _fill_canvas(obs: Obs, scene: str, item: int) -> None:
    canvas = obs.ask("GetVideoSettings")
    obs.ask(
        "SetSceneItemTransform",
        sceneName=scene,
        sceneItemId=item,
        sceneItemTransform={
            "boundsType": "OBS_BOUNDS_SCALE_INNER",
            "boundsWidth": canvas["baseWidth"],
            "boundsHeight": canvas["baseHeight"],
            "positionX": 0,
            "positionY": 0,
        },
    )


def check(obs: Obs, scene: str = SCENE) -> Iterator[Finding]:
    """What works and what does not, in the order in which one would put it right."""
    version = obs.ask("GetVersion")
    yield Finding(
        True,
        f"OBS {version['obsVersion']} with obs-websocket {version['obsWebSocketVersion']} answers",
    )
    scenes = [one["sceneName"] for one in obs.ask("GetSceneList")["scenes"]]
    install_it = "'referee obs install' makes it"
    if scene not in scenes:
        yield Finding(False, f"there is no scene '{scene}'", install_it)
    else:
        yield Finding(True, f"scene '{scene}' is there")
        yield _camera(obs, scene, install_it)
        if _item(obs, scene, OVERLAY) is not None:
            yield Finding(True, f"source '{OVERLAY}' is there")
        elif _OVERLAY_KIND in obs.ask("GetInputKindList", unversioned=True)["inputKinds"]:
            yield Finding(False, f"there is no source '{OVERLAY}'", install_it)
        else:
            yield Finding(False, f"there is no source '{OVERLAY}'", NO_BROWSER)
    yield _replay(obs)
    chapters = "CreateRecordChapter" in version["availableRequests"]
    yield Finding(
        chapters,
        "chapters can be set" if chapters else "this OBS is too old to set chapters",
        "" if chapters else "OBS 30.2 and newer can, in recordings as 'Hybrid MP4'",
    )


def _camera(obs: Obs, scene: str, install_it: str) -> Finding:
    if _item(obs, scene, CAMERA) is None:
        return Finding(False, f"there is no source '{CAMERA}'", install_it)
    state = str(obs.ask("GetMediaInputStatus", inputName=CAMERA)["mediaState"])
    if state == "OBS_MEDIA_STATE_PLAYING":
        return Finding(True, f"source '{CAMERA}' shows the picture")
    advice = "start the referee first ('referee live'); OBS looks for it every two seconds"
    return Finding(False, f"source '{CAMERA}' shows nothing", advice)


def _replay(obs: Obs) -> Finding:
    try:
        active = bool(obs.ask("GetReplayBufferStatus")["outputActive"])
    except ObsRefusedError:
        advice = "tick 'Enable Replay Buffer' under Settings, Output"
        return Finding(False, "the replay buffer is not set up", advice)
    if active:
        return Finding(True, "the replay buffer runs")
    return Finding(True, "the replay buffer is set up", "it starts when the plan wants replays")
