//! Questions about the rules.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stoa_engine::Level;
use stoa_rules::view::View;
use stoa_rules::{AnyPosition, Choices, Game, Outcome, Side, Step};

use crate::editor::{self, Change};
use crate::{Failure, record};

/// A question about the rules. `position` is the text of a position; without it the game's start
/// is meant.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// Which games there are, with designers and options, and which levels the engine has.
    Games,
    /// All about a position: what is to be seen, what may be clicked after some clicks. An
    /// impossible position is refused with every reason.
    State {
        /// The game with its options.
        game: String,
        /// The text of the position.
        position: Option<String>,
        /// The clicks made so far.
        #[serde(default)]
        clicks: Vec<Click>,
    },
    /// What may be clicked after some clicks; cheaper than all about the position.
    Choices {
        /// The game with its options.
        game: String,
        /// The text of the position.
        position: String,
        /// The clicks made so far.
        clicks: Vec<Click>,
    },
    /// Every legal move in text.
    Moves {
        /// The game with its options.
        game: String,
        /// The text of the position.
        position: String,
    },
    /// Plays a move.
    Play {
        /// The game with its options.
        game: String,
        /// The text of the position.
        position: String,
        /// The move in text; what is certain may be left out.
        #[serde(rename = "move")]
        text: String,
    },
    /// What would be seen after the move that some clicks stand for; nothing if they are not yet a
    /// move.
    Preview {
        /// The game with its options.
        game: String,
        /// The text of the position.
        position: String,
        /// The clicks of the move.
        clicks: Vec<Click>,
    },
    /// The clicks that stand for a move; nothing if it is not legal.
    Steps {
        /// The game with its options.
        game: String,
        /// The text of the position.
        position: String,
        /// The move in text.
        #[serde(rename = "move")]
        text: String,
    },
    /// Why clicks lead to no legal move; nothing if there is no more to say than that.
    Explain {
        /// The game with its options.
        game: String,
        /// The text of the position.
        position: String,
        /// The clicks, the last of which was refused.
        clicks: Vec<Click>,
    },
    /// Plays a whole line of moves and tells the position after each.
    Line {
        /// The game with its options.
        game: String,
        /// The text of the position.
        position: Option<String>,
        /// The moves in text.
        moves: Vec<String>,
    },
    /// Reads a record.
    Read {
        /// The text of the record.
        record: String,
    },
    /// Writes a record; comments, variations and signs included.
    Write(record::Draft),
    /// A position that is being set up, possible or not, after some changes.
    Edit {
        /// The game with its options.
        game: String,
        /// The text of what has been set up so far; the start if left out.
        setup: Option<String>,
        /// What is changed, in this order.
        #[serde(default)]
        changes: Vec<Change>,
    },
}

/// One click, as the page sends it.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Click {
    /// The number of the cell.
    pub cell: u16,
    /// Which checker of its stack, counted from one; 0 is the cell as a whole.
    #[serde(default)]
    pub level: u8,
}

impl From<Click> for Step {
    fn from(click: Click) -> Step {
        Step { cell: click.cell, level: click.level }
    }
}

/// All about a position.
#[derive(Debug, Clone, Serialize)]
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
    fn of(position: &AnyPosition, clicks: &[Click]) -> State {
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

/// What may be clicked after some clicks; nothing at all if no legal move begins so.
fn choices(position: &AnyPosition, clicks: &[Click]) -> Choices {
    position.choices(&steps(clicks)).unwrap_or_default()
}

pub(crate) fn steps(clicks: &[Click]) -> Vec<Step> {
    clicks.iter().copied().map(Step::from).collect()
}

impl Question {
    /// The answer, in JSON.
    pub fn answer(self) -> Result<Value, Failure> {
        Ok(match self {
            Question::Games => games(),
            Question::State { game, position, clicks } => {
                json!(State::of(&read(&game, position.as_deref())?, &clicks))
            }
            Question::Choices { game, position, clicks } => {
                json!(choices(&read(&game, Some(&position))?, &clicks))
            }
            Question::Moves { game, position } => {
                json!(read(&game, Some(&position))?.legal_moves())
            }
            Question::Play { game, position, text } => {
                let before = read(&game, Some(&position))?;
                let mut after = before.clone();
                let text = after.play(&text)?;
                let steps = before.steps(&text).unwrap_or_default();
                json!({ "move": text, "steps": steps, "state": State::of(&after, &[]) })
            }
            Question::Preview { game, position, clicks } => {
                let mut after = read(&game, Some(&position))?;
                match choices(&after, &clicks).complete {
                    None => Value::Null,
                    Some(text) => {
                        let text = after.play(&text)?;
                        json!({ "move": text, "view": after.view(), "outcome": after.outcome() })
                    }
                }
            }
            Question::Steps { game, position, text } => {
                json!(read(&game, Some(&position))?.steps(&text))
            }
            Question::Explain { game, position, clicks } => {
                json!(read(&game, Some(&position))?.explain_clicks(&steps(&clicks)))
            }
            Question::Line { game, position, moves } => {
                let mut at = read(&game, position.as_deref())?;
                let start = at.text();
                let mut line = Vec::with_capacity(moves.len());
                for text in &moves {
                    let text = at.play(text)?;
                    line.push(json!({ "move": text, "position": at.text() }));
                }
                json!({ "game": at.game().to_string(), "start": start, "line": line })
            }
            Question::Read { record } => record::read(&record)?,
            Question::Write(draft) => json!(draft.write()?),
            Question::Edit { game, setup, changes } => {
                json!(editor::edit(game.parse()?, setup.as_deref(), &changes)?)
            }
        })
    }
}

/// The position of a text, or the start.
pub(crate) fn read(game: &str, position: Option<&str>) -> Result<AnyPosition, Failure> {
    let game: Game = game.parse()?;
    Ok(match position {
        None => game.start(),
        Some(text) => game.position(text)?,
    })
}

fn games() -> Value {
    let games: Vec<Value> = Game::ALL
        .into_iter()
        .map(|game| {
            let variants: Vec<Value> = game
                .own_variants()
                .map(|variant| json!({ "id": variant.to_string(), "option": variant.option() }))
                .collect();
            json!({ "id": game.to_string(), "info": game.info(), "variants": variants })
        })
        .collect();
    let levels: Vec<Value> = Level::all()
        .map(|level| json!({ "number": level.number(), "name": level.name() }))
        .collect();
    json!({ "games": games, "levels": levels })
}
