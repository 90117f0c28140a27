//! The API's documentation: the OpenAPI document, and a page for people.
//!
//! The page is generated from the document, without scripts, so the two always agree.

use std::collections::BTreeMap;
use std::fmt::Write;

use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use serde_json::Value;
use utoipa::openapi::OpenApi;

use crate::app::AppState;

/// `/api` and `/api/openapi.json`.
pub(crate) fn routes(document: &OpenApi) -> Router<AppState> {
    let json = document.to_pretty_json().unwrap_or_default();
    let value = serde_json::from_str(&json).unwrap_or_default();
    // Shared by all responses: a client that reads slowly does not hold a copy of its own.
    let (page, json) = (Bytes::from(page(&value)), Bytes::from(json));
    Router::new().route("/api", get(move || async { Html(page) })).route(
        "/api/openapi.json",
        get(move || async { ([(header::CONTENT_TYPE, "application/json")], json).into_response() }),
    )
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;\
    padding:0 1rem;color:#222;background:#fff}code{font:14px/1.4 ui-monospace,monospace}\
    code{background:#f4f2ee;padding:.1em .3em;border-radius:.3em;overflow-wrap:anywhere}\
    summary{cursor:pointer;padding:.25rem 0}details{border-block-end:1px solid #ddd}\
    .verb{display:inline-block;min-width:4.5rem;font-weight:600}table{border-collapse:collapse}\
    td,th{text-align:start;vertical-align:top;padding:.2rem .8rem .2rem 0}\
    @media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1a18}\
    code{background:#2a2825}details{border-color:#444}a{color:#9cc4ff}}";

fn page(document: &Value) -> String {
    let info = &document["info"];
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Stoa: the API</title>\
         <style>{STYLE}</style><h1>Stoa: the API</h1>{}\
         <p>OpenAPI document: <a href=\"/api/openapi.json\">openapi.json</a>. \
         <a href=\"/\">Play</a></p>",
        paragraphs(&info["description"])
    );
    for (tag, operations) in by_tag(document) {
        let _ = write!(page, "<h2>Endpoints: {}</h2>", escape(&tag));
        for (verb, path, operation) in operations {
            write_operation(&mut page, verb, path, operation);
        }
    }
    page.push_str("<h2>Schemas</h2>");
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let _ = write!(
            page,
            "<details id=\"{name}\"><summary><code>{name}</code> {}</summary>",
            with_code(first_sentence(&schema["description"])),
            name = escape(name),
        );
        write_schema(&mut page, schema);
        page.push_str("</details>");
    }
    page.push_str("</html>");
    page
}

type Operation<'a> = (&'a str, &'a str, &'a Value);

fn by_tag(document: &Value) -> BTreeMap<String, Vec<Operation<'_>>> {
    let mut tags: BTreeMap<String, Vec<Operation<'_>>> = BTreeMap::new();
    for (path, verbs) in document["paths"].as_object().into_iter().flatten() {
        for (verb, operation) in verbs.as_object().into_iter().flatten() {
            let tag = operation["tags"][0].as_str().unwrap_or("other").to_owned();
            tags.entry(tag).or_default().push((verb, path, operation));
        }
    }
    tags
}

fn write_operation(page: &mut String, verb: &str, path: &str, operation: &Value) {
    let _ = write!(
        page,
        "<details><summary><span class=\"verb\">{}</span><code>{}</code> {}</summary>{}",
        escape(&verb.to_uppercase()),
        escape(path),
        with_code(operation["summary"].as_str().unwrap_or_default()),
        paragraphs(&operation["description"]),
    );
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let _ = write!(
            page,
            "<p><code>{}</code> ({}) {}</p>",
            escape(parameter["name"].as_str().unwrap_or_default()),
            escape(parameter["in"].as_str().unwrap_or_default()),
            with_code(parameter["description"].as_str().unwrap_or_default()),
        );
    }
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    if !body.is_null() {
        let _ = write!(page, "<p>Body: {}</p>", kind(body));
    }
    page.push_str("<table>");
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let content = response["content"].as_object().and_then(|content| content.iter().next());
        let (form, schema) = match content {
            None => (String::new(), String::new()),
            Some((form, content)) if form == "application/json" => {
                (String::new(), kind(&content["schema"]))
            }
            Some((form, content)) => (format!(", as {form}"), kind(&content["schema"])),
        };
        let _ = write!(
            page,
            "<tr><td>{}<td>{schema}<td>{}{}",
            escape(status),
            with_code(response["description"].as_str().unwrap_or_default()),
            escape(&form),
        );
    }
    page.push_str("</table></details>");
}

/// The fields of an object, or the variants of a union.
fn write_schema(page: &mut String, schema: &Value) {
    page.push_str(&paragraphs(&schema["description"]));
    for part in ["oneOf", "allOf", "anyOf"] {
        for choice in schema[part].as_array().into_iter().flatten() {
            if choice["$ref"].is_string() {
                let _ = write!(page, "<p>{}</p>", kind(choice));
            } else {
                write_schema(page, choice);
            }
        }
    }
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    page.push_str("<table>");
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let optional = if required.iter().any(|other| other == name) { "" } else { " (optional)" };
        let _ = write!(
            page,
            "<tr><td><code>{}</code>{optional}<td>{}<td>{}",
            escape(name),
            kind(field),
            with_code(field["description"].as_str().unwrap_or_default()),
        );
    }
    page.push_str("</table>");
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|word| escape(&word.to_string())).collect();
        let _ = write!(page, "<p>One of {}</p>", words.join(", "));
    }
}

/// A schema in a few words, with a link to the schema it names.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return format!("<a href=\"#{name}\">{name}</a>", name = escape(name));
    }
    for part in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[part].as_array() {
            return choices.iter().map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    if let Some(word) = schema["enum"][0].as_str() {
        return format!("<code>\"{}\"</code>", escape(word));
    }
    match &schema["type"] {
        Value::String(word) if word == "array" => {
            let items = if schema["items"].is_object() {
                &schema["items"]
            } else {
                &schema["prefixItems"][0]
            };
            format!("list of {}", kind(items))
        }
        Value::String(word) => escape(word),
        Value::Array(words) => {
            let words: Vec<String> = words.iter().filter_map(Value::as_str).map(escape).collect();
            words.join(" or ")
        }
        _ => String::new(),
    }
}

fn first_sentence(text: &Value) -> &str {
    let text = text.as_str().unwrap_or_default();
    text.split_once(". ").map_or(text, |(first, _)| first)
}

/// Renders the Markdown that our descriptions use: paragraphs, headings and code.
fn paragraphs(text: &Value) -> String {
    let mut page = String::new();
    for block in text.as_str().unwrap_or_default().split("\n\n").map(str::trim) {
        match block.strip_prefix("## ") {
            _ if block.is_empty() => {}
            Some(heading) => {
                let _ = write!(page, "<h2>{}</h2>", with_code(heading));
            }
            None => {
                let _ = write!(page, "<p>{}</p>", with_code(block));
            }
        }
    }
    page
}

/// Renders text between backticks as code.
fn with_code(text: &str) -> String {
    let parts = text.split('`').map(escape).enumerate();
    let parts =
        parts.map(|(i, part)| if i % 2 == 1 { format!("<code>{part}</code>") } else { part });
    parts.collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
