"""The rules as Python sees them: known answers, errors, records, pickles."""

import copy
import pickle
import random

import numpy as np
import pytest
from common import IDS, VARIANTS, random_positions

import stoa


@pytest.mark.parametrize(
    ("id", "leaves"),
    [
        ("colonnade", [13, 210, 2694, 38961, 458528]),
        ("impasse", [22, 492, 9692, 193139]),
        ("palisade:3", [5, 20, 80, 240, 624, 1104, 1248, 576, 0]),
        ("palisade:5", [13, 156, 1872, 20592, 225456]),
        ("palisade", [181, 32580]),
        ("columna", [196, 18032]),
        ("columna:points", [49, 2254, 147966]),
        ("colossus", [8, 24, 135, 1349, 18346, 280032]),
    ],
)
def test_perft_gives_the_known_answers(id, leaves):
    start = stoa.Game(id).start()
    assert [start.perft(depth) for depth in range(1, len(leaves) + 1)] == leaves


def test_perft_by_playing_move_by_move():
    def count(position, depth):
        if depth == 0:
            return 1
        return sum(count(position.play(move), depth - 1) for move in position.moves())

    for game in VARIANTS:
        start = game.start()
        assert count(start, 2) == start.perft(2), game


@pytest.mark.parametrize("id", IDS)
def test_positions_and_moves_go_through_text(id):
    game = stoa.Game(id)
    for position in random_positions(game, 3, 60):
        again = game.position(str(position))
        assert again == position and hash(again) == hash(position) and again is not position
        assert eval(repr(position), {"Game": stoa.Game}) == position
        for move in position.moves()[:5]:
            assert position.play(move) == position.play(str(move)) == position.play(move.text)
        assert (position.outcome() is None) == (not position.is_over)
        assert position.move_count == len(position.moves())
        assert position.is_over == (position.move_count == 0)


def test_positions_are_immutable_and_know_others():
    start = stoa.Game("impasse").start()
    before = str(start)
    after = start.play("d2-b4")
    assert str(start) == before and after != start and start != before and start is not None
    with pytest.raises(AttributeError):
        start.text = "8/8/8/8/8/8/8/8 w"
    assert len({start, stoa.Game("impasse").start(), after}) == 2
    assert copy.copy(start) is start and copy.deepcopy([start])[0] is start
    spaces, points = (stoa.Game(id).start() for id in ("columna", "columna:points"))
    assert str(spaces) == str(points) and spaces != points


def test_illegal_moves_cite_the_rule():
    position = stoa.Game("impasse").position("1w6/8/8/4W3/8/8/8/6b1 w")
    with pytest.raises(stoa.IllegalMove) as caught:
        position.play("e5-f6")
    error = caught.value
    assert (error.move, error.rule) == ("e5-f6", "impasse clause 2")
    assert error.kind == "impasse-move-no-double-slide"
    assert error.facts == {"from": "e5", "to": "f6"}
    assert error.example in [str(move) for move in position.moves()]
    assert isinstance(error, ValueError) and str(error).startswith("e5-f6 is not legal: a double")
    copied = pickle.loads(pickle.dumps(error))
    assert type(copied) is stoa.IllegalMove and copied.rule == error.rule


def test_other_errors_say_what_is_wrong():
    game = stoa.Game("impasse")
    with pytest.raises(stoa.ParseError, match="expected"):
        game.start().play("d2-")
    with pytest.raises(stoa.GameOver, match="the game is over, white wins"):
        game.position("8/8/8/8/8/8/8/6b1 b").play("g1-f2")
    with pytest.raises(stoa.ImpossiblePosition) as caught:
        game.position("wwwwwwww/8/8/8/8/8/8/1w6 w")
    flaw = caught.value.flaws[0]
    assert (flaw["kind"], flaw["rule"]) == ("impasse-setup-light-square", "impasse clause 1")
    assert flaw["facts"] == {"square": "b1"}
    with pytest.raises(stoa.UnknownGame, match="palisade has no size '8'"):
        stoa.Game("palisade:8")
    with pytest.raises(TypeError, match="expected a Game or its id, found int"):
        stoa.Game(3)
    with pytest.raises(TypeError, match="expected a Move or its text, found NoneType"):
        game.start().play(None)
    with pytest.raises(ValueError, match="is a move of palisade:7"):
        game.start().play(stoa.Game("palisade:7").start().moves()[0])
    with pytest.raises(ValueError, match="there is no charset 'latin'"):
        game.start().board("latin")


def test_records_go_through_text_and_files(tmp_path):
    for game in VARIANTS:
        record = game.start().random_game(seed=5)
        assert stoa.Record.parse(str(record)) == record
        assert record.final.outcome() == record.result
        positions = record.positions()
        assert positions[0] == record.start and positions[-1] == record.final
        assert len(positions) == len(record) + 1 == len(record.moves) + 1
        assert game.start().random_game(seed=5) == record != game.start().random_game(seed=6)
    path = tmp_path / "game.stoa"
    record.save(path)
    assert stoa.Record.load(path) == record
    with pytest.raises(OSError, match="cannot read"):
        stoa.Record.load(tmp_path / "nothing.stoa")
    with pytest.raises(OSError, match="cannot write"):
        record.save(tmp_path / "no" / "folder.stoa")


def test_records_grow_without_changing():
    empty = stoa.Record("colonnade")
    one = empty.play("1b<")
    assert len(empty) == 0 and len(one) == 1
    told = one.with_tag("red", "Ada").with_comment("first").annotate(0, "!?", "hm")
    assert told.tags == {"red": "Ada"} and told.comment == "first" and one.tags == {}
    assert (told.nodes[0].glyph, told.nodes[0].comment) == ("!?", "hm")
    ended = told.end("resigned", winner=1)
    assert str(ended.result) == "blue wins (resigned)" and told.result is None
    with pytest.raises(stoa.GameOver):
        ended.play("1g>")
    with pytest.raises(ValueError, match="over already"):
        ended.end("agreed")
    with pytest.raises(ValueError, match="games are ended by"):
        told.end("no-move", winner=0)
    with pytest.raises(ValueError, match="cannot be a header line"):
        told.with_tag("result", "x")
    for ply in (4, -2, 2**70):
        with pytest.raises(IndexError, match=f"there is no move {ply}; the game has 1"):
            told.annotate(ply, "!")
    assert told.annotate(-1, "!").nodes[0].glyph == "!"
    with pytest.raises(TypeError, match="moves must be a list of moves or of their texts"):
        stoa.Record("colonnade", "1b<")
    with pytest.raises(ValueError, match="there is no player 2"):
        told.end("resigned", winner=2)
    with pytest.raises(ValueError, match="there is no sign"):
        told.annotate(0, "!!!")
    text = "game: colonnade\nresult: unfinished\n\n1. 1b< 1g>\n   (1... 2f< {looser})\n2. 1f>!\n"
    node = stoa.Record.parse(text).nodes[1]
    assert [[str(other.move) for other in line] for line in node.variations] == [["2f<"]]


def test_pickles_have_a_version():
    start = stoa.Game("palisade:5").start()
    record = stoa.Record("colonnade", ["1b<"]).end("time", winner=0)
    things = [start.game, start, start.moves()[3], record, record.result]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(things, protocol)) == things
    restore, (version, kind, *parts) = start.__reduce__()
    assert (version, kind) == (1, "position")
    with pytest.raises(stoa.StoaError, match="version 2 of the format, and this Stoa reads version 1"):
        restore(2, kind, *parts)
    with pytest.raises(stoa.StoaError, match="no pickle of Stoa's: a 'castle'"):
        restore(1, "castle")
    with pytest.raises(stoa.ParseError):
        restore(1, "position", "palisade:5", "nonsense")
    for kind, *parts in [
        ("outcome", "impasse", "3", "resigned"),
        ("position", "impasse", 7),
        ("position", b"impasse", b"8/8/8/8/8/8/8/6b1 b"),
        ("score", "40000"),
        ("score", "much"),
        ("exact", "win soon"),
        ("line", "impasse", "win a1"),
        ("thought", "impasse", "alphabeta"),
        ("thought", "impasse", "luck", "0", "1", "1", "1", "1"),
        ("proof", "impasse", "victory", "1", "1"),
        ("random games", [1], [2], [3]),
        ("random games", np.zeros(2, np.int8), np.zeros(3, np.int32), np.zeros(2, np.int64)),
    ]:
        with pytest.raises(stoa.StoaError, match=f"no pickle of Stoa's: a '{kind}'"):
            restore(1, kind, *parts)


def test_what_was_found_can_be_pickled():
    start = stoa.Game("colonnade").position("-/br/rb/-/-/-/-/- r")
    thought = stoa.Engine("colonnade", lines=2).think(start, depth=9)
    over = stoa.Engine("impasse").think(stoa.Game("impasse").position("8/8/8/8/8/8/8/6b1 b"), nodes=1)
    exact = stoa.probe(start)
    things = [thought, over, thought.score, *thought.lines, exact, stoa.probe(stoa.Game("colonnade").start())]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(things, protocol)) == things
    again = pickle.loads(pickle.dumps(thought))
    names = ("best", "score", "depth", "nodes", "time", "strategy")
    assert [getattr(again, name) for name in names] == [getattr(thought, name) for name in names]
    for position in (start, stoa.Game("impasse").start()):
        proof = stoa.prove(position, nodes=200)
        again = copy.deepcopy(proof)
        assert (again.verdict, again.line, again.nodes, again.time) == (
            proof.verdict,
            proof.line,
            proof.nodes,
            proof.time,
        )
    games = stoa.random_games("impasse", 7, seed=3)
    again = pickle.loads(pickle.dumps(games))
    for name in ("winners", "plies", "choices"):
        assert np.array_equal(getattr(again, name), getattr(games, name))


def test_numbers_out_of_range_say_what_was_expected():
    start = stoa.Game("impasse").start()
    for seed in (-1, 2**64):
        for ask in (
            lambda: start.random_game(seed),
            lambda: stoa.Batch("impasse", 2, seed=seed),
            lambda: stoa.Batch("impasse", 2).reset(seed=seed),
            lambda: stoa.random_games("impasse", 2, seed=seed),
            lambda: stoa.Engine("impasse", seed=seed),
        ):
            with pytest.raises(ValueError, match=f"seed must be from 0 to {2**64 - 1}, not {seed}"):
                ask()
    assert start.random_game(2**64 - 1) != start.random_game(0)
    for depth in (-1, 2**32, 2**99):
        with pytest.raises(ValueError, match=f"depth must be from 0 to {2**32 - 1}, not {depth}"):
            start.perft(depth)
    for size in (0, -5, 2**40, 2**99):
        with pytest.raises(ValueError, match=rf"size must be from 1 to \d+, not {size}"):
            start.image(size)
    for symmetry in (-1, 2, 2**99):
        with pytest.raises(IndexError, match=f"there is no symmetry {symmetry}; they are 0 to 1"):
            start.transform(symmetry)
    for player in (-1, 2, 2**99):
        with pytest.raises(ValueError, match=f"there is no player {player}; 0 is"):
            start.observation(player)
    for ask in (start.perft, start.image, start.transform, start.observation, start.play_action):
        with pytest.raises(TypeError):
            ask("1")
        with pytest.raises(TypeError):
            ask(1.0)


def test_symmetries_lead_to_the_same_games():
    rng = random.Random(8)
    for game in VARIANTS:
        for position in random_positions(game, 2, 12):
            symmetry = rng.randrange(position.symmetries)
            seen = position.transform(symmetry)
            for move in position.moves()[:6]:
                after = position.play(move).transform(symmetry)
                assert seen.play(position.transform_move(move, symmetry)) == after
                action = position.transform_action(position.action(move), symmetry)
                assert seen.play_action(action) == after
            with pytest.raises(IndexError, match="there is no symmetry"):
                position.transform(position.symmetries)


def test_boards_and_pictures():
    for game in VARIANTS:
        start = game.start()
        assert start.board("ascii").isascii() and len(start.board().splitlines()) > 3
        assert "\x1b[" in start.board("colour") and "\x1b[" not in start.board()
        svg = start._repr_svg_()
        assert svg.startswith("<svg") and svg.rstrip().endswith("</svg>")
        assert game.designer in game.rules()
