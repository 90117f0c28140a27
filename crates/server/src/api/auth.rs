//! Extractors for the player who sends a request: by a signed cookie or by a token.

use std::time::Duration;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum_extra::extract::SignedCookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use stoa_wire::ErrorCode;

use super::Error;
use crate::app::AppState;
use crate::authentication::Credential;
use crate::devices::device;
use crate::ids;
use crate::store::{NewSession, PlayerRow};
use crate::time::millis;

/// The name of the cookie.
const COOKIE: &str = "stoa";
/// How long a cookie is valid after it was last renewed; browsers keep none longer.
const COOKIE_MAX_AGE: time::Duration = time::Duration::days(400);
/// An older cookie is renewed.
const COOKIE_RENEWAL_AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// For how long after signing in a device can do what needs a fresh session.
const FRESH_SESSION_AGE: Duration = Duration::from_secs(15 * 60);

/// The player who sends the request. An anonymous request is refused; `Option<AuthPlayer>` accepts it.
#[derive(Debug, Clone)]
pub(crate) struct AuthPlayer(pub(crate) PlayerRow);

/// The player who sends the request, by cookie. Tokens are refused, so that a program cannot take over
/// its owner's account.
#[derive(Debug, Clone)]
pub(crate) struct CookiePlayer(pub(crate) PlayerRow);

/// The player who sends the request, by cookie, from a device that has signed in a short while ago. So
/// somebody who finds a browser signed in cannot do lasting damage. Guests have nothing to sign in with.
#[derive(Debug, Clone)]
pub(crate) struct FreshPlayer(pub(crate) PlayerRow);

/// The player who sends the request, by cookie, or by token if the player has no password: the holder of such a
/// player's token is its owner.
#[derive(Debug, Clone)]
pub(crate) struct OwnPlayer(pub(crate) PlayerRow);

impl FromRequestParts<AppState> for AuthPlayer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<AuthPlayer, Error> {
        find(&parts.headers, app).await?.ok_or_else(Error::no_player)
    }
}

impl OptionalFromRequestParts<AppState> for AuthPlayer {
    type Rejection = Error;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &AppState,
    ) -> Result<Option<AuthPlayer>, Error> {
        find(&parts.headers, app).await
    }
}

impl FromRequestParts<AppState> for CookiePlayer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<CookiePlayer, Error> {
        by_cookie(parts, app).await?.ok_or_else(Error::no_player)
    }
}

impl OptionalFromRequestParts<AppState> for CookiePlayer {
    type Rejection = Error;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &AppState,
    ) -> Result<Option<CookiePlayer>, Error> {
        by_cookie(parts, app).await
    }
}

impl FromRequestParts<AppState> for FreshPlayer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<FreshPlayer, Error> {
        let CookiePlayer(player) = by_cookie(parts, app).await?.ok_or_else(Error::no_player)?;
        check_fresh(&parts.headers, app, &player).await?;
        Ok(FreshPlayer(player))
    }
}

/// Refuses a request about an account unless it comes by cookie from a device that has signed in a short while ago.
pub(crate) async fn check_fresh(
    headers: &HeaderMap,
    app: &AppState,
    player: &PlayerRow,
) -> Result<(), Error> {
    if player.login.is_none() {
        return Ok(());
    }
    if headers.contains_key(header::AUTHORIZATION) {
        return Err(not_for_tokens());
    }
    let jar = SignedCookieJar::from_headers(headers, app.key.clone());
    let began = match current_session(&jar) {
        Some(session) => app.store.session_beginning(&session, &player.id).await?,
        None => None,
    };
    let now = app.time.now();
    if began.is_some_and(|began| now - began <= millis(FRESH_SESSION_AGE)) {
        return Ok(());
    }
    let message = "sign in again on this device, then send the same request";
    Err(Error::new(ErrorCode::SignInAgain, message))
}

impl OptionalFromRequestParts<AppState> for OwnPlayer {
    type Rejection = Error;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &AppState,
    ) -> Result<Option<OwnPlayer>, Error> {
        let found = find(&parts.headers, app).await?;
        let is_by_token = parts.headers.contains_key(header::AUTHORIZATION);
        match found {
            Some(AuthPlayer(player)) if is_by_token && player.login.is_some() => {
                Err(not_for_tokens())
            }
            found => Ok(found.map(|AuthPlayer(player)| OwnPlayer(player))),
        }
    }
}

/// It needs a browser.
pub(super) fn not_for_tokens() -> Error {
    let message = "a token cannot do this: sign in with a browser";
    Error::new(ErrorCode::NotForTokens, message)
}

async fn by_cookie(parts: &Parts, app: &AppState) -> Result<Option<CookiePlayer>, Error> {
    if parts.headers.contains_key(header::AUTHORIZATION) {
        return Err(not_for_tokens());
    }
    Ok(find(&parts.headers, app).await?.map(|AuthPlayer(player)| CookiePlayer(player)))
}

async fn find(headers: &HeaderMap, app: &AppState) -> Result<Option<AuthPlayer>, Error> {
    let Some(credential) = credential(headers, app)? else { return Ok(None) };
    let player = app.authenticator.find(&credential).await?;
    match (player, credential) {
        (Some(player), _) => {
            if !app.bots.is_engine(headers) {
                app.limits.player(&player.id)?;
            }
            Ok(Some(AuthPlayer(player)))
        }
        (None, Credential::Token { .. }) => {
            Err(Error::new(ErrorCode::BadToken, "this token is unknown"))
        }
        (None, Credential::Cookie { .. }) => Ok(None),
    }
}

/// The credential of a request.
pub(crate) fn credential(headers: &HeaderMap, app: &AppState) -> Result<Option<Credential>, Error> {
    if let Some(given) = headers.get(header::AUTHORIZATION) {
        let token = given.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
        let Some(token) = token.map(str::trim) else {
            let message = "write Authorization: Bearer TOKEN";
            return Err(Error::new(ErrorCode::BadToken, message));
        };
        return Ok(Some(Credential::Token { hash: ids::hash(token) }));
    }
    let jar = SignedCookieJar::from_headers(headers, app.key.clone());
    let credential =
        |Parsed { player, epoch, session, .. }| Credential::Cookie { player, epoch, session };
    Ok(parse_cookie(&jar).map(credential))
}

/// The content of our cookie.
struct Parsed {
    player: String,
    epoch: i64,
    issued: i64,
    /// The session; guests have none.
    session: Option<String>,
}

fn parse_cookie(jar: &SignedCookieJar) -> Option<Parsed> {
    let cookie = jar.get(COOKIE)?;
    let mut parts = cookie.value().splitn(4, '.');
    let player = parts.next()?.to_owned();
    let epoch = parts.next()?.parse().ok()?;
    let issued = parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    Some(Parsed { player, epoch, issued, session: parts.next().map(str::to_owned) })
}

/// The session that a cookie names.
pub(crate) fn current_session(jar: &SignedCookieJar) -> Option<String> {
    parse_cookie(jar)?.session
}

/// Adds the cookie that signs a browser in as this player, with its session if it has one.
pub(crate) fn signed_in(
    jar: SignedCookieJar,
    app: &AppState,
    player: &PlayerRow,
    session: Option<&str>,
) -> SignedCookieJar {
    let mut value = format!("{}.{}.{}", player.id, player.epoch, app.time.now());
    if let Some(session) = session {
        value.push('.');
        value.push_str(session);
    }
    let mut cookie = cookie(app, value);
    cookie.set_max_age(Some(COOKIE_MAX_AGE));
    jar.add(cookie)
}

/// The session of a browser that signs in, as one of the devices of an account. If it was signed in already, that
/// session is replaced, as its cookie is.
pub(crate) fn new_session(
    jar: &SignedCookieJar,
    app: &AppState,
    headers: &HeaderMap,
) -> NewSession {
    let replaced =
        parse_cookie(jar).and_then(|Parsed { player, session, .. }| Some((player, session?)));
    let now = app.time.now();
    NewSession { id: ids::long(), device: device(headers), began: now, now, replaced }
}

/// Adds the cookie of a session that was stored. The one that it replaces is over everywhere.
pub(crate) async fn began_session(
    jar: SignedCookieJar,
    app: &AppState,
    player: &PlayerRow,
    session: &NewSession,
) -> SignedCookieJar {
    if let Some((player, _)) = &session.replaced {
        app.invalidate_player(player).await;
    }
    signed_in(jar, app, player, Some(&session.id))
}

/// Signs a browser in to an account.
pub(crate) async fn sign_in_device(
    jar: SignedCookieJar,
    app: &AppState,
    headers: &HeaderMap,
    player: &PlayerRow,
) -> Result<SignedCookieJar, Error> {
    let session = new_session(&jar, app, headers);
    if !app.store.add_session(&player.id, &session).await? {
        let message = "this account has just been deleted or closed";
        return Err(Error::new(ErrorCode::NoPlayer, message));
    }
    Ok(began_session(jar, app, player, &session).await)
}

/// Renews the cookie if it is old. One of an account that names no session, as cookies once did, gets one;
/// nobody has signed in for it now, so it is as old as the cookie.
pub(crate) async fn renewed(
    jar: SignedCookieJar,
    app: &AppState,
    headers: &HeaderMap,
    player: &PlayerRow,
) -> Result<SignedCookieJar, Error> {
    let Some(Parsed { issued, session, .. }) = parse_cookie(&jar) else { return Ok(jar) };
    if session.is_none() && player.login.is_some() {
        let session = NewSession { began: issued, ..new_session(&jar, app, headers) };
        if !app.store.add_session(&player.id, &session).await? {
            return Ok(jar);
        }
        return Ok(began_session(jar, app, player, &session).await);
    }
    if app.time.now() - issued > millis(COOKIE_RENEWAL_AGE) {
        return Ok(signed_in(jar, app, player, session.as_deref()));
    }
    Ok(jar)
}

/// Removes the cookie.
pub(crate) fn signed_out(jar: SignedCookieJar, app: &AppState) -> SignedCookieJar {
    let mut cookie = cookie(app, String::new());
    cookie.set_max_age(Some(time::Duration::ZERO));
    jar.add(cookie)
}

fn cookie(app: &AppState, value: String) -> Cookie<'static> {
    let mut cookie = Cookie::new(COOKIE, value);
    cookie.set_path("/");
    cookie.set_http_only(true);
    cookie.set_same_site(SameSite::Lax);
    cookie.set_secure(app.settings.is_https());
    cookie
}
