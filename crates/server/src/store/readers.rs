//! Connections that only read, and that nobody waits for in vain.
//!
//! A connection to Postgres can be silently dead: what is sent there vanishes, and no answer ever comes. Whoever
//! waited for one would keep the connection for ever, and after a few of them the pool would be empty.

use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};
use sqlx::any::{AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, Either, Error, Execute, Executor, SqlStr};

/// A pool of connections that only read.
#[derive(Debug, Clone)]
pub(super) struct Readers {
    pool: AnyPool,
    /// How long the next part of an answer may take.
    timeout: Option<Duration>,
}

impl Readers {
    pub(super) fn new(pool: AnyPool, timeout: Option<Duration>) -> Readers {
        Readers { pool, timeout }
    }

    /// A connection for several statements.
    pub(super) async fn acquire(&self) -> Result<PoolConnection<Any>, Error> {
        self.pool.acquire().await
    }

    pub(super) fn is_closed(&self) -> bool {
        self.pool.is_closed()
    }

    pub(super) async fn close(&self) {
        self.pool.close().await;
    }
}

/// Waits for an answer, though not for longer than it may take.
async fn in_time<T>(
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

impl<'p> Executor<'p> for &Readers {
    type Database = Any;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<AnyQueryResult, AnyRow>, Error>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        let timeout = self.timeout;
        let answers = self.pool.fetch_many(query);
        let next = move |mut answers: BoxStream<'e, _>| async move {
            let next = in_time(timeout, answers.try_next()).await?;
            Ok(next.map(|next| (next, answers)))
        };
        stream::try_unfold(answers, next).boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<AnyRow>, Error>>
    where
        'p: 'e,
        E: 'q + Execute<'q, Any>,
    {
        Box::pin(in_time(self.timeout, self.pool.fetch_optional(query)))
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [AnyTypeInfo],
    ) -> BoxFuture<'e, Result<AnyStatement, Error>>
    where
        'p: 'e,
    {
        Box::pin(in_time(self.timeout, self.pool.prepare_with(sql, parameters)))
    }
}
