"""Writes network files, as crates/engine/src/net/file.rs reads them, and computes with their integers."""

import os
import zlib

import numpy as np

# The scales of crates/engine/src/net/mod.rs.
ACCUMULATOR_ONE = 255
ACTIVATION_ONE = 254
SECOND_ONE = 128
OUTPUT_ONE = 16
POINTS_PER_LOGIT = 400 / np.log(10)
TERMS_WHOLE = 1024


def quantise(layers: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Integers for the weights of a trained network."""
    for name, values in layers.items():
        if not np.isfinite(values).all():
            raise ValueError(f"{name} has values that are not finite")

    def whole(values, scale, kind):
        limits = np.iinfo(kind)
        return np.clip(np.rint(values * scale), limits.min, limits.max).astype(kind)

    return {
        "columns": whole(layers["columns"], ACCUMULATOR_ONE, np.int16),
        "bias": whole(layers["bias"], ACCUMULATOR_ONE, np.int16),
        "second": whole(layers["second"], SECOND_ONE, np.int16),
        "second_bias": whole(layers["second_bias"], SECOND_ONE * ACTIVATION_ONE, np.int32),
        "output": whole(layers["output"] * POINTS_PER_LOGIT, OUTPUT_ONE, np.int32),
        "output_bias": whole(layers["output_bias"] * POINTS_PER_LOGIT, OUTPUT_ONE, np.int32),
    }


def evaluate(net: dict[str, np.ndarray], bits: np.ndarray, bucket: np.ndarray) -> np.ndarray:
    """The points of some positions, computed as the engine does."""
    accumulator = net["bias"].astype(np.int64) + bits.astype(np.int64) @ net["columns"].astype(np.int64)
    clamped = np.clip(accumulator, 0, ACCUMULATOR_ONE)
    activations = (clamped * clamped) >> 8
    points = np.empty(len(bits), dtype=np.int64)
    for number in range(len(net["output_bias"])):
        chosen = bucket == number
        sums = activations[chosen] @ net["second"][number].astype(np.int64).T + net["second_bias"][number]
        units = np.clip(np.trunc(sums / SECOND_ONE).astype(np.int64), 0, ACTIVATION_ONE)
        total = (units * units) @ net["output"][number].astype(np.int64)
        total = np.trunc(total / (ACTIVATION_ONE * ACTIVATION_ONE)).astype(np.int64)
        points[chosen] = np.trunc((total + net["output_bias"][number]) / OUTPUT_ONE).astype(np.int64)
    return points


def write(path: str, net: dict[str, np.ndarray], game: str, inputs: list[int], terms: str | None, made: str) -> None:
    """Writes a network; whoever reads the file meanwhile gets the old one. `terms` is the share of the hand-made terms and the checksum of their weights."""
    body = net["columns"].astype("<i2").tobytes() + net["bias"].astype("<i2").tobytes()
    for number in range(len(net["output_bias"])):
        body += net["second"][number].astype("<i2").tobytes()
        body += net["second_bias"][number].astype("<i4").tobytes()
        body += net["output"][number].astype("<i4").tobytes()
        body += net["output_bias"][number].astype("<i4").tobytes()
    buckets, second, hidden = net["second"].shape
    header = "\n".join(
        [
            "stoa-net 1",
            f"game: {game}",
            f"inputs: {' '.join(map(str, inputs))}",
            f"hidden: {hidden}",
            f"second: {second}",
            f"buckets: {buckets}",
            *([f"terms: {terms}"] if terms else []),
            f"made: {made}",
            f"checksum: {zlib.crc32(body):08x}",
            "\n",
        ]
    )
    with open(f"{path}.new", "wb") as file:
        file.write(header.encode("ascii") + body)
    os.replace(f"{path}.new", path)
