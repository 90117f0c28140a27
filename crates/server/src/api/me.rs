//! The player who asks, and their games.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum_extra::extract::SignedCookieJar;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Error;
use super::challenges::Challenges;
use super::error::Body;
use super::games::Games;
use super::identity::{Me, renewed, signed_in};
use crate::app::Handle;
use crate::guard::Client;
use crate::ids;
use crate::store::{Filter, PlayerRow};
use crate::wire::{Challenge, Player};

/// Names have no more letters than this.
const LONGEST_NAME: usize = 30;
/// Lists are no longer than this.
const LONGEST_LIST: i64 = 100;

impl From<PlayerRow> for Player {
    fn from(row: PlayerRow) -> Player {
        Player { id: row.id, name: row.name, kind: row.kind }
    }
}

/// Who you are.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Myself {
    /// Missing if you have not said so yet.
    player: Option<Player>,
    /// The name you sign in with, if you have an account.
    login: Option<String>,
}

/// Who you would like to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Naming {
    /// What others see, 1 to 30 characters.
    #[schema(max_length = 30, example = "Zeno")]
    name: String,
}

#[cfg(any(test, feature = "fuzzing"))]
impl Naming {
    /// Whether a name that is proper stays as it is.
    pub(super) fn check(&self) {
        if let Ok(name) = proper_name(&self.name) {
            assert_eq!(proper_name(&name).ok(), Some(name));
        }
    }
}

/// A name as it may be shown: without odd spaces and characters that change how text is laid out.
pub(crate) fn proper_name(name: &str) -> Result<String, Error> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let name = words.join(" ");
    let is_strange = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    if name.is_empty() {
        return Err(Error::bad("bad_name", "a name has at least one letter"));
    }
    if name.chars().count() > LONGEST_NAME {
        return Err(Error::bad("bad_name", format!("a name has at most {LONGEST_NAME} letters")));
    }
    if name.chars().any(is_strange) {
        return Err(Error::bad("bad_name", "a name is made of letters that can be seen"));
    }
    Ok(name)
}

/// Who am I?
#[utoipa::path(get, path = "/api/me", operation_id = "show_me", tag = "players",
    responses((status = 200, body = Myself)))]
pub(crate) async fn show(
    State(app): State<Handle>,
    jar: SignedCookieJar,
    me: Option<Me>,
) -> (SignedCookieJar, Json<Myself>) {
    let Some(Me(row)) = me else { return (jar, Json(Myself { player: None, login: None })) };
    let login = row.login.clone();
    (renewed(jar, &app, &row), Json(Myself { player: Some(row.into()), login }))
}

/// Choose a name: makes you a player if you were none, and sets the cookie by which you are known.
#[utoipa::path(post, path = "/api/me", operation_id = "name_me", tag = "players", request_body = Naming,
    responses((status = 200, body = Player), (status = 400, body = Error), (status = 429, body = Error)))]
pub(crate) async fn rename(
    State(app): State<Handle>,
    client: Client,
    jar: SignedCookieJar,
    me: Option<Me>,
    Body(naming): Body<Naming>,
) -> Result<(SignedCookieJar, Json<Player>), Error> {
    let name = proper_name(&naming.name)?;
    if let Some(Me(mut row)) = me {
        app.store.rename(&row.id, &name).await?;
        app.player_changed(&row.id).await;
        row.name = name;
        return Ok((jar, Json(row.into())));
    }
    app.limits.new_player(&client)?;
    let row = PlayerRow {
        id: ids::long(),
        name,
        kind: "guest".to_owned(),
        login: None,
        password: None,
        epoch: app.time.now(),
        created: app.time.now(),
        deleted: None,
    };
    app.store.add_player(&row).await?;
    Ok((signed_in(jar, &app, &row), Json(row.into())))
}

/// Which games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// `playing` (the default), `ended` or `all`.
    #[serde(default)]
    state: Option<String>,
    /// Only games whose last change was before this time: the `updated` of the last one you have.
    #[serde(default)]
    before: Option<i64>,
    /// At most so many, up to 100; 50 if you do not say.
    #[serde(default)]
    limit: Option<i64>,
}

/// My games, those changed last first.
#[utoipa::path(get, path = "/api/me/games", operation_id = "my_games", tag = "players", params(Which),
    responses((status = 200, body = Games), (status = 401, body = Error)))]
pub(crate) async fn games(
    State(app): State<Handle>,
    Me(row): Me,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Json<Games>, Error> {
    let Query(which) = which?;
    let filter = match which.state.as_deref() {
        None | Some("playing") => Filter::Playing,
        Some("ended") => Filter::Ended,
        Some("all") => Filter::All,
        Some(_) => return Err(Error::bad("bad_request", "state is playing, ended or all")),
    };
    let limit = which.limit.unwrap_or(50).clamp(1, LONGEST_LIST);
    let before = which.before.unwrap_or(i64::MAX);
    let games = app.store.games_of(&row.id, filter, before, limit).await?;
    Ok(Json(Games { games: games.into_iter().map(Into::into).collect() }))
}

/// Challenges that I have made or that were sent to me, as long as they are open.
#[utoipa::path(get, path = "/api/me/challenges", operation_id = "my_challenges", tag = "players",
    responses((status = 200, body = Challenges), (status = 401, body = Error)))]
pub(crate) async fn challenges(
    State(app): State<Handle>,
    Me(row): Me,
) -> Result<Json<Challenges>, Error> {
    let now = app.time.now();
    let challenges = app.store.challenges_of(&row.id, now).await?;
    let challenges = challenges.into_iter().map(|row| Challenge::new(row, now)).collect();
    Ok(Json(Challenges { challenges }))
}
