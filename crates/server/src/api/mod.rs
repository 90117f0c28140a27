//! What programs and the page can ask of the server.
//!
//! | file | what |
//! |---|---|
//! | `description.rs`, `description.md` | what is said about all of them in the API's description |
//! | `error.rs` | how a request is refused |
//! | `identity.rs` | who asks |
//! | `me.rs` | the player who asks, and their games |
//! | `account.rs` | the same player on several devices |
//! | `tokens.rs` | tokens, by which programs act for a player |
//! | `farewell.rs` | taking everything along, and leaving |
//! | `push.rs` | where a closed browser can be reached |
//! | `challenges.rs` | asking somebody to play |
//! | `bots.rs` | programs that anyone can challenge |
//! | `games.rs` | games: seeing them, acting in them |
//! | `stream.rs` | events as they happen, over plain HTTP |
//! | `socket.rs` | the same over a WebSocket, both ways |

mod account;
mod bots;
mod challenges;
mod description;
mod error;
mod farewell;
mod games;
mod identity;
mod me;
mod push;
mod socket;
mod stream;
mod tokens;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::any;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::Handle;

pub(crate) use error::Error;

/// No request has a body longer than this.
pub(crate) const LONGEST_BODY: usize = 16 * 1024;

/// Reads a text as every body there is; what it is not, is refused.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn read_as_everything(text: &str) {
    fn read<T: serde::de::DeserializeOwned>(text: &str) {
        if let Err(error) = serde_json::from_str::<T>(text) {
            assert!(!error.to_string().is_empty());
        }
    }
    read::<account::SignIn>(text);
    read::<account::PasswordChange>(text);
    read::<challenges::Wish>(text);
    read::<push::Endpoint>(text);
    read::<push::Subscription>(text);
    read::<tokens::Label>(text);
    if let Ok(naming) = serde_json::from_str::<me::Naming>(text) {
        naming.check();
    }
}

/// Every address of the API, and their description.
pub(crate) fn routes() -> (Router<Handle>, utoipa::openapi::OpenApi) {
    let (router, mut description) = OpenApiRouter::with_openapi(description::Start::openapi())
        .routes(routes!(me::show, me::rename, farewell::delete))
        .routes(routes!(farewell::export))
        .routes(routes!(account::register))
        .routes(routes!(account::sign_in))
        .routes(routes!(account::sign_out))
        .routes(routes!(account::change_password))
        .routes(routes!(tokens::list, tokens::create))
        .routes(routes!(tokens::delete))
        .routes(routes!(push::key, push::subscribe, push::unsubscribe))
        .routes(routes!(me::games))
        .routes(routes!(me::challenges))
        .routes(routes!(challenges::lobby, challenges::create))
        .routes(routes!(challenges::show, challenges::cancel))
        .routes(routes!(challenges::accept))
        .routes(routes!(challenges::decline))
        .routes(routes!(bots::list))
        .routes(routes!(bots::become_one))
        .routes(routes!(games::list))
        .routes(routes!(games::show))
        .routes(routes!(games::record))
        .routes(routes!(games::act))
        .routes(routes!(stream::game))
        .routes(routes!(stream::mine))
        .routes(routes!(socket::open))
        .split_for_parts();
    description::complete(&mut description);
    let router = router.route("/api/{*rest}", any(async || Error::not_found("address")));
    (router.layer(DefaultBodyLimit::max(LONGEST_BODY)), description)
}
