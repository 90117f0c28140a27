"""What several tests need."""

import random
from collections.abc import Iterator

import stoa

#: Every game with every option.
VARIANTS = [variant for game in stoa.games() for variant in game.variants()]

#: The ids of all of these.
IDS = [game.id for game in VARIANTS]


def random_positions(game: stoa.Game, seed: int, count: int) -> Iterator[stoa.Position]:
    """Positions of random games, at most as many as `count`."""
    rng = random.Random(seed)
    position = game.start()
    for _ in range(count):
        yield position
        moves = position.moves()
        position = position.play(rng.choice(moves)) if moves else game.start()
