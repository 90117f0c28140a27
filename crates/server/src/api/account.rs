//! Handlers for accounts: register, sign in and out, change the password.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum_extra::extract::SignedCookieJar;
use stoa_wire::{ApiError, ErrorCode, Password, PasswordChange, Player, PlayerKind, SignIn};

use super::Error;
use super::auth::{
    CookiePlayer, began_session, current_session, new_session, sign_in_device, signed_in,
    signed_out,
};
use super::error::{Body, NoBody};
use super::mail::tell_of_new_password;
use crate::app::{App, AppState};
use crate::guard::Client;
use crate::ids;
use crate::names::{login, new_name, proper_name};
use crate::passwords::check_new;
use crate::store::{NewAccount, PlayerRow};

/// Create an account: you keep your games, and can sign in on other devices with this name, which also
/// becomes the name that others see. An anonymous client becomes a new player. A name that looks like that
/// of another account is taken.
#[utoipa::path(post, path = "/api/account/register", tag = "account", request_body = SignIn,
    responses((status = 200, body = Player), (status = 400, body = ApiError),
        (status = 403, body = ApiError), (status = 409, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn register(
    State(app): State<AppState>,
    client: Client,
    headers: HeaderMap,
    jar: SignedCookieJar,
    me: Option<CookiePlayer>,
    Body(given): Body<SignIn>,
) -> Result<(SignedCookieJar, Json<Player>), Error> {
    let name = new_name(&given.name)?;
    let login = login(&name);
    check_new(&given.password)?;
    let has_account = || Error::new(ErrorCode::HasAccount, "you already have an account");
    if me.as_ref().is_some_and(|CookiePlayer(row)| row.login.is_some()) {
        return Err(has_account());
    }
    // Each costs a hash, and reveals whether a name is taken.
    app.limits.password(&login, &client)?;
    let taken = || Error::new(ErrorCode::NameTaken, "another account signs in with this name");
    if app.store.is_login_taken(&login, &name).await? {
        return Err(taken());
    }
    let password = app.passwords.hash(&given.password).await?;
    let known_as = login.clone();
    let session = new_session(&jar, &app, &headers);
    let row = match me {
        Some(CookiePlayer(mut row)) => {
            match app.store.make_account(&row.id, &name, &login, &password, &session).await? {
                NewAccount::Done { epoch } => row.epoch = epoch,
                NewAccount::NameTaken => return Err(taken()),
                NewAccount::HasAccount => return Err(has_account()),
            }
            app.invalidate_player(&row.id).await;
            row.name = name;
            if row.kind == PlayerKind::Guest {
                row.kind = PlayerKind::Account;
            }
            row
        }
        None => {
            app.limits.new_player(&client)?;
            let now = app.time.now();
            let row = PlayerRow {
                id: ids::long(),
                name,
                kind: PlayerKind::Account,
                login: Some(login),
                password: Some(password),
                epoch: now,
                created: now,
                deleted: None,
                closed: None,
            };
            if !app.store.add_account(&row, &session).await? {
                return Err(taken());
            }
            row
        }
    };
    app.limits.password_was_right(&known_as, &client);
    let jar = began_session(jar, &app, &row, &session).await;
    Ok((jar, Json(row.into())))
}

/// Sign in as the player with this name and password.
#[utoipa::path(post, path = "/api/account/login", tag = "account", request_body = SignIn,
    responses((status = 200, body = Player), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn sign_in(
    State(app): State<AppState>,
    client: Client,
    headers: HeaderMap,
    jar: SignedCookieJar,
    Body(given): Body<SignIn>,
) -> Result<(SignedCookieJar, Json<Player>), Error> {
    // An impossible name is treated like an unknown one.
    let login = proper_name(&given.name).map(|name| login(&name)).unwrap_or_default();
    app.limits.password(&login, &client)?;
    let row = app.store.account(&login).await?;
    let kept = row.as_ref().and_then(|row| row.password.as_ref());
    let is_right = app.passwords.verify(&given.password, kept).await?;
    match row {
        // Only a client that knows the password learns this.
        Some(row) if is_right && row.closed.is_some() => Err(account_closed()),
        Some(row) if is_right => {
            app.limits.password_was_right(&login, &client);
            let jar = sign_in_device(jar, &app, &headers, &row).await?;
            Ok((jar, Json(row.into())))
        }
        _ => Err(wrong("the name or the password is wrong")),
    }
}

pub(super) fn account_closed() -> Error {
    let message = "this account has been closed by the operators of this server";
    Error::new(ErrorCode::AccountClosed, message)
}

/// Checks the password of an account, and returns the name it signs in with.
pub(super) async fn check_password(
    app: &App,
    client: &Client,
    me: &PlayerRow,
    password: &Password,
    message: &str,
) -> Result<String, Error> {
    let Some(login) = &me.login else {
        let message = "you have no password: create an account first";
        return Err(Error::new(ErrorCode::NoAccount, message));
    };
    app.limits.own_password(login, client)?;
    // Not from the cache: it may have been changed a moment ago.
    let row = app.store.account(login).await?;
    let kept = row.as_ref().and_then(|row| row.password.as_ref());
    match app.passwords.verify(password, kept).await? {
        true => Ok(login.clone()),
        false => Err(wrong(message)),
    }
}

fn wrong(message: &str) -> Error {
    Error::new(ErrorCode::BadLogin, message)
}

/// Sign out: removes the cookie, and ends this device's session.
#[utoipa::path(post, path = "/api/account/logout", tag = "account",
    responses((status = 204, description = "Done; there is no body")))]
pub(crate) async fn sign_out(
    State(app): State<AppState>,
    jar: SignedCookieJar,
    me: Option<CookiePlayer>,
    _: NoBody,
) -> Result<(StatusCode, SignedCookieJar), Error> {
    if let (Some(CookiePlayer(me)), Some(session)) = (me, current_session(&jar)) {
        app.store.delete_session(&me.id, &session).await?;
        app.invalidate_player(&me.id).await;
    }
    Ok((StatusCode::NO_CONTENT, signed_out(jar, &app)))
}

/// Change the password. All other devices are signed out; tokens stay valid.
#[utoipa::path(post, path = "/api/account/password", tag = "account", request_body = PasswordChange,
    responses((status = 204, description = "Done; there is no body"), (status = 400, body = ApiError),
        (status = 401, body = ApiError), (status = 403, body = ApiError), (status = 409, body = ApiError),
        (status = 429, body = ApiError)))]
pub(crate) async fn change_password(
    State(app): State<AppState>,
    client: Client,
    jar: SignedCookieJar,
    CookiePlayer(mut me): CookiePlayer,
    Body(change): Body<PasswordChange>,
) -> Result<(StatusCode, SignedCookieJar), Error> {
    if me.login.is_some() {
        check_new(&change.new)?;
    }
    check_password(&app, &client, &me, &change.old, "the old password is wrong").await?;
    let password = app.passwords.hash(&change.new).await?;
    let session = current_session(&jar);
    if !app.store.set_password(&me.id, me.epoch, &password, session.as_deref()).await? {
        return Err(Error::new(ErrorCode::Changed, "the password has just been changed elsewhere"));
    }
    app.invalidate_player(&me.id).await;
    tell_of_new_password(&app, &me.id).await;
    me.epoch += 1;
    Ok((StatusCode::NO_CONTENT, signed_in(jar, &app, &me, session.as_deref())))
}
