//! The Python package `stoa`: a thin layer over the rules, the engine, the exact answers and the
//! arrays. No rule of any game is written here or in Python.
//!
//! Everything that Python holds is immutable, except an `Engine`, which learns, and a
//! `Batch`, whose games go on. Work that takes time releases the interpreter lock, and Ctrl-C
//! ends it (`interrupt.rs`).

// What classes and functions say of themselves is read in Python, where brackets and tags mean nothing.
#![allow(rustdoc::broken_intra_doc_links, rustdoc::invalid_html_tags)]

mod arguments;
mod batch;
mod engine;
mod errors;
mod exact;
mod game;
mod interrupt;
mod moves;
mod numbers;
mod outcome;
mod pickle;
mod position;
mod record;

use pyo3::prelude::*;

/// The compiled part of the package `stoa`.
#[pymodule]
fn _stoa(module: &Bound<'_, PyModule>) -> PyResult<()> {
    // What these import is imported now, and not later by some thread.
    numbers::prepare(module.py())?;
    interrupt::is_main_thread(module.py())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add_to(module)?;
    module.add_class::<game::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<moves::Move>()?;
    module.add_class::<outcome::Outcome>()?;
    module.add_class::<record::Record>()?;
    module.add_class::<record::Node>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<engine::Thought>()?;
    module.add_class::<engine::Line>()?;
    module.add_class::<engine::Score>()?;
    module.add_class::<exact::Exact>()?;
    module.add_class::<exact::Proof>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<batch::RandomGames>()?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(exact::probe, module)?)?;
    module.add_function(wrap_pyfunction!(exact::probe_moves, module)?)?;
    module.add_function(wrap_pyfunction!(exact::prove, module)?)?;
    module.add_function(wrap_pyfunction!(batch::random_games, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::_restore, module)?)?;
    Ok(())
}
