//! Where the tables of solved positions are kept.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use stoa_rules::Game;

/// The folder of tables: what `STOA_TABLES` names, or the user's folder for data.
pub(crate) fn folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value: &OsString| !value.is_empty());
    if let Some(folder) = set("STOA_TABLES") {
        return Some(PathBuf::from(folder));
    }
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
