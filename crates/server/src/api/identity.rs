//! Who asks: a signed cookie for people, a token for programs.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum_extra::extract::SignedCookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};

use super::Error;
use crate::app::Handle;
use crate::ids;
use crate::store::PlayerRow;

/// The name of the cookie.
const COOKIE: &str = "stoa";
/// A cookie is good for so long; each visit could renew it.
const DAYS: i64 = 400;

/// The player who asks. A request without one is refused; `Option<Me>` takes it.
#[derive(Debug, Clone)]
pub(crate) struct Me(pub(crate) PlayerRow);

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

async fn find(headers: &HeaderMap, app: &Handle) -> Result<Option<Me>, Error> {
    if let Some(given) = headers.get(header::AUTHORIZATION) {
        let token = given.to_str().ok().and_then(|value| value.strip_prefix("Bearer "));
        let Some(token) = token.map(str::trim) else {
            return Err(Error::bad("bad_token", "write Authorization: Bearer TOKEN"));
        };
        let owner = app.store.token_owner(&ids::hash(token)).await?;
        return match owner {
            Some(player) => Ok(Some(Me(player))),
            None => {
                let unauthorized = axum::http::StatusCode::UNAUTHORIZED;
                Err(Error::new(unauthorized, "bad_token", "this token is not known"))
            }
        };
    }
    let jar = SignedCookieJar::from_headers(headers, app.key.clone());
    let Some(cookie) = jar.get(COOKIE) else { return Ok(None) };
    let Some((id, epoch)) = cookie.value().split_once('.') else { return Ok(None) };
    let player = app.store.player(id).await?;
    let is_good =
        |player: &PlayerRow| player.deleted.is_none() && epoch.parse() == Ok(player.epoch);
    Ok(player.filter(is_good).map(Me))
}

/// The cookie that makes a browser this player.
pub(crate) fn signed_in(jar: SignedCookieJar, app: &Handle, player: &PlayerRow) -> SignedCookieJar {
    let safe = app.settings.public_url.as_deref().is_some_and(|url| url.starts_with("https:"));
    let mut cookie = Cookie::new(COOKIE, format!("{}.{}", player.id, player.epoch));
    cookie.set_path("/");
    cookie.set_http_only(true);
    cookie.set_same_site(SameSite::Lax);
    cookie.set_secure(safe);
    cookie.set_max_age(Some(time::Duration::days(DAYS)));
    jar.add(cookie)
}
