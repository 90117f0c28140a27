//! The engine for other programs, over standard input and output.

use std::io::{self, BufReader};

use anyhow::Result;
use stoa_engine::Settings;
use stoa_files::tablebases;
use stoa_ugi::{Connection, serve};

use crate::args;
use crate::output::charset;

/// `stoa ugi`
pub(crate) fn ugi(args: &args::Ugi) -> Result<()> {
    let settings = Settings {
        strategy: args.strategy,
        threads: args.threads as usize,
        table: args.hash as usize,
        seed: args.seed as u64,
        level: args.level,
        oracle: tablebases::oracle(args.game),
        ..Settings::default()
    };
    let input = BufReader::new(io::stdin());
    let connection = Connection::new(input, io::stdout(), charset(false));
    #[cfg(unix)]
    let connection = connection.until(|| stoa_ugi::wait_until_closed(io::stdout()));
    Ok(serve(args.game, settings, connection)?)
}
