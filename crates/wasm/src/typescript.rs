//! The types of questions and answers for the page, as TypeScript. `tests/types.rs` compares them
//! with the file that the page is built with.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use ts_rs::{Config, TS, TypeVisitor};

use crate::question::Ask;

/// Takes the questions of a worker one by one.
pub trait Describe {
    /// Begins with the questions to one worker; `name` is that of their type.
    fn worker(&mut self, name: &str);
    /// A question, by the name of its variant.
    fn question<Q>(&mut self, name: &str)
    where
        Q: Ask + TS + 'static,
        Q::Answer: TS + 'static,
        Q::Report: TS + 'static;
}

/// The whole file.
pub fn file() -> String {
    let mut file = File::new();
    crate::rules::Question::describe(&mut file);
    crate::thinking::Question::describe(&mut file);
    crate::exact::Question::describe(&mut file);
    file.declare::<crate::Failure>();
    file.declare::<stoa_solve::puzzles::Puzzle>();
    file.finish()
}

struct File {
    config: Config,
    known: HashSet<TypeId>,
    /// Declarations by name, and so in an order that stays.
    types: BTreeMap<String, String>,
    /// The questions of each worker.
    workers: Vec<(String, String)>,
}

impl File {
    fn new() -> File {
        // No number of ours is too large for JavaScript's.
        let config = Config::new().with_large_int("number");
        File { config, known: HashSet::new(), types: BTreeMap::new(), workers: Vec::new() }
    }

    /// Declares a type and everything that it is made of.
    fn declare<T: TS + 'static + ?Sized>(&mut self) {
        if !self.known.insert(TypeId::of::<T>()) {
            return;
        }
        // Types without a path are TypeScript's own, or wrap others.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let text = format!("{docs}export {}\n", T::decl(&self.config));
            let name = T::ident(&self.config);
            let other = self.types.insert(name.clone(), text.clone());
            assert!(other.is_none_or(|other| other == text), "two types are called {name}");
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }

    fn finish(self) -> String {
        let mut text = String::from(
            "/**\n * The questions to the workers and their answers, as Rust knows them. Made by `STOA_BLESS=1 cargo\n \
             * test -p stoa-wasm --features ts --test types`; changes are made in Rust.\n */\n",
        );
        for (name, questions) in &self.workers {
            let _ = write!(text, "\nexport interface {name} {{\n{questions}}}\n");
        }
        for declaration in self.types.values() {
            let _ = write!(text, "\n{declaration}");
        }
        text
    }
}

impl TypeVisitor for File {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.declare::<T>();
    }
}

impl Describe for File {
    fn worker(&mut self, name: &str) {
        self.workers.push((name.to_owned(), String::new()));
    }

    fn question<Q>(&mut self, name: &str)
    where
        Q: Ask + TS + 'static,
        Q::Answer: TS + 'static,
        Q::Report: TS + 'static,
    {
        self.declare::<Q>();
        self.declare::<Q::Answer>();
        self.declare::<Q::Report>();
        let [question, answer, progress] = [Q::name, Q::Answer::name, Q::Report::name]
            .map(|name: fn(&Config) -> String| name(&self.config));
        let ask = name.to_lowercase();
        let line = format!(
            "  {ask}: {{ question: {question}; answer: {answer}; progress: {progress} }};\n"
        );
        if let Some((_, questions)) = self.workers.last_mut() {
            questions.push_str(&line);
        }
    }
}
