"""The engine, exact answers, and what runs beside them."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from common import VARIANTS

import stoa


def test_every_game_has_an_engine_and_levels():
    for game in VARIANTS:
        engine = stoa.Engine(game, level=2, table=1)
        position = game.start()
        for _ in range(3):
            thought = engine.think(position, nodes=300)
            position = position.play(thought.best)
        assert engine.level == 2 and engine.level_name == "Visitor" and engine.game == game


def test_a_thought_has_lines_that_can_be_played():
    start = stoa.Game("impasse").start()
    thought = stoa.Engine("impasse", lines=3).think(start, depth=4)
    assert len(thought.lines) == 3 and thought.depth >= 4 and thought.nodes > 100
    assert thought.strategy == "alphabeta" and thought.time >= 0
    for line in thought.lines:
        position = start
        for move in line.moves:
            position = position.play(move)
    scores = [line.score for line in thought.lines]
    assert scores == sorted(scores, reverse=True) and thought.score == scores[0]
    assert thought.best == thought.lines[0].moves[0]


def test_searches_can_be_repeated():
    start = stoa.Game("columna").start()

    def found():
        thought = stoa.Engine("columna", seed=5).think(start, nodes=4000)
        return str(thought.best), thought.nodes, str(thought.score)

    assert found() == found()


def test_networks():
    start = stoa.Game("impasse").start()
    scores = {}
    for evaluation in ("best", "terms", "net"):
        thought = stoa.Engine("impasse", evaluation=evaluation).think(start, nodes=2000)
        assert thought.best in start.moves()
        scores[evaluation] = str(thought.score), thought.nodes
    assert scores["best"] == scores["net"] != scores["terms"]
    with pytest.raises(stoa.EngineError, match="no network for colonnade"):
        stoa.Engine("colonnade", evaluation="net")
    with pytest.raises(OSError, match="cannot read"):
        stoa.Engine("impasse", evaluation="no-such-file.net")
    with pytest.raises(stoa.EngineError, match="this is not a network file"):
        stoa.Engine("impasse", evaluation=__file__)


def test_wrong_settings_are_refused():
    for keywords, words in [
        ({"level": 11}, "there is no level 11; levels go from 1 to 10"),
        ({"level": -1}, "there is no level -1"),
        ({"strategy": "luck"}, "there is no strategy 'luck'"),
        ({"threads": 0}, "threads must be from 1 to 256, not 0"),
        ({"table": 10**6}, "table must be from 1 to 65536"),
        ({"lines": 0}, "lines must be from 1"),
        ({"threads": -1}, "threads must be from 1 to 256, not -1"),
        ({"table": 2**80}, f"table must be from 1 to 65536, not {2**80}"),
        ({"level": 2**80}, f"there is no level {2**80}"),
    ]:
        with pytest.raises(stoa.EngineError, match=words):
            stoa.Engine("impasse", **keywords)
    engine = stoa.Engine("impasse")
    start = stoa.Game("impasse").start()
    with pytest.raises(ValueError, match="the search needs a limit"):
        engine.think(start)
    with pytest.raises(ValueError, match="alphabeta makes no playouts; the search needs another limit"):
        engine.think(start, playouts=10)
    assert engine.think(start, playouts=10, nodes=10).best in start.moves()
    for limit in ("nodes", "depth", "playouts"):
        with pytest.raises(ValueError, match=f"{limit} must be from 0 to [0-9]+, not -1"):
            engine.think(start, **{limit: -1})
    with pytest.raises(ValueError, match="nodes must be from 0"):
        stoa.prove(start, nodes=2**64)
    for seconds in (-1.0, float("nan"), float("inf"), 1e300):
        with pytest.raises(ValueError, match="time must be a number of seconds"):
            engine.think(start, time=seconds)
    with pytest.raises(stoa.StoaError, match="a position of colonnade, but the engine plays impasse"):
        engine.think(stoa.Game("colonnade").start(), nodes=10)
    with pytest.raises(TypeError, match="expected a Position, found str"):
        engine.think(str(start), nodes=10)
    over = stoa.Game("impasse").position("8/8/8/8/8/8/8/6b1 b")
    thought = engine.think(over, nodes=10)
    assert thought.best is None and thought.score is None and thought.lines == []


def test_a_search_ends_by_each_limit_of_its_strategy():
    start = stoa.Game("colossus").start()
    for strategy in ("alphabeta", "mcts", "uct", "random"):
        limits = [{"nodes": 40}, {"time": 0.02}, {"nodes": 0}, {"time": 0.0}]
        limits += [{"depth": 2}] if strategy == "alphabeta" else [{"playouts": 40}]
        for limit in limits:
            thought = stoa.Engine("colossus", strategy=strategy, table=1).think(start, **limit)
            assert thought.best in start.moves() and thought.strategy == strategy


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no file without an end")
def test_files_without_an_end_are_refused():
    with pytest.raises(OSError, match="no network has more than [0-9]+ bytes"):
        stoa.Engine("impasse", evaluation="/dev/zero")
    with pytest.raises(OSError, match="larger than"):
        stoa.Record.load("/dev/zero")
    with pytest.raises(stoa.TablebaseError, match="not a file"):
        stoa.probe(stoa.Game("impasse").start(), table="/dev/zero")


FORKED = """
import os, signal, threading, stoa
start = stoa.Game("colonnade").start()
engine = stoa.Engine("colonnade", threads=2)
engine.think(start, nodes=500)
running = True
def ask():
    while running:
        for move in start.moves():
            stoa.probe(start.play(move))
thread = threading.Thread(target=ask)
thread.start()
try:
    # Some of these find the other thread in the midst of a question.
    for _ in range(20):
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            known = stoa.probe(start).verdict == "loss" and engine.think(start, nodes=500).best
            os._exit(0 if known else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
finally:
    running = False
    thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_forked_processes_ask_for_themselves():
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], check=True, timeout=300)


LEFT = """
import threading, time, stoa
start = stoa.Game("impasse").start()
for work in (
    lambda: stoa.Engine("impasse").think(start, time=60),
    lambda: stoa.random_games("palisade", 10**6),
    lambda: [batch.step(batch.random_actions()) for batch in [stoa.Batch("palisade", 5000)] * 10**6],
    lambda: [batch.players() for batch in [stoa.Batch("palisade", 5000)] * 10**6],
    lambda: [start.legal_mask() for _ in range(10**8)],
):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
print("left", flush=True)
"""


def test_python_can_end_while_threads_work():
    # It used to crash in two of three times.
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", LEFT], capture_output=True, text=True, timeout=120
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "left\n", "")


def test_a_search_lets_other_threads_run_and_refuses_a_second_one():
    engine = stoa.Engine("impasse")
    start = stoa.Game("impasse").start()
    thoughts = []
    thread = threading.Thread(target=lambda: thoughts.append(engine.think(start, time=1.0)))
    thread.start()
    counted, refused = 0, 0
    while thread.is_alive():
        counted += 1
        try:
            engine.think(start, nodes=1)
        except RuntimeError as error:
            assert "searching in another thread" in str(error)
            refused += 1
        time.sleep(0.001)
    thread.join()
    assert thoughts[0].best in start.moves()
    assert counted > 3 and refused > 1, (counted, refused)


INTERRUPTED = """
import signal, sys, stoa
# What a shell starts in the background ignores Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
start = stoa.Game("{game}").start()
try:
    print("ready", flush=True)
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(0)
print("finished", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is sent as on Unix")
@pytest.mark.parametrize(
    ("game", "work"),
    [
        ("palisade", "stoa.Engine('palisade').think(start, time=600)"),
        ("impasse", "start.perft(12)"),
        ("columna", "stoa.prove(start)"),
        ("columna", "stoa.random_games('columna', 10**8)"),
    ],
)
def test_ctrl_c_ends_long_work(game, work):
    program = INTERRUPTED.format(game=game, work=work)
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "ready\n"
        # The work has begun when Python has printed; it would take minutes at least.
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert rest == "interrupted\n" and process.returncode == 0


def test_exact_values_agree_with_their_moves():
    game = stoa.Game("colonnade")
    position = game.start()
    for _ in range(12):
        value = stoa.probe(position)
        moves = stoa.probe_moves(position)
        assert len(moves) == position.move_count
        best = max(exact.value for _, exact in moves)
        assert value.value == best == moves[0][1].value
        for move, exact in moves[:3]:
            assert stoa.probe(position.play(move)).value == -exact.value
        position = position.play(moves[-1][0])
    assert stoa.probe(stoa.Game("colossus").start()) is None
    assert {exact for _, exact in stoa.probe_moves(stoa.Game("colossus").start())} == {None}
    with pytest.raises(stoa.TablebaseError):
        stoa.probe(position, table=__file__)


def test_proofs():
    for game in (stoa.Game("colonnade"), stoa.Game("palisade:3")):
        proof = stoa.prove(game.start(), nodes=2_000_000)
        assert proof.verdict in ("win", "loss") and proof.nodes > 0
        position = game.start()
        for move in proof.line:
            position = position.play(move)
    assert stoa.prove(stoa.Game("columna").start(), nodes=100).verdict is None
