"""Trains a small network to play Colonnade, well within a minute on one core, and compares it with the truth.

The network learns from games against itself what every action is worth (Q-learning): the value of an
action is the result if it ends the game, else what the opponent's best answer leaves. All games of a batch
are stepped at once, so there is no loop over games, and NumPy is all that is needed.

Colonnade is solved, so the truth is known: `stoa.probe` says who wins any position. At the end the
network chooses a move in positions that are won but can be lost, and we count how often the move keeps the
win; and in any positions it says who wins, and we count how often that is true.
"""

from __future__ import annotations

import argparse
import os
import random
import time

# Before NumPy is imported: the matrices are so small that threads would only wait for each other.
for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

import numpy as np
import numpy.typing as npt

import stoa

Floats = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]
Actions = npt.NDArray[np.int64]

GAME = stoa.Game("colonnade")
INPUTS = int(np.prod(GAME.observation_shape))
HIDDEN = 192


class Network:
    """Two layers: what every action is worth, before `tanh` brings it between -1 and 1; Adam trains them."""

    def __init__(self, rng: np.random.Generator) -> None:
        def layer(inputs: int, outputs: int) -> Floats:
            weights = rng.standard_normal((inputs, outputs), dtype=np.float32)
            return weights * np.float32(np.sqrt(2.0 / inputs))

        self.weights: list[Floats] = [
            layer(INPUTS, HIDDEN),
            np.zeros(HIDDEN, np.float32),
            layer(HIDDEN, GAME.action_count) * np.float32(0.1),
            np.zeros(GAME.action_count, np.float32),
        ]
        self.mean = [np.zeros_like(weight) for weight in self.weights]
        self.square = [np.zeros_like(weight) for weight in self.weights]
        self.steps = 0

    def forward(self, observations: Floats) -> tuple[Floats, Floats]:
        """What every action is worth, and the hidden layer that says so."""
        first, first_bias, second, second_bias = self.weights
        hidden: Floats = np.maximum(observations.reshape(-1, INPUTS) @ first + first_bias, 0)
        return hidden @ second + second_bias, hidden

    def learn(
        self,
        observations: Floats,
        hidden: Floats,
        actions: Actions,
        values: Floats,
        targets: Floats,
        rate: float,
    ) -> float:
        """One step from values towards targets for the actions taken. Returns the mean error."""
        error = values - targets
        slope: Floats = error * (1 - values**2) / np.float32(len(actions))
        # Only one action of each row was taken, so most of the last layer's slopes are zero.
        outputs: Floats = np.zeros((len(actions), GAME.action_count), np.float32)
        outputs[np.arange(len(actions)), actions] = slope
        back: Floats = slope[:, None] * self.weights[2].T[actions] * (hidden > 0)
        inputs = observations.reshape(-1, INPUTS)
        slopes = [inputs.T @ back, back.sum(axis=0), hidden.T @ outputs, outputs.sum(axis=0)]
        self.steps += 1
        for weight, mean, square, step in zip(self.weights, self.mean, self.square, slopes):
            mean += np.float32(0.1) * (step - mean)
            square += np.float32(0.01) * (step**2 - square)
            scaled = mean / np.float32(1 - 0.9**self.steps)
            size = np.sqrt(square / np.float32(1 - 0.99**self.steps)) + np.float32(1e-8)
            weight -= np.float32(rate) * scaled / size
        return float(np.abs(error).mean())


def best(outputs: Floats, masks: Masks) -> Actions:
    """The legal action that is worth most, in each game."""
    legal: Floats = np.where(masks == 1, outputs, np.float32(-np.inf))
    actions: Actions = np.argmax(legal, axis=1)
    return actions


def worth(outputs: Floats, actions: Actions) -> Floats:
    """What an action is worth in each game, from -1 to 1."""
    values: Floats = np.tanh(outputs[np.arange(len(actions)), actions])
    return values


def train(network: Network, rng: np.random.Generator, steps: int, games: int) -> None:
    """Plays games against itself and learns from every turn."""
    batch = stoa.Batch(GAME, games, seed=int(rng.integers(2**32)))
    observations, masks = batch.observations(), batch.legal_masks()
    outputs, hidden = network.forward(observations)
    choice = best(outputs, masks)
    begun = time.perf_counter()
    for step in range(steps):
        done_share = step / steps
        # Fewer and fewer moves are random.
        explores = rng.random(games) < 0.5 * (1 - done_share) + 0.05
        actions = np.where(explores, batch.random_actions(), choice)
        values = worth(outputs, actions)
        rewards, done = batch.step(actions)
        next_observations, masks = batch.observations(), batch.legal_masks()
        outputs, next_hidden = network.forward(next_observations)
        choice = best(outputs, masks)
        # The next player's gain is this player's loss; where the game is over, the result counts.
        targets: Floats = np.where(done, rewards, -worth(outputs, choice))
        rate = 0.003 * (1 - done_share) + 0.0003
        error = network.learn(observations, hidden, actions, values, targets, rate)
        observations, hidden = next_observations, next_hidden
        if (step + 1) % max(steps // 5, 1) == 0:
            print(f"  step {step + 1}: error {error:.3f}, {time.perf_counter() - begun:.0f} s")


def random_position(rng: random.Random) -> stoa.Position:
    """A position of a random game; the first turns are much alike in all games."""
    positions = GAME.start().random_game(seed=rng.getrandbits(32)).positions()
    return rng.choice(positions[4:-1])


def won_positions(rng: random.Random, count: int) -> list[stoa.Position]:
    """Positions of random games in which the player to move wins, but not with every move."""
    found: list[stoa.Position] = []
    while len(found) < count:
        position = random_position(rng)
        values = {exact.value for _, exact in stoa.probe_moves(position) if exact is not None}
        if values == {1, -1}:
            found.append(position)
    return found


def kept(network: Network, positions: list[stoa.Position]) -> float:
    """How many of these won positions the network's move keeps won, in percent."""
    batch = stoa.Batch.of(positions)
    outputs, _ = network.forward(batch.observations())
    batch.step(best(outputs, batch.legal_masks()), restart=False)
    answers = [stoa.probe(position) for position in batch.positions()]
    return 100 * float(np.mean([answer is not None and answer.value == -1 for answer in answers]))


def right(network: Network, positions: list[stoa.Position]) -> float:
    """In how many of these positions the network says rightly who wins, in percent."""
    batch = stoa.Batch.of(positions)
    outputs, _ = network.forward(batch.observations())
    values = worth(outputs, best(outputs, batch.legal_masks()))
    truth = [stoa.probe(position) for position in positions]
    said = [t is not None and t.value * v > 0 for t, v in zip(truth, values.tolist())]
    return 100 * float(np.mean(said))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--steps", type=int, default=1500, help="how often the network learns")
    parser.add_argument("--games", type=int, default=1024, help="how many games are played at once")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    network = Network(rng)
    chance = random.Random(args.seed)
    won = won_positions(chance, 300)
    some = [random_position(chance) for _ in range(1000)]
    for when in ("before", "after"):
        if when == "after":
            train(network, rng, args.steps, args.games)
        print(
            f"{when} training: {kept(network, won):.1f} % of {len(won)} wins are kept, "
            f"{right(network, some):.1f} % of {len(some)} winners are told"
        )


if __name__ == "__main__":
    main()
