"""Abstract board games: their rules, an engine, exact answers, and arrays for learning.

>>> import stoa
>>> position = stoa.Game("impasse").start()
>>> position = position.play("d2-b4")
>>> len(position.moves())
25
>>> thought = stoa.Engine("impasse").think(position, nodes=1000)
>>> thought.best in position.moves()
True

Environments for PettingZoo, Gymnasium and OpenSpiel are in `stoa.pettingzoo`, `stoa.gymnasium` and
`stoa.open_spiel`.
"""

from stoa._stoa import (
    Batch,
    Engine,
    EngineError,
    Exact,
    Game,
    GameOver,
    IllegalAction,
    IllegalMove,
    ImpossiblePosition,
    Line,
    Move,
    Node,
    Outcome,
    ParseError,
    Position,
    Proof,
    RandomGames,
    Record,
    RecordError,
    Score,
    StoaError,
    TablebaseError,
    Thought,
    UnknownGame,
    __version__,
    games,
    probe,
    probe_moves,
    prove,
    random_games,
)

__all__ = [
    "Batch",
    "Engine",
    "EngineError",
    "Exact",
    "Game",
    "GameOver",
    "IllegalAction",
    "IllegalMove",
    "ImpossiblePosition",
    "Line",
    "Move",
    "Node",
    "Outcome",
    "ParseError",
    "Position",
    "Proof",
    "RandomGames",
    "Record",
    "RecordError",
    "Score",
    "StoaError",
    "TablebaseError",
    "Thought",
    "UnknownGame",
    "__version__",
    "games",
    "probe",
    "probe_moves",
    "prove",
    "random_games",
]
