//! Colonnade, from the table of all positions.

use stoa_rules::colonnade::Position;

use super::ExactReport;
use crate::games::{ExactError, Exactly};

/// What the table tells.
pub(crate) fn report(_: &Position, _: &mut Exactly<'_>) -> Result<ExactReport, ExactError> {
    Ok(ExactReport {})
}
