//! A worker that reviews games for a server.

use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use stoa_bot::{Worker, WorkerOptions};
use stoa_engine::Stop;
use stoa_ugi::parallel::all_cores;

use super::connection::connect;
use crate::args::WorkerArgs;
use crate::{interrupt, output};

/// Works until Ctrl-C.
pub(crate) fn worker(args: &WorkerArgs) -> Result<()> {
    let stop = Stop::new();
    interrupt::stops(&stop)?;
    let client = connect(&args.connection)?;
    let jobs = args.jobs.map_or_else(|| all_cores().saturating_sub(1).max(1), usize::from);
    let options = WorkerOptions {
        searches: None,
        // If the output is closed, the work goes on in silence.
        log: |message| drop(output::print(&format!("{message}\n"))),
    };
    let url = &args.connection.server;
    output::print(&format!("Reviews games for {url}, {jobs} at a time  (Ctrl-C ends it)\n"))?;
    let workers: Vec<_> = (0..jobs)
        .map(|_| {
            let worker = Worker::new(client.clone(), options.clone(), stop.clone());
            thread::spawn(move || worker.run())
        })
        .collect();
    // A worker that ends by itself was refused, and so would be the others.
    while !workers.iter().any(thread::JoinHandle::is_finished) {
        thread::sleep(Duration::from_millis(50));
    }
    stop.stop();
    for worker in workers {
        match worker.join() {
            Ok(done) => done.with_context(|| format!("cannot get work from {url}"))?,
            Err(_) => bail!("the worker has failed"),
        }
    }
    Ok(())
}
