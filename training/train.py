"""Trains an evaluation for alpha-beta on self-played games and writes it as a network file.

    python3 train.py impasse.net impasse-1.samples impasse-2.samples

Positions are split by game: one game in twenty is held out and never learned from.
"""

import argparse
import math
import time

import numpy as np
import torch
from torch import nn

import net_file
from samples import RESULT_UNKNOWN, read_samples

# Scores beyond this are as good as won: 99.999 %.
MAX_SCORE = 2000


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("net", help="the network file to write")
    parser.add_argument("samples", nargs="+", help="files that `stoa samples` has written")
    parser.add_argument("--hidden", type=int, default=128, help="values of the accumulator, a multiple of 16 (default 128)")
    parser.add_argument("--second", type=int, default=16, help="units of the second layer (default 16)")
    parser.add_argument("--epochs", type=int, default=20, help="how often every position is seen (default 20)")
    parser.add_argument("--batch", type=int, default=16384, help="positions in a step (default 16384)")
    parser.add_argument("--rate", type=float, default=2e-3, help="the highest learning rate (default 0.002)")
    parser.add_argument(
        "--result-share",
        type=float,
        default=0.7,
        help="how much of the target is the game's result; the rest is the search's score (default 0.7)",
    )
    parser.add_argument(
        "--score-scale",
        type=float,
        help="by how much the search's scores are stretched as targets (default: so that they predict results best)",
    )
    parser.add_argument(
        "--over-terms", action="store_true", help="learn what the hand-made terms get wrong, and add them to the output"
    )
    parser.add_argument("--decay", type=float, default=1e-5, help="how strongly weights are drawn to zero (default 1e-5)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--made", default="", help="a note for the header: how the games were played")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    if args.hidden < 16 or args.hidden % 16:
        parser.error("--hidden is a multiple of 16")
    if not (args.made.isascii() and args.made.isprintable()):
        parser.error("--made is one line of ASCII")
    return args


class Evaluation(nn.Module):
    """The network of crates/engine/src/net/mod.rs with real numbers."""

    def __init__(self, inputs: int, hidden: int, second: int, buckets: int, share: float | None):
        super().__init__()
        # How much of the hand-made terms counts.
        self.share = None if share is None else nn.Parameter(torch.tensor(share))
        self.columns = nn.Parameter(torch.empty(inputs, hidden).uniform_(-0.1, 0.1))
        self.bias = nn.Parameter(torch.full((hidden,), 0.3))
        bound = 1 / math.sqrt(hidden)
        self.second = nn.Parameter(torch.empty(buckets, second, hidden).uniform_(-bound, bound))
        self.second_bias = nn.Parameter(torch.full((buckets, second), 0.3))
        self.output = nn.Parameter(torch.empty(buckets, second).uniform_(-0.3, 0.3))
        self.output_bias = nn.Parameter(torch.zeros(buckets))

    def forward(self, bits: torch.Tensor, bucket: torch.Tensor, terms: torch.Tensor) -> torch.Tensor:
        learned = self.learned(bits, bucket)
        return learned if self.share is None else learned + self.share * terms

    def learned(self, bits: torch.Tensor, bucket: torch.Tensor) -> torch.Tensor:
        hidden = (bits @ self.columns + self.bias).clamp(0, 1).square()
        buckets, second, _ = self.second.shape
        units = hidden @ self.second.flatten(0, 1).T
        units = units.view(-1, buckets, second) + self.second_bias
        logits = (units.clamp(0, 1).square() * self.output).sum(2) + self.output_bias
        return logits.gather(1, bucket[:, None]).squeeze(1)

    def clip(self, max_set: int) -> None:
        """Keeps every weight where its integer has room."""
        with torch.no_grad():
            largest = 0.9 * 32767 / net_file.ACCUMULATOR_ONE / (max_set + 1)
            self.columns.clamp_(-largest, largest)
            self.bias.clamp_(-largest, largest)
            self.second.clamp_(-16, 16)
            if self.share is not None:
                self.share.clamp_(0.01, 3.9)

    def layers(self) -> dict[str, np.ndarray]:
        return {name: value.detach().cpu().numpy() for name, value in self.named_parameters()}


class Data:
    """The positions on the device."""

    def __init__(self, shape, rows: np.ndarray, device: str):
        self.widths = shape.inputs
        self.words = torch.from_numpy(rows["words"].astype(np.int64)).to(device)
        self.bucket = torch.from_numpy(rows["bucket"].astype(np.int64)).to(device)

        def logits(points: np.ndarray) -> torch.Tensor:
            capped = np.clip(points.astype(np.float32), -MAX_SCORE, MAX_SCORE)
            return torch.from_numpy(capped / np.float32(net_file.POINTS_PER_LOGIT)).to(device)

        self.score, self.terms = logits(rows["score"]), logits(rows["terms"])
        self.result = torch.from_numpy(rows["result"].astype(np.int64)).to(device)
        self.shifts = [torch.arange(width, device=device) for width in shape.inputs]

    def __len__(self) -> int:
        return len(self.words)

    def bits(self, chosen: torch.Tensor) -> torch.Tensor:
        words = self.words[chosen]
        groups = [(words[:, number, None] >> shift) & 1 for number, shift in enumerate(self.shifts)]
        return torch.cat(groups, 1).float()

    def played(self) -> torch.Tensor:
        return (self.result != RESULT_UNKNOWN).nonzero().squeeze(1)


def cross_entropy(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return nn.functional.binary_cross_entropy_with_logits(logits, target)


def fit_scale(data: Data, scores: torch.Tensor) -> float:
    """By how much scores must be stretched to predict results best."""
    chosen = data.played()
    score, result = scores[chosen], data.result[chosen] / 2
    scales = [0.05 * 1.15**step for step in range(40)]
    return min(scales, key=lambda scale: cross_entropy(score * scale, result).item())


def targets(data: Data, scale: float, result_share: float) -> torch.Tensor:
    """What the network should say: a mixture of the score and, where the game was played on, the result."""
    by_score = torch.sigmoid(data.score * scale)
    mixed = result_share * data.result / 2 + (1 - result_share) * by_score
    return torch.where(data.result == RESULT_UNKNOWN, by_score, mixed)


def held_out_losses(model: Evaluation, data: Data, target: torch.Tensor, batch: int) -> tuple[float, float]:
    """The losses on the games' results and on the targets."""
    logits = torch.empty(len(data), device=target.device)
    with torch.no_grad():
        for part in torch.arange(len(data), device=target.device).split(batch * 4):
            logits[part] = model(data.bits(part), data.bucket[part], data.terms[part])
    chosen = data.played()
    on_results = cross_entropy(logits[chosen], data.result[chosen] / 2).item()
    return on_results, cross_entropy(logits, target).item()


def check_integers(net: dict, model: Evaluation, data: Data) -> None:
    """How far the integers are from the real numbers, in points."""
    chosen = torch.arange(min(4096, len(data)), device=data.words.device)
    bits, bucket = data.bits(chosen), data.bucket[chosen]
    with torch.no_grad():
        points = (model.learned(bits, bucket) * net_file.POINTS_PER_LOGIT).cpu().numpy()
    found = net_file.evaluate(net, bits.cpu().numpy() > 0.5, bucket.cpu().numpy())
    error = np.abs(found - points)
    print(f"integers: {error.mean():.1f} points from the real numbers on average, {error.max():.0f} at most")


def main() -> None:
    args = arguments()
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    shape, rows, held = read_samples(args.samples)
    if held.all() or not held.any():
        raise SystemExit("there are too few games to hold some out: play at least a hundred")
    train, test = Data(shape, rows[~held], args.device), Data(shape, rows[held], args.device)
    games = len(np.unique(rows["game"]))
    print(f"{shape.game}: {len(rows):,} positions of {games:,} games, {len(test):,} of them held out")
    scale, terms_scale = fit_scale(train, train.score), fit_scale(train, train.terms)
    chosen = test.played()
    by_score = cross_entropy(test.score[chosen] * scale, test.result[chosen] / 2).item()
    by_terms = cross_entropy(test.terms[chosen] * terms_scale, test.result[chosen] / 2).item()
    mean = (test.result[chosen] / 2).mean()
    by_mean = cross_entropy(torch.logit(mean).expand(len(chosen)), test.result[chosen] / 2).item()
    print(f"held-out loss knowing nothing: {by_mean:.4f}; of the search's score (times {scale:.2f}): {by_score:.4f}; of the terms (times {terms_scale:.2f}): {by_terms:.4f}")

    score_scale = args.score_scale or scale
    target = targets(train, score_scale, args.result_share)
    test_target = targets(test, score_scale, args.result_share)
    of_terms = cross_entropy(test.terms * score_scale, test_target).item()
    least = cross_entropy(torch.logit(test_target.clamp(1e-6, 1 - 1e-6)), test_target).item()
    print(f"held-out loss on the targets: of the terms {of_terms:.4f}; at least {least:.4f}")
    share = score_scale if args.over_terms else None
    model = Evaluation(sum(shape.inputs), args.hidden, args.second, shape.buckets, share).to(args.device)
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=args.decay)
    steps = args.epochs * math.ceil(len(train) / args.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, total_steps=steps, pct_start=0.1)
    began = time.time()
    for epoch in range(args.epochs):
        order = torch.randperm(len(train), device=args.device)
        total = torch.zeros((), device=args.device)
        for part in order.split(args.batch):
            logits = model(train.bits(part), train.bucket[part], train.terms[part])
            loss = cross_entropy(logits, target[part])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
            model.clip(shape.max_set)
            total += loss.detach() * len(part)
        loss, on_targets = held_out_losses(model, test, test_target, args.batch)
        took = time.time() - began
        print(f"epoch {epoch + 1:2}: training {total.item() / len(train):.4f}, held out {on_targets:.4f}, on results {loss:.4f} ({took:.0f} s)", flush=True)

    try:
        net = net_file.quantise(model.layers())
    except ValueError as error:
        raise SystemExit(f"this network cannot be written: {error}; a lower --rate may help") from None
    check_integers(net, model, test)
    made = f"{args.made + '; ' if args.made else ''}{len(rows)} positions of {games} games; held-out loss {loss:.4f}; seed {args.seed}"
    terms = None
    if model.share is not None:
        terms = f"{round(model.share.item() * net_file.TERMS_WHOLE)} {shape.weights}"
        print(f"share of the terms: {model.share.item():.3f}")
    net_file.write(args.net, net, shape.game, shape.inputs, terms, made)
    print(f"written: {args.net}")


if __name__ == "__main__":
    main()
