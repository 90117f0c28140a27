//! A report: everything that is known of a game on one or several boards.

use serde::Serialize;
use stoa_rules::Game;

use crate::exact::ExactReport;
use crate::figures::Figures;
use crate::games::board_name;
use crate::words;

/// A report on a game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The plain id of the game.
    pub game: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its designer.
    pub designer: &'static str,
    /// The year of its publication.
    pub year: u16,
    /// The players, the one who moves first first.
    pub sides: [&'static str; 2],
    /// The program that made it, and of when its code is.
    pub code: String,
    /// How the boards compare, in words.
    pub comparison: Vec<String>,
    /// The boards, or the one there is.
    pub boards: Vec<Board>,
}

/// What is known of a board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Board {
    /// The game's id with its option.
    pub id: String,
    /// What tells it from the game's other boards.
    pub name: String,
    /// The command that makes its part of the report again.
    pub command: String,
    /// The answers in words.
    pub answers: Vec<String>,
    /// What is known for certain.
    pub exact: Option<ExactReport>,
    /// What games of the engine tell.
    pub figures: Option<Figures>,
}

impl Board {
    /// A board with its answers.
    pub fn new(game: Game, exact: Option<ExactReport>, figures: Option<Figures>) -> Board {
        let id = full_id(game);
        let rounds = figures.as_ref().map_or(String::new(), |figures| {
            format!(" --rounds {} --seed {}", figures.rounds.max(1), figures.seed)
        });
        let mut board = Board {
            name: board_name(game),
            command: format!("stoa report {id}{rounds} --out reports"),
            id,
            answers: Vec::new(),
            exact,
            figures,
        };
        board.answers = words::answers(&board, game.info().sides);
        board
    }
}

/// The id of a game with its option, usual or not.
fn full_id(game: Game) -> String {
    match game.option() {
        Some(option) => format!("{}:{option}", game.info().id),
        None => game.to_string(),
    }
}

impl Report {
    /// A report on some boards of one game, with what made it.
    pub fn new(game: Game, boards: Vec<Board>, code: String) -> Report {
        let info = game.info();
        let comparison = words::comparison(&boards);
        Report {
            game: info.id,
            name: info.name,
            designer: info.designer,
            year: info.year,
            sides: info.sides,
            code,
            comparison,
            boards,
        }
    }

    /// The report as JSON.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self).map(|text| text + "\n")
    }
}
