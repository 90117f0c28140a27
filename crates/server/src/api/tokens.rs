//! Tokens, by which programs act for a player.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Error;
use super::error::Body;
use super::identity::InPerson;
use crate::app::Handle;
use crate::ids;
use crate::store::TokenRow;

/// How many tokens one player may have.
const MOST: usize = 20;
/// Labels have no more characters than this.
const LONGEST_LABEL: usize = 50;

/// A token, without what makes it one: that was shown when it was made.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Token {
    id: String,
    /// What you have called it.
    label: String,
    created: i64,
    /// When it was last used, to the hour; missing if it never was.
    used: Option<i64>,
}

impl From<TokenRow> for Token {
    fn from(TokenRow { id, label, created, used }: TokenRow) -> Token {
        Token { id, label, created, used }
    }
}

/// A list of tokens.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Tokens {
    tokens: Vec<Token>,
}

/// What a token is for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Label {
    /// What you call it, up to 50 characters.
    #[schema(max_length = 50, example = "my bot")]
    label: String,
}

/// A new token. Keep it: it is shown only now.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewToken {
    id: String,
    /// To be sent as `Authorization: Bearer TOKEN`.
    token: String,
    label: String,
}

/// My tokens.
#[utoipa::path(get, path = "/api/me/tokens", operation_id = "list_tokens", tag = "account",
    responses((status = 200, body = Tokens), (status = 401, body = Error),
        (status = 403, body = Error)))]
pub(crate) async fn list(
    State(app): State<Handle>,
    InPerson(me): InPerson,
) -> Result<Json<Tokens>, Error> {
    let tokens = app.store.tokens(&me.id).await?.into_iter().map(Token::from).collect();
    Ok(Json(Tokens { tokens }))
}

/// Make a token: a program that has it can play as you, but not take your account away.
#[utoipa::path(post, path = "/api/me/tokens", operation_id = "create_token", tag = "account",
    request_body = Label,
    responses((status = 201, body = NewToken), (status = 400, body = Error),
        (status = 401, body = Error), (status = 403, body = Error), (status = 409, body = Error)))]
pub(crate) async fn create(
    State(app): State<Handle>,
    InPerson(me): InPerson,
    Body(Label { label }): Body<Label>,
) -> Result<(StatusCode, Json<NewToken>), Error> {
    let label = label.trim().to_owned();
    if label.chars().count() > LONGEST_LABEL || label.chars().any(char::is_control) {
        let message = format!("a label has at most {LONGEST_LABEL} characters on one line");
        return Err(Error::bad("bad_label", message));
    }
    if app.store.tokens(&me.id).await?.len() >= MOST {
        let message = format!("you have {MOST} tokens; delete one first");
        return Err(Error::conflict("too_many_tokens", message));
    }
    let (id, token) = (ids::short(), ids::secret());
    app.store.add_token(&ids::hash(&token), &id, &me.id, &label, app.time.now()).await?;
    Ok((StatusCode::CREATED, Json(NewToken { id, token, label })))
}

/// End a token: programs that have it can do nothing more.
#[utoipa::path(delete, path = "/api/me/tokens/{id}", operation_id = "delete_token", tag = "account",
    params(("id" = String, Path)),
    responses((status = 204, description = "done"), (status = 401, body = Error),
        (status = 403, body = Error), (status = 404, body = Error)))]
pub(crate) async fn delete(
    State(app): State<Handle>,
    InPerson(me): InPerson,
    Path(id): Path<String>,
) -> Result<StatusCode, Error> {
    if !app.store.delete_token(&me.id, &id).await? {
        return Err(Error::not_found("token"));
    }
    app.player_changed(&me.id).await;
    Ok(StatusCode::NO_CONTENT)
}
