//! An evening at a club: people and bots play rated and casual games of all kinds, resign, abort, run out of time,
//! leave and come back, and ask for reviews, while the server and the workers that review games are killed. Then
//! everything is restarted, and recounted from outside and from inside.
//!
//! | module | what |
//! |---|---|
//! | `plan`, `kills` | what happens in each game, and which process is killed when, by the seed |
//! | `people`, `table` | who plays, and how: through all interruptions |
//! | `workers` | the processes that review games |
//! | `ledger` | what the players saw |
//! | `database`, `found` | what is in the database, and everything else that the server says afterwards |
//! | `recount`, `report` | the comparison, and how it is printed |

mod database;
mod found;
mod kills;
mod ledger;
mod people;
mod plan;
mod recount;
mod report;
mod table;
mod workers;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{ScopedJoinHandle, sleep};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::crash::Victim;
use crate::stats::load_average;
use crate::target::{Target, TargetOptions};
use database::Database;
use found::Found;
use kills::{Kill, Killed, schedule};
use ledger::Ledger;
use recount::recount;
use report::{KillCounts, Report};
use table::Room;
use workers::{Workers, look_at_one};

/// Evenings that are at least this long have games that nobody begins, which take a minute.
const LONG_EVENING: Duration = Duration::from_secs(180);
/// How long each position is searched: what matters is that a review takes a while, not how good it is.
const REVIEW_TIME: &str = "30ms";
/// How often one of the reviews is looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// An evening.
#[derive(Debug, Clone)]
pub struct Evening {
    /// The program `stoa`.
    pub stoa: PathBuf,
    /// How many people and bots there are; half as many games are played at the same time.
    pub people: usize,
    /// How long they play.
    pub duration: Duration,
    /// How many processes are killed meanwhile.
    pub kills: usize,
    /// How long the workers may take at the end to finish the reviews that are waiting.
    pub review_timeout: Duration,
    /// Whether to use Postgres, which is crashed as well, instead of SQLite.
    pub postgres: bool,
    /// The number of nodes; more than one need Postgres.
    pub nodes: usize,
    /// The folder for temporary data, if not the system's.
    pub folder: Option<PathBuf>,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// All processes.
struct Processes {
    // Dropped in this order: workers before their servers.
    workers: Workers,
    target: Target,
    database: Database,
}

impl Evening {
    /// Spends an evening, and recounts it.
    ///
    /// # Errors
    /// If something cannot be started, or a game cannot continue. Whatever differs is in the report.
    pub fn run(&self, progress: &mut dyn FnMut(&str)) -> Result<Report> {
        ensure!(self.people >= 2, "it takes two to play");
        let load_average = load_average();
        let mut processes = self.start()?;
        let target = &processes.target;
        let words = format!(
            "{} people for {:.1} minutes; {}",
            self.people,
            self.duration.as_secs_f64() / 60.0,
            target.words()
        );
        progress(&words);
        let people = people::welcome(target.urls(), self.people)?;
        let players = people.iter().map(people::Person::seen).collect();
        let room = Room {
            urls: target.urls().to_vec(),
            people,
            ledger: Mutex::new(Ledger { players, ..Ledger::default() }),
            seed: self.seed,
            end: Instant::now() + self.duration,
            is_long: self.duration >= LONG_EVENING,
            next: AtomicUsize::new(0),
            moves: AtomicUsize::new(0),
        };
        let counted = self.play(&room, &mut processes, progress).and_then(|killed| {
            let found = self.recollect(&room, &mut processes, progress)?;
            let lines = recount(&room.ledger(), &found, killed.sum());
            Ok((killed, lines))
        });
        let Processes { workers, target, .. } = processes;
        drop(workers);
        let (killed, lines) = match counted {
            Ok(counted) => counted,
            Err(error) => return Err(error.context(target.keep())),
        };
        let is_sound = lines.iter().all(|line| line.faults.is_empty());
        let ledger = room.ledger();
        Ok(Report {
            words,
            load_average,
            games: ledger.games.len(),
            moves: room.moves.load(Ordering::Relaxed),
            counts: ledger.counts,
            killed,
            lines,
            kept: (!is_sound).then(|| target.keep()),
        })
    }

    fn start(&self) -> Result<Processes> {
        let arguments = ["--reviews", "false", "--review-time", REVIEW_TIME];
        let target = Target::start(&TargetOptions {
            stoa: self.stoa.clone(),
            postgres: self.postgres,
            nodes: self.nodes,
            limited: false,
            folder: self.folder.clone(),
            arguments: arguments.map(str::to_owned).to_vec(),
        })?;
        let database = Database::new(&target.database().context("there is no database")?)?;
        let workers = Workers::start(&target, &self.stoa)?;
        Ok(Processes { workers, target, database })
    }

    /// Lets everyone play, and kills.
    fn play(
        &self,
        room: &Room,
        processes: &mut Processes,
        progress: &mut dyn FnMut(&str),
    ) -> Result<KillCounts> {
        let start = Instant::now();
        let victims = match self.postgres {
            true => &[Victim::Server, Victim::Postgres, Victim::Both][..],
            false => &[Victim::Server],
        };
        let (nodes, workers) = (self.nodes.max(1), processes.workers.count());
        let kills = schedule(self.seed, self.kills, self.duration, nodes, workers, victims);
        std::thread::scope(|scope| {
            let tables: Vec<_> =
                (0..self.people / 2).map(|_| scope.spawn(|| room.take_a_table())).collect();
            // A table at which nobody can play ends the evening with an error.
            let is_broken =
                || Instant::now() < room.end && tables.iter().any(ScopedJoinHandle::is_finished);
            let mut killed = KillCounts::default();
            let mut turn = 0;
            for kill in kills {
                while start.elapsed() < kill.at && !is_broken() {
                    turn += 1;
                    look_at_one(room, turn)?;
                    sleep(LOOK_INTERVAL);
                }
                if is_broken() {
                    break;
                }
                processes
                    .carry_out(kill, room)
                    .with_context(|| format!("{} was killed", kill.what))?;
                killed.count(kill.what);
                let (games, moves) =
                    (room.ledger().games.len(), room.moves.load(Ordering::Relaxed));
                progress(&format!(
                    "{:>4.0} s: {} was killed; {games} games, {moves} moves",
                    start.elapsed().as_secs_f64(),
                    kill.what
                ));
            }
            while !tables.iter().all(ScopedJoinHandle::is_finished) {
                turn += 1;
                look_at_one(room, turn)?;
                sleep(LOOK_INTERVAL);
            }
            for table in tables {
                table.join().expect("nobody panics")?;
            }
            Ok(killed)
        })
    }

    /// Waits for the reviews, restarts everything, and asks for all there is.
    fn recollect(
        &self,
        room: &Room,
        processes: &mut Processes,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Found> {
        let Processes { workers, target, database } = processes;
        progress("nobody plays any more; the reviews are finished …");
        let began = Instant::now();
        let mut turn = 0;
        while look_at_one(room, turn)? && began.elapsed() < self.review_timeout {
            turn += 1;
            sleep(LOOK_INTERVAL / 5);
        }
        workers.end();
        progress("everything is restarted and recounted …");
        target.restart_all()?;
        let ledger = room.ledger().clone();
        let mut found = Found::collect(target, &self.stoa, database, &ledger)?;
        found.reviews_kept = workers.acknowledged();
        Ok(found)
    }
}

impl Processes {
    /// Kills something, and restarts it.
    fn carry_out(&mut self, Kill { what, downtime, .. }: Kill, room: &Room) -> Result<()> {
        match what {
            Killed::Server { victim, node } => {
                victim.kill(&mut self.target, node);
                victim.restart(&mut self.target, node, downtime)
            }
            Killed::Worker(number) => {
                let leases = self.workers.kill(number, &self.database)?;
                for (game, lease) in leases {
                    room.ledger().reviews.entry(game).or_default().abandoned.push(lease);
                }
                sleep(downtime);
                self.workers.restart(number)
            }
        }
    }
}
