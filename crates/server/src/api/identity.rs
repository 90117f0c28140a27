//! Who asks: a signed cookie for people, a token for programs.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum_extra::extract::SignedCookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};

use super::Error;
use crate::app::Handle;
use crate::identities::Credential;
use crate::ids;
use crate::store::PlayerRow;

/// The name of the cookie.
const COOKIE: &str = "stoa";
/// A cookie is good for so long after it was last renewed; browsers keep none longer.
const DAYS: i64 = 400;
/// A cookie that is older is renewed.
const RENEWED: i64 = 30 * 24 * 3600 * 1000;

/// The player who asks. A request without one is refused; `Option<Me>` takes it.
#[derive(Debug, Clone)]
pub(crate) struct Me(pub(crate) PlayerRow);

/// The player who asks, in person. What a program could take its owner's account away with is not for
/// programs, so tokens do not count here.
#[derive(Debug, Clone)]
pub(crate) struct InPerson(pub(crate) PlayerRow);

impl FromRequestParts<Handle> for Me {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Handle) -> Result<Me, Error> {
        find(&parts.headers, app).await?.ok_or_else(Error::no_player)
    }
}

impl OptionalFromRequestParts<Handle> for Me {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Handle) -> Result<Option<Me>, Error> {
        find(&parts.headers, app).await
    }
}

impl FromRequestParts<Handle> for InPerson {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Handle) -> Result<InPerson, Error> {
        in_person(parts, app).await?.ok_or_else(Error::no_player)
    }
}

impl OptionalFromRequestParts<Handle> for InPerson {
    type Rejection = Error;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Handle,
    ) -> Result<Option<InPerson>, Error> {
        in_person(parts, app).await
    }
}

async fn in_person(parts: &Parts, app: &Handle) -> Result<Option<InPerson>, Error> {
    if parts.headers.contains_key(header::AUTHORIZATION) {
        let message = "a token cannot do this: sign in with a browser";
        return Err(Error::forbidden("not_for_tokens", message));
    }
    Ok(find(&parts.headers, app).await?.map(|Me(player)| InPerson(player)))
}

async fn find(headers: &HeaderMap, app: &Handle) -> Result<Option<Me>, Error> {
    let Some(credential) = credential(headers, app)? else { return Ok(None) };
    let player = app.identities.find(&credential).await?;
    match (player, credential) {
        (Some(player), _) => {
            if !app.bots.is_engine(headers) {
                app.limits.player(&player.id)?;
            }
            Ok(Some(Me(player)))
        }
        (None, Credential::Token { .. }) => {
            Err(Error::new(StatusCode::UNAUTHORIZED, "bad_token", "this token is not known"))
        }
        (None, Credential::Cookie { .. }) => Ok(None),
    }
}

/// How the request says who makes it.
pub(crate) fn credential(headers: &HeaderMap, app: &Handle) -> Result<Option<Credential>, Error> {
    if let Some(given) = headers.get(header::AUTHORIZATION) {
        let token = given.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
        let Some(token) = token.map(str::trim) else {
            return Err(Error::bad("bad_token", "write Authorization: Bearer TOKEN"));
        };
        return Ok(Some(Credential::Token { hash: ids::hash(token) }));
    }
    let jar = SignedCookieJar::from_headers(headers, app.key.clone());
    Ok(written_in(&jar).map(|(player, epoch, _)| Credential::Cookie { player, epoch }))
}

/// What our cookie says: who, of which epoch, and when it was given out.
fn written_in(jar: &SignedCookieJar) -> Option<(String, i64, i64)> {
    let cookie = jar.get(COOKIE)?;
    let mut parts = cookie.value().splitn(3, '.');
    let player = parts.next()?.to_owned();
    let epoch = parts.next()?.parse().ok()?;
    let given_out = parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
    Some((player, epoch, given_out))
}

/// The cookie that makes a browser this player.
pub(crate) fn signed_in(jar: SignedCookieJar, app: &Handle, player: &PlayerRow) -> SignedCookieJar {
    let value = format!("{}.{}.{}", player.id, player.epoch, app.time.now());
    let mut cookie = cookie(app, value);
    cookie.set_max_age(Some(time::Duration::days(DAYS)));
    jar.add(cookie)
}

/// Renews the cookie if it was given out long ago.
pub(crate) fn renewed(jar: SignedCookieJar, app: &Handle, player: &PlayerRow) -> SignedCookieJar {
    match written_in(&jar) {
        Some((_, _, given_out)) if app.time.now() - given_out > RENEWED => {
            signed_in(jar, app, player)
        }
        _ => jar,
    }
}

/// Takes the cookie away.
pub(crate) fn signed_out(jar: SignedCookieJar, app: &Handle) -> SignedCookieJar {
    let mut cookie = cookie(app, String::new());
    cookie.set_max_age(Some(time::Duration::ZERO));
    jar.add(cookie)
}

fn cookie(app: &Handle, value: String) -> Cookie<'static> {
    let safe = app.settings.public_url.as_deref().is_some_and(|url| url.starts_with("https:"));
    let mut cookie = Cookie::new(COOKIE, value);
    cookie.set_path("/");
    cookie.set_http_only(true);
    cookie.set_same_site(SameSite::Lax);
    cookie.set_secure(safe);
    cookie
}
