//! The pictures of links: a board with the names of the game and of its players.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use stoa_draw::Marks;
use stoa_draw::PictureError;
use stoa_draw::card::{self, Card};
use stoa_rules::Game;
use stoa_wire::{ErrorCode, GameStatus};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

use super::address::Address;
use super::words;
use crate::api::Error;
use crate::app::AppState;
use crate::guard::Client;
use crate::monitoring::error_folded;
use crate::security_headers::Sharing;
use crate::store::GameRow;

/// How many bytes of pictures are kept.
const MAX_CACHED: usize = 32 * 1024 * 1024;
/// How many pictures are drawn at the same time, each on a processor of its own.
const MAX_DRAWING: usize = 2;
/// The priority of threads that draw; 19 is the lowest.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;
/// How long a picture may wait for its turn.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(3);

/// Pictures that never change may be kept for a week: by then names that were deleted are gone everywhere.
const FOR_LONG: &str = "public, max-age=604800";
/// Games that go on.
const BRIEFLY: &str = "public, max-age=15";

/// What is on a picture, which is also the key under which it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Content {
    board: Option<(Game, String)>,
    title: String,
    lines: Vec<String>,
    players: Option<[String; 2]>,
}

/// Pictures that were drawn.
#[derive(Debug)]
pub(crate) struct Pictures {
    cache: Mutex<Cache>,
    drawing: Arc<Semaphore>,
}

#[derive(Debug, Default)]
struct Cache {
    pictures: HashMap<Content, Bytes>,
    /// The oldest first.
    order: VecDeque<Content>,
    bytes: usize,
}

impl Cache {
    fn keep(&mut self, content: Content, picture: Bytes, max: usize) {
        if self.pictures.contains_key(&content) || picture.len() > max {
            return;
        }
        self.bytes += picture.len();
        self.order.push_back(content.clone());
        self.pictures.insert(content, picture);
        while self.bytes > max {
            let Some(oldest) = self.order.pop_front() else { break };
            self.bytes -= self.pictures.remove(&oldest).map_or(0, |picture| picture.len());
        }
    }
}

impl Default for Pictures {
    fn default() -> Pictures {
        Pictures { cache: Mutex::default(), drawing: Arc::new(Semaphore::new(MAX_DRAWING)) }
    }
}

impl Pictures {
    fn cached(&self, content: &Content) -> Option<Bytes> {
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.pictures.get(content).cloned()
    }

    /// A picture, from the cache or drawn.
    async fn get(&self, content: Content) -> Result<Bytes, Error> {
        if let Some(picture) = self.cached(&content) {
            return Ok(picture);
        }
        let waiting = Arc::clone(&self.drawing).acquire_owned();
        let Ok(Ok(permit)) = timeout(QUEUE_TIMEOUT, waiting).await else {
            return Err(Error::unavailable());
        };
        // An earlier request may have wanted the same.
        if let Some(picture) = self.cached(&content) {
            return Ok(picture);
        }
        let (send, drawn) = oneshot::channel();
        // A thread of its own: one that has a low priority keeps it.
        let started = thread::Builder::new().name("picture".to_owned()).spawn(move || {
            yield_to_others();
            let began = Instant::now();
            let picture = draw(&content);
            metrics::histogram!("stoa_picture_seconds").record(began.elapsed());
            drop(permit);
            let _ = send.send(picture.map(|picture| (content, Bytes::from(picture))));
        });
        let failed = || Error::new(ErrorCode::Internal, "the picture could not be drawn");
        if let Err(error) = started {
            error_folded!(%error, "there is no thread to draw a picture");
            return Err(Error::unavailable());
        }
        let (content, picture) = match drawn.await {
            Ok(Ok(drawn)) => drawn,
            Ok(Err(error)) => {
                tracing::error!(%error, "cannot draw a picture");
                return Err(failed());
            }
            Err(_) => {
                tracing::error!("drawing a picture panicked");
                return Err(failed());
            }
        };
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.keep(content, picture.clone(), MAX_CACHED);
        Ok(picture)
    }
}

/// Lets everything else on the machine go before this thread, above all the moves of games.
fn yield_to_others() {
    #[cfg(target_os = "linux")]
    {
        let thread = Some(rustix::thread::gettid());
        // A server that was started with an even lower priority keeps it.
        if rustix::process::getpriority_process(thread).is_ok_and(|now| now < NICENESS) {
            // Without the right to do so, everything works as before.
            let _ = rustix::process::setpriority_process(thread, NICENESS);
        }
    }
}

fn draw(content: &Content) -> Result<Vec<u8>, PictureError> {
    let board = content.board.as_ref();
    let position = board.and_then(|(game, text)| game.position(text).ok());
    let lines: Vec<&str> = content.lines.iter().map(String::as_str).collect();
    card::draw(&Card {
        position: position.as_ref(),
        title: &content.title,
        lines: &lines,
        players: content.players.as_ref().map(|players| players.each_ref().map(String::as_str)),
    })
}

/// Serves `/pictures/impasse.png`, `/pictures/game/ID.png`, `/pictures/position/impasse.png?p=…` and
/// `/pictures/board/impasse.svg?p=…`.
pub(crate) async fn picture(
    State(app): State<AppState>,
    Path(path): Path<String>,
    request: Request,
) -> Result<Response, Error> {
    app.limits.request(&Client::of(&request, app.settings.behind_proxy))?;
    let missing = || Error::not_found("picture");
    let query = request.uri().query().unwrap_or("");
    if let Some(game) = path.strip_prefix("board/").and_then(|name| name.strip_suffix(".svg")) {
        let (game, text) = position(game, query, &app).ok_or_else(missing)?;
        return board(game, &text).ok_or_else(missing);
    }
    let name = path.strip_suffix(".png").ok_or_else(missing)?;
    let (content, cache) = match name.split_once('/') {
        None if name == "stoa" => (first_page(), FOR_LONG),
        None => (start(name.parse().map_err(|_| missing())?), FOR_LONG),
        Some(("game", id)) => {
            let Address::Game(id) = Address::parse(&format!("game/{id}"), "", &app.pages.site)
            else {
                return Err(missing());
            };
            let row = app.store.game(&id).await?.ok_or_else(missing)?;
            let is_over = row.snapshot.status != GameStatus::Playing;
            (game(&row).ok_or_else(missing)?, if is_over { FOR_LONG } else { BRIEFLY })
        }
        Some(("position", game)) => {
            let (game, text) = position(game, query, &app).ok_or_else(missing)?;
            (Content { board: Some((game, text)), ..start(game) }, FOR_LONG)
        }
        Some(_) => return Err(missing()),
    };
    Ok(respond(app.pictures.get(content).await?, "image/png", cache))
}

/// The position that an address names.
fn position(game: &str, query: &str, app: &AppState) -> Option<(Game, String)> {
    match Address::parse(&format!("analyse/{game}"), query, &app.pages.site) {
        Address::Position { game, position: Some(text), .. } => Some((game, text)),
        _ => None,
    }
}

/// A board alone, for texts.
fn board(game: Game, text: &str) -> Option<Response> {
    let view = game.position(text).ok()?.view();
    let svg = stoa_draw::svg::draw(game, &view, &Marks::default());
    Some(respond(Bytes::from(svg), "image/svg+xml", FOR_LONG))
}

fn respond(body: Bytes, kind: &'static str, cache: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)];
    let mut response = (headers, body).into_response();
    response.extensions_mut().insert(Sharing::Everywhere);
    response
}

/// The game at its start.
fn start(game: Game) -> Content {
    let info = game.info();
    Content {
        board: Some((game, game.start().text())),
        title: info.name.to_owned(),
        lines: vec![format!("by {}, {}", info.designer, info.year), info.aim.to_owned()],
        players: None,
    }
}

/// The picture of the page as a whole.
fn first_page() -> Content {
    // One that begins with pieces on the board.
    let scene = Game::ALL[1];
    Content {
        lines: vec![
            "A home for abstract board games".to_owned(),
            Game::ALL.map(|game| game.info().name).join(", "),
        ],
        title: "Stoa".to_owned(),
        ..start(scene)
    }
}

/// A game between people.
fn game(row: &GameRow) -> Option<Content> {
    let rules = row.rules().ok()?;
    Some(Content {
        board: Some((rules, row.snapshot.position.clone())),
        title: rules.info().name.to_owned(),
        lines: vec![words::standing(row)],
        players: Some(row.players.each_ref().map(|player| player.name.clone())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn only_threads_that_draw_let_others_go_first() {
        let priority = || rustix::process::getpriority_process(Some(rustix::thread::gettid()));
        let before = priority();
        let drawing = thread::spawn(move || {
            yield_to_others();
            priority()
        });
        assert!(drawing.join().unwrap().unwrap() >= NICENESS);
        assert_eq!(priority(), before);
    }

    #[test]
    fn the_cache_is_bounded_by_bytes() {
        let mut cache = Cache::default();
        for game in Game::ALL {
            cache.keep(start(game), Bytes::from(vec![0; 40]), 100);
            assert!(cache.bytes <= 100 && cache.pictures.len() == cache.order.len());
        }
        assert_eq!(cache.pictures.len(), 2);
        assert!(cache.pictures.contains_key(&start(Game::ALL[Game::ALL.len() - 1])));
        cache.keep(first_page(), Bytes::from(vec![0; 101]), 100);
        assert_eq!(cache.pictures.len(), 2, "too large to be kept");
    }
}
