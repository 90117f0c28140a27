//! What a server says after an evening, from outside and from inside.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use stoa_client::{Client, ErrorCode, GameReview, GameView};
use stoa_files::records;
use stoa_rules::{Game, Record};
use stoa_wire::{
    ArchivePage, ArchivedGame, Explored, ExplorerScope, Leaderboard, PlayerRating, Profile,
    RatedGame, RatedGameList, RatingHistory,
};

use super::database::{Database, GameRow, RatingTables, ReviewRow};
use super::ledger::Ledger;
use crate::archive::escaped;
use crate::target::Target;
use crate::witnessed_game::retry;

/// How long the server may take to count the last games on a busy machine.
const COUNTING_TIMEOUT: Duration = Duration::from_secs(90);
const COUNTING_INTERVAL: Duration = Duration::from_millis(200);
/// How many games a page has: few, so that there are many pages.
const PAGE_SIZE: usize = 17;

/// Everything that was found.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// Games that were found by their ids.
    pub(super) games: BTreeMap<String, FoundGame>,
    /// All games in the database.
    pub(super) rows: BTreeMap<String, GameRow>,
    /// All pages of the archive.
    pub(super) archive: Vec<ArchivedGame>,
    /// For each player, all pages of their games, and the same games as records.
    pub(super) archives: BTreeMap<String, (Vec<ArchivedGame>, Vec<Record>)>,
    /// The ratings on the pages of all players who have one, each with the games in its history.
    pub(super) ratings: BTreeMap<String, Vec<(PlayerRating, Vec<String>)>>,
    pub(super) leaderboards: Vec<Standing>,
    /// How many games the explorer knows from the start of each game.
    pub(super) explored: BTreeMap<String, i64>,
    pub(super) reviews: BTreeMap<String, GameReview>,
    /// All reviews in the database.
    pub(super) review_rows: BTreeMap<String, ReviewRow>,
    /// How often workers were told that a review is kept.
    pub(super) reviews_kept: usize,
    /// The ratings in the database, before and after they were computed again, and what the command said.
    pub(super) rating_tables: [RatingTables; 2],
    pub(super) rebuilt: String,
    /// What `check-backup` said of a backup, with SQLite.
    pub(super) backup: Option<Result<String, String>>,
}

/// A game and its record.
#[derive(Debug, Clone)]
pub(super) struct FoundGame {
    pub(super) view: GameView,
    pub(super) record: String,
}

/// A line of a leaderboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Standing {
    /// Such as `palisade:9 live`.
    pub(super) category: String,
    pub(super) player: String,
    pub(super) games: i64,
}

impl Found {
    /// Asks for everything, and computes the ratings again.
    pub(super) fn collect(
        target: &Target,
        program: &Path,
        database: &Database,
        ledger: &Ledger,
    ) -> Result<Found> {
        wait_until_counted(database)?;
        let client = Client::anonymous(&target.urls()[0]);
        let mut found = Found {
            rows: database.games()?,
            review_rows: database.reviews()?,
            archive: archived(&client, "")?,
            ..Found::default()
        };
        // Those that someone knows, and those that are there.
        for id in ledger.games.keys().chain(found.rows.keys()) {
            if !found.games.contains_key(id)
                && let Some(view) = if_there(retry(|| client.game(id)))?
            {
                let record = retry(|| client.record(id)).context("a record")?;
                found.games.insert(id.clone(), FoundGame { view, record });
            }
        }
        for player in &ledger.players {
            let id = &player.id;
            let games = archived(&client, &format!("&player={id}"))?;
            found.archives.insert(id.clone(), (games, download(&client, target, id)?));
            if !player.is_guest {
                let profile: Profile = get(&client, &format!("/api/players/{id}"))?;
                let ratings = profile.ratings.into_iter().map(|rating| {
                    let games = history(&client, id, &rating)?;
                    Ok((rating, games))
                });
                found.ratings.insert(id.clone(), ratings.collect::<Result<_>>()?);
            }
        }
        found.leaderboards = leaderboards(&client)?;
        for game in Game::variants() {
            found.explored.insert(game.to_string(), explored(&client, game)?);
        }
        for game in ledger.reviews.keys().chain(found.review_rows.keys()) {
            if let Some(review) = if_there(retry(|| client.review(game)))? {
                found.reviews.insert(game.clone(), review);
            }
        }
        let before = database.ratings()?;
        let said = target.said(&["admin", "ratings", "rebuild"])?;
        found.rebuilt = said.context("there is no server")?;
        found.rating_tables = [before, database.ratings()?];
        found.backup = backup(target, program)?;
        Ok(found)
    }
}

/// Waits until the server has counted all games. If it never does, the recount will tell.
fn wait_until_counted(database: &Database) -> Result<()> {
    let began = Instant::now();
    while database.uncounted()? > 0 && began.elapsed() < COUNTING_TIMEOUT {
        sleep(COUNTING_INTERVAL);
    }
    Ok(())
}

fn get<T: DeserializeOwned>(client: &Client, path: &str) -> Result<T> {
    retry(|| client.get(path)).with_context(|| format!("GET {path}"))
}

/// Nothing if it is not there.
fn if_there<T>(answer: Result<T, stoa_client::Error>) -> Result<Option<T>> {
    match answer {
        Err(error) if error.code() == Some(ErrorCode::NotFound) => Ok(None),
        answer => Ok(Some(answer?)),
    }
}

/// Everything that a route lists, page after page. The path has a query already.
fn pages<P: DeserializeOwned, T>(
    client: &Client,
    path: &str,
    read: impl Fn(P) -> (Vec<T>, Option<String>),
) -> Result<Vec<T>> {
    let mut all = Vec::new();
    let mut cursor = String::new();
    loop {
        let (page, next) = read(get(client, &format!("{path}{cursor}"))?);
        all.extend(page);
        match next {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok(all),
        }
    }
}

/// All games of a search of the archive.
fn archived(client: &Client, search: &str) -> Result<Vec<ArchivedGame>> {
    let path = format!("/api/archive?limit={PAGE_SIZE}{search}");
    pages(client, &path, |page: ArchivePage| (page.games, page.next))
}

/// The games of a player as a file, read as `stoa` reads files.
fn download(client: &Client, target: &Target, player: &str) -> Result<Vec<Record>> {
    let text = retry(|| client.text(&format!("/api/archive/records?player={player}")))?;
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let file = target.folder().context("there is no folder")?.join(format!("{player}.txt"));
    fs::write(&file, text).context("cannot write a download")?;
    records::read_all(&file, None).context("a download cannot be read")
}

fn leaderboards(client: &Client) -> Result<Vec<Standing>> {
    let all: RatedGameList = get(client, "/api/leaderboards")?;
    let mut standings = Vec::new();
    for RatedGame { game, pace } in all.games {
        for who in ["people", "bots"] {
            let path = format!("/api/leaderboard?game={}&pace={pace}&who={who}", escaped(&game));
            let entries = pages(client, &path, |page: Leaderboard| (page.entries, page.next))?;
            standings.extend(entries.into_iter().map(|entry| Standing {
                category: format!("{game} {pace}"),
                player: entry.player.id,
                games: entry.games,
            }));
        }
    }
    Ok(standings)
}

/// The games in the history of a rating.
fn history(client: &Client, player: &str, rating: &PlayerRating) -> Result<Vec<String>> {
    let (game, pace) = (escaped(&rating.game), rating.pace);
    let path = format!("/api/players/{player}/history?game={game}&pace={pace}");
    let points = pages(client, &path, |page: RatingHistory| (page.points, page.next))?;
    Ok(points.into_iter().map(|point| point.game).collect())
}

/// How many games the explorer knows from the start, of people and of bots.
fn explored(client: &Client, game: Game) -> Result<i64> {
    let mut sum = 0;
    for by in [ExplorerScope::People, ExplorerScope::Bots] {
        let path = format!("/api/explorer?game={}&by={by}", escaped(&game.to_string()));
        let explored: Explored = get(client, &path)?;
        sum += explored.moves.iter().map(|one| one.won + one.drawn + one.lost).sum::<i64>();
    }
    Ok(sum)
}

/// Makes a backup and checks it: every game is replayed from its first event. Nothing with Postgres.
fn backup(target: &Target, program: &Path) -> Result<Option<Result<String, String>>> {
    let folder = target.folder().context("there is no folder")?;
    if target.database_size().is_none() {
        return Ok(None);
    }
    let file = folder.join("backup.db");
    let name = file.to_str().context("an odd folder")?;
    target.said(&["serve", "backup", name])?;
    let output = Command::new(program).args(["serve", "check-backup", name]).output();
    let output = output.context("cannot start stoa")?;
    let said = |text: &[u8]| String::from_utf8_lossy(text).trim().to_owned();
    Ok(Some(match output.status.success() {
        true => Ok(said(&output.stdout)),
        false => Err(said(&output.stderr)),
    }))
}
