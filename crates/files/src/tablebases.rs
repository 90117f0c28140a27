//! Where the tablebases of solved positions are kept, and how they are found again.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use stoa_engine::Oracle;
use stoa_rules::Game;
use stoa_solve::AnyTablebase;
use stoa_solve::file::TablebaseError;

use crate::{data_folder, variable};

/// Why there is no tablebase.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Nothing is solved of this game.
    #[error("there are no tablebases for {0}, only for {solved}", solved = solved_games())]
    NotSolved(Game),
    /// The environment names no folder.
    #[error("there is no folder for tablebases; set STOA_TABLES")]
    NoFolder,
    /// It has not been made yet.
    #[error("there is no tablebase for {0} yet; 'stoa solve {id}' makes it", id = .0.info().id)]
    NotMade(Game),
    /// It is damaged, or not what it should be.
    #[error(transparent)]
    Unusable(#[from] TablebaseError),
}

/// The games that have tablebases, in words.
fn solved_games() -> String {
    let solved = Game::ALL.into_iter().filter(|game| AnyTablebase::is_made_for(*game));
    solved.map(|game| game.to_string()).collect::<Vec<_>>().join(" and ")
}

/// The folder of tablebases: what `STOA_TABLES` names, or the user's folder for data.
pub fn folder() -> Option<PathBuf> {
    variable("STOA_TABLES").map(PathBuf::from).or_else(data_folder)
}

/// The file name of a game's tablebase in the folder.
pub fn file_name(game: Game) -> String {
    format!("{}.table", game.info().id)
}

/// Opens the tablebase of a game: a file, or the one in the folder.
pub fn open(game: Game, file: Option<&Path>) -> Result<AnyTablebase, Error> {
    if !AnyTablebase::is_made_for(game) {
        return Err(Error::NotSolved(game));
    }
    let path = match file {
        Some(file) => file.to_owned(),
        None => folder().ok_or(Error::NoFolder)?.join(file_name(game)),
    };
    match AnyTablebase::open(game, &path) {
        Ok(table) => table.ok_or(Error::NotSolved(game)),
        Err(error) if file.is_none() && error.is_missing() => Err(Error::NotMade(game)),
        Err(error) => Err(error.into()),
    }
}

/// The tablebase of a game for an engine, if there is one. A damaged one is reported once on
/// standard error and not used.
pub fn oracle(game: Game) -> Option<Arc<dyn Oracle>> {
    if !AnyTablebase::is_made_for(game) {
        return None;
    }
    match AnyTablebase::open(game, &folder()?.join(file_name(game))) {
        Ok(table) => table.map(|table| Arc::new(table) as Arc<dyn Oracle>),
        Err(error) if error.is_missing() => None,
        Err(error) => {
            static REPORTED: Once = Once::new();
            REPORTED.call_once(|| eprintln!("stoa: the engine plays without a tablebase: {error}"));
            None
        }
    }
}
