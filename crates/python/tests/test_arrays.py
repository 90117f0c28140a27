"""Actions, masks, observations and batches."""

import itertools
import random
import threading

import numpy as np
import pytest
from common import IDS, random_positions

import stoa


@pytest.mark.parametrize("id", IDS)
def test_actions_and_moves_go_both_ways(id):
    game = stoa.Game(id)
    for position in random_positions(game, 4, 120):
        actions = position.legal_actions()
        moves = position.moves()
        assert len(set(actions)) == len(actions) == len(moves)
        mask = position.legal_mask()
        assert mask.dtype == np.int8 and mask.shape == (game.action_count,)
        assert sorted(actions) == np.flatnonzero(mask).tolist()
        for action, move in list(zip(actions, moves, strict=True))[:8]:
            assert position.move(action) == move and position.action(move) == action
            assert position.play_action(action) == position.play(move)


@pytest.mark.parametrize("id", IDS)
def test_observations(id):
    game = stoa.Game(id)
    out = np.empty(game.observation_shape, np.float32)
    for position in random_positions(game, 5, 60):
        seen = position.observation()
        assert seen.dtype == np.float32 and seen.shape == game.observation_shape
        assert 0 <= seen.min() and seen.max() <= 1
        assert np.array_equal(seen, position.observation(position.player))
        assert position.observation(1 - position.player, out=out) is out
        assert len(game.planes) == len(seen)
        if not np.array_equal(seen, out):
            continue
        assert position == game.start(), "only at the start may both players see the same"


def test_wrong_actions_and_arrays_are_refused():
    start = stoa.Game("impasse").start()
    for action in (-1, 1609, 2**40):
        with pytest.raises(stoa.IllegalAction, match="there is no action") as caught:
            start.play_action(action)
        assert caught.value.action == action
    with pytest.raises(stoa.IllegalAction, match="impasse clause") as caught:
        start.play_action(0)
    assert caught.value.rule == "impasse clause 2" and caught.value.action == 0
    over = stoa.Game("impasse").position("8/8/8/8/8/8/8/6b1 b")
    with pytest.raises(stoa.IllegalAction, match="the game is over, white wins"):
        over.play_action(0)
    for ask in (start.play_action, start.move, lambda action: start.transform_action(action, 0)):
        with pytest.raises(stoa.IllegalAction, match=f"no action {2**80}; impasse has") as caught:
            ask(2**80)
        assert caught.value.action == 2**80
    with pytest.raises(stoa.IllegalAction, match="no action one so large"):
        start.play_action(10**5000)
    with pytest.raises(TypeError):
        start.play_action("d2-b4")
    with pytest.raises(ValueError, match="there is no player 2"):
        start.observation(2)
    good = np.zeros((4, 8, 8), np.float32)
    wrong = [
        (np.zeros((4, 8, 8)), TypeError, "must be an array of float32, not an array of float64"),
        ([0.0], TypeError, "must be an array of float32, not list"),
        (np.zeros((4, 8), np.float32), ValueError, r"shape \(4, 8, 8\), not \(4, 8\)"),
        (np.zeros((8, 8, 4), np.float32).T, ValueError, "must be C-contiguous"),
        (np.zeros((4, 8, 8), ">f4"), TypeError, "must be an array of float32"),
        (np.frombuffer(bytes(1024), np.float32).reshape(4, 8, 8), ValueError, "must be writeable"),
        (
            np.frombuffer(bytearray(1025), np.uint8)[1:].view(np.float32).reshape(4, 8, 8),
            ValueError,
            "must be aligned",
        ),
    ]
    for out, kind, words in wrong:
        with pytest.raises(kind, match=words):
            start.observation(out=out)
    assert start.observation(out=good) is good and good.sum() == 16


@pytest.mark.parametrize("id", IDS)
def test_a_batch_is_many_games(id):
    game = stoa.Game(id)
    batch = stoa.Batch(game, 7, seed=2)
    alone = [game.start()] * 7
    rng = np.random.default_rng(1)
    for _ in range(40):
        masks, observations, players = batch.legal_masks(), batch.observations(), batch.players()
        for index, position in enumerate(alone):
            assert np.array_equal(masks[index], position.legal_mask())
            assert np.array_equal(observations[index], position.observation())
            assert players[index] == position.player
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        rewards, done = batch.step(actions)
        for index, action in enumerate(actions):
            after = alone[index].play_action(action)
            outcome = after.outcome()
            assert done[index] == (outcome is not None)
            expected = 0 if outcome is None else outcome.returns[alone[index].player]
            assert rewards[index] == expected
            alone[index] = game.start() if outcome else after
    assert batch.positions() == alone


def test_a_batch_without_restart_stays_over():
    batch = stoa.Batch("colossus", 50, seed=3)
    seen = np.zeros(50, bool)
    for _ in range(300):
        actions = batch.random_actions()
        assert ((actions == -1) == seen).all()
        rewards, done = batch.step(actions, restart=False)
        assert (rewards[seen] == 0).all() and (done >= seen).all()
        seen = done
    assert seen.any()


def test_random_games_can_be_repeated():
    one = stoa.random_games("impasse", 50, seed=9)
    two = stoa.random_games("impasse", 80, seed=9)
    assert (one.plies == two.plies[:50]).all() and (one.winners == two.winners[:50]).all()
    assert set(np.unique(one.winners)) <= {0, 1}
    assert (one.choices >= one.plies).all()
    batches = [stoa.Batch("impasse", 5, seed=4) for _ in range(2)]
    for _ in range(60):
        for batch in batches:
            batch.step_random()
    assert batches[0].positions() == batches[1].positions()
    batches[0].reset(seed=4)
    assert batches[0].positions() == [stoa.Game("impasse").start()] * 5


def test_wrong_batches_are_refused():
    batch = stoa.Batch("impasse", 3)
    start = batch.position(0)
    legal = start.legal_actions()[:3]
    wrong = [
        ([legal[0]], ValueError, r"shape \(3,\), one for each game, not \(1,\)"),
        ([legal], ValueError, r"not \(1, 3\)"),
        (np.array(legal, float), TypeError, "actions must be integers, not float64"),
        (["a", "b", "c"], TypeError, "actions must be integers"),
        (None, ValueError, "shape"),
        ([legal[0], legal[1], 0], stoa.IllegalAction, "game 2: action 0 is not legal"),
        ([legal[0], 5000, legal[1]], stoa.IllegalAction, "game 1: there is no action 5000"),
        ([legal[0], -7, legal[1]], stoa.IllegalAction, "game 1: there is no action -7"),
        (np.array([2**64 - 1] * 3, np.uint64), stoa.IllegalAction, f"no action {2**63 - 1}"),
    ]
    for actions, kind, words in wrong:
        with pytest.raises(kind, match=words):
            batch.step(actions)
        assert batch.positions() == [start] * 3, "nothing has changed"
    for size in (0, -1, 2**21, 2**62, 2**90):
        with pytest.raises(ValueError, match=f"size must be from 1 to 1048576, not {size}"):
            stoa.Batch("impasse", size)
    for index in (3, -4, 2**90):
        with pytest.raises(IndexError, match=f"there is no game {index}; they are counted from 0"):
            batch.position(index)
        with pytest.raises(IndexError, match="there is no game"):
            batch.set_position(index, start)
    with pytest.raises(ValueError, match="this is a position of colonnade"):
        batch.set_position(0, stoa.Game("colonnade").start())
    with pytest.raises(ValueError, match="at least one position"):
        stoa.Batch.of([])
    for count in (0, -1, 2**70):
        with pytest.raises(ValueError, match=f"count must be from 1 to 268435456, not {count}"):
            stoa.random_games("impasse", count)
    with pytest.raises(TypeError, match="must be an array of int8, not an array of uint8"):
        batch.legal_masks(out=np.zeros((3, 1609), np.uint8))


def test_batches_of_positions():
    rng = random.Random(1)
    positions = list(random_positions(stoa.Game("columna:points"), 6, 9))
    batch = stoa.Batch.of(positions)
    assert batch.positions() == positions
    assert stoa.Batch.of(iter(positions)).positions() == positions
    assert stoa.Batch.of(tuple(positions)).positions() == positions
    assert batch.position(-1) == batch.position(8) == positions[8] != positions[0]
    other = rng.choice(positions)
    batch.set_position(2, other)
    assert batch.position(2) == other
    with pytest.raises(TypeError, match="expected a Position, found str"):
        stoa.Batch.of(str(other))
    with pytest.raises(ValueError, match="at most 1048576 positions"):
        stoa.Batch.of(itertools.repeat(other))


def test_a_batch_that_is_being_stepped_refuses_others():
    batch = stoa.Batch("impasse", 3)
    told = []

    class Actions:
        def __array__(self, *args, **keywords):
            # Not yet being stepped: what is asked of an argument may use the batch.
            told.append(batch.players())
            return batch.random_actions()

    batch.step(Actions())
    assert len(told) == 1
    # Long steps, so that the threads meet.
    large = stoa.Batch("palisade", 4000)
    errors, stepped = [], []

    def step():
        for _ in range(25):
            try:
                large.step_random()
                stepped.append(1)
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=step) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) + len(stepped) == 100 and len(stepped) >= 25
    assert set(errors) <= {"this batch is being stepped; make one for each thread"}


def test_positions_out_of_play_may_lack_actions():
    strange = stoa.Game("impasse").position("1w1w4/8/8/8/8/8/8/w5b1 w")
    assert len(strange.moves()) > 0
    for ask in (strange.legal_actions, strange.legal_mask, stoa.Batch.of([strange]).legal_masks):
        with pytest.raises(stoa.StoaError, match="play cannot reach this position"):
            ask()
