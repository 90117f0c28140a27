"""Tests of what needs no PyTorch: files that are read and written. `cargo xtask test python` runs them."""

import struct

import numpy as np
import pytest

import lessons
import net_file
import policy_file
import samples

stoa = pytest.importorskip("stoa")


def write_samples(path, games: int, rows_a_game: int, kind: str = "impasse") -> None:
    header = f"stoa-samples 3 game={kind} inputs=64,64 max-set=24 buckets=8 weights=1c291ca3"
    row = np.dtype([("words", "<u8", (2,)), ("game", "<u4"), ("score", "<i2"), ("terms", "<i2"), ("bucket", "u1"), ("result", "u1")])
    rows = np.zeros(games * rows_a_game, row)
    rows["game"] = np.repeat(np.arange(games), rows_a_game)
    path.write_bytes(header.ljust(samples.HEADER_BYTES - 1).encode() + b"\n" + rows.tobytes())


@pytest.mark.parametrize("files", [1, 2, 3, 4, 5, 20])
def test_games_of_every_file_are_held_out(tmp_path, files):
    paths = [tmp_path / f"{number}.samples" for number in range(files)]
    for path in paths:
        write_samples(path, games=40, rows_a_game=3)
    shape, rows, held = samples.read_samples([str(path) for path in paths])
    assert (shape.game, shape.inputs, shape.max_set, shape.buckets) == ("impasse", [64, 64], 24, 8)
    assert len(rows) == len(held) == files * 120
    for part in np.split(held, files):
        assert part.sum() == 6
    # Whole games are held out, and games of different files are different games.
    assert len(np.unique(rows["game"])) == files * 40
    assert not set(rows["game"][held]) & set(rows["game"][~held])


def test_other_files_are_no_samples(tmp_path):
    other, text = tmp_path / "other.samples", tmp_path / "text"
    write_samples(other, 1, 1, kind="colossus")
    write_samples(tmp_path / "own", 1, 1)
    text.write_text("something else")
    with pytest.raises(SystemExit, match="not a file of samples"):
        samples.read_samples([str(text)])
    with pytest.raises(SystemExit, match="not of the same kind"):
        samples.read_samples([str(tmp_path / "own"), str(other)])


def random_layers(seed: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    shapes = {"columns": (128, 32), "bias": (32,), "second": (8, 16, 32), "second_bias": (8, 16), "output": (8, 16), "output_bias": (8,)}
    return {name: random.normal(0, 0.1, shape) for name, shape in shapes.items()}


def write_net(path) -> None:
    net_file.write(str(path), net_file.quantise(random_layers(1)), "impasse", [64, 64], None, "a test")


def test_the_engine_reads_what_is_written_here(tmp_path):
    path = tmp_path / "own.net"
    write_net(path)
    engine = stoa.Engine("impasse", evaluation=str(path))
    assert engine.think(stoa.Game("impasse").start(), nodes=50).best
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(ValueError, match="checksum"):
        stoa.Engine("impasse", evaluation=str(path))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_networks_that_are_not_numbers_are_not_written(value):
    layers = random_layers(2)
    layers["second"][3, 4, 5] = value
    with pytest.raises(ValueError, match="second has values that are not finite"):
        net_file.quantise(layers)
    policy = policy_layers(1)
    policy["stem.weight"][0, 0, 0, 0] = value
    with pytest.raises(ValueError, match="stem.weight has values that are not finite"):
        policy_file.quantise(policy)


def policy_layers(seed: int, channels: int = 32, blocks: int = 1) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    new = lambda *shape: random.normal(0, 0.05, shape)
    layers = {"stem.weight": new(channels, policy_file.PLANES, 3, 3), "stem.bias": new(channels)}
    for block in range(blocks):
        layers |= {
            f"blocks.{block}.first.weight": new(channels, channels, 3, 3),
            f"blocks.{block}.first.bias": new(channels),
            f"blocks.{block}.pool.weight": new(channels, channels),
            f"blocks.{block}.second.weight": new(channels, channels, 3, 3),
            f"blocks.{block}.second.bias": new(channels),
        }
    units = policy_file.VALUE_UNITS
    layers |= {"policy.weight": new(1, channels, 1, 1)}
    layers |= {"value_hidden.weight": new(units, 3 * channels), "value_hidden.bias": new(units)}
    return layers | {"value.weight": new(1, units), "value.bias": new(1)}


def test_the_engine_reads_policy_networks_that_are_written_here(tmp_path):
    path = tmp_path / "policy.net"
    net = policy_file.quantise(policy_layers(3))
    policy_file.write(str(path), net, "palisade", "a test")
    engine = stoa.Engine("palisade:5", evaluation=str(path))
    assert engine.think(stoa.Game("palisade:5").start(), nodes=20).best


def test_weights_that_would_overflow_are_not_written():
    layers = policy_layers(4)
    layers["blocks.0.first.weight"][5] = 1.9
    with pytest.raises(ValueError, match="too large together"):
        policy_file.quantise(layers)


def test_lessons_are_read_up_to_the_last_whole_game(tmp_path):
    path, shape = tmp_path / "5.lessons", lessons.row(5)
    data = lessons.MAGIC + b"game: palisade:5\nhow: a test\n\n"
    for game in range(3):
        rows = np.zeros(4, shape)
        rows["game"] = game
        data += struct.pack("<II", rows.nbytes, game) + rows.tobytes()
    path.write_bytes(data)
    rows, games = lessons.read_lessons(str(path), 5)
    assert (len(rows), games) == (12, 3)
    path.write_bytes(data[:-1])
    rows, games = lessons.read_lessons(str(path), 5)
    assert (len(rows), games) == (8, 2)
    with pytest.raises(SystemExit, match="is not of 7×7"):
        lessons.read_lessons(str(path), 7)
    path.write_bytes(b"something else")
    with pytest.raises(SystemExit, match="not a file of lessons"):
        lessons.read_lessons(str(path), 5)


def test_integers_are_computed_as_checked():
    """What `evaluate` computes is what the weights say, up to rounding."""
    layers = random_layers(5)
    net = net_file.quantise(layers)
    random = np.random.default_rng(6)
    bits, bucket = random.random((50, 128)) < 0.15, random.integers(0, 8, 50)
    hidden = np.clip(bits @ layers["columns"] + layers["bias"], 0, 1) ** 2
    units = np.einsum("ph,bsh->pbs", hidden, layers["second"]) + layers["second_bias"]
    logits = (np.clip(units, 0, 1) ** 2 * layers["output"]).sum(2) + layers["output_bias"]
    expected = logits[np.arange(50), bucket] * net_file.POINTS_PER_LOGIT
    assert np.abs(net_file.evaluate(net, bits, bucket) - expected).max() < 3
