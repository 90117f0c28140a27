//! Connections that only read.

use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use sqlx::any::{AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, Either, Error, Execute, Executor, SqlStr};

use super::bounded::{each_in_time, in_time};

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
        each_in_time(self.timeout, self.pool.fetch_many(query))
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
