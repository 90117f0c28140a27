//! Handlers for personal data: export and deletion.

use std::io;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum_extra::extract::SignedCookieJar;
use futures_util::stream;
use stoa_wire::{Action, ApiError, GameFilter};

use super::Error;
use super::auth::{AuthPlayer, CookiePlayer, signed_out};
use super::challenges::publish_closed;
use super::error::NoBody;
use crate::app::AppState;
use crate::rooms::RoomError;
use crate::store::Cursor;

/// How many games are read at a time to be resigned, and how often.
const RESIGN_BATCH: i64 = 100;
const MAX_RESIGN_BATCHES: usize = 100;

/// Export all your games as records, oldest first, with an empty line between them: a file that `stoa`
/// reads.
#[utoipa::path(get, path = "/api/me/export", operation_id = "export_me", tag = "players",
    responses((status = 200, body = String, content_type = "text/plain"),
        (status = 401, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn export(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
) -> Result<impl IntoResponse, Error> {
    app.limits.export(&me.id)?;
    let games = app.store.all_games_of(&me.id).await?;
    // Streamed, as fast as the client reads: a long history needs no more memory than a short one.
    let records =
        stream::unfold((app, games.into_iter(), ""), |(app, mut games, gap)| async move {
            let game = games.next()?;
            let record = app.rooms.record_uncached(&game).await;
            let record = record.map(|record| format!("{gap}{record}")).map_err(io::Error::other);
            Some((record, (app, games, "\n")))
        });
    let kind = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"stoa-games.txt\""),
    ];
    Ok((kind, Body::from_stream(records)))
}

/// Delete yourself: name, password, tokens and open challenges. Games in progress are resigned. All games
/// stay, because they are also your opponents', with an empty name in place of yours.
#[utoipa::path(delete, path = "/api/me", operation_id = "delete_me", tag = "players",
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 503, body = ApiError)))]
pub(crate) async fn delete(
    State(app): State<AppState>,
    CookiePlayer(me): CookiePlayer,
    jar: SignedCookieJar,
    _: NoBody,
) -> Result<(StatusCode, SignedCookieJar), Error> {
    // If something fails in between, the player still exists and can retry.
    resign_all(&app, &me.id).await?;
    let challenges = app.store.delete_player(&me.id, app.time.now()).await?;
    app.invalidate_player(&me.id).await;
    for challenge in challenges {
        publish_closed(&app, &challenge).await?;
    }
    // Somebody may have accepted a challenge just before.
    resign_all(&app, &me.id).await?;
    Ok((StatusCode::NO_CONTENT, signed_out(jar, &app)))
}

async fn resign_all(app: &AppState, player: &str) -> Result<(), Error> {
    for _ in 0..MAX_RESIGN_BATCHES {
        let games =
            app.store.games_of(player, GameFilter::Playing, &Cursor::START, RESIGN_BATCH).await?;
        if games.is_empty() {
            break;
        }
        for game in games {
            match app.rooms.act(&game.id, player, &Action::Resign).await {
                // Refused if it has ended in the meantime.
                Ok(_) | Err(RoomError::Refused(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(())
}
