//! Accounts: the same player on several devices.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum_extra::extract::SignedCookieJar;
use serde::Deserialize;
use utoipa::ToSchema;

use super::Error;
use super::error::Body;
use super::identity::{InPerson, signed_in, signed_out};
use super::me::proper_name;
use crate::app::Handle;
use crate::guard::Client;
use crate::ids;
use crate::passwords::{Password, login};
use crate::store::PlayerRow;
use crate::wire::Player;

/// A name and a password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignIn {
    /// The name you sign in with, 1 to 30 characters. Capitals do not matter.
    #[schema(max_length = 30, example = "Zeno")]
    name: String,
    password: Password,
}

/// The password you have and the one you want.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordChange {
    old: Password,
    new: Password,
}

/// Make an account: you keep your games, and can sign in on other devices by this name.
#[utoipa::path(post, path = "/api/account/register", tag = "account", request_body = SignIn,
    responses((status = 200, body = Player), (status = 400, body = Error),
        (status = 403, body = Error), (status = 409, body = Error), (status = 429, body = Error)))]
pub(crate) async fn register(
    State(app): State<Handle>,
    client: Client,
    jar: SignedCookieJar,
    me: Option<InPerson>,
    Body(wish): Body<SignIn>,
) -> Result<(SignedCookieJar, Json<Player>), Error> {
    let name = proper_name(&wish.name)?;
    let login = login(&name);
    wish.password.check()?;
    if me.as_ref().is_some_and(|InPerson(row)| row.login.is_some()) {
        return Err(Error::conflict("has_account", "you have an account already"));
    }
    // Each costs a hash, and says whether a name is taken.
    app.limits.password(&login, &client)?;
    let taken = || Error::conflict("name_taken", "somebody else signs in by this name");
    if app.store.account(&login).await?.is_some() {
        return Err(taken());
    }
    let password = app.passwords.hash(&wish.password).await?;
    let row = match me {
        Some(InPerson(mut row)) => {
            if !app.store.make_account(&row.id, &name, &login, &password).await? {
                return Err(taken());
            }
            app.player_changed(&row.id).await;
            row.name = name;
            if row.kind == "guest" {
                row.kind = "account".to_owned();
            }
            row
        }
        None => {
            app.limits.new_player(&client)?;
            let now = app.time.now();
            let row = PlayerRow {
                id: ids::long(),
                name,
                kind: "account".to_owned(),
                login: Some(login),
                password: Some(password),
                epoch: now,
                created: now,
                deleted: None,
            };
            if !app.store.add_player(&row).await? {
                return Err(taken());
            }
            row
        }
    };
    Ok((signed_in(jar, &app, &row), Json(row.into())))
}

/// Sign in: from now on this browser is that player.
#[utoipa::path(post, path = "/api/account/login", tag = "account", request_body = SignIn,
    responses((status = 200, body = Player), (status = 401, body = Error),
        (status = 429, body = Error)))]
pub(crate) async fn sign_in(
    State(app): State<Handle>,
    client: Client,
    jar: SignedCookieJar,
    Body(given): Body<SignIn>,
) -> Result<(SignedCookieJar, Json<Player>), Error> {
    // A name that cannot be is treated like one that nobody has.
    let login = proper_name(&given.name).map(|name| login(&name)).unwrap_or_default();
    app.limits.password(&login, &client)?;
    let row = app.store.account(&login).await?;
    let kept = row.as_ref().and_then(|row| row.password.as_ref());
    let is_right = app.passwords.is_right(&given.password, kept).await?;
    match row {
        Some(row) if is_right => Ok((signed_in(jar, &app, &row), Json(row.into()))),
        _ => Err(wrong("the name or the password is wrong")),
    }
}

fn wrong(message: &str) -> Error {
    Error::new(StatusCode::UNAUTHORIZED, "bad_login", message)
}

/// Sign out: this browser is nobody.
#[utoipa::path(post, path = "/api/account/logout", tag = "account",
    responses((status = 204, description = "done")))]
pub(crate) async fn sign_out(
    State(app): State<Handle>,
    jar: SignedCookieJar,
) -> (StatusCode, SignedCookieJar) {
    (StatusCode::NO_CONTENT, signed_out(jar, &app))
}

/// Choose another password. All other devices are signed out; tokens of programs stay good.
#[utoipa::path(post, path = "/api/account/password", tag = "account", request_body = PasswordChange,
    responses((status = 204, description = "done"), (status = 400, body = Error),
        (status = 401, body = Error), (status = 403, body = Error), (status = 409, body = Error),
        (status = 429, body = Error)))]
pub(crate) async fn change_password(
    State(app): State<Handle>,
    client: Client,
    jar: SignedCookieJar,
    InPerson(mut me): InPerson,
    Body(change): Body<PasswordChange>,
) -> Result<(StatusCode, SignedCookieJar), Error> {
    let Some(login) = &me.login else {
        return Err(Error::conflict("no_account", "you have no password: make an account first"));
    };
    change.new.check()?;
    app.limits.password(login, &client)?;
    // Not what is remembered: it may have been changed a moment ago.
    let row = app.store.account(login).await?;
    let kept = row.as_ref().and_then(|row| row.password.as_ref());
    if !app.passwords.is_right(&change.old, kept).await? {
        return Err(wrong("the old password is wrong"));
    }
    let password = app.passwords.hash(&change.new).await?;
    if !app.store.set_password(&me.id, me.epoch, &password).await? {
        return Err(Error::conflict("changed", "the password has just been changed elsewhere"));
    }
    app.player_changed(&me.id).await;
    me.epoch += 1;
    Ok((StatusCode::NO_CONTENT, signed_in(jar, &app, &me)))
}
