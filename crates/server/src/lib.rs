//! The server of Stoa: the web app over HTTP, from within the program.
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! use stoa_server::{Site, serve};
//!
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8473").await?;
//! let forever = std::future::pending();
//! serve(listener, Site::embedded(), forever).await
//! # }
//! ```
//!
//! | file | what |
//! |---|---|
//! | `router.rs` | every address there is |
//! | `site.rs` | the files of the web app, as they are kept |
//! | `page.rs` | a file as an answer: encodings, caches, what is not there |
//! | `protection.rs` | what browsers are told to allow the page |

mod page;
mod protection;
mod router;
mod site;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::Notify;

pub use router::router;
pub use site::Site;

/// How long answers may take to get through after the server was asked to stop.
const GRACE: Duration = Duration::from_secs(5);

/// Serves a site until `stop` is done; answers under way are finished, for some seconds at most.
///
/// # Errors
/// If the listener fails for good.
pub async fn serve(
    listener: TcpListener,
    site: Site,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let stopping = Arc::new(Notify::new());
    let stopped = {
        let stopping = Arc::clone(&stopping);
        async move {
            stop.await;
            stopping.notify_one();
        }
    };
    let serving = axum::serve(listener, router(site)).with_graceful_shutdown(stopped);
    let out_of_patience = async {
        stopping.notified().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        done = serving => done,
        () = out_of_patience => Ok(()),
    }
}
