"""The network of crates/engine/src/policy/mod.rs with real numbers, and how it learns."""

import torch
from torch import nn
from torch.nn import functional

import policy_file

LARGEST = policy_file.MAX_ACTIVATION / policy_file.ACTIVATION_ONE
LARGEST_WEIGHT = policy_file.MAX_WEIGHT / policy_file.WEIGHT_ONE
# How large the weights of an output channel may be together, and its bias: rounding must not take the engine's sums
# beyond `policy_file.MAX_SUM`.
LARGEST_SUM = 500
LARGEST_BIAS = 80
# The bit of a cell where the player to move may move.
LEGAL_PLANE = 4


class Block(nn.Module):
    def __init__(self, channels: int):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.pool = nn.Linear(channels, channels, bias=False)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        nn.init.kaiming_normal_(self.first.weight, nonlinearity="relu")
        nn.init.normal_(self.pool.weight, std=0.02)
        nn.init.normal_(self.second.weight, std=0.01)
        nn.init.zeros_(self.first.bias)
        nn.init.zeros_(self.second.bias)

    def forward(self, stream: torch.Tensor) -> torch.Tensor:
        whole = self.pool(stream.mean((2, 3)))[:, :, None, None]
        inner = (self.first(stream) + whole).clamp(0, LARGEST)
        return (stream + self.second(inner)).clamp(0, LARGEST)


class PolicyNet(nn.Module):
    def __init__(self, channels: int, blocks: int):
        super().__init__()
        self.stem = nn.Conv2d(policy_file.PLANES, channels, 3, padding=1)
        self.blocks = nn.ModuleList(Block(channels) for _ in range(blocks))
        self.policy = nn.Conv2d(channels, 1, 1, bias=False)
        self.value_hidden = nn.Linear(3 * channels, policy_file.VALUE_UNITS)
        self.value = nn.Linear(policy_file.VALUE_UNITS, 1)
        # Whose each cell is in the end: only learned from, the engine has no use for it.
        self.ownership = nn.Conv2d(channels, 1, 1)
        nn.init.kaiming_normal_(self.stem.weight, nonlinearity="relu")
        nn.init.zeros_(self.stem.bias)

    def forward(self, bits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The logits of the moves, of winning, and of owning each cell in the end. `bits` are indexed by position,
        rank and file."""
        shifts = torch.arange(policy_file.PLANES, device=bits.device, dtype=torch.int32)
        planes = (bits.int()[:, None] >> shifts[:, None, None]) & 1
        stream = self.stem(planes.to(self.stem.weight.dtype)).clamp(0, LARGEST)
        for block in self.blocks:
            stream = block(stream)
        side = bits.shape[1]
        means = stream.mean((2, 3))
        seen = torch.cat([means, means * ((side - 9) / 8), stream.amax((2, 3))], 1)
        value = self.value(self.value_hidden(seen).clamp(0, LARGEST)).squeeze(1)
        return self.policy(stream).squeeze(1), value, self.ownership(stream).squeeze(1)

    def clip(self) -> None:
        """Keeps every weight where its integer has room, and the weights of convolutions where their sums have."""
        with torch.no_grad():
            for name, values in self.named_parameters():
                if name.endswith("weight"):
                    values.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
                if values.ndim == 4 and values.shape[2] == 3:
                    sums = values.abs().sum((1, 2, 3), keepdim=True)
                    values.mul_((LARGEST_SUM / sums.clamp(min=LARGEST_SUM)))
                if name.endswith(("stem.bias", "first.bias", "second.bias")):
                    values.clamp_(-LARGEST_BIAS, LARGEST_BIAS)

    def integers(self) -> dict:
        layers = {name: values.detach().float().cpu().numpy() for name, values in self.named_parameters()}
        return policy_file.quantise(layers)


def losses(model: PolicyNet, cells, visits, result, share, owner) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The losses of policy, value and ownership on some positions; `share` is what the search gave the mover."""
    policy, value, ownership = model(cells)
    legal = (cells.int() >> LEGAL_PLANE) & 1
    logits = policy.float().masked_fill(legal == 0, -1e4).flatten(1)
    target = visits.float().flatten(1)
    target = target / target.sum(1, keepdim=True).clamp(min=1)
    of_policy = -(target * functional.log_softmax(logits, 1)).sum(1).mean()
    expected = 0.75 * result.float() + 0.25 * share.float()
    of_value = functional.binary_cross_entropy_with_logits(value.float(), expected)
    of_owner = functional.binary_cross_entropy_with_logits(ownership.float(), owner.float())
    return of_policy, of_value, of_owner
