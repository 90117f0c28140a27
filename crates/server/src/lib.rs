//! The server of Stoa: the web app, games between people, and an API for programs.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use stoa_server::{Server, Settings, Site};
//!
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8473").await?;
//! let settings = Settings::new("stoa.db", b"at least thirty-two bytes of secret".to_vec());
//! let server = Server::start(settings, Site::embedded()).await?;
//! let forever = std::future::pending();
//! server.serve(listener, forever).await?;
//! # Ok(())
//! # }
//! ```
//!
//! From a request to the disk and back: `api` takes it, `rooms` decides what comes of it by the pure
//! rules of `play`, `store` commits it, and `bus` and `hub` tell everyone who wants to know.
//!
//! | module | what |
//! |---|---|
//! | `serving` | connections |
//! | `router`, `api` | every address there is |
//! | `guard` | what every request passes first: origin, limits, patience |
//! | `identities`, `passwords` | who is who |
//! | `wire` | what goes over the wire |
//! | `play` | a game between two players: events, clocks, decisions |
//! | `rooms` | games in memory; decides and commits |
//! | `store` | the database |
//! | `beat` | when the service was down |
//! | `bots` | which programs can be challenged |
//! | `bus`, `hub`, `audience` | who is told what, here and on other nodes |
//! | `documentation` | the API described, for programs and for people |
//! | `operations` | whether the server is ready, figures |
//! | `app` | all of it together, and what it does on its own |
//! | `push` | messages to browsers that are closed |
//! | `site`, `page`, `protection` | the web app and what browsers may do with it |

mod api;
mod app;
mod audience;
mod beat;
mod bots;
mod bus;
mod documentation;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod guard;
mod hub;
mod identities;
mod ids;
mod operations;
mod page;
mod passwords;
mod play;
mod protection;
mod push;
mod rooms;
mod router;
mod serving;
mod settings;
mod site;
mod store;
mod time;
mod wire;

use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinSet;

pub use app::StartError;
pub use settings::{PushTo, Settings};
pub use site::Site;
pub use store::StoreError;
pub use time::Time;

/// How long answers may take to get through after the server was asked to stop.
const GRACE: Duration = Duration::from_secs(5);
/// How long sockets may take after that to hear that it stops.
const FAREWELL: Duration = Duration::from_secs(1);

/// A server that is ready to serve.
#[derive(Debug)]
pub struct Server {
    app: app::Handle,
    chores: JoinSet<()>,
}

impl Server {
    /// Opens the database, connects to the other nodes if there are any, and begins to look after the
    /// clocks.
    ///
    /// # Errors
    /// If the database or the other nodes cannot be reached, or the settings cannot be used.
    pub async fn start(settings: Settings, site: Site) -> Result<Server, StartError> {
        let (app, chores) = app::App::start(settings, site).await?;
        Ok(Server { app, chores })
    }

    /// The players by whom the engine's levels, from 1 to this one, can be challenged: made if they are
    /// not there yet. Returns a token for each, by which a program can be that player. All nodes with
    /// the same secret have the same tokens.
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

    /// Serves until `stop` is done. Clients are told to connect again elsewhere or later; answers under
    /// way are finished, for some seconds at most.
    ///
    /// # Errors
    /// If the listener fails for good.
    pub async fn serve(
        mut self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let app = self.app.clone();
        let stopped = async move {
            stop.await;
            app.stopping.send_replace(true);
        };
        let settings = &self.app.settings;
        let serving = serving::Serving {
            patience: settings.patience,
            limited: settings.rate.is_some() && !settings.behind_proxy,
            grace: GRACE,
        };
        serving.run(listener, router::router(self.app.clone()), stopped).await;
        // Sockets have left HTTP behind; they are told, too.
        let _ = tokio::time::timeout(FAREWELL, self.app.present.all_gone()).await;
        self.chores.shutdown().await;
        self.app.bus.close().await;
        self.app.store.close().await;
        Ok(())
    }
}

/// Something to sign cookies with that nobody can guess.
pub fn new_secret() -> String {
    ids::secret()
}

/// Writes a copy of an SQLite database to a new file while servers may be using it.
///
/// # Errors
/// If the database cannot be read, is not SQLite, or the file is there already.
pub async fn back_up(database: &str, to: &Path) -> Result<(), StoreError> {
    let store = store::Store::open(database).await?;
    let done = store.back_up(to).await;
    store.close().await;
    done
}
