//! Questions about the rules.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use stoa_engine::Level;
use stoa_rules::record::Node;
use stoa_rules::view::View;
use stoa_rules::{AnyPosition, Choices, Game, Info, Outcome, Refusal, Side, Step};

use crate::editor::{self, Change, Edited};
use crate::question::{Ask, Nothing, questions};
use crate::{Failure, record};

questions! {
    /// A question about the rules. `position` is the text of a position; without it the game's start
    /// is meant.
    (), "RulesQuestions" {
        /// Which games there are, with designers and options, and which levels the engine has.
        Games(AskGames),
        /// All about a position: what is to be seen, what may be clicked after some clicks. An
        /// impossible position is refused with every reason.
        State(AskState),
        /// What may be clicked after some clicks; cheaper than all about the position.
        Choices(AskChoices),
        /// Every legal move in text.
        Moves(AskMoves),
        /// Plays a move.
        Play(AskPlay),
        /// What would be seen after the move that some clicks stand for; nothing if they are not yet
        /// a move.
        Preview(AskPreview),
        /// The clicks that stand for a move; nothing if it is not legal.
        Steps(AskSteps),
        /// Why clicks lead to no legal move; nothing if there is no more to say than that.
        Explain(AskExplain),
        /// Plays a whole line of moves and answers with the position after each.
        Line(AskLine),
        /// The position and its moves up to symmetry, as opening books name them.
        Fold(AskFold),
        /// Reads a record.
        Read(AskRead),
        /// Writes a record; comments, variations and signs included.
        Write(record::Draft),
        /// A position that is being set up, possible or not, after some changes.
        Edit(AskEdit),
    }
}

/// Implements [`Ask`] for a question that needs neither memory nor reports.
macro_rules! answers {
    ($($question:ty => $answer:ty: |$asked:pat_param| $body:expr;)*) => {$(
        impl Ask for $question {
            type Memory = ();
            type Answer = $answer;
            type Report = Nothing;

            fn answer(
                self,
                (): &mut (),
                _: &mut dyn FnMut(&Nothing),
            ) -> Result<$answer, Failure> {
                let $asked = self;
                $body
            }
        }
    )*};
}

answers! {
    AskGames => Games: |AskGames {}| Ok(Games::all());
    AskState => State: |AskState { game, position, clicks }| {
        Ok(State::of(&read(&game, position.as_deref())?, &clicks))
    };
    AskChoices => Choices: |AskChoices { game, position, clicks }| {
        Ok(choices(&read(&game, Some(&position))?, &clicks))
    };
    AskMoves => Vec<String>: |AskMoves { game, position }| {
        Ok(read(&game, Some(&position))?.legal_moves())
    };
    AskPlay => Played: |AskPlay { game, position, text }| {
        let before = read(&game, Some(&position))?;
        let mut after = before.clone();
        let text = after.play(&text)?;
        let steps = before.steps(&text).unwrap_or_default();
        Ok(Played { text, steps, state: State::of(&after, &[]) })
    };
    AskPreview => Option<Preview>: |AskPreview { game, position, clicks }| {
        let mut after = read(&game, Some(&position))?;
        let Some(text) = choices(&after, &clicks).complete else { return Ok(None) };
        let text = after.play(&text)?;
        Ok(Some(Preview { text, view: after.view(), outcome: after.outcome() }))
    };
    AskSteps => Option<Vec<Step>>: |AskSteps { game, position, text }| {
        Ok(read(&game, Some(&position))?.steps(&text))
    };
    AskExplain => Option<Refusal>: |AskExplain { game, position, clicks }| {
        Ok(read(&game, Some(&position))?.explain_clicks(&clicks))
    };
    AskLine => Line: |AskLine { game, position, moves }| {
        Line::played(read(&game, position.as_deref())?, moves.iter().map(String::as_str))
    };
    AskFold => Folded: |AskFold { game, position }| {
        Ok(Folded::of(&read(&game, Some(&position))?))
    };
    AskRead => GameRecord: |AskRead { record }| record::read(&record);
    record::Draft => String: |draft| draft.write();
    AskEdit => Edited: |AskEdit { game, setup, changes }| {
        editor::edit(game.parse()?, setup.as_deref(), &changes)
    };
}

/// Which games there are.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskGames {}

/// All about a position.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskState {
    /// The game with its options.
    game: String,
    /// The text of the position.
    #[cfg_attr(feature = "ts", ts(optional))]
    position: Option<String>,
    /// The clicks made so far.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<Step>>", optional))]
    clicks: Vec<Step>,
}

/// What may be clicked.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskChoices {
    /// The game with its options.
    game: String,
    /// The text of the position.
    position: String,
    /// The clicks made so far.
    clicks: Vec<Step>,
}

/// Every legal move.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskMoves {
    /// The game with its options.
    game: String,
    /// The text of the position.
    position: String,
}

/// Plays a move.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskPlay {
    /// The game with its options.
    game: String,
    /// The text of the position.
    position: String,
    /// The move in text; what is certain may be left out.
    #[serde(rename = "move")]
    text: String,
}

/// What would be seen after a move.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskPreview {
    /// The game with its options.
    game: String,
    /// The text of the position.
    position: String,
    /// The clicks of the move.
    clicks: Vec<Step>,
}

/// The clicks of a move.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskSteps {
    /// The game with its options.
    game: String,
    /// The text of the position.
    position: String,
    /// The move in text.
    #[serde(rename = "move")]
    text: String,
}

/// Why clicks lead to no legal move.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskExplain {
    /// The game with its options.
    game: String,
    /// The text of the position.
    position: String,
    /// The clicks, the last of which was refused.
    clicks: Vec<Step>,
}

/// Plays a whole line of moves.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskLine {
    /// The game with its options.
    game: String,
    /// The text of the position.
    #[cfg_attr(feature = "ts", ts(optional))]
    position: Option<String>,
    /// The moves in text.
    moves: Vec<String>,
}

/// Folds a position.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskFold {
    /// The game with its options.
    game: String,
    /// The text of the position.
    position: String,
}

/// Reads a record.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskRead {
    /// The text of the record.
    record: String,
}

/// A position that is being set up.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AskEdit {
    /// The game with its options.
    game: String,
    /// The text of what has been set up so far; the start if left out.
    #[cfg_attr(feature = "ts", ts(optional))]
    setup: Option<String>,
    /// What is changed, in this order.
    #[serde(default)]
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<Change>>", optional))]
    changes: Vec<Change>,
}

/// The games and levels there are.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Games {
    games: Vec<ListedGame>,
    /// From the weakest to the strongest.
    levels: Vec<ListedLevel>,
}

/// A game in the list.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ListedGame {
    id: String,
    info: Info,
    /// The game with every option that it has.
    variants: Vec<Variant>,
    /// The first level that judges with a network where the game has one; those below have no use for it.
    first_level_with_net: u8,
}

/// A game with an option.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Variant {
    id: String,
    option: Option<String>,
}

/// A level in the list.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ListedLevel {
    number: u8,
    name: &'static str,
}

impl Games {
    fn all() -> Games {
        let listed = |game: Game| ListedGame {
            id: game.to_string(),
            info: game.info(),
            variants: game
                .own_variants()
                .map(|variant| Variant { id: variant.to_string(), option: variant.option() })
                .collect(),
            first_level_with_net: Level::first_with_net(game).number(),
        };
        let levels = Level::all()
            .map(|level| ListedLevel { number: level.number(), name: level.name() })
            .collect();
        Games { games: Game::ALL.into_iter().map(listed).collect(), levels }
    }
}

/// All about a position.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct State {
    /// The game with its options.
    pub game: String,
    /// The canonical text of the position.
    pub position: String,
    /// Whose turn it is, or would be.
    pub side: Side,
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
    /// How many legal moves there are.
    pub moves: usize,
    /// What is to be seen.
    pub view: View,
    /// What may be clicked.
    pub choices: Choices,
}

impl State {
    fn of(position: &AnyPosition, clicks: &[Step]) -> State {
        State {
            game: position.game().to_string(),
            position: position.text(),
            side: position.side_to_move(),
            outcome: position.outcome(),
            moves: position.count_moves(),
            view: position.view(),
            choices: choices(position, clicks),
        }
    }
}

/// A move that was played.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Played {
    /// The move in canonical text.
    #[serde(rename = "move")]
    text: String,
    /// The clicks that stand for it.
    steps: Vec<Step>,
    /// The position after it.
    state: State,
}

/// What would be seen after a move.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Preview {
    /// The move in canonical text.
    #[serde(rename = "move")]
    text: String,
    view: View,
    outcome: Option<Outcome>,
}

/// A position up to symmetry.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Folded {
    /// The key of the position, in hexadecimal digits.
    key: String,
    /// A move of the position for each folded move.
    moves: BTreeMap<String, String>,
}

impl Folded {
    fn of(position: &AnyPosition) -> Folded {
        let key = format!("{:016x}", position.folded_key());
        Folded { key, moves: position.unfolded_moves() }
    }
}

/// A line of moves.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Line {
    /// The game with its options.
    game: String,
    /// The text of the first position.
    start: String,
    line: Vec<LineMove>,
}

/// A move of a line.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LineMove {
    /// The move in canonical text.
    #[serde(rename = "move")]
    text: String,
    /// The position after it.
    position: String,
}

impl Line {
    /// Plays the moves from a position on.
    pub(crate) fn played<'a>(
        mut at: AnyPosition,
        moves: impl Iterator<Item = &'a str>,
    ) -> Result<Line, Failure> {
        let (game, start) = (at.game().to_string(), at.text());
        let mut line = Vec::new();
        for text in moves {
            let text = at.play(text)?;
            line.push(LineMove { text, position: at.text() });
        }
        Ok(Line { game, start, line })
    }
}

/// A record with the positions after the moves of its main line.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GameRecord {
    /// The main line.
    #[serde(flatten)]
    pub(crate) line: Line,
    /// Header lines.
    pub(crate) tags: BTreeMap<String, String>,
    /// What is said before the first move.
    pub(crate) comment: String,
    /// How the game ended, if it has.
    pub(crate) result: Option<Outcome>,
    /// The same as records write it.
    pub(crate) result_text: String,
    /// The moves of the main line with everything that belongs to them.
    pub(crate) nodes: Vec<Node>,
}

/// What may be clicked after some clicks; nothing at all if no legal move begins so.
fn choices(position: &AnyPosition, clicks: &[Step]) -> Choices {
    position.choices(clicks).unwrap_or_default()
}

/// The position of a text, or the start.
pub(crate) fn read(game: &str, position: Option<&str>) -> Result<AnyPosition, Failure> {
    let game: Game = game.parse()?;
    Ok(match position {
        None => game.start(),
        Some(text) => game.position(text)?,
    })
}
