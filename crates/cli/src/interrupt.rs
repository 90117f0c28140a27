//! Ctrl-C during long work: the first one stops the work, which then prints what it has; a second
//! one ends the program.

use anyhow::Result;
use stoa_engine::Stop;

/// Makes Ctrl-C stop something.
#[cfg(unix)]
pub(crate) fn stops(stop: &Stop) -> Result<()> {
    use signal_hook::consts::SIGINT;
    let mut signals = signal_hook::iterator::Signals::new([SIGINT])?;
    let stop = stop.clone();
    std::thread::spawn(move || {
        for _ in signals.forever() {
            if stop.is_stopped() {
                std::process::exit(130);
            }
            stop.stop();
        }
    });
    Ok(())
}

/// Without signals Ctrl-C ends the program.
#[cfg(not(unix))]
pub(crate) fn stops(_: &Stop) -> Result<()> {
    Ok(())
}
