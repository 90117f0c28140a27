"""Reads the files that `stoa lessons` writes: crates/engine/src/selfplay/lessons.rs describes them."""

import struct

import numpy as np

MAGIC = b"stoa-lessons 1\n"


def row(side: int) -> np.dtype:
    """A sample of a board of side × side cells."""
    cells = side * side
    return np.dtype(
        [
            ("game", "<u4"),
            ("share", "<u2"),
            ("result", "u1"),
            ("side", "u1"),
            ("cells", "<i2", cells),
            ("visits", "<i2", cells),
            ("owner", "u1", cells),
        ]
    )


def read_lessons(path: str, side: int) -> tuple[np.ndarray, int]:
    """The samples of a file, and how many games they are from. A game that was cut off is left out."""
    with open(path, "rb") as file:
        data = file.read()
    end = data.find(b"\n\n") + 2
    if not data.startswith(MAGIC) or end < 2:
        raise SystemExit(f"{path} is not a file of lessons")
    games, shape = [], row(side)
    while end + 8 <= len(data):
        length, _ = struct.unpack_from("<II", data, end)
        if end + 8 + length > len(data):
            break
        if length % shape.itemsize:
            raise SystemExit(f"{path}: game {len(games) + 1} is not of {side}×{side}")
        games.append(np.frombuffer(data, shape, length // shape.itemsize, end + 8))
        end += 8 + length
    return np.concatenate([np.empty(0, shape), *games]), len(games)
