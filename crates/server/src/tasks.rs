//! Background tasks, of which none may end while the server runs: what it does would no longer be done, and nothing
//! else would show that.
//!
//! A task that panics or returns ends the server, with an error in the log: whatever starts it, such as systemd,
//! starts it again. Everything is in the database, so that takes seconds, in which no clock runs. To go on without
//! the task, or to start it again in the middle of whatever it has left behind, could do harm for as long as nobody
//! notices.

use std::any::Any;
use std::collections::HashMap;

use tokio::task::{AbortHandle, Id, JoinError, JoinHandle, JoinSet};

/// The background tasks of a server. They end when this is dropped.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    set: JoinSet<()>,
    known: HashMap<Id, Known>,
}

#[derive(Debug)]
struct Known {
    name: &'static str,
    may_end: bool,
}

/// A background task has ended, and the server cannot go on without it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the background task {task:?} has ended: {why}")]
pub struct TaskFailure {
    /// The name of the task.
    pub task: &'static str,
    /// What the panic says, if it was one.
    pub why: String,
}

impl Tasks {
    /// Starts a task that must not end.
    pub(crate) fn spawn(
        &mut self,
        name: &'static str,
        task: impl Future<Output = ()> + Send + 'static,
    ) {
        let started = self.set.spawn(task);
        self.keep(&started, name, false);
    }

    /// Starts a task that may return, but not panic.
    pub(crate) fn spawn_finite(
        &mut self,
        name: &'static str,
        task: impl Future<Output = ()> + Send + 'static,
    ) {
        let started = self.set.spawn(task);
        self.keep(&started, name, true);
    }

    /// Watches a task that was started elsewhere, and must not end.
    pub(crate) fn watch(&mut self, (name, task): RunningTask) {
        self.spawn(name, async move {
            if let Err(Ok(panic)) = task.await.map_err(JoinError::try_into_panic) {
                std::panic::resume_unwind(panic);
            }
        });
    }

    fn keep(&mut self, started: &AbortHandle, name: &'static str, may_end: bool) {
        self.known.insert(started.id(), Known { name, may_end });
    }

    /// Waits until a task has ended that must not.
    pub(crate) async fn failure(&mut self) -> TaskFailure {
        loop {
            let Some(ended) = self.set.join_next_with_id().await else {
                // There is nothing that could end.
                return std::future::pending().await;
            };
            let (id, why) = match ended {
                Ok((id, ())) => (id, None),
                Err(error) => (error.id(), Some(said(error))),
            };
            match (self.known.remove(&id), why) {
                (Some(Known { may_end: true, .. }), None) | (None, _) => {}
                (Some(Known { name, .. }), why) => {
                    let why = why.unwrap_or_else(|| "it returned".to_owned());
                    return TaskFailure { task: name, why };
                }
            }
        }
    }

    #[cfg(test)]
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.known.values().map(|known| known.name).collect()
    }

    /// Ends all of them.
    pub(crate) async fn shut_down(&mut self) {
        self.set.shutdown().await;
    }
}

/// A task that was started already, by its name.
pub(crate) type RunningTask = (&'static str, JoinHandle<()>);

/// How a task has failed.
pub(crate) fn said(error: JoinError) -> String {
    match error.try_into_panic() {
        Ok(panic) => format!("panic: {}", text(&*panic)),
        Err(error) => error.to_string(),
    }
}

/// What a panic says.
fn text(panic: &(dyn Any + Send)) -> &str {
    let formatted = panic.downcast_ref::<String>().map(String::as_str);
    formatted.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text")
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test]
    async fn a_task_that_ends_is_a_failure() {
        let mut tasks = Tasks::default();
        tasks.spawn("endless", pending());
        tasks.spawn_finite("finite", ready(()));
        tasks.spawn("too short", ready(()));
        let failure = tasks.failure().await;
        assert_eq!((failure.task, failure.why.as_str()), ("too short", "it returned"));
        tasks.spawn("broken", async { panic!("{} is missing", "a wheel") });
        let failure = tasks.failure().await;
        assert_eq!((failure.task, failure.why.as_str()), ("broken", "panic: a wheel is missing"));
        let said = "the background task \"broken\" has ended: panic: a wheel is missing";
        assert_eq!(failure.to_string(), said);
        tasks.spawn_finite("broken", async { panic!("a nail is missing") });
        assert_eq!(tasks.failure().await.why, "panic: a nail is missing");
        tasks.shut_down().await;
    }

    #[tokio::test]
    async fn tasks_that_were_started_elsewhere_are_watched() {
        let mut tasks = Tasks::default();
        tasks.watch(("endless", tokio::spawn(pending())));
        tasks.watch(("too short", tokio::spawn(ready(()))));
        assert_eq!(tasks.failure().await.task, "too short");
        tasks.watch(("broken", tokio::spawn(async { panic!("on purpose") })));
        assert_eq!(tasks.failure().await.why, "panic: on purpose");
        let gone = tokio::spawn(pending());
        gone.abort();
        tasks.watch(("gone", gone));
        assert_eq!(tasks.failure().await.task, "gone");
    }
}
