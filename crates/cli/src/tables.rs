//! The tables of solved positions: where they are kept, and how they are found again.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use anyhow::{Context, Result, bail};
use stoa_engine::Oracle;
use stoa_rules::Game;
use stoa_solve::AnyTablebase;

/// The folder of tables: what `STOA_TABLES` names, or the user's folder for data.
pub(crate) fn folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value: &OsString| !value.is_empty());
    if let Some(folder) = set("STOA_TABLES") {
        return Some(PathBuf::from(folder));
    }
    folder_for_data()
}

/// The user's folder for the data of this program.
pub(crate) fn folder_for_data() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value: &OsString| !value.is_empty());
    let data = if cfg!(windows) {
        PathBuf::from(set("LOCALAPPDATA")?)
    } else if let Some(data) = set("XDG_DATA_HOME") {
        PathBuf::from(data)
    } else {
        PathBuf::from(set("HOME")?).join(".local/share")
    };
    Some(data.join("stoa"))
}

/// The file of a game's table in the folder.
pub(crate) fn file_name(game: Game) -> String {
    format!("{}.table", game.info().id)
}

/// Opens the table of a game that somebody asks for: a file, or the one in the folder.
pub(crate) fn required(game: Game, file: Option<&Path>) -> Result<AnyTablebase> {
    if !AnyTablebase::is_made_for(game) {
        bail!("there are no tables of {game}; there are some of colonnade and impasse");
    }
    let path = match file {
        Some(file) => file.to_owned(),
        None => {
            let folder =
                folder().context("there is no folder for tables; STOA_TABLES names one")?;
            folder.join(file_name(game))
        }
    };
    let table = AnyTablebase::open(game, &path).map_err(|error| match file {
        None if error.is_missing() => anyhow::anyhow!(
            "there is no table of {game} yet; 'stoa solve {}' makes it",
            game.info().id
        ),
        _ => error.into(),
    })?;
    table.with_context(|| format!("there are no tables of {game}"))
}

/// The table of a game for an engine, if there is one. A damaged one is told of once and not used.
pub(crate) fn oracle(game: Game) -> Option<Arc<dyn Oracle>> {
    if !AnyTablebase::is_made_for(game) {
        return None;
    }
    match AnyTablebase::open(game, &folder()?.join(file_name(game))) {
        Ok(table) => table.map(|table| Arc::new(table) as Arc<dyn Oracle>),
        Err(error) if error.is_missing() => None,
        Err(error) => {
            static TOLD: Once = Once::new();
            TOLD.call_once(|| eprintln!("stoa: the engine goes without a table: {error}"));
            None
        }
    }
}
