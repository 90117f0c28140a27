"""Stoa's games as PettingZoo environments of the AEC kind.

>>> from stoa.pettingzoo import env
>>> environment = env("impasse")
>>> environment.reset(seed=1)
>>> observation, reward, termination, truncation, info = environment.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((4, 8, 8), 22)

The agents are `player_0`, who moves first, and `player_1`. Observations are dictionaries with the planes
and the mask of legal actions; rewards are 1, -1 or 0 at the end of the game. `raw_env` is the environment
without PettingZoo's wrappers.
"""

from __future__ import annotations

from typing import Any, TypedDict

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import stoa

__all__ = ["Observation", "env", "raw_env"]


class Observation(TypedDict):
    """What an agent sees."""

    observation: npt.NDArray[np.float32]
    action_mask: npt.NDArray[np.int8]


def env(
    game: stoa.Game | str = "impasse",
    *,
    start: stoa.Position | None = None,
    render_mode: str | None = None,
) -> AECEnv[str, Observation, int]:
    """The environment of a game with the usual wrappers: an illegal action loses at once."""
    environment: Any = raw_env(game, start=start, render_mode=render_mode)
    environment = wrappers.TerminateIllegalWrapper(environment, illegal_reward=-1)
    environment = wrappers.AssertOutOfBoundsWrapper(environment)
    return wrappers.OrderEnforcingWrapper(environment)


class raw_env(AECEnv[str, Observation, int], EzPickle):  # type: ignore[misc]
    """The environment of a game.

    `start` is the position in which every episode begins, the game's own if it is left out. The
    render modes are 'rgb_array', which returns the board as pixels, 'ansi', which returns it as text, and
    'human', which prints it.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["human", "ansi", "rgb_array"],
        "name": "stoa_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: stoa.Game | str = "impasse",
        *,
        start: stoa.Position | None = None,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, game, start=start, render_mode=render_mode)
        super().__init__()
        self.game = stoa.Game(game)
        if start is not None and start.game != self.game:
            raise ValueError(f"this is a position of {start.game}, not of {self.game}")
        if start is not None and start.is_over:
            raise ValueError("an episode cannot begin with a game that is over")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise ValueError(f"there is no render mode {render_mode!r}; there are {modes}")
        self.start = self.game.start() if start is None else start
        self.render_mode = render_mode
        self.position = self.start
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        shape, count = self.game.observation_shape, self.game.action_count
        # Each agent has spaces of its own, so that each can be seeded.
        self._spaces: dict[str, tuple[spaces.Dict, spaces.Discrete]] = {
            agent: (
                spaces.Dict(
                    {
                        "observation": spaces.Box(0.0, 1.0, shape, np.float32),
                        "action_mask": spaces.Box(0, 1, (count,), np.int8),
                    }
                ),
                spaces.Discrete(count),
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent's observations are like."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The actions of the agent."""
        return self._spaces[agent][1]

    def observe(self, agent: str) -> Observation:
        """What the agent sees; only the one to move has legal actions."""
        player = self.possible_agents.index(agent)
        if player == self.position.player:
            mask = self.position.legal_mask()
        else:
            mask = np.zeros(self.game.action_count, np.int8)
        return {"observation": self.position.observation(player), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins an episode. There is no chance in these games, so the seed has no effect."""
        self.position = self.start
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.position.player]

    def step(self, action: Any) -> None:
        """Takes an action of the agent to move; None where its game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent whose game goes on needs an action, not None")
        self.position = self.position.play_action(action)
        self._cumulative_rewards[agent] = 0
        outcome = self.position.outcome()
        if outcome is not None:
            self.rewards = {
                agent: int(value)
                for agent, value in zip(self.possible_agents, outcome.returns, strict=True)
            }
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.position.player]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The board as pixels or as text, or printed."""
        if self.render_mode is None:
            gymnasium.logger.warn("render needs a render mode: human, ansi or rgb_array")
            return None
        if self.render_mode == "rgb_array":
            return self.position.image()
        board = f"{self.position.board()}\n"
        if self.render_mode == "ansi":
            return board
        print(board)
        return None

    def close(self) -> None:
        """There is nothing to close."""
