//! Downloads of many games: the archive's and everyone's own. They are read a page at a time, and few at a time,
//! because everyone who plays needs the same connections to the database. While a client takes its time to read
//! what it was sent, nothing is held for it.

use std::io;
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::IntoResponse;
use futures_util::stream;
use stoa_wire::ErrorCode;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use super::Error;
use crate::app::AppState;
use crate::guard::{Client, ConnectionLimit, ConnectionPermit};
use crate::rooms::RoomError;
use crate::store::{ArchiveCursor, ArchiveFilter};

/// How many downloads from the archive read from the database at the same time, on each node, and how many exports of
/// players besides.
const MAX_ARCHIVE: usize = 2;
const MAX_EXPORTS: usize = 1;
/// How many downloads from the archive may run from one address, those that wait for their client included.
const MAX_FROM_CLIENT: usize = 1;
/// How long a new download waits for its first turn.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// When to try again after that, in seconds.
const RETRY_AFTER: u64 = 10;
/// How many games are found in one turn.
const PAGE_SIZE: usize = 100;
/// How many bytes of records are read in one turn at most, and one record more: they wait for a slow client.
const MAX_PAGE_BYTES: usize = 64 * 1024;
/// How many records one download from the archive has.
const MAX_RECORDS: usize = 10_000;
/// How many pages that find nothing a download looks at, one after the other.
const MAX_EMPTY_PAGES: usize = 200;

/// The downloads of a node.
#[derive(Debug)]
pub(crate) struct Downloads {
    archive: Turns,
    /// Of their own: everyone has a right to these, however many download the archive.
    pub(super) exports: Turns,
    running: ConnectionLimit,
}

/// Whose turn it is to read.
#[derive(Debug)]
pub(super) struct Turns(Semaphore);

impl Downloads {
    pub(crate) fn new() -> Downloads {
        Downloads {
            archive: Turns(Semaphore::new(MAX_ARCHIVE)),
            exports: Turns(Semaphore::new(MAX_EXPORTS)),
            running: ConnectionLimit::default(),
        }
    }

    /// A download from the archive begins, unless another from the same address, or as many as there may be from the
    /// networks around it, still run.
    pub(super) fn begin(
        &self,
        client: Client,
        is_limited: bool,
    ) -> Result<ConnectionPermit, Error> {
        self.running.acquire(client, is_limited.then_some(MAX_FROM_CLIENT)).ok_or_else(|| {
            let message = "your address is downloading already; try again when that has ended";
            Error::new(ErrorCode::TooMany, message).retry_after(RETRY_AFTER)
        })
    }
}

impl Turns {
    /// A turn for a download that begins, unless others take too long.
    pub(super) async fn first_turn(&self) -> Result<SemaphorePermit<'_>, Error> {
        let busy = || {
            let message = "the server is busy with other downloads; try again in a while";
            Error::new(ErrorCode::Unavailable, message).retry_after(RETRY_AFTER)
        };
        timeout(MAX_WAIT, self.0.acquire()).await.ok().and_then(Result::ok).ok_or_else(busy)
    }

    /// Reads when it is this download's turn again.
    pub(super) async fn take<T>(&self, read: impl Future<Output = T>) -> T {
        // The semaphore is never closed.
        let _turn = self.0.acquire().await.ok();
        read.await
    }
}

/// Games of which the records are downloaded.
pub(super) enum Games {
    /// A player's own.
    Known(std::vec::IntoIter<String>),
    /// Those of a search in the archive, and where its next page begins; nothing after the last.
    Found { filter: Box<ArchiveFilter>, cursor: Option<ArchiveCursor>, _running: ConnectionPermit },
}

/// The records of some games, one after the other.
struct Download {
    app: AppState,
    games: Games,
    /// The games of this page that have not been read.
    unread: std::vec::IntoIter<String>,
    /// Records that have not been sent.
    records: std::vec::IntoIter<String>,
    found: usize,
    is_first: bool,
}

/// A file with the records of these games.
pub(super) async fn download(
    app: AppState,
    games: Games,
    name: &str,
) -> Result<impl IntoResponse + use<>, Error> {
    let (unread, records) = (Vec::new().into_iter(), Vec::new().into_iter());
    let mut download =
        Download { app: app.clone(), games, unread, records, found: 0, is_first: true };
    let turn = download.turns(&app).first_turn().await?;
    download.read().await?;
    drop(turn);
    let records = stream::unfold(download, |mut download| async {
        let record = download.next().await.map_err(io::Error::other).transpose()?;
        Some((record, download))
    });
    let disposition = format!("attachment; filename=\"{name}\"");
    let kind = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    Ok((kind, Body::from_stream(records)))
}

impl Download {
    async fn next(&mut self) -> Result<Option<String>, RoomError> {
        let app = self.app.clone();
        let mut empty_pages = 0;
        while self.records.len() == 0 && empty_pages < MAX_EMPTY_PAGES && !self.is_done() {
            self.turns(&app).take(self.read()).await?;
            empty_pages += 1;
        }
        let gap = if std::mem::take(&mut self.is_first) { "" } else { "\n" };
        Ok(self.records.next().map(|record| format!("{gap}{record}")))
    }

    fn turns<'a>(&self, app: &'a AppState) -> &'a Turns {
        match &self.games {
            Games::Known(_) => &app.downloads.exports,
            Games::Found { .. } => &app.downloads.archive,
        }
    }

    fn is_done(&self) -> bool {
        let is_last = match &self.games {
            Games::Known(games) => games.len() == 0,
            Games::Found { cursor, .. } => cursor.is_none() || self.found >= MAX_RECORDS,
        };
        is_last && self.unread.len() == 0
    }

    /// Reads some of this page, and before that the next one if it has been read. There may be nothing in it.
    async fn read(&mut self) -> Result<(), RoomError> {
        if self.unread.len() == 0 {
            self.turn_page().await?;
        }
        let (mut records, mut bytes) = (Vec::new(), 0);
        while bytes < MAX_PAGE_BYTES
            && let Some(id) = self.unread.next()
        {
            let record = self.app.rooms.record_uncached(&id).await?;
            bytes += record.len();
            records.push(record);
        }
        self.records = records.into_iter();
        Ok(())
    }

    async fn turn_page(&mut self) -> Result<(), RoomError> {
        let ids: Vec<String> = match &mut self.games {
            Games::Known(games) => games.take(PAGE_SIZE).collect(),
            Games::Found { filter, cursor, .. } => {
                let Some(after) = cursor.take() else { return Ok(()) };
                let most = PAGE_SIZE.min(MAX_RECORDS - self.found);
                let most = i64::try_from(most).unwrap_or(i64::MAX);
                let (games, next) = self.app.store.search(filter, &after, most).await?;
                *cursor = next;
                games.into_iter().map(|(game, _)| game.id).collect()
            }
        };
        self.found += ids.len();
        self.unread = ids.into_iter();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn few_read_at_the_same_time_and_others_are_told_to_wait() {
        let all = Downloads::new();
        let downloads = &all.archive;
        let turns = [downloads.first_turn().await, downloads.first_turn().await];
        let refused = downloads.first_turn().await.expect_err("two are reading");
        assert_eq!(refused.status.as_u16(), 503);
        assert_eq!(refused.body.retry_after, Some(RETRY_AFTER));
        assert!(all.exports.first_turn().await.is_ok(), "exports do not wait for the archive");
        let waits = downloads.first_turn();
        let ends = async {
            tokio::time::sleep(MAX_WAIT / 10).await;
            drop(turns);
        };
        let (turn, ()) = tokio::join!(waits, ends);
        assert!(turn.is_ok(), "one that soon gets its turn");
    }

    #[test]
    fn an_address_has_one_download_at_a_time() {
        let client =
            |address: &str| Client::from(address.parse::<std::net::IpAddr>().expect("one"));
        let downloads = Downloads::new();
        let first = downloads.begin(client("192.0.2.1"), true);
        let refused = downloads.begin(client("192.0.2.1"), true).expect_err("one is running");
        assert_eq!((refused.status.as_u16(), refused.body.retry_after), (429, Some(RETRY_AFTER)));
        assert!(downloads.begin(client("192.0.2.2"), true).is_ok());
        drop(first);
        assert!(downloads.begin(client("192.0.2.1"), true).is_ok());
        let household: Vec<_> = (0..100)
            .flat_map(|n| downloads.begin(client(&format!("2001:db8:1:{n:x}::1")), true))
            .collect();
        assert_eq!(household.len(), 2, "a /56");
    }
}
