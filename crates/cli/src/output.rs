//! Printing: what the terminal can show.

use std::io::{self, IsTerminal, Write};

use stoa_draw::board::Charset;

pub(crate) use stoa_report::words::grouped;

/// What to draw with on standard output. Colours need a terminal that wants them: `NO_COLOR` set
/// and not empty, `TERM=dumb` or a pipe means none; `CLICOLOR_FORCE` set to other than 0 forces them.
pub(crate) fn charset(plain: bool) -> Charset {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if plain || dumb {
        Charset::Ascii
    } else if set("NO_COLOR") {
        Charset::Mono
    } else if io::stdout().is_terminal()
        || std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0")
    {
        Charset::Colour
    } else {
        Charset::Mono
    }
}

/// Writes to standard output; a closed pipe comes back as an error, not as a panic.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Prints a value as JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// Whether an error only means that nobody reads our output any more.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_come_in_groups_of_three() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(62_805_389), "62,805,389");
    }
}
