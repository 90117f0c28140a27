//! Handlers for API tokens.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use stoa_wire::{ApiError, ErrorCode, NewToken, Token, TokenLabel, TokenList};

use super::Error;
use super::auth::{CookiePlayer, FreshPlayer};
use super::error::{Body, NoBody};
use crate::app::AppState;
use crate::ids;
use crate::store::TokenAdded;

/// How many tokens a player may have.
pub(crate) const MAX_TOKENS: usize = 20;
/// The longest label, in characters.
const MAX_LABEL_LENGTH: usize = 50;

/// Your tokens.
#[utoipa::path(get, path = "/api/me/tokens", operation_id = "list_tokens", tag = "account",
    responses((status = 200, body = TokenList), (status = 401, body = ApiError),
        (status = 403, body = ApiError)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    CookiePlayer(me): CookiePlayer,
) -> Result<Json<TokenList>, Error> {
    Ok(Json(TokenList { tokens: app.store.tokens(&me.id).await? }))
}

/// Create a token: a program that has it can play as you, but cannot take over your account. An account must
/// have signed in a short while ago; otherwise the code is `sign_in_again`.
#[utoipa::path(post, path = "/api/me/tokens", operation_id = "create_token", tag = "account",
    request_body = TokenLabel,
    responses((status = 201, body = NewToken), (status = 400, body = ApiError),
        (status = 401, body = ApiError), (status = 403, body = ApiError), (status = 409, body = ApiError)))]
pub(crate) async fn create(
    State(app): State<AppState>,
    FreshPlayer(me): FreshPlayer,
    Body(TokenLabel { label }): Body<TokenLabel>,
) -> Result<(StatusCode, Json<NewToken>), Error> {
    let label = label.trim().to_owned();
    if label.chars().count() > MAX_LABEL_LENGTH || label.chars().any(char::is_control) {
        let message = format!("a label has at most {MAX_LABEL_LENGTH} characters on one line");
        return Err(Error::new(ErrorCode::BadLabel, message));
    }
    let secret = ids::secret();
    let token = Token { id: ids::short(), label, created: app.time.now(), used: None };
    match app.store.add_token(&ids::hash(&secret), &me.id, &token, MAX_TOKENS as i64).await? {
        TokenAdded::Done => {
            let Token { id, label, .. } = token;
            Ok((StatusCode::CREATED, Json(NewToken { id, token: secret, label })))
        }
        TokenAdded::TooMany => {
            let message = format!("you have {MAX_TOKENS} tokens; delete one first");
            Err(Error::new(ErrorCode::TooManyTokens, message))
        }
        TokenAdded::NoPlayer => Err(Error::no_player()),
    }
}

/// Delete a token: it is no longer valid.
#[utoipa::path(delete, path = "/api/me/tokens/{id}", operation_id = "delete_token", tag = "account",
    params(("id" = String, Path)),
    responses((status = 204, description = "Done; there is no body"), (status = 401, body = ApiError),
        (status = 403, body = ApiError), (status = 404, body = ApiError)))]
pub(crate) async fn delete(
    State(app): State<AppState>,
    CookiePlayer(me): CookiePlayer,
    Path(id): Path<String>,
    _: NoBody,
) -> Result<StatusCode, Error> {
    if !app.store.delete_token(&me.id, &id).await? {
        return Err(Error::not_found("token"));
    }
    app.invalidate_player(&me.id).await;
    Ok(StatusCode::NO_CONTENT)
}
