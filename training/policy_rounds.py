"""Lets a policy network play against itself and learn from its games at the same time.

    python3 policy_rounds.py --stoa STOA --work DIR --seconds 600 --sizes 9:8,13:6,19:4

`stoa lessons` plays: one process for each size, with so many threads, each of which plays many games at a time and
sends their positions here to be judged by the GPU. Samples of finished games come back over the same pipe, and are
learned from between two batches. Without a GPU the engine judges by itself, and playing and learning take turns.
`DIR/policy.net` is the network, written every minute; the same command again goes on with it.
"""

import argparse
import collections
import fcntl
import itertools
import json
import os
import selectors
import struct
import subprocess
import time

import numpy as np
import torch

import lessons
import policy_file
from policy_model import PolicyNet, losses

POSITIONS, SAMPLES = 1, 2
# One game in so many is held out.
HOLD_OUT = 20
# How many positions are compared with the network of integers whenever it is written.
COMPARED = 8
F_SETPIPE_SZ = 1031
# How many batches are judged while others are read and answered.
MAX_PENDING = 3


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--stoa", required=True, help="the program")
    parser.add_argument("--work", required=True, help="a folder for the network, its state and the log")
    parser.add_argument("--game", default="palisade")
    parser.add_argument("--sizes", default="9:8,13:7,19:4,11:1,7:1,5:1,15:1", help="sizes of boards, each with its threads")
    parser.add_argument("--seconds", type=float, default=600, help="how long this run takes (default 600)")
    parser.add_argument("--batch", type=int, default=256, help="games at a time for each thread (default 256)")
    parser.add_argument("--full", type=int, default=160, help="positions judged by a full search (default 160)")
    parser.add_argument("--quick", type=int, default=32, help="positions judged by a quick search (default 32)")
    parser.add_argument("--channels", type=int, default=32, help="a multiple of 32 (default 32)")
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--rate", type=float, default=1.5e-3, help="the highest learning rate (default 0.0015)")
    parser.add_argument("--reuse", type=float, default=6, help="how often a sample is learned from (default 6)")
    parser.add_argument("--learn-batch", type=int, default=2048, help="positions of 9×9 in a step (default 2048)")
    parser.add_argument("--window", type=int, default=1_000_000, help="how many samples of a size are kept (default 1,000,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    if args.channels < 32 or args.channels % 32:
        parser.error("--channels is a multiple of 32")
    return args


class Window:
    """The latest samples of one size, on the device."""

    def __init__(self, side: int, capacity: int, device: str):
        cells = side * side
        self.side, self.capacity, self.device = side, capacity, device
        self.row = lessons.row(side)
        new = lambda *shape, kind: torch.zeros((capacity, *shape), dtype=kind, device=device)
        self.cells, self.visits = new(side, side, kind=torch.int16), new(side, side, kind=torch.int16)
        self.owner = new(side, side, kind=torch.uint8)
        self.result, self.share = new(kind=torch.uint8), new(kind=torch.float32)
        self.total = 0
        self.new_rows: list[np.ndarray] = []

    def __len__(self) -> int:
        return min(self.total, self.capacity)

    def add(self, rows: np.ndarray) -> None:
        """Takes samples in, many at a time: each copy to a GPU takes its time."""
        self.new_rows.append(rows)
        if sum(map(len, self.new_rows)) < 256:
            return
        rows, self.new_rows = np.concatenate(self.new_rows), []
        count = len(rows)
        where = torch.from_numpy((self.total + np.arange(count)) % self.capacity).to(self.device)
        self.total += count
        to = lambda name, kind: torch.from_numpy(np.ascontiguousarray(rows[name]).astype(kind)).to(self.device)
        shape = (count, self.side, self.side)
        self.cells[where] = to("cells", np.int16).view(shape)
        self.visits[where] = to("visits", np.int16).view(shape)
        self.owner[where] = to("owner", np.uint8).view(shape)
        self.result[where] = to("result", np.uint8)
        self.share[where] = to("share", np.float32) / 65535

    def some(self, count: int, symmetry: int) -> list[torch.Tensor]:
        """Random samples, all seen through a symmetry of the board."""
        chosen = torch.randint(len(self), (min(count, len(self)),), device=self.device)

        def seen(values: torch.Tensor) -> torch.Tensor:
            axes = [axis for bit, axis in ((1, 2), (2, 1)) if symmetry & bit]
            values = values.flip(axes) if axes else values
            return values.transpose(1, 2) if symmetry & 4 else values

        boards = [seen(values[chosen]) for values in (self.cells, self.visits, self.owner)]
        return [boards[0], boards[1], self.result[chosen], self.share[chosen], boards[2]]


class Judge:
    """The network that plays, with a fixed shape of batches: on a GPU each is a single launch."""

    def __init__(self, model: PolicyNet, batch: int, device: str):
        self.model, self.batch, self.device = model, batch, device
        self.shapes: dict[int, tuple] = {}

    def compute(self, bits: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            policy, value, _ = self.model(bits)
            logits = torch.cat([policy.flatten(1), value[:, None]], 1).float()
            return (logits.clamp(-31, 31) * 1024).round().to(torch.int16)

    def shape(self, side: int) -> tuple:
        if side not in self.shapes:
            bits = torch.zeros((self.batch, side, side), dtype=torch.int16, device=self.device)
            graph, found, slots = None, None, []
            if self.device == "cuda":
                stream = torch.cuda.Stream()
                stream.wait_stream(torch.cuda.current_stream())
                with torch.cuda.stream(stream):
                    for _ in range(3):
                        self.compute(bits)
                torch.cuda.current_stream().wait_stream(stream)
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph):
                    found = self.compute(bits)
                # Memory that the GPU reads and writes by itself is slow to get, so it is kept.
                new = lambda *shape: torch.empty(shape, dtype=torch.int16, pin_memory=True)
                slots = [
                    (new(self.batch, side, side), new(self.batch, side * side + 1), torch.cuda.Event())
                    for _ in range(MAX_PENDING + 2)
                ]
            self.shapes[side] = (bits, graph, found, itertools.cycle(slots))
        return self.shapes[side]

    def begin(self, side: int, count: int, cells: np.ndarray):
        """Starts to judge some positions. The event, if there is one, says when the answer is there."""
        bits, graph, found, slots = self.shape(side)
        if graph is None:
            return self.compute(torch.from_numpy(cells).view(-1, side, side)).contiguous().numpy(), None
        given, answer, event = next(slots)
        given.numpy().reshape(-1)[: len(cells)] = cells
        bits.copy_(given, non_blocking=True)
        graph.replay()
        answer.copy_(found, non_blocking=True)
        event.record()
        return answer.numpy()[:count], event


class Player:
    """A process that plays one size of board."""

    def __init__(self, args: argparse.Namespace, side: int, threads: int, seed: int):
        self.side = side
        command = [args.stoa, "lessons", f"{args.game}:{side}", "--threads", str(threads), "--batch", str(args.batch)]
        command += ["--full", str(args.full), "--quick", str(args.quick), "--seed", str(seed)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                fcntl.fcntl(pipe.fileno(), F_SETPIPE_SZ, 1 << 20)
            except OSError:
                pass

    def read(self, count: int) -> bytearray:
        data = bytearray(count)
        view, at = memoryview(data), 0
        while at < count:
            got = self.process.stdout.readinto(view[at:])
            if not got:
                raise SystemExit(f"the players of {self.side}×{self.side} have stopped")
            at += got
        return data

    def write(self, data) -> None:
        view = memoryview(data).cast("B")
        while len(view):
            view = view[self.process.stdin.write(view) :]


def main() -> None:
    args = arguments()
    torch.manual_seed(args.seed)
    torch.backends.cudnn.benchmark = True
    if args.device == "cuda":
        # Threads that wait for work would take the cores that play.
        torch.set_num_threads(1)
    torch.set_float32_matmul_precision("high")
    os.makedirs(args.work, exist_ok=True)
    device = args.device
    kind = torch.float16 if device == "cuda" else torch.float32
    model = PolicyNet(args.channels, args.blocks).to(device)
    # A moving average of the weights plays: it is stronger than the latest ones.
    average = PolicyNet(args.channels, args.blocks).to(device)
    playing = PolicyNet(args.channels, args.blocks).to(device, kind)
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=1e-5)
    state_path = os.path.join(args.work, "policy.pt")
    done = {"steps": 0, "games": 0, "samples": 0, "runs": 0}
    average.load_state_dict(model.state_dict())
    if os.path.exists(state_path):
        state = torch.load(state_path, map_location=device, weights_only=True)
        model.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        done = state["done"]
    done["runs"] += 1
    log = open(os.path.join(args.work, "log.txt"), "a")

    def say(text: str) -> None:
        print(text, flush=True)
        log.write(text + "\n")
        log.flush()

    def play_with_average() -> None:
        with torch.no_grad():
            for own, other in zip(playing.parameters(), average.parameters()):
                own.copy_(other)

    play_with_average()
    sizes = {int(size): int(threads) for size, threads in (part.split(":") for part in args.sizes.split(","))}
    windows = {side: Window(side, min(args.window, 40_000_000 // side**2), device) for side in sizes}
    held_out = {side: Window(side, 8192, device) for side in sizes}
    seed = 1000 * args.seed + done["runs"]
    torch.manual_seed(seed)
    np.random.seed(seed)
    began = last_report = last_save = time.time()
    pending = collections.deque()
    judged, games, turns, credit = 0, 0, 0, 0.0
    sums, summed = torch.zeros(3, device=device), 0
    per_size = collections.Counter()

    def take(side: int, rows: np.ndarray, finished: int) -> None:
        """Takes in the samples of some games."""
        nonlocal games, credit
        is_held = rows["game"] % HOLD_OUT == 0
        windows[side].add(rows[~is_held])
        held_out[side].add(rows[is_held])
        done["games"] += finished
        done["samples"] += len(rows)
        per_size[side] += finished
        games += finished
        credit += len(rows) * args.reuse * side**2 / 81 / args.learn_batch

    def may_learn() -> bool:
        return credit >= 1 and sum(map(len, windows.values())) > 2 * args.learn_batch

    def finish() -> None:
        player, thread, count, answer, event = pending.popleft()
        if event is not None:
            event.synchronize()
        player.write(struct.pack("<II", thread, count))
        player.write(answer)

    def learn(progress: float) -> None:
        nonlocal sums, summed
        # The rate rises for 500 steps, and falls in the last third.
        rate = min(1, (done["steps"] + 1) / 500) * (1 if progress < 0.67 else max(0.03, (1 - progress) / 0.33))
        for group in optimiser.param_groups:
            group["lr"] = args.rate * rate
        lengths = np.array([len(windows[side]) for side in sizes], dtype=float)
        side = int(np.random.choice(list(sizes), p=lengths / lengths.sum()))
        count = max(64, args.learn_batch * 81 // side**2)
        batch = windows[side].some(count, np.random.randint(8))
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            parts = losses(model, *batch)
        loss = parts[0] + 1.5 * parts[1] + parts[2]
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        model.clip()
        keep = min(0.998, 1 - 1 / (done["steps"] + 2))
        with torch.no_grad():
            for own, other in zip(average.parameters(), model.parameters()):
                own.lerp_(other, 1 - keep)
            sums += torch.stack([part.detach() for part in parts])
        summed += 1
        done["steps"] += 1
        if done["steps"] % 20 == 0:
            play_with_average()

    def compare(net: dict[str, np.ndarray]) -> None:
        """Says how far the integers of a network are from the network, on positions that are held out."""
        for side, window in held_out.items():
            if len(window) < COMPARED:
                continue
            bits = window.some(COMPARED, 0)[0]
            with torch.no_grad():
                policy, value, _ = average(bits)
            whole = [policy_file.evaluate(net, board) for board in bits.cpu().numpy()]
            policies = np.stack([policy for policy, _ in whole]) / policy_file.LOGIT_ONE
            values = np.array([value for _, value in whole]) / policy_file.LOGIT_ONE
            by_policy = np.abs(policies - policy.float().cpu().numpy()).max()
            by_value = np.abs(values - value.float().cpu().numpy()).max()
            say(f"{side}×{side}: integers change logits of moves by {by_policy:.4f} at most, of winning by {by_value:.4f}")

    def save() -> None:
        try:
            net = average.integers()
        except ValueError as error:
            raise SystemExit(f"this network cannot be written: {error}") from None
        state = {"model": model.state_dict(), "average": average.state_dict()}
        torch.save({**state, "optimiser": optimiser.state_dict(), "done": done}, f"{state_path}.new")
        os.replace(f"{state_path}.new", state_path)
        made = f"{done['samples']} positions of {done['games']} games on boards of {' '.join(map(str, sizes))}; seed {args.seed}"
        policy_file.write(os.path.join(args.work, "policy.net"), net, args.game, made)
        compare(net)

    def report(elapsed: float) -> None:
        nonlocal judged, games, turns, sums, summed
        row = {"seconds": round(elapsed), "steps": done["steps"], "games": done["games"], "samples": done["samples"]}
        row |= {"judged": judged, "length": round(turns / max(1, games), 1)}
        if summed:
            row["learning"] = [round(value, 4) for value in (sums / summed).tolist()]
        for side, window in held_out.items():
            if len(window) >= 256:
                with torch.no_grad():
                    found = losses(average, *window.some(2048, 0))
                row[f"held out {side}"] = [round(value.item(), 4) for value in found]
        row["by size"] = dict(per_size)
        say(json.dumps(row))
        judged, games, turns, summed = 0, 0, 0, 0
        sums = torch.zeros(3, device=device)

    def tend() -> None:
        """Reports and saves from time to time."""
        nonlocal last_report, last_save
        now = time.time()
        if now - last_report > min(10, args.seconds / 4):
            last_report = now
            report(now - began)
        if now - last_save > 60:
            last_save = now
            save()

    def play_beside() -> None:
        """Judges positions on the GPU while programs play, and learns between two batches."""
        nonlocal judged, turns, credit
        judge = Judge(playing, args.batch, device)
        for side in sizes:
            judge.shape(side)
        players = [Player(args, side, threads, seed) for side, threads in sizes.items()]
        waiting = selectors.DefaultSelector()
        for player in players:
            waiting.register(player.process.stdout, selectors.EVENT_READ, player)
        while time.time() - began < args.seconds:
            for key, _ in waiting.select(0 if pending else 1):
                player = key.data
                what, number, count, size = struct.unpack("<IIII", player.read(16))
                data = player.read(size)
                if what == POSITIONS:
                    cells = np.frombuffer(data, dtype=np.int16)
                    answer, event = judge.begin(player.side, count, cells)
                    pending.append((player, number, count, answer, event))
                    judged += count
                    if len(pending) > MAX_PENDING:
                        finish()
                else:
                    turns += number
                    take(player.side, np.frombuffer(data, dtype=windows[player.side].row), 1)
            if pending:
                finish()
            if may_learn():
                credit = min(credit - 1, 50)
                learn((time.time() - began) / args.seconds)
            tend()
        for player in players:
            player.process.kill()

    def play_in_turn() -> None:
        """Plays some seconds with the engine's own code, which is quicker on a CPU, and learns from that."""
        nonlocal credit
        rounds = 0
        while time.time() - began < args.seconds:
            save()
            rounds += 1
            for side, threads in sizes.items():
                path = os.path.join(args.work, f"{side}.lessons")
                # A run that was interrupted may have left games of an older network.
                if os.path.exists(path):
                    os.remove(path)
                command = [args.stoa, "lessons", f"{args.game}:{side}", "--out", path, "--threads", str(threads)]
                command += ["--network", os.path.join(args.work, "policy.net"), "--batch", "8"]
                command += ["--full", str(args.full), "--quick", str(args.quick), "--seed", str(1000 * seed + rounds)]
                command += ["--seconds", str(max(2, args.seconds / 20 / len(sizes)))]
                if subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
                    raise SystemExit(f"{' '.join(command)} has failed")
                take(side, *lessons.read_lessons(path, side))
                os.remove(path)
            while may_learn() and time.time() - began < args.seconds:
                credit -= 1
                learn((time.time() - began) / args.seconds)
            tend()

    try:
        if device == "cuda":
            play_beside()
        else:
            play_in_turn()
    except KeyboardInterrupt:
        save()
        raise SystemExit("interrupted; the same command goes on with this network") from None
    save()
    report(args.seconds)
    say(f"written: {os.path.join(args.work, 'policy.net')}")


if __name__ == "__main__":
    main()
