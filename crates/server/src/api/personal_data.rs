//! Handlers for personal data: export and deletion.

use std::io;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum_extra::extract::SignedCookieJar;
use futures_util::{StreamExt, stream};
use stoa_wire::{Action, ApiError, GameFilter, Player};

use super::Error;
use super::acquaintances::acquaintances;
use super::auth::{AuthPlayer, CookiePlayer, FreshPlayer, signed_out};
use super::challenges::publish_closed;
use super::downloads::{Games, download};
use super::error::NoBody;
use super::players::{MAX_HISTORY, player_rating};
use crate::app::AppState;
use crate::mail::Purpose;
use crate::monitoring::warn_folded;
use crate::ratings::Category;
use crate::rooms::RoomError;
use crate::store::{Cursor, HistoryRow};

/// How many games are read at a time to be resigned, and how often.
const RESIGN_BATCH: i64 = 100;
const MAX_RESIGN_BATCHES: usize = 100;

/// Export all your games as records, oldest first, with an empty line between them: a file that `stoa`
/// reads.
#[utoipa::path(get, path = "/api/me/export", operation_id = "export_me", tag = "players",
    responses((status = 200, body = String, content_type = "text/plain"),
        (status = 401, body = ApiError), (status = 429, body = ApiError), (status = 503, body = ApiError)))]
pub(crate) async fn export(
    State(app): State<AppState>,
    AuthPlayer(me): AuthPlayer,
) -> Result<impl IntoResponse, Error> {
    app.limits.export(&me.id)?;
    let games = app.store.all_games_of(&me.id).await?;
    download(app, Games::Known(games.into_iter()), "stoa-games.txt").await
}

/// Everything else that the server keeps about you, as JSON: who you are, what others may see, your tokens
/// without their secrets, your passkeys and signed-in devices, where notifications and mail are sent, the games
/// whose review you wait for, the people you follow, have muted and blocked, your messages and reports, your
/// notes on games, vacations and conditional moves, puzzles that you have solved, your ratings and their
/// history, the latest game first. This needs the cookie.
#[utoipa::path(get, path = "/api/me/data", operation_id = "export_data", tag = "players",
    responses((status = 200, body = serde_json::Value), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 429, body = ApiError), (status = 503, body = ApiError)))]
pub(crate) async fn data(
    State(app): State<AppState>,
    CookiePlayer(me): CookiePlayer,
) -> Result<impl IntoResponse, Error> {
    app.limits.export(&me.id)?;
    let downloads = app.clone();
    let _turn = downloads.downloads.exports.first_turn().await?;
    let now = app.time.now();
    let ratings = app.store.ratings_of(&me.id).await?;
    let categories: Vec<Category> = ratings.iter().map(|(category, _)| *category).collect();
    let pushes = app.store.pushes(&me.id).await?;
    let endpoints: Vec<String> = pushes.into_iter().map(|push| push.endpoint).collect();
    let mail = app.store.mail_address(&me.id).await?.map(|row| {
        serde_json::json!({
            "address": row.address, "language": row.language, "turns": row.turns,
            "challenges": row.challenges, "confirmed": row.confirmed,
        })
    });
    let unconfirmed = app.store.mail_link_of(&me.id, Purpose::Confirm.word()).await?;
    let people = acquaintances(&app, &me.id).await?;
    let conditional = app.store.all_conditional_moves(&me.id).await?;
    let conditional: Vec<_> = conditional
        .into_iter()
        .map(|(game, lines)| serde_json::json!({ "game": game, "lines": lines }))
        .collect();
    let [muted, _] = app.store.unheard(&me.id).await?;
    let notes: Vec<_> = app
        .store
        .own_games(&me.id)
        .await?
        .into_iter()
        .map(|(game, own)| {
            serde_json::json!({ "game": game, "note": own.note, "notices": own.notices })
        })
        .collect();
    let known = serde_json::json!({
        "player": Player::from(me.clone()),
        "login": me.login,
        "created": me.created,
        "show_presence": app.store.shows_presence(&me.id).await?,
        "tokens": app.store.tokens(&me.id).await?,
        "passkeys": app.store.passkeys(&me.id).await?,
        "sessions": app.store.sessions(&me.id, None).await?,
        "push_endpoints": endpoints,
        "mail": mail,
        "unconfirmed_mail_address": unconfirmed.map(|link| link.address),
        "reviews_asked": app.store.reviews_asked(&me.id).await?,
        "following": people.following.into_iter().map(|one| one.player).collect::<Vec<_>>(),
        "blocked": people.blocked.into_iter().map(|one| one.player).collect::<Vec<_>>(),
        "muted": muted,
        "notes": notes,
        "puzzles_solved": app.store.solved_puzzles(&me.id).await?,
        "vacations": app.store.vacations(&me.id, i64::MIN).await?,
        "said": app.store.talk_of(&me.id).await?,
        "reports": app.store.reports_by(&me.id).await?,
        "conditional_moves": conditional,
        "ratings":
            ratings.into_iter().map(|rating| player_rating(rating, now)).collect::<Vec<_>>(),
    });
    let head = known.to_string();
    let head = format!("{},\"rating_history\":[", head.strip_suffix('}').unwrap_or(&head));
    // The history follows in pages, as fast as the client reads.
    let history = stream::unfold(
        (app, me.id, categories.into_iter(), None, ""),
        |(app, id, mut categories, place, gap)| async move {
            let (category, before) = match place {
                Some(place) => place,
                None => (categories.next()?, i64::MAX),
            };
            let rows = app.store.rating_history(&id, category, before, MAX_HISTORY);
            let rows = app.downloads.exports.take(rows).await;
            let page = rows.map_err(io::Error::other).map(|rows| {
                let lines: Vec<String> = rows.iter().map(history_line).collect();
                (rows.last().map(|row| (category, row.counted)), lines.join(","))
            });
            Some(match page {
                Ok((place, text)) if text.is_empty() => {
                    (Ok(text), (app, id, categories, place, gap))
                }
                Ok((place, text)) => {
                    (Ok(format!("{gap}{text}")), (app, id, categories, place, ","))
                }
                Err(error) => (Err(error), (app, id, Vec::new().into_iter(), None, gap)),
            })
        },
    );
    let whole =
        stream::iter([Ok(head)]).chain(history).chain(stream::iter([Ok("]}\n".to_owned())]));
    let kind = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"stoa-data.json\""),
    ];
    Ok((kind, Body::from_stream(whole)))
}

fn history_line(row: &HistoryRow) -> String {
    let HistoryRow { game, category, at, rating, deviation, .. } = row;
    serde_json::json!({
        "game": game, "category": category, "at": at, "rating": rating, "deviation": deviation,
    })
    .to_string()
}

/// Delete your identity: name, password, passkeys, tokens, open challenges, the people you follow and have
/// blocked, your messages, and your page. Games in progress are resigned. All games stay, because they are also
/// your opponents', with an empty name in place of yours, and so do the ratings that follow from them, which
/// nobody sees any more. An account must have signed in a short while ago; otherwise the code is `sign_in_again`.
#[utoipa::path(delete, path = "/api/me", operation_id = "delete_me", tag = "players",
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 503, body = ApiError)))]
pub(crate) async fn delete(
    State(app): State<AppState>,
    FreshPlayer(me): FreshPlayer,
    jar: SignedCookieJar,
    _: NoBody,
) -> Result<(StatusCode, SignedCookieJar), Error> {
    // If one of these fails, the player still exists and can retry.
    resign_all(&app, &me.id).await?;
    let challenges = app.store.delete_player(&me.id, app.time.now()).await?;
    // From now on there is nobody who could, so what fails is only logged.
    app.invalidate_player(&me.id).await;
    // A challenge may have been accepted just before.
    if let Err(error) = resign_all(&app, &me.id).await {
        warn_folded!(error = error.body.message, "a game of a deleted player goes on");
    }
    for challenge in challenges {
        publish_closed(&app, &challenge).await;
    }
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
