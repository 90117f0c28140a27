"""Reads files of samples, which `stoa samples` writes.

The format is described in crates/engine/src/selfplay/samples.rs: a header of 256 bytes, then rows of
bit sets (what the network sees of a position), the number of the game, the search's score, what the
hand-made terms say, the phase of the game and the result, all for the player to move.
"""

from dataclasses import dataclass

import numpy as np

HEADER_BYTES = 256
RESULT_UNKNOWN = 3
# One game in so many of each file is held out.
HOLD_OUT = 20


@dataclass
class Shape:
    """What the samples are of."""

    game: str
    inputs: list[int]
    # The most inputs that a position sets.
    max_set: int
    buckets: int
    # The checksum of the weights of the hand-made terms.
    weights: str


def read_shape(path: str) -> Shape:
    with open(path, "rb") as file:
        header = file.read(HEADER_BYTES)
    words = header.decode("ascii", "replace").split()
    if len(header) < HEADER_BYTES or words[:2] != ["stoa-samples", "3"]:
        raise SystemExit(f"{path}: not a file of samples; make one with `stoa samples`")
    fields = dict(word.split("=", 1) for word in words[2:])
    widths = [int(width) for width in fields["inputs"].split(",")]
    return Shape(fields["game"], widths, int(fields["max-set"]), int(fields["buckets"]), fields["weights"])


def read_samples(paths: list[str]) -> tuple[Shape, np.ndarray, np.ndarray]:
    """All rows of some files, which must be of the same game, and which of them are held out: whole games."""
    shape = read_shape(paths[0])
    row = np.dtype(
        [
            ("words", "<u8", (len(shape.inputs),)),
            ("game", "<u4"),
            ("score", "<i2"),
            ("terms", "<i2"),
            ("bucket", "u1"),
            ("result", "u1"),
        ]
    )
    parts, held = [], []
    for number, path in enumerate(paths):
        if read_shape(path) != shape:
            raise SystemExit(f"{path}: these samples are not of the same kind as {paths[0]}")
        part = np.fromfile(path, dtype=row, offset=HEADER_BYTES)
        held.append(part["game"] % HOLD_OUT == 0)
        # Games of different files are different games, whatever their numbers.
        part["game"] = part["game"] * np.uint32(len(paths)) + np.uint32(number)
        parts.append(part)
    rows = np.concatenate(parts)
    if len(rows) == 0:
        raise SystemExit("there are no samples to learn from")
    return shape, rows, np.concatenate(held)
