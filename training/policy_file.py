"""Writes files of policy networks, as crates/engine/src/policy/file.rs reads them, and computes with their integers."""

import os
import zlib

import numpy as np

# The scales of crates/engine/src/policy/mod.rs.
ACTIVATION_ONE = 256
MAX_ACTIVATION = 8 * ACTIVATION_ONE - 1
WEIGHT_ONE = 1024
MAX_WEIGHT = 2 * WEIGHT_ONE - 1
POOLED_ONE = 8 * ACTIVATION_ONE
LOGIT_ONE = ACTIVATION_ONE * WEIGHT_ONE
PLANES = 16
VALUE_UNITS = 32
# The engine refuses a convolution with a sum beyond this for some inputs.
MAX_SUM = (2**31 - 1) // 2


def weights(values: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(values * WEIGHT_ONE), -MAX_WEIGHT, MAX_WEIGHT).astype(np.int16)


def biases(values: np.ndarray, scale: int = LOGIT_ONE) -> np.ndarray:
    return np.rint(values * scale).astype(np.int32)


def quantise(layers: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Integers for the weights of a trained network, whose names are those of `policy_model.PolicyNet`."""
    whole = {}
    for name, values in layers.items():
        if name.startswith("ownership"):
            continue
        if not np.isfinite(values).all():
            raise ValueError(f"{name} has values that are not finite")
        if name == "value_hidden.bias":
            whole[name] = biases(values, POOLED_ONE * WEIGHT_ONE)
        elif name.endswith("bias"):
            whole[name] = biases(values)
        else:
            whole[name] = weights(values)
    for name, values in whole.items():
        if values.ndim == 4 and values.shape[2] == 3:
            sums = np.abs(values.astype(np.int64)).sum((1, 2, 3)) * MAX_ACTIVATION
            if (sums + np.abs(whole[name.replace("weight", "bias")].astype(np.int64))).max() > MAX_SUM:
                raise ValueError(f"{name} has weights that are too large together: the engine's sums would overflow")
    return whole


def convolution(values: np.ndarray, planes: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """The sums of a convolution. `values` are indexed by channel, rank and file."""
    side = values.shape[1]
    padded = np.pad(values, ((0, 0), (1, 1), (1, 1))).astype(np.int64)
    sums = np.zeros((planes.shape[0], side, side), dtype=np.int64) + bias.reshape(-1, 1, 1)
    for row in range(3):
        for column in range(3):
            seen = padded[:, row : row + side, column : column + side]
            sums += np.tensordot(planes[:, :, row, column].astype(np.int64), seen, 1)
    return sums


def rounded(sums: np.ndarray) -> np.ndarray:
    return (sums + WEIGHT_ONE // 2) >> 10


def evaluate(net: dict[str, np.ndarray], bits: np.ndarray) -> tuple[np.ndarray, int]:
    """The logits of a position's cells and of winning, computed as the engine does. `bits` has a row for each rank."""
    side = len(bits)
    planes = np.stack([(bits.astype(np.int64) >> plane) & 1 for plane in range(PLANES)]) * ACTIVATION_ONE
    blocks = sum(name.endswith("pool.weight") for name in net)
    clamp = lambda values: np.clip(values, 0, MAX_ACTIVATION)
    stream = clamp(rounded(convolution(planes, net["stem.weight"], net["stem.bias"])))
    for block in range(blocks):
        layer = lambda name: net[f"blocks.{block}.{name}"]
        means = stream.sum((1, 2)) // (side * side)
        bias = layer("first.bias") + layer("pool.weight").astype(np.int64) @ means
        inner = clamp(rounded(convolution(stream, layer("first.weight"), bias)))
        stream = clamp(stream + rounded(convolution(inner, layer("second.weight"), layer("second.bias"))))
    policy = np.tensordot(net["policy.weight"].reshape(-1).astype(np.int64), stream, 1)
    means = stream.sum((1, 2)) * (POOLED_ONE // ACTIVATION_ONE) // (side * side)
    by_size = np.trunc(means * (side - 9) / 8).astype(np.int64)
    most = stream.max((1, 2)) * (POOLED_ONE // ACTIVATION_ONE)
    seen = np.concatenate([means, by_size, most])
    sums = net["value_hidden.weight"].astype(np.int64) @ seen + net["value_hidden.bias"]
    units = np.clip(np.trunc(sums / (POOLED_ONE // ACTIVATION_ONE * WEIGHT_ONE)), 0, MAX_ACTIVATION)
    value = net["value.weight"].reshape(-1).astype(np.int64) @ units.astype(np.int64)
    return policy, int(value + net["value.bias"][0])


def write(path: str, net: dict[str, np.ndarray], game: str, made: str) -> None:
    """Writes a network. Whoever reads the file meanwhile gets the old one."""
    parts = []

    def add(name: str) -> None:
        values = net[name]
        if values.ndim == 4 and values.shape[2] == 3:
            values = values.transpose(2, 3, 0, 1)
        parts.append(values.astype("<i4" if name.endswith("bias") else "<i2").tobytes())

    blocks = sum(name.endswith("pool.weight") for name in net)
    names = ["stem.weight", "stem.bias"]
    for block in range(blocks):
        names += [
            f"blocks.{block}.{part}"
            for part in ("first.weight", "first.bias", "pool.weight", "second.weight", "second.bias")
        ]
    names += ["policy.weight", "value_hidden.weight", "value_hidden.bias", "value.weight", "value.bias"]
    for name in names:
        add(name)
    body = b"".join(parts)
    header = "\n".join(
        [
            "stoa-policy 1",
            f"game: {game}",
            f"channels: {net['stem.bias'].shape[0]}",
            f"blocks: {blocks}",
            f"made: {made}",
            f"checksum: {zlib.crc32(body):08x}",
            "\n",
        ]
    )
    with open(f"{path}.new", "wb") as file:
        file.write(header.encode("ascii") + body)
    os.replace(f"{path}.new", path)
