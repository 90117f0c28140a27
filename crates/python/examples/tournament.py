"""A tournament between levels of the engine: everyone plays everyone, with both sides."""

from __future__ import annotations

import argparse
import itertools
from collections import Counter, defaultdict

import stoa

#: Where a level has no limit of its own.
MAX_NODES = 20_000


def play(game: stoa.Game, levels: tuple[int, int], seed: int) -> stoa.Record:
    """A game between two levels; the first one moves first."""
    # A random turn each, so that games differ.
    opening = game.start().random_game(seed).moves[:2]
    record = stoa.Record(game, opening)
    if record.result is not None:
        record = stoa.Record(game)
    engines = [stoa.Engine(game, level=level, seed=seed, table=8) for level in levels]
    while record.result is None:
        position = record.final
        best = engines[position.player].think(position, nodes=MAX_NODES).best
        assert best is not None
        record = record.play(best)
    return record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="impasse")
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--games", type=int, default=4, help="games for each pair")
    args = parser.parse_args()
    game = stoa.Game(args.game)
    scores: defaultdict[int, float] = defaultdict(float)
    played: Counter[int] = Counter()
    for pair in itertools.combinations(args.levels, 2):
        for number in range(args.games):
            levels = pair if number % 2 == 0 else (pair[1], pair[0])
            # Both games of a pair begin alike.
            record = play(game, levels, seed=number // 2)
            assert record.result is not None
            for level, value in zip(levels, record.result.returns):
                scores[level] += (value + 1) / 2
                played[level] += 1
            print(f"{levels[0]} - {levels[1]}: {record.result}, {len(record)} moves")
    print(f"\n{game.name} by {game.designer}")
    for level, score in sorted(scores.items(), key=lambda item: -item[1]):
        print(f"level {level:>2}  {score:>4.1f} / {played[level]}")


if __name__ == "__main__":
    main()
