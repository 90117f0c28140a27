//! The server of Stoa: the web app, games between people, and an API for programs.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use stoa_server::{Assets, Server, Settings};
//!
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8473").await?;
//! let settings = Settings::new("stoa.db", b"at least thirty-two bytes of secret".to_vec());
//! let server = Server::start(settings, Assets::embedded()).await?;
//! let forever = std::future::pending();
//! server.serve(listener, forever).await?;
//! # Ok(())
//! # }
//! ```
//!
//! From a request to the disk and back: a handler in `api` takes it, `rooms` decides by the pure functions
//! of `play` what happens, `store` commits it, and `bus` and `hub` publish it to subscribers.
//!
//! | module | what |
//! |---|---|
//! | `http_server` | accepts connections, with limits and timeouts |
//! | `router`, `api` | all routes and their handlers |
//! | `guard` | middleware for every API request: origin, rate limits, timeouts |
//! | `authentication`, `passwords`, `passkeys` | cookies, tokens, passwords and passkeys |
//! | `devices` | what a browser says it is |
//! | `names` | which names may be chosen, and which look alike |
//! | `presence` | live challenges, which end when their creators leave |
//! | `play` | a game between two players: events, clocks, decisions |
//! | `rooms` | games in memory: decides and commits |
//! | `store` | the database |
//! | `heartbeat` | when the service was down |
//! | `bots` | which bots are online |
//! | `reviews` | computer reviews: what is asked of workers, and whether it can be true |
//! | `bus`, `hub`, `audience` | publish and subscribe, on this node and between nodes |
//! | `documentation` | the API's description as OpenAPI and as a page |
//! | `banner` | a line that administrators show in all pages |
//! | `limits` | all limits in one list, for people |
//! | `check` | what is wrong with a set-up |
//! | `monitoring` | health checks and metrics |
//! | `app` | the shared state and the background tasks |
//! | `tasks` | watches background tasks: none may end |
//! | `push` | Web Push notifications |
//! | `puzzles` | which puzzles there are, and which moves solve them |
//! | `mail` | mail: notices, confirmed addresses, forgotten passwords |
//! | `page` | the page at its real addresses, with titles and pictures for links |
//! | `assets`, `static_files`, `security_headers` | the web app's files and headers |

mod api;
mod app;
mod assets;
mod audience;
mod authentication;
mod banner;
mod boards;
mod bots;
mod bus;
mod check;
mod devices;
mod documentation;
mod explorer;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod guard;
mod heartbeat;
mod http_server;
mod hub;
mod ids;
mod limits;
mod mail;
mod monitoring;
mod names;
mod page;
mod pairing;
mod passkeys;
mod passwords;
mod play;
mod presence;
mod push;
mod puzzles;
mod ratings;
mod reviews;
mod rooms;
mod router;
mod security_headers;
mod settings;
mod static_files;
mod store;
mod tasks;
mod texts;
mod time;
mod vacation;

use std::time::Duration;

use tokio::net::TcpListener;

pub use app::StartError;
pub use assets::Assets;
pub use check::{Finding, Verdict, check};
pub use limits::{Limit, limits};
pub use mail::{MailSettings, MailSettingsError};
pub use settings::{PushPolicy, Settings, TalkPolicy};
pub use store::{
    Account, Administration, AdministrationError, BackupReport, MAX_BANNER_LENGTH, RebuildReport,
    Report, StoreError, Worker, back_up, check_backup, rebuild_ratings, restore,
};
pub use tasks::TaskFailure;
pub use time::Time;

/// How long responses may take after the server was asked to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// How long sockets may take to close after that.
const SOCKET_SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// A server that is ready to serve.
#[derive(Debug)]
pub struct Server {
    app: app::AppState,
    tasks: tasks::Tasks,
    /// Dropped last: until then the database is this server's.
    _ownership: store::Ownership,
}

impl Server {
    /// Opens the database, connects to NATS if there are several nodes, and starts the background tasks.
    ///
    /// # Errors
    /// If the database or NATS cannot be reached, or the settings cannot be used.
    pub async fn start(settings: Settings, assets: Assets) -> Result<Server, StartError> {
        let (app, tasks, ownership) = app::App::start(settings, assets).await?;
        Ok(Server { app, tasks, _ownership: ownership })
    }

    /// Creates a bot player for each of the engine's levels, from 1 to this one, unless it exists. Returns
    /// a token for each, with which a program can act as that player. All nodes with the same secret
    /// have the same tokens.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn engine_players(&self, levels: u8) -> Result<Vec<String>, StoreError> {
        let mut tokens = Vec::new();
        for level in 1..=levels {
            tokens.push(self.app.bots.engine_player(level, &self.app.settings.secret).await?);
        }
        Ok(tokens)
    }

    /// A token with which the program can review games for this server, as workers elsewhere do. All
    /// nodes with the same secret have the same.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn own_worker(&self) -> Result<String, StoreError> {
        let token = ids::derived(&self.app.settings.secret, "the server's own worker is", "");
        self.app.store.set_own_worker(&token, self.app.time.now()).await?;
        Ok(token)
    }

    /// Serves until `stop` completes. Then sockets get a restart message and requests in progress are
    /// finished, for some seconds at most.
    ///
    /// # Errors
    /// If it has stopped, in the same way, because a background task has failed. It is to be started again.
    pub async fn serve(
        mut self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), TaskFailure> {
        let mut failed = None;
        let stopped = async {
            tokio::select! {
                () = stop => {}
                failure = self.tasks.failure() => {
                    tracing::error!(%failure, "the server shuts down");
                    failed = Some(failure);
                }
            }
            self.app.stopping.send_replace(true);
        };
        let settings = &self.app.settings;
        let http_server = http_server::HttpServer {
            client_timeout: settings.client_timeout,
            limited: settings.rate.is_some() && !settings.behind_proxy,
            shutdown_timeout: SHUTDOWN_TIMEOUT,
        };
        http_server.run(listener, router::router(self.app.clone()), stopped).await;
        // Upgraded connections are no longer HTTP; they have to close, too.
        let _ =
            tokio::time::timeout(SOCKET_SHUTDOWN_TIMEOUT, self.app.connections.all_closed()).await;
        self.tasks.shut_down().await;
        self.app.bus.close().await;
        self.app.store.close().await;
        failed.map_or(Ok(()), Err)
    }
}

/// A random secret to sign cookies with.
pub fn new_secret() -> String {
    ids::secret()
}

#[cfg(test)]
mod tests {
    use axum::extract::State;
    use axum::http::StatusCode;
    use tokio::sync::oneshot;

    use super::*;

    /// Nobody would notice otherwise that it is not done any more.
    #[tokio::test]
    async fn a_background_task_that_fails_ends_the_server_with_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let start = async || {
            let settings = Settings::new(&file, vec![7; 32]);
            Server::start(settings, Assets::new([])).await.expect("a server")
        };
        let listener = async || TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let mut server = start().await;
        for name in ["writer", "checkpoints", "heartbeat", "clocks", "pairing"] {
            assert!(server.tasks.names().contains(&name), "{name}");
        }
        let (fail, failing) = oneshot::channel::<()>();
        server.tasks.spawn("fragile", async {
            let _ = failing.await;
            panic!("on purpose");
        });
        let app = server.app.clone();
        let serving = tokio::spawn(server.serve(listener().await, std::future::pending()));
        assert_eq!(monitoring::ready(State(app.clone())).await.0, StatusCode::OK);
        assert!(!serving.is_finished());
        fail.send(()).expect("a task");
        let failure = serving.await.expect("no panic").expect_err("a failure");
        assert_eq!((failure.task, failure.why.as_str()), ("fragile", "panic: on purpose"));
        assert_eq!(monitoring::ready(State(app)).await.0, StatusCode::SERVICE_UNAVAILABLE);
        // It can be started again at once, and end as it should.
        start().await.serve(listener().await, std::future::ready(())).await.expect("a good end");
    }
}
