"""Stoa's games as Gymnasium environments for one agent, who plays against a level of the engine.

>>> import gymnasium, stoa.gymnasium
>>> environment = gymnasium.make("stoa/Impasse-v0", level=2)
>>> observation, info = environment.reset(seed=1)
>>> int(observation["action_mask"].sum())
22

There is an environment for each game, such as `stoa/Palisade-v0`; other options are given with `game`:
`gymnasium.make("stoa/Palisade-v0", game="palisade:7")`.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

import stoa

__all__ = ["StoaEnv"]

#: The memory of the opponent, in MiB. Levels below the highest look at few positions.
_TABLE = 8

#: What the opponent may look at where its level sets no limit.
_MAX_NODES = 20_000


class StoaEnv(gymnasium.Env[dict[str, npt.NDArray[Any]], np.int64]):
    """A game against a level of the engine.

    `player` is the agent's side: 0 moves first, 1 second; None chooses by chance in every episode.
    `level` is the opponent's strength, from 1 to 10, and `nodes` what it may look at. `illegal` says
    what comes of an illegal action: 'lose' ends the episode with the reward -1, 'raise' raises
    `stoa.IllegalAction`. The reward is 1 for a win, -1 for a loss and 0 otherwise.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        game: stoa.Game | str = "impasse",
        *,
        level: int = 1,
        player: int | None = 0,
        nodes: int | None = None,
        illegal: Literal["lose", "raise"] = "lose",
        render_mode: str | None = None,
    ) -> None:
        self.game = stoa.Game(game)
        if player not in (None, 0, 1):
            raise ValueError(f"player must be 0, 1 or None, not {player!r}")
        if illegal not in ("lose", "raise"):
            raise ValueError(f"illegal must be 'lose' or 'raise', not {illegal!r}")
        if render_mode not in (None, "ansi", "rgb_array"):
            raise ValueError(f"there is no render mode {render_mode!r}; there are ansi, rgb_array")
        self.level = level
        self.player = player
        self.nodes = _MAX_NODES if nodes is None else nodes
        self.illegal = illegal
        self.render_mode = render_mode
        count = self.game.action_count
        # Gymnasium's types have no word for a dictionary of arrays.
        observations: Any = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, self.game.observation_shape, np.float32),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )
        self.observation_space = observations
        self.action_space = spaces.Discrete(count)
        self.position = self.game.start()
        self._agent = 0
        # Also says at once if there is no such level.
        self._opponent = stoa.Engine(self.game, level=level, table=_TABLE)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Begins a game. The opponent is a new one, so that the seed decides all that it does."""
        super().reset(seed=seed, options=options)
        opponent_seed = int(self.np_random.integers(2**32))
        chosen = int(self.np_random.integers(2))
        self._opponent = stoa.Engine(
            self.game, level=self.level, table=_TABLE, seed=opponent_seed
        )
        self._agent = chosen if self.player is None else self.player
        self.position = self.game.start()
        self._let_opponent_move()
        return self._observation(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[dict[str, npt.NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """Takes an action and lets the opponent answer."""
        try:
            self.position = self.position.play_action(action)
        except stoa.IllegalAction as error:
            if self.illegal == "raise" or self.position.is_over:
                raise
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": str(error)}
        self._let_opponent_move()
        outcome = self.position.outcome()
        reward = 0.0 if outcome is None else outcome.returns[self._agent]
        return self._observation(), reward, outcome is not None, False, self._info()

    # Gymnasium's own type of what a mode returns fits no two modes of one environment.
    def render(self) -> Any:
        """The board as text ('ansi') or as pixels ('rgb_array')."""
        if self.render_mode == "rgb_array":
            return self.position.image()
        return self.position.board() if self.render_mode == "ansi" else None

    def _let_opponent_move(self) -> None:
        """Plays the opponent's moves until it is the agent's turn or the game is over."""
        while not self.position.is_over and self.position.player != self._agent:
            best = self._opponent.think(self.position, nodes=self.nodes).best
            assert best is not None, "a game that goes on has a move"
            self.position = self.position.play(best)

    def _observation(self) -> dict[str, npt.NDArray[Any]]:
        if self.position.player == self._agent:
            mask = self.position.legal_mask()
        else:
            mask = np.zeros(self.game.action_count, np.int8)
        return {"observation": self.position.observation(self._agent), "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        return {"position": str(self.position), "player": self._agent}


for _game in stoa.games():
    gymnasium.register(
        id=f"stoa/{_game.name}-v0",
        entry_point="stoa.gymnasium:StoaEnv",
        kwargs={"game": _game.id},
    )
