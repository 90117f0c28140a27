"""Stoa's games for OpenSpiel, as games of its Python interface.

Importing this module registers every game with every option: `stoa_impasse`, `stoa_palisade_7`,
`stoa_columna_points` and so on. Then OpenSpiel's algorithms can play them:

    import pyspiel
    import stoa.open_spiel

    game = pyspiel.load_game("stoa_impasse")
    state = game.new_initial_state()

A state has the position as `state.position`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

import stoa

__all__ = ["StoaGame", "StoaState", "short_name"]


def short_name(game: stoa.Game | str) -> str:
    """What OpenSpiel calls a game.

    >>> from stoa.open_spiel import short_name
    >>> short_name("palisade:7")
    'stoa_palisade_7'
    """
    return "stoa_" + stoa.Game(game).id.replace(":", "_")


def _game_type(game: stoa.Game) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=short_name(game),
        long_name=f"{game.name} by {game.designer}" + (f" ({game.option})" if game.option else ""),
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


def _game_info(game: stoa.Game) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=game.action_count,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=game.max_plies,
    )


class StoaGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Stoa's as OpenSpiel sees it; each game and option is a subclass."""

    #: The game.
    stoa_game: stoa.Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(_game_type(self.stoa_game), _game_info(self.stoa_game), params or {})

    def new_initial_state(self, state: Any = None) -> StoaState:
        """The state at the start of a game."""
        if state is not None:
            raise ValueError("Stoa's games begin at their start; apply actions to get elsewhere")
        return StoaState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What makes observations of states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.stoa_game, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class StoaState(pyspiel.State):  # type: ignore[misc]
    """A state of a game: Stoa's position, which the actions replace by the next one."""

    def __init__(self, game: StoaGame) -> None:
        super().__init__(game)
        #: The position.
        self.position = game.stoa_game.start()

    def current_player(self) -> int:
        """The player to move, or OpenSpiel's mark for the end."""
        return pyspiel.PlayerId.TERMINAL if self.position.is_over else self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.position.legal_actions()) if player == self.position.player else []

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.position.move(action))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """What the game was worth for each player."""
        outcome = self.position.outcome()
        return [0.0, 0.0] if outcome is None else list(outcome.returns)

    def __str__(self) -> str:
        return str(self.position)


class _Observer:
    """Writes what a player sees into one array, as OpenSpiel's observers do."""

    def __init__(self, game: stoa.Game, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters, but these were given: {params}")
        shape = game.observation_shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: StoaState, player: int) -> None:
        state.position.observation(player, out=self.dict["observation"])

    def string_from(self, state: StoaState, player: int) -> str:
        return str(state.position)


def _register(game: stoa.Game) -> None:
    kind = type(f"Stoa{game.name}", (StoaGame,), {"stoa_game": game, "__doc__": game.aim})
    pyspiel.register_game(_game_type(game), kind)


for _game in stoa.games():
    for _variant in _game.variants():
        _register(_variant)
