"""Random arguments to everything there is: an answer or an exception, never a crash or a panic."""

import os
import random
import signal
import sys

import numpy as np
import pytest
from common import VARIANTS

import stoa
from stoa import _stoa

#: How often each callable is called with each seed; STOA_MORE asks for more, as in the tests in Rust.
CALLS = 10 * int(os.environ.get("STOA_MORE", "1"))

#: How long a call may take before it is interrupted, in seconds.
CALL_TIMEOUT = 0.05


class Hostile:
    """Has the methods that are asked for, all of which misbehave."""

    def __index__(self):
        raise ZeroDivisionError("index")

    def __iter__(self):
        raise ZeroDivisionError("iter")

    def __len__(self):
        return -1

    def __fspath__(self):
        raise ZeroDivisionError("fspath")

    def __eq__(self, other):
        raise ZeroDivisionError("eq")

    __hash__ = None


class Number(int):
    """An int that is not quite one."""


def noise(rng):
    """Text that is nearly something."""
    words = ["impasse", "palisade:7", "columna:points", "d2-b4", "a1", "8/8/8/8/8/8/8/8 w", "1b<"]
    words += ["game: impasse\nresult: unfinished\n\n1. d2-b4\n", "t2W/5/6/t5t/6/5/B2t b 3 0 6"]
    words += ["", "\0", "é", "\ud800", "x" * 5000, "9" * 40, "resigned", "ascii", "net", "position"]
    text = rng.choice(words)
    for _ in range(rng.randrange(3)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice("abw0189-/+*>= :\n{}()\0é") + text[at + rng.randrange(2) :]
    return text


def value(rng, objects):
    """Any argument."""
    kinds = [
        lambda: rng.choice([-(2**70), -(2**63), -1, 0, 1, 2, 3, 7, 40, 2**31, 2**63, 2**64, 10**30]),
        lambda: rng.choice([0.0, -1.5, 0.001, float("nan"), float("inf"), 1e308, True, None]),
        lambda: noise(rng),
        lambda: rng.choice(objects),
        lambda: rng.choice([b"", b"\xff", [], {}, (), set(), object(), Hostile(), Number(3), int]),
        lambda: [value(rng, objects) for _ in range(rng.randrange(4))],
        lambda: (rng.choice(objects) for _ in range(2)),
        lambda: np.zeros(
            [(), (0,), (3,), (3, 4), (4, 8, 8), (3, 4, 8, 8), (3, 1609), (1609,)][rng.randrange(8)],
            rng.choice(["float32", "float64", "int8", "int64", "uint64", "bool", "O", "U3", "c8"]),
        ),
        lambda: np.asfortranarray(np.zeros((4, 8, 8), np.float32)),
        lambda: np.zeros((8, 8, 8), np.float32)[::2],
        lambda: np.int64(rng.choice([-1, 3, 41, 2**40])),
    ]
    return rng.choice(kinds)()


def call(function, args, keywords):
    """Calls it, and returns the exception if there is one."""
    try:
        signal.setitimer(signal.ITIMER_REAL, CALL_TIMEOUT)
        try:
            function(*args, **keywords)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException as error:
        return error
    return None


def interrupted(*_):
    raise TimeoutError("the call takes long")


#: Keywords that some callables have.
KEYWORDS = ["out", "seed", "nodes", "depth", "time", "level", "player", "table", "restart", "lines"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no interval timers")
# A call may be interrupted while an object is being freed, where an exception cannot be raised.
@pytest.mark.filterwarnings(
    "ignore:(?s).*the call takes long:pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.parametrize("seed", range(5))
def test_random_arguments(seed, tmp_path, monkeypatch):
    # Random texts are taken for paths, too.
    monkeypatch.chdir(tmp_path)
    old = signal.signal(signal.SIGALRM, interrupted)
    rng = random.Random(seed)
    game = VARIANTS[seed % len(VARIANTS)]
    start = game.start()
    record = start.random_game(seed)
    engine = stoa.Engine(game, table=1)
    thought = engine.think(start, nodes=50)
    batch = stoa.Batch(game, 3, seed=seed)
    objects = [game, start, record, record.final, start.moves()[0], record.result, thought, engine]
    objects += [thought.lines[0], thought.score, batch, stoa.random_games(game, 3), *record.nodes[:1]]
    objects += [stoa.probe(stoa.Game("colonnade").position("r/br/-/-/-/-/-/- b"))]
    objects += [stoa.prove(stoa.Game("palisade:3").start()), stoa.Game("impasse").start()]
    raised = []
    try:
        for _ in range(CALLS):
            for function in callables(objects):
                args = [value(rng, objects) for _ in range(rng.randrange(4))]
                names = rng.sample(KEYWORDS, rng.choice([0, 0, 0, 1, 2]))
                keywords = {name: value(rng, objects) for name in names}
                error = call(function, args, keywords)
                where = f"{function} {args} {keywords}"
                # A panic is a BaseException.
                assert error is None or isinstance(error, Exception), (where, error)
                assert "internal error" not in str(error), (where, error)
                raised.append(type(error))
    finally:
        signal.signal(signal.SIGALRM, old)
    # The arguments were not all refused before they were looked at.
    assert raised.count(type(None)) > 100 and len(set(raised)) > 5
    assert start == game.start() and stoa.Game("impasse").start().perft(3) == 9692


def callables(objects):
    """Every function, constructor and method of the module, methods bound to one of the objects."""
    functions = []
    for name in dir(_stoa):
        thing = getattr(_stoa, name)
        if isinstance(thing, type) and issubclass(thing, BaseException):
            continue
        if callable(thing):
            functions.append(thing)
    for thing in objects:
        for name in dir(type(thing)):
            if name.startswith("__") and name not in ("__eq__", "__lt__", "__len__", "__reduce__"):
                continue
            method = getattr(thing, name)
            if callable(method):
                functions.append(method)
    return functions


def test_what_is_asked_of_a_getter_never_fails():
    for game in VARIANTS:
        record = game.start().random_game(1)
        for thing in [game, record, record.start, record.final, record.result, record.moves[0]]:
            for name in dir(type(thing)):
                if not name.startswith("__"):
                    getattr(thing, name)
            repr(thing), str(thing), hash(thing)
