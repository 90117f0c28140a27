//! The handlers of the API, one module for each resource.
//!
//! | file | what |
//! |---|---|
//! | `description.rs`, `description.md` | what the OpenAPI document says about the whole API |
//! | `error.rs` | errors as responses |
//! | `lists.rs` | pages of lists |
//! | `auth.rs` | extractors for the player who sends a request |
//! | `me.rs` | the current player and their games |
//! | `account.rs` | sign-in and passwords |
//! | `tokens.rs` | API tokens |
//! | `passkeys.rs`, `sessions.rs` | passkeys; devices that are signed in |
//! | `personal_data.rs` | export and deletion |
//! | `push.rs` | Web Push subscriptions |
//! | `players.rs` | players as others see them |
//! | `acquaintances.rs` | following, blocking, what others may see |
//! | `leaderboards.rs` | leaderboards |
//! | `challenges.rs` | challenges and the lobby |
//! | `bots.rs` | bots |
//! | `archive.rs` | finished games: search, records, the opening explorer |
//! | `downloads.rs` | downloads of many records, few at a time |
//! | `games.rs` | games and actions |
//! | `conditional.rs` | conditional moves |
//! | `correspondence.rs` | notes, the choice of notices, vacations |
//! | `talk.rs` | what people say in games, mutes, reports |
//! | `reviews.rs`, `worker.rs` | computer reviews, and the workers that make them |
//! | `stream.rs` | event streams |
//! | `socket.rs`, `web_socket.rs` | the WebSocket; how one is opened, and its frames counted |

mod account;
mod acquaintances;
mod archive;
mod auth;
mod bots;
mod challenges;
mod conditional;
mod correspondence;
mod description;
mod downloads;
mod error;
mod games;
mod leaderboards;
mod lists;
mod mail;
mod me;
mod passkeys;
mod personal_data;
mod players;
mod push;
mod puzzles;
mod reviews;
mod sessions;
mod socket;
mod stream;
mod talk;
mod tokens;
mod web_socket;
mod worker;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::any;
use stoa_rules::Game;
use stoa_wire::ErrorCode;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::reviews::MAX_WORKER_BODY;

pub(crate) use challenges::{LOBBY_SIZE, publish_closed};
pub(crate) use downloads::Downloads;
pub(crate) use error::Error;
pub(crate) use mail::UNSUBSCRIBE_PATH;
pub(crate) use passkeys::MAX_PASSKEYS;
pub(crate) use players::find_player;
pub(crate) use socket::{MAX_WATCHED_GAMES, MESSAGE_RATE};
pub(crate) use talk::MAX_TALK;
pub(crate) use tokens::MAX_TOKENS;

/// A game by its id, with its options.
pub(crate) fn parse_game(text: &str) -> Result<Game, Error> {
    text.parse().map_err(|error| Error::new(ErrorCode::BadGame, format!("{error}")))
}

/// The largest body of a request, in bytes.
pub(crate) const MAX_BODY: usize = 16 * 1024;

/// Parses a text as every kind of request body.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn parse_as_every_body(text: &str) {
    fn read<T: serde::de::DeserializeOwned>(text: &str) {
        if let Err(error) = serde_json::from_str::<T>(text) {
            assert!(!error.to_string().is_empty());
        }
    }
    read::<stoa_wire::SignIn>(text);
    read::<stoa_wire::PasswordChange>(text);
    read::<stoa_wire::NewChallenge>(text);
    read::<stoa_wire::PushEndpoint>(text);
    read::<stoa_wire::PushSubscription>(text);
    read::<stoa_wire::TokenLabel>(text);
    read::<stoa_wire::Privacy>(text);
    read::<stoa_wire::NewConditionalMoves>(text);
    read::<stoa_wire::NewTalk>(text);
    read::<stoa_wire::OwnGame>(text);
    read::<stoa_wire::NewVacation>(text);
    read::<stoa_wire::NewReport>(text);
    read::<stoa_wire::ReviewResult>(text);
    read::<stoa_wire::ReviewProgress>(text);
    read::<stoa_wire::ReviewFailure>(text);
    read::<stoa_wire::NewPasskey>(text);
    read::<stoa_wire::PasskeyLabel>(text);
    read::<stoa_wire::PasskeySignIn>(text);
    read::<stoa_wire::NewMailAddress>(text);
    read::<stoa_wire::MailNotices>(text);
    read::<stoa_wire::MailToken>(text);
    read::<stoa_wire::ForgottenPassword>(text);
    read::<stoa_wire::PasswordReset>(text);
    read::<stoa_wire::NewSolvedPuzzles>(text);
    if let Ok(stoa_wire::PlayerName { name }) = serde_json::from_str(text)
        && let Ok(name) = crate::names::proper_name(&name)
    {
        assert_eq!(
            crate::names::proper_name(&name).ok(),
            Some(name),
            "a proper name stays as it is"
        );
    }
}

/// All routes of the API, and the OpenAPI document.
pub(crate) fn routes() -> (Router<AppState>, utoipa::openapi::OpenApi) {
    let (router, mut document) = OpenApiRouter::with_openapi(description::Document::openapi())
        .routes(routes!(me::show, me::rename, personal_data::delete))
        .routes(routes!(personal_data::export))
        .routes(routes!(personal_data::data))
        .routes(routes!(account::register))
        .routes(routes!(account::sign_in))
        .routes(routes!(account::sign_out))
        .routes(routes!(account::change_password))
        .routes(routes!(tokens::list, tokens::create))
        .routes(routes!(tokens::delete))
        .routes(routes!(passkeys::list, passkeys::add))
        .routes(routes!(passkeys::order))
        .routes(routes!(passkeys::rename, passkeys::remove))
        .routes(routes!(passkeys::begin_sign_in))
        .routes(routes!(passkeys::sign_in))
        .routes(routes!(sessions::list, sessions::end_others))
        .routes(routes!(sessions::end))
        .routes(routes!(mail::show, mail::set_address, mail::delete_address))
        .routes(routes!(mail::set_notices))
        .routes(routes!(mail::confirm))
        .routes(routes!(mail::forgotten))
        .routes(routes!(mail::reset))
        .routes(routes!(mail::unsubscribe, mail::unsubscribe_page))
        .routes(routes!(push::key, push::subscribe, push::unsubscribe))
        .routes(routes!(puzzles::list, puzzles::report, puzzles::forget))
        .routes(routes!(me::games))
        .routes(routes!(me::challenges))
        .routes(routes!(acquaintances::list))
        .routes(routes!(acquaintances::privacy, acquaintances::set_privacy))
        .routes(routes!(players::show))
        .routes(routes!(players::games))
        .routes(routes!(players::results))
        .routes(routes!(players::history))
        .routes(routes!(acquaintances::follow, acquaintances::unfollow))
        .routes(routes!(acquaintances::block, acquaintances::unblock))
        .routes(routes!(leaderboards::list))
        .routes(routes!(leaderboards::show))
        .routes(routes!(challenges::lobby, challenges::create))
        .routes(routes!(challenges::show, challenges::cancel))
        .routes(routes!(challenges::accept))
        .routes(routes!(challenges::decline))
        .routes(routes!(bots::list))
        .routes(routes!(bots::become_bot))
        .routes(routes!(games::list))
        .routes(routes!(games::live))
        .routes(routes!(archive::search))
        .routes(routes!(archive::records))
        .routes(routes!(archive::explore))
        .routes(routes!(games::show))
        .routes(routes!(games::record))
        .routes(routes!(games::act))
        .routes(routes!(conditional::show, conditional::set, conditional::delete))
        .routes(routes!(correspondence::own, correspondence::set_own))
        .routes(routes!(correspondence::vacation, correspondence::begin, correspondence::end))
        .routes(routes!(talk::show, talk::say))
        .routes(routes!(talk::mute, talk::unmute))
        .routes(routes!(talk::report))
        .routes(routes!(reviews::show, reviews::ask))
        .routes(routes!(worker::lease))
        .routes(routes!(worker::renew, worker::give_back))
        .routes(routes!(worker::finish))
        .routes(routes!(worker::failure))
        .routes(routes!(stream::game))
        .routes(routes!(stream::mine))
        .routes(routes!(socket::open))
        .split_for_parts();
    description::complete(&mut document);
    let router = router.route("/api/{*rest}", any(async || Error::not_found("resource")));
    // The middleware has read the body by then, and knows who may send more than others.
    (router.layer(DefaultBodyLimit::max(MAX_WORKER_BODY)), document)
}
