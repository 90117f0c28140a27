//! Random actions of several people, compared step by step with a small model of what should come of them:
//! on one node, and on two, where everyone asks any node. Some actions are sent at the same time; then what
//! comes of them must be what comes of one after the other, in either order. Time passes when the test says so;
//! then the server must find out by itself who has lost.
//!
//! `STOA_MODEL_SEEDS=1..500 cargo test -p stoa-server --test all model::` runs these seeds.

mod clock;
mod life;
mod prepared;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stoa_rules::playout::Rng;
use stoa_server::Time;

use self::life::{Act, Life, Refused, Step};
use crate::talk::people::{Person, text};
use crate::talk::world::World;

/// The seeds that are run where nobody asks for others.
const SEEDS: Range<u64> = 0..4;
/// How many steps a run has.
const STEPS: usize = 150;
/// How many people there are.
const PEOPLE: usize = 3;
/// When it all begins.
const START: i64 = 1_800_000_000_000;
const SECOND: i64 = 1000;
const HOUR: i64 = 3600 * SECOND;
/// How much time passes in a run at most: challenges stay open for longer.
const MAX_TIME: i64 = 10 * 24 * HOUR;
/// How long the server may take to find out that time has run out; it looks every two seconds.
const NOTICE_TIMEOUT: Duration = Duration::from_secs(60);

/// What the model knows, and the server's names for it.
struct Run<'a> {
    world: &'a World,
    /// The server's time.
    time: &'a AtomicI64,
    began: i64,
    life: Life,
    people: Vec<Person>,
    challenges: Vec<String>,
    games: Vec<String>,
}

impl Run<'_> {
    fn new<'a>(world: &'a World, time: &'a AtomicI64) -> Run<'a> {
        let people = (0..PEOPLE).map(|n| Person::new(world.address(n), &format!("Person {n}")));
        let people = people.collect();
        let began = time.load(Ordering::SeqCst);
        let life = Life::new(PEOPLE, began);
        Run { world, time, began, life, people, challenges: Vec::new(), games: Vec::new() }
    }

    /// Where somebody is this time: at any node.
    fn somewhere(&self, who: usize, rng: &mut Rng) -> Person {
        self.people[who].at(self.world.address(rng.below(2)))
    }

    fn path(&self, step: &Step) -> String {
        match step {
            Step::Challenge { .. } => "/api/challenges".to_owned(),
            Step::Accept { challenge, .. } => {
                format!("/api/challenges/{}/accept", self.challenges[*challenge])
            }
            Step::Decline { challenge, .. } => {
                format!("/api/challenges/{}/decline", self.challenges[*challenge])
            }
            Step::Cancel { challenge, .. } => {
                format!("/api/challenges/{}", self.challenges[*challenge])
            }
            Step::Act { game, act: Act::Prepare { .. }, .. } => {
                format!("/api/games/{}/conditional", self.games[*game])
            }
            Step::Act { game, .. } => format!("/api/games/{}/actions", self.games[*game]),
        }
    }

    fn body(&self, step: &Step) -> Value {
        match step {
            Step::Challenge { game, control, opponent, .. } => json!({
                "game": game.to_string(), "side": "first", "control": control.body(),
                "opponent": opponent.map(|who| self.people[who].id.clone()),
            }),
            Step::Act { act, .. } => act.body(),
            _ => json!({}),
        }
    }

    /// Sends what a step says.
    fn send(&self, person: &mut Person, step: &Step) -> (u16, Value) {
        let path = self.path(step);
        match step {
            Step::Cancel { .. } => person.delete(&path),
            _ => person.post(&path, &self.body(step)),
        }
    }

    /// Keeps the server's name of what has come of a step.
    fn learn(&mut self, step: &Step, answer: &Value) {
        match step {
            Step::Challenge { .. } => self.challenges.push(text(&answer["id"])),
            Step::Accept { .. } => self.games.push(text(&answer["id"])),
            Step::Act { act: Act::Rematch, .. } if self.life.games.len() > self.games.len() => {
                self.games.push(text(&answer["next"]));
            }
            _ => {}
        }
    }

    fn one(&mut self, rng: &mut Rng) {
        let step = self.life.any_step(rng);
        let mut person = self.somewhere(step.who(), rng);
        let (status, answer) = self.send(&mut person, &step);
        let expected = self.life.take(&step);
        compare(&step, &expected, status, &answer);
        if expected.is_ok() {
            self.learn(&step, &answer);
        }
        self.check(&step, rng);
    }

    /// Two people do something in the same game at the same time.
    fn two_at_once(&mut self, rng: &mut Rng) {
        let Some(game) = self.life.any_game(rng) else { return };
        let steps = [0, 1].map(|_| self.life.any_act(game, rng));
        // A rematch makes a game, whose name only one of the answers tells.
        if steps.iter().any(|step| matches!(step, Step::Act { act: Act::Rematch, .. })) {
            return;
        }
        let mut people = [0, 1].map(|n| self.somewhere(steps[n].who(), rng));
        let [one, two] = &mut people;
        let answers = std::thread::scope(|scope| {
            let other = scope.spawn(|| self.send(two, &steps[1]));
            [self.send(one, &steps[0]), other.join().expect("an answer")]
        });
        let seen = |order: [usize; 2]| {
            let mut life = self.life.clone();
            let fits = order.map(|n| {
                let expected = life.take(&steps[n]);
                fits(&expected, answers[n].0, &answers[n].1)
            });
            let view = self.people[0].look(&self.games[game]);
            let same = life.games[game].is(&view, life.now) && self.same_prepared(&life, game);
            (fits == [true, true] && same).then_some(life)
        };
        match seen([0, 1]).or_else(|| seen([1, 0])) {
            Some(life) => self.life = life,
            None => panic!("in no order: {steps:?}, {answers:?}, {:?}", self.life.games[game]),
        }
    }

    /// What is there is what should be, at any node.
    fn check(&self, step: &Step, rng: &mut Rng) {
        let person = self.somewhere(step.who(), rng);
        if let Step::Act { game, .. } = step {
            self.check_game(*game, &person, step);
        }
        if let Step::Accept { challenge, .. }
        | Step::Decline { challenge, .. }
        | Step::Cancel { challenge, .. } = step
        {
            let (_, found) =
                person.get(&format!("/api/challenges/{}", self.challenges[*challenge]));
            let known = &self.life.challenges[*challenge];
            assert!(known.is(&found["state"]), "{step:?}: {found}, {known:?}");
        }
    }

    fn check_game(&self, game: usize, person: &Person, after: &dyn std::fmt::Debug) {
        let (known, view) = (&self.life.games[game], person.look(&self.games[game]));
        assert!(known.is(&view, self.life.now), "{after:?}: {view}, {known:?}");
        assert!(self.same_prepared(&self.life, game), "{after:?}: {known:?}");
    }

    /// Whether the players of a game have prepared what the model says.
    fn same_prepared(&self, life: &Life, game: usize) -> bool {
        (0..PEOPLE).filter(|who| !life.is_gone(game, *who)).all(|who| {
            let Some(prepared) = life.games[game].prepared(who) else { return true };
            let path = format!("/api/games/{}/conditional", self.games[game]);
            prepared.is(&self.people[who].get(&path).1)
        })
    }

    /// Time passes, and the server finds out by itself which games have ended.
    fn wait(&mut self, rng: &mut Rng) {
        let ms = match rng.below(8) {
            0 => 13 * HOUR,
            1 => 61 * SECOND,
            _ => rng.below(20_000) as i64,
        };
        if self.life.now + ms - self.began > MAX_TIME {
            return;
        }
        self.time.store(self.life.now + ms, Ordering::SeqCst);
        let ended = self.life.wait(ms);
        let person = self.somewhere(0, rng);
        let began = Instant::now();
        for game in ended {
            while person.look(&self.games[game])["result"].is_null() {
                assert!(began.elapsed() < NOTICE_TIMEOUT, "nobody notices that time has run out");
                std::thread::sleep(Duration::from_millis(20));
            }
            self.check_game(game, &person, &"time has run out");
        }
    }

    /// A player deletes their account, and somebody new comes.
    fn leave(&mut self, who: usize) {
        assert_eq!(self.people[who].delete("/api/me").0, 204);
        self.life.leave(who);
        for (game, name) in self.life.games.iter().zip(&self.games) {
            let view = self.people[(who + 1) % PEOPLE].look(name);
            assert!(game.is(&view, self.life.now), "after {who} has left: {view}, {game:?}");
        }
        self.people[who] = Person::new(self.world.address(who), "Somebody new");
    }
}

fn fits(expected: &Result<(), Refused>, status: u16, answer: &Value) -> bool {
    match expected {
        Ok(()) => (200..300).contains(&status),
        Err(code) => status >= 400 && answer["code"] == *code,
    }
}

fn compare(step: &Step, expected: &Result<(), Refused>, status: u16, answer: &Value) {
    assert!(
        fits(expected, status, answer),
        "{step:?}: {expected:?} expected, but {status} {answer}"
    );
}

fn run(world: &World, time: &AtomicI64, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut run = Run::new(world, time);
    for _ in 0..STEPS {
        match rng.below(40) {
            0 => run.leave(rng.below(PEOPLE)),
            1..10 => run.two_at_once(&mut rng),
            10..14 => run.wait(&mut rng),
            _ => run.one(&mut rng),
        }
    }
    let ended = run.life.games.iter().filter(|game| game.end.is_some()).count();
    let answers: usize = run.life.games.iter().map(|game| game.answers).sum();
    println!("{} games, {ended} of them ended; {answers} prepared answers", run.games.len());
    assert!(ended > 0, "a run without a game tests little");
}

fn run_all(world: &World, time: &AtomicI64) {
    let text = std::env::var("STOA_MODEL_SEEDS");
    let seeds = text.ok().map_or(SEEDS, |text| {
        let (from, to) = text.split_once("..").expect("STOA_MODEL_SEEDS=FROM..TO");
        from.parse().expect("a number")..to.parse().expect("a number")
    });
    for seed in seeds {
        println!("seed {seed}");
        run(world, time, seed);
    }
}

/// A time that the test sets, and what makes it the server's. However far it is set, the server was up.
fn manual_time() -> (Arc<AtomicI64>, impl Fn(&mut stoa_server::Settings)) {
    let time = Arc::new(AtomicI64::new(START));
    let of_server = Arc::clone(&time);
    let set = move |settings: &mut stoa_server::Settings| {
        settings.time = Time::Manual(Arc::clone(&of_server));
        settings.max_heartbeat_gap = None;
    };
    (time, set)
}

#[test]
fn one_node_does_what_the_model_says() {
    let (time, set) = manual_time();
    run_all(&World::sqlite_with(set), &time);
}

#[test]
fn two_nodes_do_what_the_model_says() {
    let (time, set) = manual_time();
    if let Some(world) = World::two_nodes_with(set) {
        run_all(&world, &time);
    }
}
