//! The browser's face of Stoa: rules, engine and exact answers as questions and answers in JSON.
//!
//! A page asks through three functions, one for each of its workers: [`ask_rules`] answers at once,
//! [`ask_engine`] thinks and reports meanwhile, [`ask_exact`] knows for certain. Questions are
//! self-contained: they carry the game and the position as text, and nothing is remembered between
//! them but what engine and solver have learnt. So a worker that dies can be replaced at any time,
//! and undo, variations and reloads are lists of texts on the page's side.
//!
//! The answer is `{"ok": …}` or `{"error": {"kind", "message", …}}`; see [`Failure`]. The same
//! types are in `web/src/lib/worker/questions.generated.ts`, which `tests/types.rs` makes and compares.

pub mod editor;
pub mod exact;
pub mod failure;
pub mod question;
pub mod record;
pub mod rules;
pub mod thinking;
#[cfg(feature = "ts")]
pub mod typescript;

pub use failure::Failure;

use serde::Serialize;

/// Answers a question about the rules. Any text gets an answer.
pub fn ask_rules(question: &str) -> String {
    let answer = serde_json::from_str::<rules::Question>(question)
        .map_err(Failure::question)
        .and_then(|question| question.answer(&mut (), &mut |_| ()));
    as_json(answer)
}

/// Answers a question to the engine, which reports in JSON while it thinks. Any text gets an
/// answer.
pub fn ask_engine(
    engines: &mut thinking::Engines,
    question: &str,
    report: &mut dyn FnMut(String),
) -> String {
    let answer = serde_json::from_str::<thinking::Question>(question)
        .map_err(Failure::question)
        .and_then(|question| question.answer(engines, report));
    as_json(answer)
}

/// Answers a question about exact values, which reports in JSON what it has found so far. Any text
/// gets an answer.
pub fn ask_exact(
    solver: &mut exact::Solver,
    question: &str,
    report: &mut dyn FnMut(String),
) -> String {
    let answer = serde_json::from_str::<exact::Question>(question)
        .map_err(Failure::question)
        .and_then(|question| question.answer(solver, report));
    as_json(answer)
}

fn as_json(answer: Result<serde_json::Value, Failure>) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    enum Answer {
        Ok(serde_json::Value),
        Error(Failure),
    }
    let answer = answer.map_or_else(Answer::Error, Answer::Ok);
    serde_json::to_string(&answer).unwrap_or_else(|_| NOT_JSON.to_owned())
}

/// What is said when an answer cannot be written, which no answer of ours makes happen.
const NOT_JSON: &str = r#"{"error":{"kind":"bug","message":"the answer cannot be written"}}"#;

#[cfg(target_arch = "wasm32")]
pub mod border;
