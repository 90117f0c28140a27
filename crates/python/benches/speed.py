"""How fast random games are, side by side with OpenSpiel's wheel where that is installed.

The loop in Python is the same for both: list the legal actions, take one of them, until the game is
over. Batches are stepped without a loop over their games. All figures are plies for each second of
processor time on one core, so other programs on the machine matter little; the games take turns, and the
best of several rounds counts.

    python benches/speed.py --seconds 1 --rounds 5
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import stoa

#: Games of OpenSpiel that resemble ours.
OPEN_SPIEL = ["breakthrough", "connect_four", "checkers", "lines_of_action"]

#: How many games a batch has.
SIZE = 1024


def stoa_loop(id: str) -> Callable[[], int]:
    game = stoa.Game(id)

    def play() -> int:
        choose, plies = random.random, 0
        position = game.start()
        while not position.is_over:
            actions = position.legal_actions()
            position = position.play_action(actions[int(choose() * len(actions))])
            plies += 1
        return plies

    return play


def open_spiel_loop(pyspiel: Any, name: str) -> Callable[[], int]:
    game = pyspiel.load_game(name)

    def play() -> int:
        choose, plies = random.random, 0
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(choose() * len(actions))])
            plies += 1
        return plies

    return play


def whole_games(id: str) -> Callable[[], int]:
    seeds = iter(range(10**9))
    return lambda: int(stoa.random_games(id, 500, seed=next(seeds)).plies.sum())


def random_steps(id: str) -> Callable[[], int]:
    batch = stoa.Batch(id, SIZE)

    def play() -> int:
        batch.step_random()
        return SIZE

    return play


def steps_with_arrays(id: str) -> Callable[[], int]:
    batch = stoa.Batch(id, SIZE)
    actions = np.empty(SIZE, np.int64)
    observations, masks = batch.observations(), batch.legal_masks()

    def play() -> int:
        batch.step(batch.random_actions(out=actions))
        batch.observations(out=observations)
        batch.legal_masks(out=masks)
        return SIZE

    return play


def speed(play: Callable[[], int], seconds: float) -> float:
    begun, plies = time.process_time(), 0
    while (passed := time.process_time() - begun) < seconds:
        plies += play()
    return plies / passed


def main() -> None:
    parser = argparse.ArgumentParser(description="random games, in plies a second")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure of a round")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    random.seed(1)
    rows: list[tuple[str, str, Callable[[], int]]] = []
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed, so there is nothing to compare with")
    else:
        rows += [("OpenSpiel, loop", name, open_spiel_loop(pyspiel, name)) for name in OPEN_SPIEL]
    ids = [game.id for game in stoa.games()]
    rows += [("Stoa, loop", id, stoa_loop(id)) for id in ids]
    rows += [("Stoa, whole random games", id, whole_games(id)) for id in ids]
    rows += [("Stoa, batch", id, random_steps(id)) for id in ids]
    rows += [("Stoa, batch with arrays", id, steps_with_arrays(id)) for id in ids]
    best = [0.0] * len(rows)
    wall, busy = time.perf_counter(), time.process_time()
    for _ in range(args.rounds):
        for index, (_, _, play) in enumerate(rows):
            best[index] = max(best[index], speed(play, args.seconds))
    share = (time.process_time() - busy) / (time.perf_counter() - wall)
    print("| what | game | plies/s |\n|---|---|---:|")
    for (what, name, _), figure in zip(rows, best):
        print(f"| {what} | {name} | {round(figure, -3):,.0f} |")
    print(f"\nThis process had {share:.0%} of a core.")


if __name__ == "__main__":
    main()
