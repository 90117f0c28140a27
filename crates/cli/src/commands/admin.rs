//! Administration of a server: its accounts, the notice on all pages, its limits, its workers, its ratings.

use anyhow::{Context, Result, bail};
use stoa_server::{Account, Administration, Limit, RebuildReport, Report, Settings, Worker};
use time::OffsetDateTime;

use super::serve::config::{Config, Missing, existing_database};
use crate::args::{
    AccountsCommand, Admin, AdminCommand, DatabasePlace, RatingsCommand, ReportsCommand,
    ServeOptions, WorkersCommand,
};
use crate::output;

/// Does one thing to a database that servers may be using.
pub(crate) fn admin(args: &Admin) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot start")?;
    runtime.block_on(async {
        match &args.command {
            AdminCommand::Accounts { command, place } => {
                let administration = open(place).await?;
                let done = accounts(&administration, command.as_ref()).await;
                administration.close().await;
                done
            }
            AdminCommand::Banner { text, clear, place } => {
                let administration = open(place).await?;
                let done = banner(&administration, text.as_deref(), *clear).await;
                administration.close().await;
                done
            }
            AdminCommand::Reports { command, place } => {
                let administration = open(place).await?;
                let done = reports(&administration, command.as_ref()).await;
                administration.close().await;
                done
            }
            AdminCommand::Limits { name, value, reset, options } => {
                limits(options, name.as_deref(), *value, *reset).await
            }
            AdminCommand::Workers { command, place } => {
                let administration = open(place).await?;
                let done = workers(&administration, command.as_ref()).await;
                administration.close().await;
                done
            }
            AdminCommand::Ratings { command: RatingsCommand::Rebuild, place } => {
                rebuild_ratings(place).await
            }
        }
    })
}

/// The database of a server, opened beside it.
async fn open(place: &DatabasePlace) -> Result<Administration> {
    let database = existing_database(place)?;
    let hint = || "nothing was changed; --data names the folder with the server's data";
    Administration::open(&database).await.with_context(hint)
}

async fn accounts(
    administration: &Administration,
    command: Option<&AccountsCommand>,
) -> Result<()> {
    let text = match command {
        None | Some(AccountsCommand::List) => table(&administration.accounts().await?),
        Some(AccountsCommand::Show { name }) => sheet(&administration.account(name).await?),
        Some(AccountsCommand::Close { name }) => match administration.close_account(name).await? {
            true => format!("{name} is closed: nobody can sign in, and the games stay\n"),
            false => format!("{name} was closed already\n"),
        },
        Some(AccountsCommand::Reopen { name }) => {
            match administration.reopen_account(name).await? {
                true => format!("{name} is open again\n"),
                false => format!("{name} was not closed\n"),
            }
        }
    };
    output::print(&text)
}

async fn reports(administration: &Administration, command: Option<&ReportsCommand>) -> Result<()> {
    let text = match command {
        None | Some(ReportsCommand::List) => report_list(&administration.reports().await?),
        Some(ReportsCommand::Remove { id }) => {
            match administration.settle_report(id, true).await? {
                0 => format!("{id} is settled; there was no text left to remove\n"),
                _ => format!("{id} is settled, and the message is removed\n"),
            }
        }
        Some(ReportsCommand::Dismiss { id }) => {
            administration.settle_report(id, false).await?;
            format!("{id} is dismissed\n")
        }
        Some(ReportsCommand::RemoveAll { name }) => {
            match administration.remove_texts(name).await? {
                1 => format!("1 message of {name} is removed\n"),
                count => format!("{count} messages of {name} are removed\n"),
            }
        }
    };
    output::print(&text)
}

fn report_list(reports: &[Report]) -> String {
    if reports.is_empty() {
        return "There are no reports\n".to_owned();
    }
    let mut text = String::new();
    for report in reports {
        let Report { id, at, reporter, accused, accused_id, game, is_about_text, said, reason } =
            report;
        let said = match (is_about_text, said) {
            (false, _) => "the player".to_owned(),
            (true, Some(said)) => format!("{said:?}"),
            (true, None) => "a text that has been removed".to_owned(),
        };
        let game = game.as_deref().unwrap_or("none");
        let at = day(*at);
        text.push_str(&format!(
            "report   {id}\nmade     {at} by {reporter}\nabout    {said}\nof       {accused} \
             (id {accused_id})\ngame     {game}\nreason   {reason}\n\n"
        ));
    }
    text.pop();
    text
}

async fn banner(administration: &Administration, text: Option<&str>, clear: bool) -> Result<()> {
    if clear || text.is_some() {
        administration.set_banner(text).await?;
    }
    let said = match administration.banner().await? {
        Some(text) => format!("All pages show: {text}\n"),
        None => "No line is shown\n".to_owned(),
    };
    output::print(&said)
}

async fn workers(administration: &Administration, command: Option<&WorkersCommand>) -> Result<()> {
    let text = match command {
        None | Some(WorkersCommand::List) => workers_table(&administration.workers().await?),
        Some(WorkersCommand::Create { label }) => {
            let (id, token) = administration.create_worker(label).await?;
            format!("worker {id}\ntoken  {token}\nThe token is not shown again.\n")
        }
        Some(WorkersCommand::Revoke { id }) => {
            if !administration.revoke_worker(id).await? {
                bail!("there is no worker {id:?}; `stoa admin workers` lists all of them");
            }
            format!("Worker {id} is revoked; its jobs wait for another\n")
        }
    };
    output::print(&text)
}

fn workers_table(workers: &[Worker]) -> String {
    let mut text = "id          created     seen        running  label\n".to_owned();
    for Worker { id, label, created, used, running } in workers {
        let (created, used) = (day(*created), used.map_or("never".to_owned(), day));
        text.push_str(&format!("{id:<10}  {created}  {used:<10}  {running:>7}  {label}\n"));
    }
    text
}

async fn rebuild_ratings(place: &DatabasePlace) -> Result<()> {
    let database = existing_database(place)?;
    let rebuilt = stoa_server::rebuild_ratings(&database).await;
    let report = rebuilt.context("nothing was changed")?;
    let RebuildReport { games, ratings, changed, newly_counted } = report;
    let found = match changed {
        0 => "all were right".to_owned(),
        1 => "1 of them was wrong or missing".to_owned(),
        changed => format!("{changed} of them were wrong or missing"),
    };
    let counted = match newly_counted {
        0 => String::new(),
        1 => "; 1 game had not counted yet".to_owned(),
        count => format!("; {count} games had not counted yet"),
    };
    output::print(&format!("{ratings} ratings from {games} games: {found}{counted}\n"))
}

/// Shows the limits, with what was changed where there is a database already; or changes one.
async fn limits(
    options: &ServeOptions,
    name: Option<&str>,
    value: Option<i64>,
    reset: bool,
) -> Result<()> {
    let settings = Config::new(options, Missing::Leave)?.settings;
    let Some(name) = name else {
        let changed = match Administration::open(&settings.database).await {
            Ok(administration) => {
                let changed = administration.changed_limits().await;
                administration.close().await;
                changed?
            }
            // Before the first start there is nothing to be changed.
            Err(_) => Vec::new(),
        };
        return output::print(&limit_table(&settings, &changed));
    };
    if value.is_none() && !reset {
        bail!("give a value for {name}, such as `stoa admin limits {name} 10`, or --reset");
    }
    let hint = || "nothing was changed; --data names the folder with the server's data";
    let administration = Administration::open(&settings.database).await.with_context(hint)?;
    let done = administration.set_limit(name, value).await;
    administration.close().await;
    done?;
    output::print(&match value {
        Some(value) => format!("{name} is {value}, within seconds on all servers\n"),
        None => format!("{name} follows the server's options again, within seconds\n"),
    })
}

fn limit_table(settings: &Settings, changed: &[(String, i64)]) -> String {
    let mut text = String::new();
    for Limit { what, value, option, name } in stoa_server::limits(settings, changed) {
        let option = option.map_or(String::new(), |option| format!("  ({option})"));
        let is_changed =
            name.is_some_and(|name| changed.iter().any(|(changed, _)| changed == name));
        let name = match (name, is_changed) {
            (None, _) => String::new(),
            (Some(name), false) => format!("  [{name}]"),
            (Some(name), true) => format!("  [{name}, changed]"),
        };
        text.push_str(&format!("{what:<42}{value}{option}{name}\n"));
    }
    text
}

fn table(accounts: &[Account]) -> String {
    let longest = accounts.iter().map(|account| account.name.chars().count()).max();
    let width = longest.unwrap_or(0).max(4);
    let mut text = format!("{:<width$}  created     seen        games  state\n", "name");
    for account in accounts {
        let Account { name, created, seen, games, closed, .. } = account;
        let (created, seen) = (day(*created), day(*seen));
        let state = if closed.is_some() { "closed" } else { "open" };
        text.push_str(&format!("{name:<width$}  {created}  {seen}  {games:>5}  {state}\n"));
    }
    text
}

fn sheet(account: &Account) -> String {
    let Account { id, name, kind, login, created, seen, closed, playing, games, tokens } = account;
    let login = login.as_deref().unwrap_or("cannot");
    let closed = closed.map_or("no".to_owned(), |at| format!("since {}", day(at)));
    let (created, seen) = (day(*created), day(*seen));
    format!(
        "name      {name}\nid        {id}\nkind      {kind}\nsigns in  {login}\ncreated   {created}\n\
         seen      {seen}\nclosed    {closed}\ngames     {games}, {playing} of them being played\n\
         tokens    {tokens}\n"
    )
}

/// The day of a time in milliseconds since 1970, UTC.
fn day(at: i64) -> String {
    match OffsetDateTime::from_unix_timestamp(at.div_euclid(1000)) {
        Ok(time) => format!("{:04}-{:02}-{:02}", time.year(), u8::from(time.month()), time.day()),
        Err(_) => "unknown".to_owned(),
    }
}
