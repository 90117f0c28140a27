//! `stoa ladder`

use anyhow::Result;

use crate::args;

/// `stoa ladder`
pub(crate) fn ladder(_: &args::Ladder) -> Result<()> {
    Ok(())
}
