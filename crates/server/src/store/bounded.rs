//! Statements that nobody waits for in vain.
//!
//! A connection to Postgres can be silently dead: what is sent there vanishes, and no answer ever comes. Whoever
//! waited for one would keep the connection for ever, and after a few of them the pool would be empty.

use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};
use sqlx::Error;

/// Waits for an answer, though not for longer than it may take.
pub(super) async fn in_time<T>(
    timeout: Option<Duration>,
    answer: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    match timeout {
        None => answer.await,
        Some(timeout) => match tokio::time::timeout(timeout, answer).await {
            Ok(answer) => answer,
            Err(late) => Err(Error::Io(late.into())),
        },
    }
}

/// Waits for each part of an answer.
pub(super) fn each_in_time<'e, T: Send + 'e>(
    timeout: Option<Duration>,
    answers: BoxStream<'e, Result<T, Error>>,
) -> BoxStream<'e, Result<T, Error>> {
    let next = move |mut answers: BoxStream<'e, _>| async move {
        let next = in_time(timeout, answers.try_next()).await?;
        Ok(next.map(|next| (next, answers)))
    };
    stream::try_unfold(answers, next).boxed()
}
