//! Handlers for passkeys: adding them to an account, and signing in with them.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum_extra::extract::SignedCookieJar;
use stoa_wire::{
    ApiError, ErrorCode, NewPasskey, PasskeyChallenge, PasskeyLabel, PasskeyList, PasskeyOrder,
    PasskeyPermission, PasskeySignIn, Player,
};

use super::Error;
use super::account::{account_closed, check_password};
use super::auth::{CookiePlayer, FreshPlayer, sign_in_device};
use super::error::{Body, NoBody};
use crate::app::{App, AppState};
use crate::guard::{Client, Site};
use crate::ids;
use crate::passkeys::{self, AuthenticatorData, CHALLENGE_TTL, Flaw, Purpose};
use crate::store::NewPasskeyRow;
use crate::time::millis;

/// How many passkeys an account may have.
pub(crate) const MAX_PASSKEYS: usize = 20;
/// The longest label, in characters.
const MAX_LABEL_LENGTH: usize = 50;

/// Your passkeys.
#[utoipa::path(get, path = "/api/me/passkeys", operation_id = "list_passkeys", tag = "account",
    responses((status = 200, body = PasskeyList), (status = 401, body = ApiError),
        (status = 403, body = ApiError)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    CookiePlayer(me): CookiePlayer,
) -> Result<Json<PasskeyList>, Error> {
    Ok(Json(PasskeyList { passkeys: app.store.passkeys(&me.id).await? }))
}

/// Begin to add a passkey to your account: the options from which your browser makes it. This needs the
/// password.
#[utoipa::path(post, path = "/api/me/passkeys/challenge", operation_id = "order_passkey", tag = "account",
    request_body = PasskeyPermission,
    responses((status = 200, body = PasskeyOrder), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 409, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn order(
    State(app): State<AppState>,
    client: Client,
    headers: HeaderMap,
    CookiePlayer(me): CookiePlayer,
    Body(PasskeyPermission { password }): Body<PasskeyPermission>,
) -> Result<Json<PasskeyOrder>, Error> {
    let rp_id = site(&app, &headers)?.host;
    let login = check_password(&app, &client, &me, &password, "the password is wrong").await?;
    let passkeys = app.store.passkeys(&me.id).await?;
    if passkeys.len() >= MAX_PASSKEYS {
        return Err(too_many());
    }
    // Authenticators sign bytes, and browsers name them in base64url.
    let challenge = passkeys::text(ids::secret().as_bytes());
    let now = app.time.now();
    let expires = now + millis(CHALLENGE_TTL);
    if !app.store.add_passkey_challenge(&challenge, &me.id, expires, now).await? {
        return Err(Error::no_player());
    }
    Ok(Json(PasskeyOrder {
        challenge,
        rp_id,
        user_id: passkeys::text(me.id.as_bytes()),
        user_name: login,
        exclude: passkeys.into_iter().map(|passkey| passkey.id).collect(),
    }))
}

/// Add a passkey that your browser has made. Several devices can each have one.
#[utoipa::path(post, path = "/api/me/passkeys", operation_id = "add_passkey", tag = "account",
    request_body = NewPasskey,
    responses((status = 201, body = PasskeyList), (status = 400, body = ApiError), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 409, body = ApiError)))]
pub(crate) async fn add(
    State(app): State<AppState>,
    headers: HeaderMap,
    CookiePlayer(me): CookiePlayer,
    Body(new): Body<NewPasskey>,
) -> Result<(StatusCode, Json<PasskeyList>), Error> {
    let label = proper_label(&new.label)?;
    let site = site(&app, &headers)?;
    let client_data = passkeys::bytes(&new.client_data).map_err(refused)?;
    let signed = signed_challenge(&client_data, Purpose::Create, &site)?;
    // One that cannot be ours never reaches the database: Postgres takes no NUL in a text.
    if !passkeys::is_challenge(&signed) {
        return Err(stale());
    }
    let data = passkeys::bytes(&new.authenticator_data).map_err(refused)?;
    let data = AuthenticatorData::read(&data, &site.host).map_err(refused)?;
    let id = data.credential.as_deref().map(passkeys::text);
    if id.as_ref() != Some(&new.id) || !passkeys::is_credential_id(&new.id) {
        return Err(refused(Flaw::Unreadable));
    }
    passkeys::bytes(&new.public_key).and_then(|key| passkeys::check_key(&key)).map_err(refused)?;
    if !app.store.use_passkey_challenge(&signed, &me.id, app.time.now()).await? {
        return Err(stale());
    }
    let row = NewPasskeyRow {
        id: &new.id,
        player: &me.id,
        label: &label,
        public_key: &new.public_key,
        counter: data.counter,
    };
    if !app.store.add_passkey(&row, MAX_PASSKEYS as i64, app.time.now()).await? {
        return Err(too_many());
    }
    let passkeys = app.store.passkeys(&me.id).await?;
    Ok((StatusCode::CREATED, Json(PasskeyList { passkeys })))
}

/// Give a passkey another name.
#[utoipa::path(post, path = "/api/me/passkeys/{id}", operation_id = "rename_passkey", tag = "account",
    params(("id" = String, Path)), request_body = PasskeyLabel,
    responses((status = 204, description = "Done; there is no body"), (status = 400, body = ApiError),
        (status = 401, body = ApiError), (status = 403, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn rename(
    State(app): State<AppState>,
    CookiePlayer(me): CookiePlayer,
    Path(id): Path<String>,
    Body(PasskeyLabel { label }): Body<PasskeyLabel>,
) -> Result<StatusCode, Error> {
    let label = proper_label(&label)?;
    found(app.store.rename_passkey(&me.id, &id, &label).await?)
}

/// Remove a passkey: it can no longer be used to sign in. Devices that have done so stay signed in. You must have
/// signed in a short while ago; otherwise the code is `sign_in_again`.
#[utoipa::path(delete, path = "/api/me/passkeys/{id}", operation_id = "remove_passkey", tag = "account",
    params(("id" = String, Path)),
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn remove(
    State(app): State<AppState>,
    FreshPlayer(me): FreshPlayer,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<StatusCode, Error> {
    found(app.store.delete_passkey(&me.id, &id).await?)
}

/// Begin to sign in with a passkey: the challenge for your browser to sign.
#[utoipa::path(post, path = "/api/account/passkey/challenge", operation_id = "passkey_challenge", tag = "account",
    responses((status = 200, body = PasskeyChallenge), (status = 409, body = ApiError)))]
pub(crate) async fn begin_sign_in(
    State(app): State<AppState>,
    headers: HeaderMap,
    _: NoBody,
) -> Result<Json<PasskeyChallenge>, Error> {
    let rp_id = site(&app, &headers)?.host;
    Ok(Json(PasskeyChallenge { challenge: app.passkey_challenges.issue(app.time.now()), rp_id }))
}

/// Sign in with a passkey that has signed the challenge.
#[utoipa::path(post, path = "/api/account/passkey", operation_id = "passkey_sign_in", tag = "account",
    request_body = PasskeySignIn, security(()),
    responses((status = 200, body = Player), (status = 401, body = ApiError), (status = 403, body = ApiError),
        (status = 409, body = ApiError)))]
pub(crate) async fn sign_in(
    State(app): State<AppState>,
    headers: HeaderMap,
    jar: SignedCookieJar,
    Body(given): Body<PasskeySignIn>,
) -> Result<(SignedCookieJar, Json<Player>), Error> {
    let site = site(&app, &headers)?;
    let client_data = passkeys::bytes(&given.client_data).map_err(refused)?;
    let signed = signed_challenge(&client_data, Purpose::SignIn, &site)?;
    let issued = app.passkey_challenges.issued(&signed, app.time.now()).ok_or_else(stale)?;
    let data_bytes = passkeys::bytes(&given.authenticator_data).map_err(refused)?;
    let data = AuthenticatorData::read(&data_bytes, &site.host).map_err(refused)?;
    let signature = passkeys::bytes(&given.signature).map_err(refused)?;
    if !passkeys::is_credential_id(&given.id) {
        return Err(refused(Flaw::Unreadable));
    }
    let known = app.store.passkey(&given.id).await?;
    let known = known.ok_or_else(|| bad("this passkey is not known here"))?;
    // It was signed before, or something else since.
    if known.used.is_some_and(|used| used > issued) {
        return Err(stale());
    }
    let key = passkeys::bytes(&known.public_key).map_err(refused)?;
    passkeys::check_signature(&key, &data_bytes, &client_data, &signature).map_err(refused)?;
    let last = u32::try_from(known.counter).unwrap_or(u32::MAX);
    if let Err(flaw) = data.check_counter(last) {
        tracing::warn!(
            player = known.player,
            passkey = given.id,
            "the counter of a passkey has gone back"
        );
        return Err(refused(flaw));
    }
    let row = app.store.player(&known.player).await?;
    let row = row.filter(|row| row.deleted.is_none() && row.login.is_some());
    let row = row.ok_or_else(|| bad("this passkey is not known here"))?;
    if row.closed.is_some() {
        return Err(account_closed());
    }
    let now = app.time.now();
    let counter = data.counter;
    if !app.store.passkey_used(&given.id, known.counter, counter, issued, now).await? {
        return Err(stale());
    }
    let jar = sign_in_device(jar, &app, &headers, &row).await?;
    Ok((jar, Json(row.into())))
}

/// The challenge that was signed.
fn signed_challenge(client_data: &[u8], purpose: Purpose, site: &Site) -> Result<String, Error> {
    let signed = passkeys::challenge(client_data, purpose, |origin| site.is_own(origin));
    signed.map_err(refused)
}

/// The site under which people reach this server.
fn site(app: &App, headers: &HeaderMap) -> Result<Site, Error> {
    let public_url = app.settings.public_url.as_deref();
    let site = Site::of(headers, public_url).ok_or_else(|| {
        let message = "passkeys need a domain: this server is reached by a number";
        Error::new(ErrorCode::NoPasskeys, message)
    })?;
    // A page at another address of this server has no use for a challenge: its browser would refuse to sign it.
    match (headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok()), public_url) {
        (Some(origin), Some(url)) if !site.is_own(origin) => {
            let message = format!("passkeys work only at {url}: open Stoa there");
            Err(Error::new(ErrorCode::PasskeysElsewhere, message))
        }
        _ => Ok(site),
    }
}

fn proper_label(label: &str) -> Result<String, Error> {
    let label = label.trim();
    let length = label.chars().count();
    if !(1..=MAX_LABEL_LENGTH).contains(&length) || label.chars().any(char::is_control) {
        let message = format!("a label has 1 to {MAX_LABEL_LENGTH} characters on one line");
        return Err(Error::new(ErrorCode::BadLabel, message));
    }
    Ok(label.to_owned())
}

fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorCode::BadPasskey, message)
}

fn refused(flaw: Flaw) -> Error {
    bad(format!("the passkey is refused: {flaw}"))
}

fn stale() -> Error {
    bad("this was asked for too long ago, or was used already; try again")
}

fn too_many() -> Error {
    let message = format!("an account has at most {MAX_PASSKEYS} passkeys, each of them once");
    Error::new(ErrorCode::TooManyPasskeys, message)
}

fn found(is_there: bool) -> Result<StatusCode, Error> {
    match is_there {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Error::not_found("passkey")),
    }
}
