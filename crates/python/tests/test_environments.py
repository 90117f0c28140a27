"""The suites of PettingZoo, Gymnasium and OpenSpiel."""

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from common import IDS
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

import stoa
import stoa.gymnasium
import stoa.pettingzoo

#: A game of each kind; the large boards of one game are alike.
SOME = ["colonnade", "impasse", "palisade:5", "columna", "columna:points", "colossus"]


@pytest.mark.parametrize("id", SOME)
def test_pettingzoo_api(id, capsys):
    with warnings.catch_warnings():
        # PettingZoo recommends image-like observations; boards are none.
        warnings.simplefilter("ignore", UserWarning)
        api_test(stoa.pettingzoo.env(id), num_cycles=300)
        api_test(stoa.pettingzoo.raw_env(id), num_cycles=300)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("id", SOME)
def test_pettingzoo_seed_and_render(id, capsys):
    seed_test(lambda: stoa.pettingzoo.env(id), num_cycles=100)
    render_test(lambda **keywords: stoa.pettingzoo.env(id, **keywords))
    start = stoa.Game(id).start()
    assert start.board() in capsys.readouterr().out
    environment = stoa.pettingzoo.env(id, render_mode="rgb_array")
    environment.reset()
    assert np.array_equal(environment.render(), start.image())


def test_pettingzoo_rewards_are_the_outcome():
    environment = stoa.pettingzoo.env("impasse")
    for seed in range(3):
        environment.reset(seed=seed)
        totals = {"player_0": 0.0, "player_1": 0.0}
        for index, agent in enumerate(environment.agents):
            environment.action_space(agent).seed(10 * seed + index)
        for agent in environment.agent_iter():
            observation, reward, termination, truncation, _ = environment.last()
            totals[agent] += reward
            mask = observation["action_mask"]
            over = termination or truncation
            environment.step(None if over else environment.action_space(agent).sample(mask))
        outcome = environment.unwrapped.position.outcome()
        assert tuple(totals.values()) == outcome.returns != (0.0, 0.0)


def test_pettingzoo_illegal_actions_lose_and_nonsense_is_refused():
    environment = stoa.pettingzoo.env("impasse")
    environment.reset()
    environment.step(0)
    assert environment.terminations == {"player_0": True, "player_1": True}
    assert environment.rewards["player_0"] == -1
    raw = stoa.pettingzoo.raw_env("impasse")
    raw.reset()
    with pytest.raises(stoa.IllegalAction):
        raw.step(0)
    with pytest.raises(ValueError, match="needs an action"):
        raw.step(None)
    with pytest.raises(ValueError, match="there is no render mode"):
        stoa.pettingzoo.raw_env("impasse", render_mode="hologram")
    with pytest.raises(ValueError, match="a position of colonnade"):
        stoa.pettingzoo.raw_env("impasse", start=stoa.Game("colonnade").start())
    with pytest.raises(ValueError, match="cannot begin"):
        over = stoa.Game("impasse").position("8/8/8/8/8/8/8/6b1 b")
        stoa.pettingzoo.raw_env("impasse", start=over)
    again = pickle.loads(pickle.dumps(stoa.pettingzoo.raw_env("palisade:7")))
    assert again.game == stoa.Game("palisade:7")


@pytest.mark.parametrize("id", SOME)
@pytest.mark.parametrize("player", [0, 1, None])
@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_gymnasium_check_env(id, player, mode):
    name = f"stoa/{stoa.Game(id).name}-v0"
    environment = gymnasium.make(name, game=id, level=1, player=player, render_mode=mode)
    check_env(environment.unwrapped)


def test_gymnasium_games_are_played_to_the_end():
    for game in stoa.games():
        id = f"stoa/{game.name}-v0"
        small = "palisade:5" if game.name == "Palisade" else game.id
        environment = gymnasium.make(id, game=small, level=2, player=None)
        played = []
        for _ in range(2):
            rng = np.random.default_rng(3)
            observation, _ = environment.reset(seed=7)
            reward, terminated, moves = 0.0, False, []
            while not terminated:
                assert reward == 0
                moves.append(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
                observation, reward, terminated, truncated, info = environment.step(moves[-1])
                assert not truncated
            position = stoa.Game(small).position(info["position"])
            assert reward == position.outcome().returns[info["player"]]
            played.append((moves, info["position"]))
        assert played[0] == played[1], "the seed decides everything"


def test_gymnasium_illegal_actions():
    environment = stoa.gymnasium.StoaEnv("impasse")
    environment.reset(seed=0)
    _, reward, terminated, _, info = environment.step(0)
    assert (reward, terminated) == (-1.0, True) and "impasse clause" in info["illegal"]
    strict = stoa.gymnasium.StoaEnv("impasse", illegal="raise")
    strict.reset(seed=0)
    with pytest.raises(stoa.IllegalAction):
        strict.step(0)
    for keywords in ({"player": 2}, {"illegal": "ignore"}, {"render_mode": "human"}, {"level": 0}):
        with pytest.raises(ValueError):
            stoa.gymnasium.StoaEnv("impasse", **keywords)


@pytest.mark.parametrize("id", IDS)
def test_open_spiel_random_simulations(id):
    pyspiel = pytest.importorskip("pyspiel")
    import stoa.open_spiel

    game = pyspiel.load_game(stoa.open_spiel.short_name(id))
    assert game.num_distinct_actions() == stoa.Game(id).action_count
    sims = 3 if stoa.Game(id).max_plies < 1000 else 1
    pyspiel.random_sim_test(game, num_sims=sims, serialize=True, verbose=False)


def test_open_spiel_states_are_stoas_positions():
    pyspiel = pytest.importorskip("pyspiel")
    import stoa.open_spiel

    game = pyspiel.load_game("stoa_impasse")
    state = game.new_initial_state()
    position = stoa.Game("impasse").start()
    rng = np.random.default_rng(0)
    while not state.is_terminal():
        assert state.current_player() == position.player
        assert sorted(position.legal_actions()) == state.legal_actions()
        tensor = np.array(state.observation_tensor(0), np.float32)
        assert np.array_equal(tensor, position.observation(0).ravel())
        action = int(rng.choice(state.legal_actions()))
        assert state.action_to_string(action) == str(position.move(action))
        copied = state.clone()
        state.apply_action(action)
        assert str(copied) == str(position)
        position = position.play_action(action)
        assert str(state) == str(position)
    assert state.returns() == list(position.outcome().returns)
    with pytest.raises(ValueError, match="begin at their start"):
        game.new_initial_state("somewhere")
