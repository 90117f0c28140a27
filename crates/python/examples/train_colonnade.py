"""Trains a small network to play Colonnade, in a minute on one core, and compares it with the truth.

The network learns from games against itself what every action is worth (Q-learning): the value of an
action is the result if it ends the game, else what the opponent's best answer leaves. All games of a batch
are stepped at once, so there is no loop over games, and NumPy is all that is needed.

Colonnade is solved, so the truth is known: `stoa.probe` says who wins any position. At the end the
network chooses a move in positions that are won, and we count how often the move keeps the win.
"""

from __future__ import annotations

import argparse
import random
import time

import numpy as np
import numpy.typing as npt

import stoa

Floats = npt.NDArray[np.float32]

GAME = stoa.Game("colonnade")
INPUTS = int(np.prod(GAME.observation_shape))
HIDDEN = 128


class Network:
    """Two layers: what every action is worth, from -1 to 1, trained with Adam."""

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

    def values(self, observations: Floats) -> tuple[Floats, Floats]:
        """What every action is worth, and the hidden layer that says so."""
        first, first_bias, second, second_bias = self.weights
        hidden: Floats = np.maximum(observations.reshape(-1, INPUTS) @ first + first_bias, 0)
        return np.tanh(hidden @ second + second_bias), hidden

    def learn(
        self, observations: Floats, actions: npt.NDArray[np.int64], targets: Floats, rate: float
    ) -> float:
        """One step towards targets for the actions taken. Returns the mean error."""
        inputs = observations.reshape(-1, INPUTS)
        outputs, hidden = self.values(inputs)
        rows = np.arange(len(actions))
        error = outputs[rows, actions] - targets
        slope: Floats = np.zeros_like(outputs)
        slope[rows, actions] = error * (1 - outputs[rows, actions] ** 2) / len(actions)
        back: Floats = (slope @ self.weights[2].T) * (hidden > 0)
        slopes = [inputs.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)]
        self.steps += 1
        for index, step in enumerate(slopes):
            self.mean[index] += 0.1 * (step - self.mean[index])
            self.square[index] += 0.01 * (step**2 - self.square[index])
            scaled = self.mean[index] / (1 - 0.9**self.steps)
            size = np.sqrt(self.square[index] / (1 - 0.99**self.steps)) + 1e-8
            self.weights[index] -= np.float32(rate) * scaled / size
        return float(np.abs(error).mean())


def best(values: Floats, masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """The legal action that is worth most, in each game."""
    legal: Floats = np.where(masks == 1, values, np.float32(-np.inf))
    actions: npt.NDArray[np.int64] = np.argmax(legal, axis=1)
    return actions


def train(network: Network, rng: np.random.Generator, steps: int, games: int) -> None:
    """Plays games against itself and learns from every turn."""
    batch = stoa.Batch(GAME, games, seed=int(rng.integers(2**32)))
    observations, masks = batch.observations(), batch.legal_masks()
    begun = time.perf_counter()
    for step in range(steps):
        done_share = step / steps
        values, _ = network.values(observations)
        # Fewer and fewer moves are random.
        explores = rng.random(games) < 0.5 * (1 - done_share) + 0.05
        actions = np.where(explores, batch.random_actions(), best(values, masks))
        rewards, done = batch.step(actions)
        next_observations, next_masks = batch.observations(), batch.legal_masks()
        answers, _ = network.values(next_observations)
        legal: Floats = np.where(next_masks == 1, answers, np.float32(-np.inf))
        answer: Floats = legal.max(axis=1)
        # The next player's gain is this player's loss; where the game is over, the result counts.
        targets = np.where(done, rewards, -answer).astype(np.float32)
        error = network.learn(observations, actions, targets, 0.003 * (1 - done_share) + 0.0003)
        observations, masks = next_observations, next_masks
        if (step + 1) % max(steps // 5, 1) == 0:
            print(f"  step {step + 1}: error {error:.3f}, {time.perf_counter() - begun:.0f} s")


def won_positions(rng: random.Random, count: int) -> list[stoa.Position]:
    """Positions of random games in which the player to move wins, but not with every move."""
    found: list[stoa.Position] = []
    while len(found) < count:
        # The first turns are much alike in all games.
        positions = GAME.start().random_game(seed=rng.getrandbits(32)).positions()
        position = rng.choice(positions[4:])
        values = {exact.value for _, exact in stoa.probe_moves(position) if exact is not None}
        if values == {1, -1}:
            found.append(position)
    return found


def kept(network: Network, positions: list[stoa.Position]) -> float:
    """How many of the positions the network's move keeps won."""
    batch = stoa.Batch.of(positions)
    values, _ = network.values(batch.observations())
    actions = best(values, batch.legal_masks())
    after = [position.play_action(action) for position, action in zip(positions, actions)]
    answers = [stoa.probe(position) for position in after]
    return float(np.mean([answer is not None and answer.value == -1 for answer in answers]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--steps", type=int, default=1000, help="how often the network learns")
    parser.add_argument("--games", type=int, default=1024, help="how many games are played at once")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    network = Network(rng)
    positions = won_positions(random.Random(args.seed), 300)
    print(f"wins kept before training: {100 * kept(network, positions):.1f} %")
    train(network, rng, args.steps, args.games)
    print(f"wins kept after training: {100 * kept(network, positions):.1f} %")


if __name__ == "__main__":
    main()
