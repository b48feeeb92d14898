"""What `referee calibrate lens` tells of its measurement, for the terminal."""

from __future__ import annotations

from calibration.lens_fit import LensFit, LensRefusal


def coverage_text(result: LensFit | LensRefusal) -> str:
    """What parts of the picture were covered, as a small map for the terminal."""
    counts = result.coverage
    most = max(float(counts.max()), 1.0)
    signs = " .:+#"
    rows = [
        "  |"
        + "".join(signs[0 if n == 0 else min(4, 1 + int(3 * n / most))] * 2 for n in row)
        + "|"
        for row in counts
    ]
    share = float((counts > 0).mean())
    return "\n".join([f"covered: {share:.0%} of the picture (empty parts were never seen)", *rows])


def lens_text(result: LensFit) -> str:
    """The lens, how sure it is, and what would make it surer."""
    lens = result.lens
    k = lens.camera_matrix_px
    left_out = f", {result.dropped} left out" if result.dropped else ""
    error = f"error: {lens.error_px:.3f} px over {lens.views} views{left_out}"
    focal = f"focal length: {k[0, 0]:.1f} px (+-{result.focal_spread:.2%})"
    middle = f"middle {k[0, 2]:.1f}, {k[1, 2]:.1f}, bend {lens.distortion[0]:+.3f}"
    warnings = [f"could be better: {warning}" for warning in result.warnings]
    return "\n".join([error, f"{focal}, {middle}", *warnings])
