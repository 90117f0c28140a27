//! What the workers call, and what they bring along: a clock, a way to stop, an ear for panics, and words that they
//! share with other workers.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use stoa_engine::Stop;
use stoa_engine::crew::{Crew, Role, SharedWords};
use wasm_bindgen::prelude::*;

use crate::exact::Solver;
use crate::thinking::Engines;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since some moment in the past, or a negative number if the search is to stop.
    /// The engine looks at its clock every few thousand positions, so this is also how a worker
    /// that is busy hears that it should stop: through memory shared with the page.
    #[wasm_bindgen(js_name = stoaNow)]
    fn stoa_now() -> f64;

    /// Tells the worker why it is about to die.
    #[wasm_bindgen(js_name = stoaPanicked)]
    fn stoa_panicked(message: &str);

    /// How many words the worker shares with others; 0 if it works alone.
    #[wasm_bindgen(js_name = stoaWords)]
    fn stoa_words() -> u32;

    /// Which helper it is, from 0; negative if it leads.
    #[wasm_bindgen(js_name = stoaHelper)]
    fn stoa_helper() -> i32;

    /// Reads a word.
    #[wasm_bindgen(js_name = stoaLoad)]
    fn stoa_load(place: u32) -> u32;

    /// Writes a word.
    #[wasm_bindgen(js_name = stoaStore)]
    fn stoa_store(place: u32, word: u32);
}

/// The words that the worker shares.
#[derive(Debug)]
struct WorkerWords(usize);

impl SharedWords for WorkerWords {
    fn len(&self) -> usize {
        self.0
    }

    fn load(&self, place: usize) -> u32 {
        stoa_load(place as u32)
    }

    fn store(&self, place: usize, word: u32) {
        stoa_store(place as u32, word);
    }
}

/// The part that the worker has in a crew.
fn crew() -> Option<Crew> {
    let role = usize::try_from(stoa_helper()).map_or(Role::Leader, Role::Helper);
    Crew::new(Arc::new(WorkerWords(stoa_words() as usize)), role)
}

thread_local! {
    static STOP: Stop = Stop::new();
    static LAST: RefCell<Duration> = const { RefCell::new(Duration::ZERO) };
    static ENGINES: RefCell<Engines> = RefCell::new(Engines::new(now, STOP.with(Stop::clone), crew()));
    static SOLVER: RefCell<Solver> = RefCell::new(Solver::new(now, STOP.with(Stop::clone)));
}

/// To be called once, before anything else.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| stoa_panicked(&info.to_string())));
}

/// Answers a question about the rules.
#[wasm_bindgen(js_name = askRules)]
pub fn ask_rules(question: &str) -> String {
    crate::ask_rules(question)
}

/// Answers a question to the engine, which judges with the network in `net` if there is one;
/// `report` is called with progress in JSON.
#[wasm_bindgen(js_name = askEngine)]
pub fn ask_engine(question: &str, net: Option<Box<[u8]>>, report: &js_sys::Function) -> String {
    STOP.with(Stop::reset);
    ENGINES.with_borrow_mut(|engines| {
        if let Some(net) = net {
            engines.use_net(&net);
        }
        crate::ask_engine(engines, question, &mut |progress| {
            // A report that nobody can take is no reason to stop thinking.
            let _ = report.call1(&JsValue::NULL, &progress.into());
        })
    })
}

/// Answers a question about exact values; `report` is called with progress in JSON.
#[wasm_bindgen(js_name = askExact)]
pub fn ask_exact(question: &str, report: &js_sys::Function) -> String {
    STOP.with(Stop::reset);
    SOLVER.with_borrow_mut(|solver| {
        crate::ask_exact(solver, question, &mut |progress| {
            let _ = report.call1(&JsValue::NULL, &progress.into());
        })
    })
}

/// The worker's clock; passes on the wish to stop.
fn now() -> Duration {
    let milliseconds = stoa_now();
    if milliseconds < 0.0 {
        STOP.with(Stop::stop);
        return LAST.with_borrow(|last| *last);
    }
    let now = Duration::from_micros((milliseconds * 1000.0) as u64);
    LAST.with_borrow_mut(|last| *last = now);
    now
}
