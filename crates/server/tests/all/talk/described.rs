//! Every answer that a person in a test gets has a status that the API's description names for that operation.

use std::sync::LazyLock;

use serde_json::Value;

static DESCRIPTION: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../../../../../docs/openapi.json");
    serde_json::from_str(text).expect("a description")
});

/// Panics if the description has the operation, and does not name the status for it. What it does not have at
/// all, such as pages and addresses that do not exist, is not its concern.
pub(crate) fn assert_described(verb: &str, url: &str, status: u16, answer: &Value) {
    let path = url.split('?').next().unwrap_or_default();
    let paths = DESCRIPTION["paths"].as_object().expect("paths");
    // `/api/games/live` is not the game whose id is `live`.
    let operations = paths.get(path).or_else(|| {
        paths.iter().find(|(template, _)| fits(template, path)).map(|(_, operations)| operations)
    });
    let Some(operation) = operations.and_then(|operations| operations.get(verb)) else { return };
    let described = &operation["responses"][status.to_string()];
    assert!(!described.is_null(), "not described: {verb} {path} answers {status}: {answer}");
}

/// Whether a path is one of those that a template with parameters in braces stands for.
fn fits(template: &str, path: &str) -> bool {
    let (mut parts, mut given) = (template.split('/'), path.split('/'));
    parts.by_ref().zip(given.by_ref()).all(|(part, given)| part.starts_with('{') || part == given)
        && template.matches('/').count() == path.matches('/').count()
}

#[test]
fn templates_stand_for_paths() {
    assert!(fits("/api/games/{id}/talk", "/api/games/7/talk"));
    assert!(!fits("/api/games/{id}", "/api/games/7/talk"));
    assert!(!fits("/api/games/{id}/talk", "/api/games/7/mine"));
    let answered = |status| assert_described("post", "/api/me?x=1", status, &Value::Null);
    answered(200);
    assert!(std::panic::catch_unwind(|| answered(418)).is_err());
}
