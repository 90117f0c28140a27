/**
 * The questions to the workers and their answers, as Rust knows them. Made by `STOA_BLESS=1 cargo
 * test -p stoa-wasm --features ts --test types`; changes are made in Rust.
 */

export interface RulesQuestions {
  games: { question: AskGames; answer: Games; progress: Nothing };
  state: { question: AskState; answer: State; progress: Nothing };
  choices: { question: AskChoices; answer: Choices; progress: Nothing };
  moves: { question: AskMoves; answer: Array<string>; progress: Nothing };
  play: { question: AskPlay; answer: Played; progress: Nothing };
  preview: { question: AskPreview; answer: Preview | null; progress: Nothing };
  steps: { question: AskSteps; answer: Array<Step> | null; progress: Nothing };
  explain: { question: AskExplain; answer: Refusal | null; progress: Nothing };
  line: { question: AskLine; answer: Line; progress: Nothing };
  fold: { question: AskFold; answer: Folded; progress: Nothing };
  read: { question: AskRead; answer: GameRecord; progress: Nothing };
  write: { question: RecordDraft; answer: string; progress: Nothing };
  edit: { question: AskEdit; answer: Edited; progress: Nothing };
}

export interface EngineQuestions {
  think: { question: AskThink; answer: Thought; progress: Thought };
  review: { question: AskReview; answer: Review; progress: ReviewProgress };
  forget: { question: AskForget; answer: null; progress: Nothing };
}

export interface ExactQuestions {
  exact: { question: AskExact; answer: Known | null; progress: Known };
}

/**
 * What may be clicked.
 */
export type AskChoices = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the position.
 */
position: string, 
/**
 * The clicks made so far.
 */
clicks: Array<Step>, };

/**
 * A position that is being set up.
 */
export type AskEdit = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of what has been set up so far; the start if left out.
 */
setup?: string, 
/**
 * What is changed, in this order.
 */
changes?: Array<Change>, };

/**
 * What every legal move is worth.
 */
export type AskExact = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the position.
 */
position: string, };

/**
 * Why clicks lead to no legal move.
 */
export type AskExplain = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the position.
 */
position: string, 
/**
 * The clicks, the last of which was refused.
 */
clicks: Array<Step>, };

/**
 * Folds a position.
 */
export type AskFold = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the position.
 */
position: string, };

/**
 * Forgets what was learnt.
 */
export type AskForget = Record<symbol, never>;

/**
 * Which games there are.
 */
export type AskGames = Record<symbol, never>;

/**
 * Plays a whole line of moves.
 */
export type AskLine = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the position.
 */
position?: string, 
/**
 * The moves in text.
 */
moves: Array<string>, };

/**
 * Every legal move.
 */
export type AskMoves = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the position.
 */
position: string, };

/**
 * Plays a move.
 */
export type AskPlay = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the position.
 */
position: string, 
/**
 * The move in text; what is certain may be left out.
 */
move: string, };

/**
 * What would be seen after a move.
 */
export type AskPreview = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the position.
 */
position: string, 
/**
 * The clicks of the move.
 */
clicks: Array<Step>, };

/**
 * Reads a record.
 */
export type AskRead = { 
/**
 * The text of the record.
 */
record: string, };

/**
 * What was good and bad in a game.
 */
export type AskReview = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * Where it began; the game's start if left out.
 */
start?: string, 
/**
 * The moves in text.
 */
moves: Array<string>, 
/**
 * What ends the search of each position.
 */
limits?: Limits, };

/**
 * All about a position.
 */
export type AskState = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the position.
 */
position?: string, 
/**
 * The clicks made so far.
 */
clicks?: Array<Step>, };

/**
 * The clicks of a move.
 */
export type AskSteps = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the position.
 */
position: string, 
/**
 * The move in text.
 */
move: string, };

/**
 * What the engine thinks of a position.
 */
export type AskThink = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the position.
 */
position: string, 
/**
 * What ends the search.
 */
limits?: Limits, 
/**
 * The level to play at, 1 to 10; all strength if left out.
 */
level?: number, 
/**
 * What the slips of a level depend on.
 */
seed?: number, 
/**
 * How many lines are found.
 */
lines?: number, };

/**
 * One change.
 */
export type Change = { "put": { 
/**
 * The number of the cell.
 */
cell: number, 
/**
 * Which of the pieces that there are; none takes away what is there, from a column the
 * top.
 */
piece: number | null, } } | { "side": Side } | { "count": [Counter, number] } | "clear";

/**
 * The clicks that make sense next.
 */
export type Choices = { 
/**
 * What may be clicked next.
 */
next: Array<Step>, 
/**
 * What the next click may be for.
 */
roles: Array<Role>, 
/**
 * The move that the clicks so far stand for, if they are enough.
 */
complete: string | null, };

/**
 * How many moves of each class a player made.
 */
export type ClassCounts = { 
/**
 * Moves without a choice.
 */
forced: number, 
/**
 * Best moves.
 */
best: number, 
/**
 * Good moves.
 */
good: number, 
/**
 * Inaccuracies.
 */
inaccuracy: number, 
/**
 * Mistakes.
 */
mistake: number, 
/**
 * Blunders.
 */
blunder: number, };

/**
 * What a [`View::counts`] counts.
 */
export type Counted = "checkers" | "points" | "fours" | "score";

/**
 * The rules' own counters.
 */
export type Counter = "supply" | "stall" | "peak";

/**
 * An end that people decided.
 */
export type DraftEnd = { 
/**
 * Who won; nobody in a draw.
 */
winner: Side | null, 
/**
 * Why; only people's decisions are taken.
 */
reason: 'resigned' | 'time' | 'agreed' | 'abandoned', };

/**
 * A move of a draft with what belongs to it.
 */
export type DraftNode = { move: string, glyph?: string, comment?: string, variations?: Array<Array<DraftNode>>, };

/**
 * What has been set up.
 */
export type Edited = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The setup in text; if it is possible, this is the text of the position.
 */
setup: string, view: View, side: Side, counters: Array<[Counter, number]>, 
/**
 * What can be put on the board.
 */
pieces: Array<Piece>, 
/**
 * Every reason why this position is impossible.
 */
objections: Array<Objection>, };

/**
 * A line of play and its value for the player to move.
 */
export type EngineLine = { 
/**
 * Its value.
 */
score: Score, 
/**
 * The moves, in the game's notation.
 */
moves: Array<string>, };

/**
 * Why there is no answer: a kind and facts for programs, a sentence for people.
 */
export type Failure = { 
/**
 * What went wrong.
 */
kind: FailureKind, 
/**
 * The same in plain English, complete.
 */
message: string, 
/**
 * What it is about, by name; which names there are depends on the kind. What is wrong within a
 * record comes with its `line`.
 */
facts?: { [key in string]: string }, 
/**
 * Every reason why a position is impossible, or why a move is not legal.
 */
objections?: Array<Objection>, };

/**
 * What went wrong.
 */
export type FailureKind = "question" | "unknown-game" | "unreadable" | "impossible" | "other-size" | "illegal" | "game-over" | "other-result" | "no-such-end" | "unknown-level" | "engine" | "bug";

/**
 * Something that is wrong with a move. [`sentence`](Finding::sentence) says it in English; for other
 * languages, use the fields.
 */
export type Finding = { "kind": "missed-win", 
/**
 * The number of turns.
 */
turns: number, 
/**
 * How it begins.
 */
line: string, } | { "kind": "allowed-loss", 
/**
 * The number of turns.
 */
turns: number, 
/**
 * How it begins.
 */
line: string, } | { "kind": "difference" } & FindingDifference | { "kind": "chances", 
/**
 * The probability of winning.
 */
now: number, 
/**
 * What it would have been.
 */
instead: number, 
/**
 * The answer that was expected.
 */
reply: string | null, };

/**
 * A [`Count`] and the moves after which it is so.
 */
export type FindingDifference = { 
/**
 * The moves that were expected to follow; empty if it is so at once.
 */
line: string, 
/**
 * The name of the term; of terms with the same words, that of the first.
 */
term: string, 
/**
 * Whether the count is that of the player who moved, rather than of the opponent.
 */
own: boolean, 
/**
 * Whether it is good to have.
 */
good: boolean, 
/**
 * How much there is.
 */
now: number, 
/**
 * How much there would be.
 */
instead: number, };

/**
 * A position up to symmetry.
 */
export type Folded = { 
/**
 * The key of the position, in hexadecimal digits.
 */
key: string, 
/**
 * A move of the position for each folded move.
 */
moves: { [key in string]: string }, };

/**
 * What to tell people about a game.
 */
export type GameInfo = { 
/**
 * The plain id.
 */
id: string, 
/**
 * The game's name.
 */
name: string, 
/**
 * Its designer.
 */
designer: string, 
/**
 * The year of its publication.
 */
year: number, 
/**
 * The board in a few words.
 */
board: string, 
/**
 * The aim of the game in a sentence.
 */
aim: string, 
/**
 * The names of the players, the one who moves first first.
 */
sides: [string, string], 
/**
 * Whether a game can be drawn.
 */
draws: boolean, };

/**
 * A record with the positions after the moves of its main line.
 */
export type GameRecord = { 
/**
 * Header lines.
 */
tags: { [key in string]: string }, 
/**
 * What is said before the first move.
 */
comment: string, 
/**
 * How the game ended, if it has.
 */
result: Outcome | null, 
/**
 * The same as records write it.
 */
result_text: string, 
/**
 * The moves of the main line with everything that belongs to them.
 */
nodes: Array<RecordNode>, 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the first position.
 */
start: string, line: Array<LineMove>, };

/**
 * The games and levels there are.
 */
export type Games = { games: Array<ListedGame>, 
/**
 * From the weakest to the strongest.
 */
levels: Array<ListedLevel>, };

/**
 * Kinds of cells.
 */
export type Ground = "column" | "dark" | "light" | "point" | "ring" | "square" | "track" | "base" | "hex";

/**
 * What is known of a position: the values of its moves, the best first.
 */
export type Known = { 
/**
 * How many moves there are.
 */
legal: number, moves: Array<Worth>, };

/**
 * What ends a search; the first limit that is reached counts.
 */
export type Limits = { 
/**
 * Milliseconds.
 */
time?: number, 
/**
 * Positions looked at, or playouts made.
 */
nodes?: number, 
/**
 * Turns ahead; also says that the value is wanted, not a move.
 */
depth?: number, };

/**
 * A line of moves.
 */
export type Line = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The text of the first position.
 */
start: string, line: Array<LineMove>, };

/**
 * A move of a line.
 */
export type LineMove = { 
/**
 * The move in canonical text.
 */
move: string, 
/**
 * The position after it.
 */
position: string, };

/**
 * A game in the list.
 */
export type ListedGame = { id: string, info: GameInfo, 
/**
 * The game with every option that it has.
 */
variants: Array<Variant>, 
/**
 * The first level that judges with a network where the game has one; those below have no use for it.
 */
first_level_with_net: number, };

/**
 * A level in the list.
 */
export type ListedLevel = { number: number, name: string, };

/**
 * How good a move was, by what it has cost of the probability of winning.
 */
export type MoveClass = "forced" | "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/**
 * What a question reports that reports nothing.
 */
export type Nothing = never;

/**
 * Something that is against a rule. Its [`Display`](fmt::Display) is English; translations use
 * the kind and the facts.
 */
export type Objection = { 
/**
 * The same for everything of this kind, such as `impasse-move-crown-due`.
 */
kind: string, 
/**
 * What it is about, by name: cells as notation writes them, numbers, and `first` or `second`
 * for players.
 */
facts: { [key in string]: string }, 
/**
 * What is wrong, as a clause of a sentence in English.
 */
reason: string, 
/**
 * The rule, such as `impasse clause 4`.
 */
rule: string, };

/**
 * How a game has ended.
 */
export type Outcome = { 
/**
 * The winner, or nobody in a draw.
 */
winner: Side | null, 
/**
 * What ended the game.
 */
reason: Reason, };

/**
 * What can stand on a cell.
 */
export type Piece = { "checkers": Array<Side> } | { "single": Side } | { "double": Side } | { "stone": Side } | { "stack": { 
/**
 * Whose piece is on top.
 */
owner: Side, 
/**
 * How many pieces it has.
 */
height: number, } } | { "pawn": Side } | { "tower": Side | null };

/**
 * A move that was played.
 */
export type Played = { 
/**
 * The move in canonical text.
 */
move: string, 
/**
 * The clicks that stand for it.
 */
steps: Array<Step>, 
/**
 * The position after it.
 */
state: State, };

/**
 * What would be seen after a move.
 */
export type Preview = { 
/**
 * The move in canonical text.
 */
move: string, view: View, outcome: Outcome | null, };

export type Proven = "win" | "loss";

/**
 * A position with one right move, and how it goes on.
 */
export type Puzzle = { 
/**
 * Tells it from all others; it depends on the position alone.
 */
id: string, 
/**
 * The game with its options.
 */
game: string, 
/**
 * The position.
 */
position: string, 
/**
 * What the right move does.
 */
goal: PuzzleGoal, 
/**
 * How hard it is, 1 to [`MAX_GRADE`].
 */
grade: number, 
/**
 * What kind of move it is, where that is certain.
 */
theme?: Theme, 
/**
 * How many turns it takes from the position to the end of the game, both players' counted, if
 * the winner plays as in the proof and the loser holds out; nothing where the goal says it or
 * the proof does not.
 */
plies?: number, 
/**
 * The solver's turns.
 */
turns: Array<PuzzleTurn>, 
/**
 * How the game may go on after the last of them, to be shown on request.
 */
rest?: Array<string>, };

/**
 * What the right move does. It is proven that it does, and that no other move does.
 */
export type PuzzleGoal = "win" | { "win-within": number } | { "hold": number };

/**
 * One turn of the solver.
 */
export type PuzzleTurn = { 
/**
 * The moves that are right: one, and nothing else does it. Several may end the game in the
 * last turn.
 */
accepted: Array<string>, 
/**
 * What the opponent does then: what holds out longest. Nothing after the last turn.
 */
reply?: string, };

/**
 * What ended a game. Each game uses a few of these; the last four are decided by people and
 * clocks, so only records and servers use them.
 */
export type Reason = "no-move" | "no-checkers" | "territory" | "path" | "blocked" | "no-tower" | "full-board" | "stall" | "resigned" | "time" | "agreed" | "abandoned";

/**
 * What is to become a record.
 */
export type RecordDraft = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * Where it began; the game's start if left out.
 */
start?: string, 
/**
 * Header lines, such as the names of the players under the words for their sides.
 */
tags?: Array<[string, string]>, 
/**
 * What is said before the first move.
 */
comment?: string, 
/**
 * The moves.
 */
nodes?: Array<DraftNode>, 
/**
 * An end that people decided: who won, or nobody, and why.
 */
end?: DraftEnd, };

/**
 * A move of a record with what belongs to it.
 */
export type RecordNode = { 
/**
 * The move in canonical text.
 */
move: string, 
/**
 * How good it was: one of [`GLYPHS`], or nothing.
 */
glyph?: string, comment?: string, 
/**
 * Lines that might have been played instead of this move.
 */
variations?: Array<Array<RecordNode>>, };

/**
 * What is wrong with the move that clicks were taken for.
 */
export type Refusal = { 
/**
 * The move that the clicks were taken for.
 */
move: string, 
/**
 * What is wrong with it.
 */
objection: Objection, };

/**
 * A review with what follows from it, as programs read it.
 */
export type Review = { 
/**
 * How probable it was that the first player wins, from the first position reviewed on.
 */
curve: Array<number>, 
/**
 * Whether every move was reviewed.
 */
complete: boolean, 
/**
 * How many moves the game has.
 */
plies: number, 
/**
 * What is said about the moves. If the review was stopped, the first ones are missing.
 */
moves: Array<ReviewedMove>, 
/**
 * How the players did, the first player first.
 */
players: [ReviewedPlayer, ReviewedPlayer], 
/**
 * The moves, counted from zero, with which the favourite changed for good or ill; if there
 * are none, the move that cost most, if it was at least a mistake.
 */
turning_points: Array<number>, };

/**
 * How far a review has come.
 */
export type ReviewProgress = { 
/**
 * How many positions have been judged.
 */
judged: number, 
/**
 * How many there are.
 */
positions: number, 
/**
 * What is said about the move that was judged just now; nothing for the last position.
 */
reviewed: ReviewedMove | null, };

/**
 * What a review says about one move.
 */
export type ReviewedMove = { 
/**
 * Which move of the game it is, counted from zero.
 */
ply: number, 
/**
 * The player who made it.
 */
side: Side, 
/**
 * The move.
 */
move: string, 
/**
 * How good it was.
 */
class: MoveClass, 
/**
 * The value of the position before the move.
 */
before: ReviewedValue, 
/**
 * The value of the position after it.
 */
after: ReviewedValue, 
/**
 * How much of the probability of winning it has cost.
 */
lost: number, 
/**
 * The best line, which begins with the move played if that was best.
 */
best: Array<string>, 
/**
 * How the game was expected to go on after the move played.
 */
expected: Array<string>, 
/**
 * The number of turns of a proven win that the move gave up.
 */
missed_win: number | null, 
/**
 * The number of turns, after this one, of a proven loss that the move allowed.
 */
allowed_loss: number | null, 
/**
 * What is wrong with the move, if something is.
 */
findings: Array<Finding>, 
/**
 * The findings in English sentences.
 */
reason: string | null, };

/**
 * How a player did.
 */
export type ReviewedPlayer = { 
/**
 * The player.
 */
side: Side, 
/**
 * How much of the probability of winning a move has cost on average; nothing if no move tells. Forced moves
 * are left out, and those in a game that was as good as decided, unless they changed that or the game is solved.
 */
average_loss: number | null, 
/**
 * From 0 to 100: the average loss on a scale that the levels set. Random moves are about 10, level 9 about
 * 91, and 100 is nothing lost. Nothing if too few moves tell.
 */
accuracy: number | null, 
/**
 * How many moves of each class.
 */
counts: ClassCounts, 
/**
 * How many proven wins were let go.
 */
missed_wins: number, 
/**
 * How many moves made a loss certain.
 */
allowed_losses: number, };

/**
 * The value of a position from two points of view.
 */
export type ReviewedValue = { 
/**
 * For the player who made the move.
 */
mover: Score, 
/**
 * For the player who moves first in the game.
 */
first: Score, };

/**
 * What a click is for, so that an interface can ask for it in words.
 */
export type Role = "piece" | "target" | "place" | "remove" | "crown-with" | "crowned" | "pawn" | "drop" | "stack" | "pass" | "tower" | "line-end" | "new-tower";

/**
 * The value of a position for the player to move.
 *
 * An ordinary score is counted in points of which 400 mean winning ten games out of eleven, as in
 * Elo ratings; see [`Score::win_probability`]. A *proven* score says that the game is won or lost
 * whatever the opponent does, and how many turns it takes.
 */
export type Score = { 
/**
 * 400 are ten to one; none if the result is proven.
 */
points: number | null, 
/**
 * From 0 to 1.
 */
win_probability: number, 
/**
 * A result that is certain.
 */
proven: Proven | null, 
/**
 * After how many turns a proven result comes.
 */
turns: number | null, };

/**
 * One of the two players, by who moves first in the game.
 *
 * What the players are called differs: Red moves first in Colonnade, White in Impasse, Black
 * elsewhere. See [`Game::side_name`](crate::Game::side_name).
 */
export type Side = "first" | "second";

/**
 * One cell.
 */
export type Spot = { 
/**
 * The cell's number, as steps use it.
 */
cell: number, 
/**
 * The cell's name, as notation uses it; places that no move names have none.
 */
name: string, 
/**
 * The place of its middle, counted in half cells from the left.
 */
x: number, 
/**
 * The place of its middle, counted in half cells from the bottom; on hexagons in half rows.
 */
y: number, 
/**
 * What kind of cell it is.
 */
ground: Ground, 
/**
 * What stands on it.
 */
piece?: Piece, 
/**
 * Whose territory it is.
 */
owner?: Side, };

/**
 * All about a position.
 */
export type State = { 
/**
 * The game with its options.
 */
game: string, 
/**
 * The canonical text of the position.
 */
position: string, 
/**
 * Whose turn it is, or would be.
 */
side: Side, 
/**
 * How the game ended, if it has.
 */
outcome: Outcome | null, 
/**
 * How many legal moves there are.
 */
moves: number, 
/**
 * What is to be seen.
 */
view: View, 
/**
 * What may be clicked.
 */
choices: Choices, };

/**
 * One click: on a cell, or on one checker of the stack that stands on it.
 */
export type Step = { 
/**
 * The number of the cell, as in [`Spot::cell`](crate::view::Spot::cell).
 */
cell: number, 
/**
 * Which checker of the stack, from the bottom, counted from one; 0 is the cell as a whole.
 */
level: number, };

/**
 * A kind of move.
 */
export type Theme = "block" | "path" | "bear-off" | "crown" | "transpose" | "removal" | "capture" | "loop" | "claim" | "siege";

/**
 * What the engine thinks of a position.
 */
export type Thought = { 
/**
 * The strategy that found it.
 */
strategy: string, 
/**
 * Whose turn it is: the scores are theirs.
 */
side: Side, 
/**
 * The depth that the search completed, in turns.
 */
depth: number, 
/**
 * How many nodes it searched; for a tree search, how many playouts it made.
 */
nodes: number, 
/**
 * How long it took.
 */
time: { secs: number; nanos: number }, 
/**
 * How full the table is, in thousandths.
 */
table_used: number, 
/**
 * The best lines, the best first. None when the game is over.
 */
lines: Array<EngineLine>, };

/**
 * A game with an option.
 */
export type Variant = { id: string, option: string | null, };

/**
 * How a position ends with best play, for the player to move.
 */
export type Verdict = "loss" | "draw" | "win";

/**
 * A board with everything on it.
 */
export type View = { 
/**
 * Every cell of the board.
 */
spots: Array<Spot>, 
/**
 * What each player has of what counts in this game, the first player first.
 */
counts: [number, number], 
/**
 * What is counted.
 */
counted: Counted, 
/**
 * How many towers are off the board, in a game that has such.
 */
supply?: number, 
/**
 * How many turns have passed without progress, and after how many the game ends, in a game
 * that has such an end.
 */
stall?: [number, number], 
/**
 * What decided a game that is over, as lines between the middles of two cells: a path, a siege.
 * Empty where nothing on the board did.
 */
decided?: Array<[number, number]>, };

/**
 * The value of a move for the player who makes it.
 */
export type Worth = { 
/**
 * The move in text.
 */
move: string, 
/**
 * What best play leads to.
 */
verdict: Verdict, 
/**
 * After how many plies the game ends, this move included, if that is known.
 */
plies: number | null, };
