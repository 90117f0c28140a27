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
use crate::rooms::RoomError;
use crate::store::{ArchiveCursor, ArchiveFilter};

/// How many downloads read from the database at the same time, on each node.
const MAX_AT_ONCE: usize = 2;
/// How long a new download waits for its first turn.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// When to try again after that, in seconds.
const RETRY_AFTER: u64 = 10;
/// How many games are read in one turn.
const PAGE_SIZE: usize = 100;
/// How many records one download from the archive has.
const MAX_RECORDS: usize = 10_000;
/// How many pages that find nothing a download looks at, one after the other.
const MAX_EMPTY_PAGES: usize = 200;

/// Whose turn it is to read.
#[derive(Debug)]
pub(crate) struct Downloads(Semaphore);

impl Downloads {
    pub(crate) fn new() -> Downloads {
        Downloads(Semaphore::new(MAX_AT_ONCE))
    }

    /// A turn for a download that begins, unless others take too long.
    pub(super) async fn first_turn(&self) -> Result<SemaphorePermit<'_>, Error> {
        let busy = || {
            let message = "the server is busy with other downloads; try again in a while";
            Error::new(ErrorCode::Unavailable, message).retry_after(RETRY_AFTER)
        };
        timeout(MAX_WAIT, self.0.acquire()).await.ok().and_then(Result::ok).ok_or_else(busy)
    }
}

/// Games of which the records are downloaded.
pub(super) enum Games {
    Known(std::vec::IntoIter<String>),
    /// Those of a search, and where its next page begins; nothing after the last.
    Found(Box<ArchiveFilter>, Option<ArchiveCursor>),
}

/// The records of some games, one after the other.
struct Download {
    app: AppState,
    games: Games,
    /// The rest of this page.
    page: std::vec::IntoIter<String>,
    read: usize,
    is_first: bool,
}

/// A file with the records of these games.
pub(super) async fn download(
    app: AppState,
    games: Games,
    name: &str,
) -> Result<impl IntoResponse + use<>, Error> {
    let page = Vec::new().into_iter();
    let mut download = Download { app: app.clone(), games, page, read: 0, is_first: true };
    let turn = app.downloads.first_turn().await?;
    download.read_page().await?;
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
        while self.page.len() == 0 && empty_pages < MAX_EMPTY_PAGES && !self.is_done() {
            // The semaphore is never closed.
            let _turn = app.downloads.0.acquire().await.ok();
            self.read_page().await?;
            empty_pages += 1;
        }
        let gap = if std::mem::take(&mut self.is_first) { "" } else { "\n" };
        Ok(self.page.next().map(|record| format!("{gap}{record}")))
    }

    fn is_done(&self) -> bool {
        match &self.games {
            Games::Known(games) => games.len() == 0,
            Games::Found(_, cursor) => cursor.is_none() || self.read >= MAX_RECORDS,
        }
    }

    /// Reads the next page, which may be empty.
    async fn read_page(&mut self) -> Result<(), RoomError> {
        let ids: Vec<String> = match &mut self.games {
            Games::Known(games) => games.take(PAGE_SIZE).collect(),
            Games::Found(filter, cursor) => {
                let Some(after) = cursor.take() else { return Ok(()) };
                let most = PAGE_SIZE.min(MAX_RECORDS - self.read);
                let most = i64::try_from(most).unwrap_or(i64::MAX);
                let (games, next) = self.app.store.search(filter, &after, most).await?;
                *cursor = next;
                games.into_iter().map(|(game, _)| game.id).collect()
            }
        };
        let mut records = Vec::with_capacity(ids.len());
        for id in &ids {
            records.push(self.app.rooms.record_uncached(id).await?);
        }
        self.read += records.len();
        self.page = records.into_iter();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn few_read_at_the_same_time_and_others_are_told_to_wait() {
        let downloads = Downloads::new();
        let turns = [downloads.first_turn().await, downloads.first_turn().await];
        let refused = downloads.first_turn().await.expect_err("two are reading");
        assert_eq!(refused.status.as_u16(), 503);
        assert_eq!(refused.body.retry_after, Some(RETRY_AFTER));
        let waits = downloads.first_turn();
        let ends = async {
            tokio::time::sleep(MAX_WAIT / 10).await;
            drop(turns);
        };
        let (turn, ()) = tokio::join!(waits, ends);
        assert!(turn.is_ok(), "one that soon gets its turn");
    }
}
