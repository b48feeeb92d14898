"""The networks: the finder of half cards, the reader of their faces, the finder of their sides."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.facts import PRINT_COLOURS, PRINT_FACES
from vision.halves import FIND_STRIDE_PX
from vision.sides import STRIP_PX_PER_MM, STRIP_SIZE_PX

FINDER_OUTPUTS = 6
"""Logit of 'a half's centre is here', offset x and y (in cells), cos and sin of twice the
axis, logit of the visible share."""


def _block(
    inputs: int, outputs: int, stride: int | tuple[int, int] = 1, dilation: int = 1
) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Residual(nn.Module):
    """Two 3x3 convolutions around a shortcut; dilation widens what a cell sees."""

    def __init__(self, channels: int, dilation: int) -> None:
        super().__init__()
        self.first = _block(channels, channels, 1, dilation)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )
        # Begins as no more than the shortcut (arXiv 1706.02677): a block added to a trained
        # network changes nothing at first.
        nn.init.zeros_(self.second[1].weight)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class Finder(nn.Module):
    """Rectified table (n, 3, h, w), 0...1 -> cells (n, 6, h/8, w/8), see `FINDER_OUTPUTS`."""

    def __init__(self) -> None:
        super().__init__()
        assert FIND_STRIDE_PX == 8
        self.body = nn.Sequential(
            _block(3, 16, 2),
            _block(16, 32, 2),
            _block(32, 32),
            _block(32, 48, 2),
            _Residual(48, 1),
            _Residual(48, 2),
            _Residual(48, 3),
        )
        self.head = nn.Sequential(_block(48, 48), nn.Conv2d(48, FINDER_OUTPUTS, 1))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.head(self.body((x - 0.45) / 0.27))
        return out


class Reader(nn.Module):
    """Crops of one picture's halves (n, 3, 80, 96), 0...1 -> what is printed on them.

    Gives logits of colour (n, 6), of face and the way it stands together (n, 36: all faces
    upright, then all on their heads) and of 'a half lies here' (n, 1). An unmarked 6 is a 9 on
    its head: telling both together leaves the choice to what knows how the deck's faces stand.
    The colour head sees, beside each crop's own features, their mean over the picture: what counts as
    red under this lamp shows beside the others. ``groups`` is only for training: how many
    pictures of equally many halves the batch holds.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _block(3, 16, 2),  # 40 x 48
            _block(16, 32, 2),  # 20 x 24
            _block(32, 32),
            _block(32, 64, 2),  # 10 x 12
            _Residual(64, 1),
            _Residual(64, 1),
            _block(64, 96, 2),  # 5 x 6
            _block(96, 96),
            _Residual(96, 1),
        )
        self.face = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(96 * 30, 96, bias=False), nn.BatchNorm1d(96),
            nn.ReLU(), nn.Linear(96, 2 * len(PRINT_FACES)),
        )  # fmt: skip
        self.present = nn.Linear(96 * 2, 1)
        self.hue = nn.Sequential(nn.Linear(96 * 2, 48), nn.ReLU())
        self.colour = nn.Sequential(
            nn.Linear(48 * 2, 48), nn.ReLU(), nn.Linear(48, len(PRINT_COLOURS))
        )

    def forward(self, x: Tensor, groups: int = 1) -> tuple[Tensor, Tensor, Tensor]:
        features = self.body((x - 0.45) / 0.27)
        pooled = torch.cat([features.mean(dim=(2, 3)), features.amax(dim=(2, 3))], dim=1)
        hue = self.hue(pooled)
        if groups == 1:
            shared = hue.mean(dim=0, keepdim=True).expand_as(hue)
        else:
            grouped = hue.view(groups, -1, hue.shape[1])
            shared = grouped.mean(dim=1, keepdim=True).expand_as(grouped).reshape_as(hue)
        colour = self.colour(torch.cat([hue, shared], dim=1))
        return colour, self.face(features), self.present(pooled)


class _Opposite(nn.Module):
    """Lets each strip see what shows at the opposite side of its card, laid over it: prints have
    equal margins, and what peeps out from below a card does so at one side."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _block(2 * channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )
        nn.init.zeros_(self.second[1].weight)  # as in `_Residual`

    def forward(self, x: Tensor) -> Tensor:
        # Both strips look outwards: along the side they run against each other.
        opposite = x.unflatten(0, (-1, 2)).flip(1, 3).flatten(0, 1)
        return torch.relu(x + self.second(self.first(torch.cat([x, opposite], dim=1))))


class Sides(nn.Module):
    """Strips around sides of cards (n, 3, 80, 64), 0...1 -> where the side is in each.

    Each two that follow each other lie at opposite sides of a card. Gives how far out it lies
    from the strip's middle at its upper and its lower place, in millimetres (n, 2), and the
    natural logarithm of how far off that is, on average (n, 2). Each place is looked for in all
    cells of the strip: what looks most like the side has most to say, and adds where within its
    cell it sees it.
    """

    def __init__(self) -> None:
        super().__init__()
        width, height = STRIP_SIZE_PX
        assert (width, height) == (64, 80)
        self.body = nn.Sequential(
            # Across the side every pixel counts, along it two together are enough.
            _block(3, 16, (1, 2)),  # 40 x 32
            _block(16, 32, (2, 1)),  # 20 x 32
            _block(32, 32, 2),  # 10 x 16
            _Residual(32, 1),
            _Residual(32, 2),
            _Residual(32, 1),
            _Opposite(32),
        )
        self.head = nn.Conv2d(32, 4, 1)
        """Of each cell: how much it says of the upper and the lower place, and where it sees
        them."""
        self.unsure = nn.Linear(2 * 32, 2)
        pixels = 4 * torch.arange(width // 4) + 1.5 - (width - 1) / 2
        self.register_buffer("x_mm", pixels / STRIP_PX_PER_MM, persistent=False)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        pairs = x.unflatten(2, (x.shape[2] // 2, 2)).mean(3)
        features = self.body((pairs - 0.45) / 0.27)
        cells = self.head(features)
        says = torch.softmax(cells[:, :2].flatten(2), dim=2)
        x_mm = self.get_buffer("x_mm").view(1, 1, 1, -1)
        seen = (x_mm + 2 * cells[:, 2:]).flatten(2)
        place = (says * seen).sum(dim=2)
        there = torch.einsum("nkp,ncp->nkc", says, features.flatten(2)).flatten(1)
        return place, self.unsure(there).clamp(-4, 3)
