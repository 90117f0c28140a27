//! What the OpenAPI document says about the whole API; each handler describes itself.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use stoa_rules::Game;
use stoa_wire::ErrorCode;
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::Discriminator;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Response, Schema};

/// The document before any handler is added to it.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Stoa", version = "1", license(name = "MIT OR Apache-2.0")),
    servers((url = "/")),
    components(schemas(
        stoa_wire::ServerMessage,
        stoa_wire::ClientMessage,
        stoa_wire::PushNotification,
        stoa_wire::GameFilter,
        stoa_wire::Contestants,
        stoa_wire::Pace
    )),
    modifiers(&Introduction, &Authentication)
)]
pub(super) struct Document;

/// The text that the document begins with.
struct Introduction;

impl utoipa::Modify for Introduction {
    fn modify(&self, document: &mut OpenApi) {
        let text = include_str!("description.md");
        let text = text
            .replace("{games}", &names(|_| true))
            .replace("{drawn_games}", &names(|game| game.info().draws))
            .replace("{error_codes}", &error_codes());
        document.info.description = Some(text.trim_end().to_owned());
    }
}

/// The names of games, as a list in a sentence.
fn names(is_meant: impl Fn(&Game) -> bool) -> String {
    let meant = Game::ALL.into_iter().filter(is_meant);
    let names: Vec<&str> = meant.map(|game| game.info().name).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The error codes, one paragraph for each status.
fn error_codes() -> String {
    let mut by_status: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    for code in ErrorCode::ALL {
        let meaning = code.meaning().trim_end_matches('.');
        let (first, rest) = meaning.split_at(1);
        let meaning = format!("`{code}` ({}{rest})", first.to_lowercase());
        by_status.entry(code.status()).or_default().push(meaning);
    }
    let paragraphs = by_status
        .into_iter()
        .map(|(status, codes)| format!("Status {status}: {}.", codes.join(", ")));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// The ways to authenticate a request.
struct Authentication;

impl utoipa::Modify for Authentication {
    fn modify(&self, document: &mut OpenApi) {
        let cookie = ApiKeyValue::with_description("stoa", "Browsers: set by POST /api/me");
        let token = Http::builder()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("Programs: a token created by its owner"))
            .build();
        if let Some(components) = &mut document.components {
            components
                .add_security_scheme("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
            components.add_security_scheme("token", SecurityScheme::Http(token));
        }
    }
}

/// Adds what is the same for many operations: what a status means, how to authenticate, and that any
/// request can be refused.
pub(super) fn complete(document: &mut OpenApi) {
    name_variants(document);
    for item in document.paths.paths.values_mut() {
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            if operation.security.is_none() {
                operation.security = Some(security(operation));
            }
            let responses = &mut operation.responses.responses;
            for (status, response) in &mut *responses {
                if let RefOr::T(response) = response
                    && response.description.is_empty()
                {
                    response.description = meaning(status).to_owned();
                }
            }
            responses.insert("default".to_owned(), refused("Any other error").into());
        }
        let changing = [&mut item.post, &mut item.put, &mut item.delete];
        let refusals = changing.map(|operation| (operation, &CHANGE_REFUSALS[..]));
        for (operation, statuses) in refusals.into_iter().chain([(&mut item.get, &[][..])]) {
            let Some(operation) = operation else { continue };
            for status in statuses.iter().chain(&REFUSALS) {
                let responses = &mut operation.responses.responses;
                responses
                    .entry((*status).to_owned())
                    .or_insert_with(|| refused(meaning(status)).into());
            }
        }
    }
}

/// How any request can be refused, and besides any that changes something: by the middleware.
const REFUSALS: [&str; 3] = ["429", "500", "503"];
const CHANGE_REFUSALS: [&str; 5] = ["400", "403", "408", "413", "415"];

fn refused(description: &str) -> Response {
    Response::builder()
        .description(description)
        .content("application/json", Content::new(Some(Ref::from_schema_name("ApiError"))))
        .build()
}

/// The discriminator fields of our unions.
const TAGS: [&str; 2] = ["t", "kind"];

/// Gives every variant of a tagged union a schema of its own, and the union a discriminator: generators
/// of clients then have a name for each variant.
fn name_variants(document: &mut OpenApi) {
    let Some(components) = &mut document.components else { return };
    let mut variants = BTreeMap::new();
    for (name, schema) in &mut components.schemas {
        let RefOr::T(Schema::OneOf(union)) = schema else { continue };
        let is_tag = |tag: &&str| union.items.iter().all(|item| tag_value(item, tag).is_some());
        let Some(tag) = TAGS.into_iter().find(is_tag) else { continue };
        let mut mapping = BTreeMap::new();
        for item in &mut union.items {
            let Some(value) = tag_value(item, tag) else { continue };
            let variant = format!("{name}{}", pascal_case(&value));
            let reference = Ref::from_schema_name(&variant);
            mapping.insert(value, reference.ref_location.clone());
            variants.insert(variant, std::mem::replace(item, reference.into()));
        }
        union.discriminator = Some(Discriminator::with_mapping(tag, mapping));
    }
    components.schemas.extend(variants);
}

/// The one value that a schema allows in a field.
fn tag_value(schema: &RefOr<Schema>, field: &str) -> Option<String> {
    match schema {
        RefOr::T(Schema::Object(object)) => match object.properties.get(field)? {
            RefOr::T(Schema::Object(tag)) => match tag.enum_values.as_deref()? {
                [value] => value.as_str().map(str::to_owned),
                _ => None,
            },
            _ => None,
        },
        RefOr::T(Schema::AllOf(all)) => all.items.iter().find_map(|item| tag_value(item, field)),
        _ => None,
    }
}

fn pascal_case(word: &str) -> String {
    let capitalised = word.split(['_', '-']).map(|part| {
        let (first, rest) = part.split_at(part.len().min(1));
        first.to_uppercase() + rest
    });
    capitalised.collect()
}

/// Operations that manage the account, and refuse tokens. A test checks this against the server.
const COOKIE_ONLY: &[&str] = &[
    "add_passkey",
    "change_password",
    "create_token",
    "delete_mail_address",
    "delete_me",
    "delete_token",
    "end_other_sessions",
    "end_session",
    "export_data",
    "forget_puzzles",
    "list_passkeys",
    "list_sessions",
    "list_tokens",
    "my_mail",
    "order_passkey",
    "register",
    "remove_passkey",
    "rename_passkey",
    "set_mail_address",
    "set_mail_notices",
    "set_privacy",
    "sign_out",
];
/// Operations that respond with 401 only to some requests, or to wrong passwords; the client need not be a
/// player.
const OPEN_TO_ALL: &[&str] = &["sign_in", "explore"];

/// Where anonymous requests are refused, a request needs a cookie or a token; elsewhere it may have one.
fn security(operation: &Operation) -> Vec<SecurityRequirement> {
    let scheme = |name: &str| SecurityRequirement::new(name, [] as [&str; 0]);
    let is_in =
        |list: &[&str]| operation.operation_id.as_deref().is_some_and(|id| list.contains(&id));
    let refuses_anonymous =
        !is_in(OPEN_TO_ALL) && operation.responses.responses.contains_key("401");
    let anonymous = (!refuses_anonymous).then(SecurityRequirement::default);
    let token = (!is_in(COOKIE_ONLY)).then(|| scheme("token"));
    anonymous.into_iter().chain([scheme("cookie")]).chain(token).collect()
}

fn meaning(status: &str) -> &'static str {
    match status {
        "200" => "Success",
        "201" => "Created",
        "204" => "Done; there is no body",
        "400" => "The request cannot be parsed, or asks for something impossible",
        "401" => "The request needs a cookie or a token, or the one it has is not valid",
        "403" => "You may not do this",
        "404" => "There is no such resource",
        "408" => "The body took too long to arrive",
        "409" => "Not possible now; the code says why",
        "413" => "The body is too large",
        "415" => "The body is not declared as JSON",
        "426" => "The request must open a WebSocket",
        "429" => "Too many requests; `Retry-After` says when to retry",
        "503" => {
            "The server is overloaded, has lost its database, or its engine is busy; `Retry-After` says when \
             to retry"
        }
        other => other
            .parse()
            .ok()
            .and_then(|code| StatusCode::from_u16(code).ok()?.canonical_reason())
            .unwrap_or("See the body"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_named() {
        let games = names(|_| true);
        assert!(Game::ALL.iter().all(|game| games.contains(game.info().name)), "{games}");
        assert!(games.contains(" and ") && !games.contains(", and"), "{games}");
    }

    #[test]
    fn variants_are_named_after_their_union() {
        assert_eq!(pascal_case("take_back"), "TakeBack");
        assert_eq!(pascal_case("missed-win"), "MissedWin");
        assert_eq!(pascal_case("t"), "T");
    }
}
