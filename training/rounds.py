"""Rounds of self-play and training: new networks play, and their games train the next ones.

    python3 rounds.py --stoa ../target/release/stoa --work rounds --seconds 90 impasse colossus

Everything is kept in the folder WORK: games, samples, networks, and log.txt with a line for every
round (games, positions, loss, match). A run that was interrupted goes on where it stopped; a further
run adds a round. Self-play and matches use all cores; training runs beside the next game's self-play.
"""

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Failed(Exception):
    """A step has failed; the reason is what it said."""


@dataclass
class Recipe:
    """How a game's data is made and learned from."""

    # Positions searched for a move, random turns at the start, random moves and positions aside in a
    # thousand: see `stoa selfplay --help`.
    nodes: int
    random_turns: int
    explore: int
    aside: int
    # Size of the accumulator, the result's share of the target.
    hidden: int
    result_share: float
    # By how much scores are stretched as targets; nothing for what predicts results best.
    score_scale: float | None = None
    # Whether the network corrects the hand-made terms instead of replacing them.
    over_terms: bool = False
    # Samples of so many rounds are learned from.
    rounds: int = 3


RECIPES = {
    "impasse": Recipe(1500, 12, 35, 150, 128, 0.75),
    "colossus": Recipe(1500, 8, 60, 150, 128, 0.6),
    # Games of Columna end by slips and say little about positions, so the scores alone are learned from.
    "columna": Recipe(2000, 5, 80, 600, 128, 0.0, 1.0, True),
    "columna:points": Recipe(1000, 10, 15, 300, 64, 0.0, 1.0, True),
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("games", nargs="*", default=list(RECIPES), help="the games (default: all with networks)")
    parser.add_argument("--stoa", default="stoa", help="the program")
    parser.add_argument("--work", type=Path, default=Path("rounds"), help="where everything is kept")
    parser.add_argument("--seconds", type=int, default=90, help="self-play for each game and round")
    parser.add_argument("--rounds", type=int, default=1, help="how many rounds to add")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--match-games", type=int, default=200, help="games against the network before and the terms")
    parser.add_argument("--match-time", default="50ms")
    return parser.parse_args()


class Rounds:
    def __init__(self, args: argparse.Namespace):
        self.args = args
        self.stoa = str(Path(args.stoa).resolve()) if "/" in args.stoa else args.stoa
        args.work.mkdir(parents=True, exist_ok=True)

    def file(self, game: str, number: int, kind: str) -> Path:
        return self.args.work / f"{game.replace(':', '-')}-{number}.{kind}"

    def log(self, line: str) -> None:
        print(line, flush=True)
        with open(self.args.work / "log.txt", "a") as log:
            print(line, file=log)

    def run(self, *command: object) -> str:
        words = [str(word) for word in command]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def trained(self, game: str) -> int:
        """How many rounds have been trained."""
        number = 0
        while self.file(game, number + 1, "net").exists():
            number += 1
        return number

    def self_play(self, game: str, number: int) -> None:
        recipe, games = RECIPES[game], self.file(game, number, "games")
        net = self.file(game, number - 1, "net")
        output = self.run(
            self.stoa, "selfplay", game, "--out", games, "--seconds", self.args.seconds,
            "--seed", number, "--nodes", recipe.nodes, "--random-turns", recipe.random_turns,
            "--explore", recipe.explore, "--aside", recipe.aside,
            "--evaluation", net if number > 1 else "terms",
        )  # fmt: skip
        self.log(f"{game} round {number}: self-play: {output.strip().splitlines()[-1]}")

    def train(self, game: str, number: int) -> None:
        recipe = RECIPES[game]
        first = max(1, number - recipe.rounds + 1)
        games = [self.file(game, known, "games") for known in range(first, number + 1)]
        games = [path for path in games if path.exists()]
        samples = [path.with_suffix(".samples") for path in games]
        for path, known in zip(samples, games):
            self.run(self.stoa, "samples", game, "--out", path, known)
        net = self.file(game, number, "net")
        output = self.run(
            sys.executable, HERE / "train.py", f"{net}.new", *samples, "--hidden", recipe.hidden,
            "--result-share", recipe.result_share,
            "--epochs", self.args.epochs, "--seed", number, "--made", f"round {number}",
            *(["--over-terms"] if recipe.over_terms else []),
            *(["--score-scale", recipe.score_scale] if recipe.score_scale else []),
        )  # fmt: skip
        for path in samples:
            path.unlink()
        lines = output.strip().splitlines()
        for line in lines[:3] + [line for line in lines if line.startswith("epoch")][-1:] + lines[-2:-1]:
            self.log(f"{game} round {number}: {line}")
        Path(f"{net}.new").rename(net)

    def match(self, game: str, number: int) -> None:
        net = self.file(game, number, "net")
        others = ["terms"] + ([self.file(game, number - 1, "net")] if number > 1 else [])
        for other in others:
            output = self.run(
                self.stoa, "match", game, "--a", f"best,evaluation={net}", "--b", f"best,evaluation={other}",
                "--games", self.args.match_games, "--time", self.args.match_time,
            )  # fmt: skip
            against = "the terms" if other == "terms" else "the round before"
            self.log(f"{game} round {number}: match against {against}:\n{output.strip()}")

    def round(self) -> None:
        numbers = {game: self.trained(game) + 1 for game in self.args.games}
        with ThreadPoolExecutor(max_workers=len(numbers)) as threads:
            training = []
            for game, number in numbers.items():
                self.self_play(game, number)
                training.append(threads.submit(self.train, game, number))
            # What failed there fails here.
            for trained in training:
                trained.result()
        for game, number in numbers.items():
            if self.args.match_games > 0:
                self.match(game, number)


def main() -> None:
    args = arguments()
    unknown = [game for game in args.games if game not in RECIPES]
    if unknown:
        sys.exit(f"no recipe for {', '.join(unknown)}; there are recipes for {', '.join(RECIPES)}")
    rounds = Rounds(args)
    try:
        for _ in range(args.rounds):
            rounds.round()
    except Failed as reason:
        sys.exit(str(reason))
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on")


if __name__ == "__main__":
    main()
