//! What the API's description says about all addresses; the rest is beside each of them.

use axum::http::StatusCode;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{Content, Ref, RefOr, Response};

/// What the description begins with.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Stoa",
        version = "1",
        description = include_str!("description.md"),
        license(name = "MIT OR Apache-2.0")
    ),
    servers((url = "/")),
    components(schemas(crate::wire::Message, crate::wire::Request, crate::push::Notice)),
    modifiers(&WaysIn)
)]
pub(super) struct Start;

/// How requests say who sends them.
struct WaysIn;

impl utoipa::Modify for WaysIn {
    fn modify(&self, description: &mut utoipa::openapi::OpenApi) {
        let cookie = ApiKeyValue::with_description("stoa", "People: set by POST /api/me");
        let token = Http::builder()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("Programs: a token made by its owner"))
            .build();
        if let Some(components) = &mut description.components {
            components
                .add_security_scheme("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
            components.add_security_scheme("token", SecurityScheme::Http(token));
        }
    }
}

/// Says of every address what is the same for many: what a status means, who may ask, and that anything
/// can be refused.
pub(super) fn complete(description: &mut utoipa::openapi::OpenApi) {
    for (path, item) in &mut description.paths.paths {
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            if operation.security.is_none() {
                operation.security = Some(who_may_ask(path, operation));
            }
            let answers = &mut operation.responses.responses;
            for (status, answer) in &mut *answers {
                if let RefOr::T(answer) = answer
                    && answer.description.is_empty()
                {
                    answer.description = meaning(status).to_owned();
                }
            }
            let refused = Response::builder()
                .description("Any other refusal")
                .content("application/json", Content::new(Some(Ref::from_schema_name("Error"))))
                .build();
            answers.insert("default".to_owned(), refused.into());
        }
    }
}

/// Where a request of nobody is refused, it needs a cookie or a token; elsewhere it may have one.
fn who_may_ask(path: &str, operation: &Operation) -> Vec<SecurityRequirement> {
    let way = |name: &str| SecurityRequirement::new(name, [] as [&str; 0]);
    let refuses_nobody =
        path != "/api/account/login" && operation.responses.responses.contains_key("401");
    let ways = [way("cookie"), way("token")];
    if refuses_nobody {
        return ways.into();
    }
    [SecurityRequirement::default()].into_iter().chain(ways).collect()
}

fn meaning(status: &str) -> &'static str {
    match status {
        "200" => "Here it is",
        "201" => "It is made",
        "204" => "It is done",
        "400" => "It cannot be understood, or is not possible",
        "401" => "Nobody is signed in, or not with the right words",
        "403" => "You may not do that",
        "404" => "There is no such thing",
        "409" => "Not as things stand; the code says why",
        "429" => "Too many requests; `Retry-After` says when to come back",
        "503" => "Too much to do; `Retry-After` says when to come back",
        other => other
            .parse()
            .ok()
            .and_then(|code| StatusCode::from_u16(code).ok()?.canonical_reason())
            .unwrap_or("See the body"),
    }
}
