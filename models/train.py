"""Trains one of the networks in a box of time.

    python -m models.build_data DATA        # render the samples first
    python -m models.train finder DATA RUN --minutes 60
    python -m models.train face-finder DATA RUN --minutes 15 --resume RUN/finder.pt
    python -m models.train reader DATA RUN --minutes 60
    python -m models.train sides DATA RUN --minutes 80
    python -m models.export DATA RUN        # weights to ONNX, temperatures, model card
    python -m models.export_sides DATA RUN

The learning rate follows the share of the time used up: a short warm-up, then a cosine to
zero. An average of the weights over the last few hundred steps is kept and saved every two
minutes, so that a run can be looked at, or stopped, at any time.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.batches import (
    CropStore,
    PatchStore,
    crop_batch,
    crop_to_input,
    is_half,
    patch_batch,
    to_tensor,
)
from models.networks import Finder, Reader, Sides
from models.samples import EITHER_WAY
from models.sides import SideStore, side_batch
from models.unfold import load_onnx
from vision.facts import COLOURS

GROUPS = 14
PATCHES = 24
CARDS = 32
TOP_RATE = {"finder": 3e-3, "face-finder": 3e-3, "reader": 2e-3, "sides": 2e-3}
FACE_FINDER_WEIGHTS = "face-finder.pt"
SAVE_EVERY_S = 120


def finder_loss(output: Tensor, target: Tensor) -> Tensor:
    """Focal loss of the heat (CornerNet's, arXiv 1808.01244), plus what is told at centres."""
    heat, asked = target[:, 0], (target[:, 0] >= 0).float()
    centre = target[:, 7]
    logit = output[:, 0]
    probability = torch.sigmoid(logit)
    hit = centre * (1 - probability) ** 2 * functional.logsigmoid(logit)
    miss = (
        (1 - centre) * (1 - heat.clamp(0, 1)) ** 4 * probability**2 * functional.logsigmoid(-logit)
    )
    count = centre.sum().clamp(min=1)
    focal = -((hit + miss) * asked).sum() / count
    weight = target[:, 1]
    norm = weight.sum().clamp(min=1)
    offset = ((output[:, 1:3] - target[:, 2:4]).abs().sum(1) * weight).sum() / norm
    axis = (((output[:, 3:5] - target[:, 4:6]) ** 2).sum(1) * weight).sum() / norm
    seen = functional.binary_cross_entropy_with_logits(output[:, 5], target[:, 6], reduction="none")
    return focal + 1.0 * offset + 1.0 * axis + 0.3 * (seen * weight).sum() / norm


def reader_loss(
    output: tuple[Tensor, Tensor, Tensor], colour: Tensor, face: Tensor, visible: Tensor,
    way: Tensor,
) -> Tensor:  # fmt: skip
    """Cross-entropies of both heads where a half lies, and whether one lies there.

    Where it is not told which way a face stands, either way is right. A card without a colour
    has no top: there both ways must be as likely, or the two readings of a crop, one on its
    head, would contradict each other.
    """
    colour_logit, face_logit, present = output
    there = is_half(colour)
    presence = functional.binary_cross_entropy_with_logits(present[:, 0], there.float())
    weight = 0.3 + 0.7 * (visible[there] > 0.6).float()
    hue = functional.cross_entropy(colour_logit[there], colour[there], reduction="none")
    joint = functional.log_softmax(face_logit[there], dim=1).unflatten(1, (2, -1))
    asked = face[there][:, None, None].expand(-1, 2, 1)
    both = joint.gather(2, asked)[:, :, 0]
    stands = way[there]
    told = both.gather(1, stands.clamp(min=0)[:, None])[:, 0]
    topless = (stands == EITHER_WAY) & (colour[there] >= len(COLOURS))
    unknown = torch.where(topless, both.mean(dim=1) + math.log(2), torch.logsumexp(both, dim=1))
    shape = -torch.where(stands == EITHER_WAY, unknown, told)
    return ((hue + shape) * weight).mean() + 0.5 * presence


def face_logit(joint: Tensor) -> Tensor:
    """Logits of the face alone from those of face and way (n, 2 * faces)."""
    return torch.logsumexp(joint.unflatten(1, (2, -1)), dim=1)


def head_over(joint: Tensor) -> Tensor:
    """Logits of face and way of a crop that was read on its head."""
    return joint.unflatten(1, (2, -1)).flip(1).flatten(1)


def parting(
    output: tuple[Tensor, Tensor, Tensor], kept: tuple[Tensor, Tensor, Tensor], colour: Tensor,
    face: Tensor,
) -> Tensor:  # fmt: skip
    """How far the reader has parted from the weights to be kept, where those are right.

    Kullback-Leibler divergence of what is told (arXiv 1606.09282, 'learning without
    forgetting'): new drawings are learnt, and pictures of another kind than those trained on are
    read as before. Crops that the kept weights misread count nothing.
    """
    there = is_half(colour)
    hue, joint, present = (t.detach() for t in kept)
    right = there & (hue.argmax(1) == colour) & (face_logit(joint).argmax(1) == face)
    told = [
        functional.kl_div(
            functional.log_softmax(now[right], 1), functional.log_softmax(then[right], 1),
            reduction="sum", log_target=True,
        ) / right.sum().clamp(min=1)
        for now, then in zip(output[:2], (hue, joint), strict=True)
    ]  # fmt: skip
    presence = functional.binary_cross_entropy_with_logits(output[2], torch.sigmoid(present))
    return sum(told, 0.5 * presence)


def sides_loss(output: tuple[Tensor, Tensor], place: Tensor) -> Tensor:
    """Of places that are off by a Laplace distribution as wide as is told (arXiv 1703.04977)."""
    told, unsure = output
    return ((told - place).abs() * torch.exp(-unsure) + unsure).mean()


def validate_sides(model: Sides, store: SideStore, batches: int = 8) -> dict[str, float]:
    """Loss and errors in millimetres on scenes never trained on; `sure` is the surer half."""
    model.eval()
    losses, off, unsure = [], [], []
    with torch.no_grad():
        for k in range(batches):
            strips, place = side_batch(np.random.default_rng(k), store, 2 * CARDS)
            told = model(to_tensor(strips.numpy()))
            losses.append(float(sides_loss(told, place)))
            off.append((told[0] - place).abs().flatten())
            unsure.append(told[1].flatten())
    model.train()
    errors, doubts = torch.cat(off), torch.cat(unsure)
    sure = errors[doubts < doubts.median()]
    return {
        "validation_loss": float(np.mean(losses)),
        "median_mm": float(errors.median()),
        "mean_mm": float(errors.mean()),
        "sure_median_mm": float(sure.median()),
        "sure_mean_mm": float(sure.mean()),
        "places": len(errors),
    }


def validate_reader(model: Reader, store: CropStore, limit: int = 250) -> dict[str, float]:
    """Scores on scenes never trained on, each picture's halves read together, one way up."""
    model.eval()
    right = {"colour": 0, "face": 0, "both": 0, "way": 0, "present": 0}
    halves = crops = 0
    with torch.no_grad():
        for chunk, rows in store.scenes[:limit]:
            cuts = np.stack([crop_to_input(store.picture(chunk, int(r))) for r in rows])
            hue, joint, present = model(to_tensor(cuts))
            labels = torch.from_numpy(store.labels[chunk][rows])
            there, seen = labels[:, 0] >= 0, labels[:, 2] >= 0.6
            colour_right = hue.argmax(1) == labels[:, 0].long()
            face_right = face_logit(joint).argmax(1) == labels[:, 1].long()
            way = joint.unflatten(1, (2, -1)).logsumexp(2).argmax(1)
            crops += len(rows)
            right["present"] += int(((present[:, 0] > 0) == there).sum())
            halves += int(seen.sum())
            right["colour"] += int((colour_right & seen).sum())
            right["face"] += int((face_right & seen).sum())
            right["both"] += int((colour_right & face_right & seen).sum())
            right["way"] += int(((way == labels[:, 3].long()) & seen).sum())
    model.train()
    scores = {k: right[k] / max(1, halves) for k in ("colour", "face", "both", "way")}
    return {**scores, "present": right["present"] / max(1, crops), "halves": halves}


def validate_finder(model: Finder, store: PatchStore, limit: int = 480) -> dict[str, float]:
    """Mean loss over patches never trained on."""
    model.eval()
    losses = []
    with torch.no_grad():
        for first in range(0, min(limit, len(store.patches)), PATCHES):
            rows = np.arange(first, min(first + PATCHES, len(store.patches)))
            x, target = patch_batch(None, store, rows)
            losses.append(float(finder_loss(model(x), target)))
    model.train()
    return {"loss": float(np.mean(losses))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", choices=list(TOP_RATE))
    parser.add_argument("data", type=Path)
    parser.add_argument("run", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--resume", type=Path, help="weights to start from, .pt or .onnx")
    parser.add_argument(
        "--keep", type=float, default=0.0,
        help="learn what is new beside the weights resumed from: how much parting from them costs",
    )  # fmt: skip
    parser.add_argument("--top-rate", type=float, help="learning rate after the warm-up")
    chosen = parser.parse_args()
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(chosen.threads)
    rng = np.random.default_rng(chosen.seed)
    chosen.run.mkdir(parents=True, exist_ok=True)

    networks: dict[str, type[nn.Module]] = {"reader": Reader, "sides": Sides}
    model = networks.get(chosen.network, Finder)()
    kind = "solo-" if chosen.network == "face-finder" else ""
    store, check = (_store(chosen.network, chosen.data, kind + part) for part in ("train", "val"))
    if chosen.resume and chosen.resume.suffix == ".onnx":
        load_onnx(model, chosen.resume, lambda network: _show(network, check))
    elif chosen.resume:
        _start_from(model, torch.load(chosen.resume, weights_only=True))
    model = model.to(memory_format=torch.channels_last)
    average = copy.deepcopy(model)
    kept = copy.deepcopy(model).eval() if chosen.keep else None
    if kept is not None:
        _still(model)
    top_rate = chosen.top_rate or TOP_RATE[chosen.network]
    decay = [p for p in model.parameters() if p.ndim > 1]
    rest = [p for p in model.parameters() if p.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decay, "weight_decay": 0.02}, {"params": rest, "weight_decay": 0.0}],
        lr=top_rate,
    )
    begun = saved = time.monotonic()
    step, running = 0, 0.0
    log = (chosen.run / f"{chosen.network}.jsonl").open("a")
    while True:
        used = (time.monotonic() - begun) / (chosen.minutes * 60)
        if used >= 1:
            break
        rate = top_rate * min(1, (step + 1) / 200) * 0.5 * (1 + math.cos(math.pi * used))
        for group in optimizer.param_groups:
            group["lr"] = rate
        if isinstance(store, CropStore):
            x, colour, face, visible, way = crop_batch(rng, store, GROUPS)
            output = model(x, GROUPS)
            loss = reader_loss(output, colour, face, visible, way)
            if kept is not None:
                with torch.no_grad():
                    before = kept(x, GROUPS)
                loss = loss + chosen.keep * parting(output, before, colour, face)
        elif isinstance(store, SideStore):
            strips, place = side_batch(rng, store, CARDS)
            loss = sides_loss(model(to_tensor(strips.numpy())), place)
        else:
            rows = rng.integers(len(store.patches), size=PATCHES)
            x, target = patch_batch(rng, store, rows)
            loss = finder_loss(model(x), target)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        _follow(average, model, min(0.995, step / (step + 20)))
        running += 0.02 * (float(loss.detach()) - running) if step else float(loss.detach())
        step += 1
        if time.monotonic() - saved > SAVE_EVERY_S or used > 0.9999:
            saved = time.monotonic()
            torch.save(average.state_dict(), chosen.run / f"{chosen.network}.pt")
            scores = _validate(average, check)
            if kept is not None:
                _still(model)
            row = {"step": step, "minutes": (saved - begun) / 60, "loss": running, **scores}
            print(json.dumps(row), file=log, flush=True)
            store.refresh()
    torch.save(average.state_dict(), chosen.run / f"{chosen.network}.pt")
    scores = _validate(average, check)
    print(json.dumps({"step": step, "minutes": chosen.minutes, "loss": running, **scores}),
          file=log, flush=True)  # fmt: skip


def _store(network: str, data: Path, kind: str) -> CropStore | PatchStore | SideStore:
    if network == "reader":
        return CropStore(data, kind)
    return SideStore(data, kind) if network == "sides" else PatchStore(data, kind)


def _still(model: nn.Module) -> None:
    """Normalises by what the weights resumed from have seen, not by the batch at hand: else a new
    mixture of pictures alone would move them."""
    for part in model.modules():
        if isinstance(part, nn.modules.batchnorm._BatchNorm):
            part.eval()


def _start_from(model: nn.Module, weights: dict[str, Tensor]) -> None:
    """Takes over the weights whose shape still fits."""
    own = model.state_dict()
    fitting = {k: v for k, v in weights.items() if k in own and own[k].shape == v.shape}
    model.load_state_dict(own | fitting)


def _show(model: nn.Module, check: CropStore | PatchStore | SideStore) -> None:
    """Has a network look at some of what it is validated on."""
    rng = np.random.default_rng(0)
    with torch.no_grad():
        for _ in range(8):
            if isinstance(check, CropStore):
                model(crop_batch(rng, check, GROUPS)[0], GROUPS)
            elif isinstance(check, SideStore):
                model(to_tensor(side_batch(rng, check, CARDS)[0].numpy()))
            else:
                model(patch_batch(rng, check, rng.integers(len(check.patches), size=PATCHES))[0])


def _validate(model: nn.Module, check: CropStore | PatchStore | SideStore) -> dict[str, float]:
    if isinstance(model, Sides) and isinstance(check, SideStore):
        return validate_sides(model, check)
    if isinstance(model, Reader) and isinstance(check, CropStore):
        return validate_reader(model, check)
    assert isinstance(model, Finder) and isinstance(check, PatchStore)
    return validate_finder(model, check)


def _follow(average: nn.Module, model: nn.Module, keep: float) -> None:
    """Moves the averaged weights a step towards the model's."""
    with torch.no_grad():
        for slow, fast in zip(
            average.state_dict().values(), model.state_dict().values(), strict=True
        ):
            if slow.dtype.is_floating_point:
                slow.lerp_(fast, 1 - keep)
            else:
                slow.copy_(fast)


if __name__ == "__main__":
    main()
