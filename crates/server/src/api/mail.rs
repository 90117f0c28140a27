//! Handlers for mail: addresses, what comes by mail, links that were sent, forgotten passwords.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Redirect;
use axum_extra::extract::SignedCookieJar;
use stoa_wire::{
    ApiError, ConfirmedAddress, ErrorCode, ForgottenPassword, MailChoice, MailNotices, MailToken,
    NewMailAddress, PasswordReset, Player,
};

use super::Error;
use super::account::check_password;
use super::auth::{CookiePlayer, FreshPlayer, sign_in_device};
use super::error::{Body, NoBody};
use super::push::is_language;
use crate::app::{App, AppState};
use crate::guard::Client;
use crate::mail::{Links, Mail, Purpose, proper_address};
use crate::monitoring::warn_folded;
use crate::passwords::check_new;

/// The path at which one request ends mail, without a cookie: mail programs send it, as a form.
pub(crate) const UNSUBSCRIBE_PATH: &str = "/api/mail/unsubscribe/";

/// Mail, if this server sends any.
fn mail(app: &App) -> Result<&Arc<Mail>, Error> {
    app.mail.as_ref().ok_or_else(|| Error::not_found("service: this server sends no mail"))
}

fn not_good() -> Error {
    let message = "this link was used already, is too old, or is not whole; ask for another";
    Error::new(ErrorCode::LinkGone, message)
}

fn bad_address() -> Error {
    let message = "this is not an address that mail can be sent to, such as zeno@elea.example";
    Error::new(ErrorCode::BadAddress, message)
}

/// Whether this server sends mail, where you get it, and which.
#[utoipa::path(get, path = "/api/me/mail", operation_id = "my_mail", tag = "account",
    responses((status = 200, body = MailChoice), (status = 403, body = ApiError)))]
pub(crate) async fn show(
    State(app): State<AppState>,
    me: Option<CookiePlayer>,
) -> Result<Json<MailChoice>, Error> {
    let available = app.mail.is_some();
    let none =
        MailChoice { available, address: None, unconfirmed: None, turns: false, challenges: false };
    let Some(CookiePlayer(me)) = me else { return Ok(Json(none)) };
    let unconfirmed = app.store.mail_link_of(&me.id, Purpose::Confirm.word()).await?;
    let unconfirmed = unconfirmed.filter(|link| link.expires > app.time.now());
    let unconfirmed = unconfirmed.map(|link| link.address);
    Ok(Json(match app.store.mail_address(&me.id).await? {
        Some(row) => MailChoice {
            available,
            address: Some(row.address),
            unconfirmed,
            turns: row.turns,
            challenges: row.challenges,
        },
        None => MailChoice { unconfirmed, ..none },
    }))
}

/// Give your account an address for mail, or another one. A link is sent there, which is valid for a day; the
/// address is yours once it has been opened, and until then an earlier one stays.
#[utoipa::path(post, path = "/api/me/mail", operation_id = "set_mail_address", tag = "account",
    request_body = NewMailAddress,
    responses((status = 204, description = "Done; there is no body"), (status = 400, body = ApiError),
        (status = 401, body = ApiError), (status = 403, body = ApiError), (status = 404, body = ApiError),
        (status = 409, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn set_address(
    State(app): State<AppState>,
    client: Client,
    CookiePlayer(me): CookiePlayer,
    Body(given): Body<NewMailAddress>,
) -> Result<StatusCode, Error> {
    let mail = mail(&app)?;
    let address = proper_address(&given.address).ok_or_else(bad_address)?;
    if !is_language(&given.language) {
        return Err(Error::new(ErrorCode::BadLanguage, "a language is a tag such as en or pt-BR"));
    }
    check_password(&app, &client, &me, &given.password, "the password is wrong").await?;
    app.limits.mail(&me.id, &address, &client)?;
    if !mail.send_link(Purpose::Confirm, &me.id, &address, &given.language).await? {
        return Err(Error::too_many(3600));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Remove your address; no more mail is sent. This also works where the server sends no mail now. You must have
/// signed in a short while ago, because the address is the way back into an account with a forgotten password;
/// otherwise the code is `sign_in_again`.
#[utoipa::path(delete, path = "/api/me/mail", operation_id = "delete_mail_address", tag = "account",
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 403, body = ApiError)))]
pub(crate) async fn delete_address(
    State(app): State<AppState>,
    FreshPlayer(me): FreshPlayer,
    _: NoBody,
) -> Result<StatusCode, Error> {
    app.store.delete_mail_address(&me.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Choose what comes by mail. Single games can be left out, see `/api/games/{id}/mine`.
#[utoipa::path(post, path = "/api/me/mail/notices", operation_id = "set_mail_notices", tag = "account",
    request_body = MailNotices,
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn set_notices(
    State(app): State<AppState>,
    CookiePlayer(me): CookiePlayer,
    Body(MailNotices { turns, challenges }): Body<MailNotices>,
) -> Result<StatusCode, Error> {
    mail(&app)?;
    if !app.store.set_mail_notices(&me.id, turns, challenges).await? {
        return Err(Error::not_found("address: you have none that is confirmed"));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Confirm an address with the link that was sent to it. The link can be used once.
#[utoipa::path(post, path = "/api/mail/confirm", operation_id = "confirm_mail_address", tag = "account",
    request_body = MailToken,
    responses((status = 200, body = ConfirmedAddress), (status = 404, body = ApiError),
        (status = 409, body = ApiError)))]
pub(crate) async fn confirm(
    State(app): State<AppState>,
    Body(MailToken { token }): Body<MailToken>,
) -> Result<Json<ConfirmedAddress>, Error> {
    let mail = mail(&app)?;
    let id = mail.links.single_use_id(Purpose::Confirm, &token).ok_or_else(not_good)?;
    let link = mail.confirm(&id).await?.ok_or_else(not_good)?;
    Ok(Json(ConfirmedAddress { address: link.address }))
}

/// Send a link to an address, with which the owner of an account can choose a new password. It is valid for an
/// hour. The response is the same whether an account has this address or not.
#[utoipa::path(post, path = "/api/account/forgotten", operation_id = "forgot_password", tag = "account",
    request_body = ForgottenPassword,
    responses((status = 204, description = "Done; there is no body"), (status = 400, body = ApiError),
        (status = 404, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn forgotten(
    State(app): State<AppState>,
    client: Client,
    Body(ForgottenPassword { address }): Body<ForgottenPassword>,
) -> Result<StatusCode, Error> {
    let mail = Arc::clone(mail(&app)?);
    let address = proper_address(&address).ok_or_else(bad_address)?;
    app.limits.mail("", &address, &client)?;
    // Nobody waits for it, so how long it takes tells nothing.
    tokio::spawn(async move {
        let sent = async {
            for (player, address, language) in app.store.accounts_with_address(&address).await? {
                mail.send_link(Purpose::Reset, &player, &address, &language).await?;
            }
            Ok::<(), crate::store::StoreError>(())
        };
        if let Err(error) = app.store.in_time(sent).await {
            warn_folded!(%error, "cannot queue a link for a new password");
        }
    });
    Ok(StatusCode::NO_CONTENT)
}

/// Choose a new password with the link that was sent to you, and sign in. The link can be used once; all other
/// devices are signed out.
#[utoipa::path(post, path = "/api/account/reset", operation_id = "reset_password", tag = "account",
    request_body = PasswordReset,
    responses((status = 200, body = Player), (status = 400, body = ApiError), (status = 404, body = ApiError),
        (status = 409, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn reset(
    State(app): State<AppState>,
    client: Client,
    headers: HeaderMap,
    jar: SignedCookieJar,
    Body(PasswordReset { token, password }): Body<PasswordReset>,
) -> Result<(SignedCookieJar, Json<Player>), Error> {
    let links = &mail(&app)?.links;
    check_new(&password)?;
    let id = links.single_use_id(Purpose::Reset, &token).ok_or_else(not_good)?;
    // Each costs a hash.
    app.limits.password(&id, &client)?;
    let link = app.store.mail_link(&id).await?.filter(|link| link.expires > app.time.now());
    link.ok_or_else(not_good)?;
    let password = app.passwords.hash(&password).await?;
    let player = app.store.reset_password(&id, &password, app.time.now()).await?;
    let player = player.ok_or_else(not_good)?;
    app.invalidate_player(&player).await;
    tell_of_new_password(&app, &player).await;
    let row = app.store.player(&player).await?.ok_or_else(not_good)?;
    let jar = sign_in_device(jar, &app, &headers, &row).await?;
    Ok((jar, Json(row.into())))
}

/// Mails the owner of an account that its password was changed. The password counts whether this works or not.
pub(super) async fn tell_of_new_password(app: &App, player: &str) {
    if let Some(mail) = &app.mail
        && let Err(error) = mail.password_changed(player).await
    {
        warn_folded!(%error, "cannot queue a mail about a new password");
    }
}

/// End all notices by mail, with the link that every one of them has, and without a cookie (RFC 8058). The
/// address stays, for new passwords.
#[utoipa::path(post, path = "/api/mail/unsubscribe/{token}", operation_id = "unsubscribe_mail",
    tag = "account", params(("token" = String, Path)),
    responses((status = 204, description = "Done; there is no body"), (status = 404, body = ApiError),
        (status = 409, body = ApiError)))]
pub(crate) async fn unsubscribe(
    State(app): State<AppState>,
    Path(token): Path<String>,
) -> Result<StatusCode, Error> {
    let links = &mail(&app)?.links;
    let player = Links::unsubscriber(&token).ok_or_else(not_good)?;
    let row = app.store.mail_address(player).await?.ok_or_else(not_good)?;
    if !links.ends_mail(&token, &row.address) {
        return Err(not_good());
    }
    app.store.set_mail_notices(player, false, false).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The page that ends notices by mail. Opening it changes nothing, because virus scanners open links, too.
#[utoipa::path(get, path = "/api/mail/unsubscribe/{token}", operation_id = "unsubscribe_page",
    tag = "account", params(("token" = String, Path)),
    responses((status = 303, description = "The page"), (status = 404, body = ApiError),
        (status = 409, body = ApiError)))]
pub(crate) async fn unsubscribe_page(
    State(app): State<AppState>,
    Path(token): Path<String>,
) -> Result<Redirect, Error> {
    let links = &mail(&app)?.links;
    Links::unsubscriber(&token).ok_or_else(not_good)?;
    Ok(Redirect::to(&links.page(&format!("mail/unsubscribe/{token}"))))
}
