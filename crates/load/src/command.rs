//! The command line.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};
use stoa_load::crash::{Crashes, Victim};
use stoa_load::{
    ArchiveLoad, Evening, FairnessLoad, Habit, MoveLoad, PairLoad, SoakLoad, SocketLoad, Target,
    TargetOptions, max_connections,
};

/// How long the workers of an evening may take to finish the reviews that are waiting.
const REVIEW_TIMEOUT: Duration = Duration::from_secs(300);

const EXAMPLES: &str = "\
Examples:
  cargo xtask load all                    everything that has a target, on SQLite
  cargo xtask load all --postgres --nodes 2
  cargo xtask load moves --rate 2000      how long moves take at that rate
  cargo xtask load moves --rate 0         the maximum throughput
  cargo xtask load sockets --count 5000   how much memory connections take
  cargo xtask load crash --kills 1000     kill the server again and again
  cargo xtask load evening --minutes 30 --kills 40
                                          people, bots and workers; then recount everything
  cargo xtask load soak --hours 2         people come and go: does anything grow?
  cargo xtask load soak --hours 0.1 --hurry 20
                                          the same in a hurry
  cargo xtask load archive                explorer and archive over a million positions
  cargo xtask load fairness               one greedy address beside ordinary people
  cargo xtask load moves --server http://127.0.0.1:8473
                                          a running server (started with --rate 0)

Servers are started with a database of their own in a temporary folder. Client and
server share this machine, and the results say how busy it was.";

#[derive(Debug, Parser)]
#[command(name = "stoa-load", about = "Measures a Stoa server under load, or kills it under load")]
#[command(after_help = EXAMPLES)]
struct Load {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Moves at a rate: how long until they are acknowledged, and until the opponent has them
    Moves {
        /// Moves a second, all games together; 0 means as many as the server can do
        #[arg(long, default_value_t = 2000)]
        rate: u32,

        /// Games at the same time
        #[arg(long, default_value_t = 400)]
        games: usize,

        /// For how long
        #[arg(long, default_value_t = 20)]
        seconds: u64,

        #[command(flatten)]
        servers: Servers,
    },
    /// Many connections: how much memory they take
    Sockets {
        /// How many, players included
        #[arg(long, default_value_t = 5000)]
        count: usize,

        /// Games that they watch
        #[arg(long, default_value_t = 50)]
        games: usize,

        #[command(flatten)]
        servers: Servers,
    },
    /// People who come and go for hours: whether memory, open files, the database or latency grow
    Soak {
        /// For how long
        #[arg(long, default_value_t = 2.0)]
        hours: f64,

        /// Games at the same time
        #[arg(long, default_value_t = 100)]
        games: usize,

        /// How many times as fast as usual people think, come and go
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=20))]
        hurry: u32,

        /// Where to write the graphs
        #[arg(long, value_name = "FILE", default_value = "soak.html")]
        graph: PathBuf,

        #[command(flatten)]
        servers: Servers,
    },
    /// One greedy address beside ordinary people: whether these wait longer than without it
    Fairness {
        /// Games of ordinary people, two in each
        #[arg(long, default_value_t = 50)]
        games: usize,

        /// How long each habit of the greedy address lasts, and how long people are alone before and after it
        #[arg(long, default_value_t = 20)]
        seconds: u64,

        /// Requests a second in a flood
        #[arg(long, default_value_t = 500)]
        greed: u32,

        /// Only these habits
        #[arg(long, value_enum, value_delimiter = ',')]
        habits: Vec<Habit>,

        #[command(flatten)]
        servers: Servers,
    },
    /// A crowd that asks to be paired at the same moment: how long until everyone has a game
    Pairing {
        /// How many people
        #[arg(long, default_value_t = 1000)]
        people: usize,

        #[command(flatten)]
        servers: Servers,
    },
    /// An archive full of games: how quickly positions are found, and how long ratings take to rebuild
    Archive {
        /// How many games are played
        #[arg(long, default_value_t = 25_000)]
        games: usize,

        /// How many moves each has, 2 to 40
        #[arg(long, default_value_t = 40)]
        moves: usize,

        /// How many questions are asked of explorer and archive
        #[arg(long, default_value_t = 2000)]
        questions: usize,

        #[command(flatten)]
        servers: Servers,
    },
    /// Measure everything that has a target
    All {
        #[command(flatten)]
        servers: Servers,
    },
    /// Kill under load, restart, and check that nothing is lost
    Crash {
        /// How often
        #[arg(long, default_value_t = 100)]
        kills: usize,

        /// Games at the same time
        #[arg(long, default_value_t = 8)]
        games: usize,

        /// On Postgres, which is crashed as well, instead of SQLite
        #[arg(long)]
        postgres: bool,

        /// The program that is killed
        #[arg(long, value_name = "PROGRAM")]
        stoa: Option<PathBuf>,

        /// The seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// An evening of people, bots and workers with kills; then recount games, ratings, archive, explorer, reviews
    Evening {
        /// How many people and bots; half as many games are played at the same time
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(2..=1000))]
        people: u16,

        /// For how long
        #[arg(long, default_value_t = 10.0)]
        minutes: f64,

        /// How many processes are killed: in turn the server, or Postgres with it, and one of two workers
        #[arg(long, default_value_t = 20)]
        kills: usize,

        #[command(flatten)]
        started: Started,

        /// The seed of the random numbers
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

#[derive(Debug, Args)]
struct Servers {
    /// A running server; may be given several times, for several nodes
    #[arg(long, value_name = "URL", conflicts_with_all = ["postgres", "nodes", "stoa", "folder"])]
    server: Vec<String>,

    #[command(flatten)]
    started: Started,
}

/// Servers that are started here.
#[derive(Debug, Args)]
struct Started {
    /// Start servers on Postgres instead of SQLite
    #[arg(long)]
    postgres: bool,

    /// How many nodes to start; several need --postgres, and NATS connects them
    #[arg(long, default_value_t = 1)]
    nodes: usize,

    /// The program to start [default: stoa beside this one]
    #[arg(long, value_name = "PROGRAM")]
    stoa: Option<PathBuf>,

    /// The folder for temporary data [default: the system's folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Servers {
    fn target(&self) -> Result<Target> {
        self.target_with(false)
    }

    /// The servers, with or without limits.
    fn target_with(&self, limited: bool) -> Result<Target> {
        if !self.server.is_empty() {
            return Target::given(&self.server);
        }
        let Started { postgres, nodes, stoa, folder } = &self.started;
        Target::start(&TargetOptions {
            stoa: program(stoa.clone())?,
            postgres: *postgres,
            nodes: *nodes,
            limited,
            folder: folder.clone(),
            arguments: Vec::new(),
        })
    }
}

fn program(named: Option<PathBuf>) -> Result<PathBuf> {
    let path = match named {
        Some(path) => path,
        None => std::env::current_exe().context("where am I?")?.with_file_name("stoa"),
    };
    if !path.is_file() {
        bail!("there is no program {}; name it with --stoa", path.display());
    }
    Ok(path)
}

pub(crate) fn main() -> ExitCode {
    match run(&Load::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("stoa-load: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command; false if a target was missed.
fn run(command: &Command) -> Result<bool> {
    match command {
        Command::Moves { rate, games, seconds, servers } => {
            let load = MoveLoad { games: *games, rate: *rate, seconds: *seconds };
            println!("{}", load.measure(&servers.target()?)?);
            Ok(true)
        }
        Command::Sockets { count, games, servers } => {
            let load = SocketLoad { sockets: *count, games: *games, moves: 5 };
            println!("{}", load.measure(&servers.target()?)?);
            Ok(true)
        }
        Command::Soak { hours, games, hurry, graph, servers } => {
            let duration = Duration::try_from_secs_f64(hours * 3600.0).context("no such time")?;
            let load = SoakLoad { games: *games, duration, hurry: *hurry };
            let measured = load.measure(&servers.target()?)?;
            std::fs::write(graph, measured.html())
                .with_context(|| format!("cannot write {}", graph.display()))?;
            println!("{measured}\n  graphs               {}", graph.display());
            Ok(measured.is_steady())
        }
        Command::Fairness { games, seconds, greed, habits, servers } => {
            let habits = if habits.is_empty() { Habit::ALL.to_vec() } else { habits.clone() };
            let load = FairnessLoad { games: *games, seconds: *seconds, greed: *greed, habits };
            let measured = load.measure(&servers.target_with(true)?)?;
            println!("{measured}");
            Ok(measured.is_fair())
        }
        Command::Pairing { people, servers } => {
            let load = PairLoad { people: *people };
            println!("{}", load.measure(&servers.target()?)?);
            Ok(true)
        }
        Command::Archive { games, moves, questions, servers } => {
            let load = ArchiveLoad { games: *games, moves: *moves, questions: *questions };
            println!("{}", load.measure(&servers.target()?)?);
            Ok(true)
        }
        Command::All { servers } => all(servers),
        Command::Crash { kills, games, postgres, stoa, seed } => {
            let crashes = Crashes {
                stoa: program(stoa.clone())?,
                victims: if *postgres {
                    vec![Victim::Server, Victim::Postgres, Victim::Both]
                } else {
                    vec![Victim::Server]
                },
                kills: *kills,
                games: *games,
                seed: *seed,
            };
            println!("{}", crashes.run(&mut |line| eprintln!("{line}"))?);
            Ok(true)
        }
        Command::Evening { people, minutes, kills, started, seed } => {
            let Started { postgres, nodes, stoa, folder } = started;
            let duration = Duration::try_from_secs_f64(minutes * 60.0).context("no such time")?;
            let evening = Evening {
                stoa: program(stoa.clone())?,
                people: usize::from(*people),
                duration,
                kills: *kills,
                review_timeout: REVIEW_TIMEOUT,
                postgres: *postgres,
                nodes: *nodes,
                folder: folder.clone(),
                seed: *seed,
            };
            let report = evening.run(&mut |line| eprintln!("{line}"))?;
            println!("{report}");
            Ok(report.is_sound())
        }
    }
}

/// Measures everything that has a target, each with fresh servers, and prints whether it is met.
fn all(servers: &Servers) -> Result<bool> {
    let ms = Duration::from_millis;
    let mut reached = true;
    let mut check = |command: &str, is: bool| {
        println!("  {} {command}\n", if is { "reached:" } else { "MISSED: " });
        reached &= is;
    };

    let sockets = max_connections()?.min(20_000);
    let measured = SocketLoad { sockets, games: 50, moves: 5 }.measure(&servers.target()?)?;
    println!("{measured}");
    let little = measured.memory().is_some_and(|megabytes| megabytes <= 500.0);
    check(
        &format!("{sockets} sockets in 500 MB, and all receive everything"),
        little && measured.all_received(),
    );

    let measured = PairLoad { people: 1000 }.measure(&servers.target()?)?;
    println!("{measured}");
    check("1,000 people are paired within 2 s", measured.longest() <= ms(2000));

    let several = servers.started.nodes > 1 || servers.server.len() > 1;
    let rate = if several { 1500 } else { 2000 };
    let measured = MoveLoad { games: 400, rate, seconds: 20 }.measure(&servers.target()?)?;
    println!("{measured}");
    let kept = measured.rate() >= 0.99 * f64::from(rate);
    let most = if several || servers.started.postgres { 50 } else { 10 };
    let quick = measured.acknowledged(0.99) <= ms(most);
    check(&format!("{rate} moves/s, 99 of 100 within {most} ms"), kept && quick);

    if !several && !servers.started.postgres {
        let measured = MoveLoad { games: 400, rate: 0, seconds: 20 }.measure(&servers.target()?)?;
        println!("{measured}");
        check("8,000 moves/s at most", measured.rate() >= 8000.0);
    }

    let measured = MoveLoad { games: 400, rate: 500, seconds: 20 }.measure(&servers.target()?)?;
    println!("{measured}");
    let kept = measured.rate() >= 0.99 * 500.0;
    check(
        "at 500 moves/s the opponent has half of them within 10 ms",
        kept && measured.reached(0.5) <= ms(10),
    );
    Ok(reached)
}
