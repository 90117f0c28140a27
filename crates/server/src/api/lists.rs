//! What handlers that answer with pages of a list have in common.

use stoa_wire::ErrorCode;

use super::Error;

/// How many rows a page has: as many as were asked for, if that is allowed.
pub(super) fn page_size(asked: Option<i64>, default: i64, max: i64) -> Result<i64, Error> {
    let size = asked.unwrap_or(default);
    if !(1..=max).contains(&size) {
        let message = format!("a page has 1 to {max} games, not {size}");
        return Err(Error::new(ErrorCode::BadRequest, message));
    }
    Ok(size)
}

/// Cuts what was read to a page of this size. There is another page if more was read; returns whether this is
/// the last.
pub(super) fn cut<T>(rows: &mut Vec<T>, size: i64) -> bool {
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let is_last = rows.len() <= size;
    rows.truncate(size);
    is_last
}
