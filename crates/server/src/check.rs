//! Checks a set-up without starting or changing anything.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use axum::http::Uri;
use sqlx::any::AnyConnectOptions;
use sqlx::{AnyConnection, ConnectOptions, Connection, Row};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::settings::Settings;
use crate::store::{self, DatabaseKind};
use crate::time::millis;

/// How long a service may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// No clock that is right shows less: 2026-01-01.
const MIN_TIME: i64 = 1_767_225_600_000;
/// How far the clock may be behind the database's last heartbeat, in milliseconds, or from the clock of Postgres.
const MAX_CLOCK_LAG: i64 = 5_000;

/// Something that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was checked.
    pub subject: &'static str,
    /// How it is.
    pub verdict: Verdict,
    /// In a sentence.
    pub text: String,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Good,
    /// The server starts, but something may not be meant so.
    Doubtful,
    /// The server does not start, or cannot work.
    Bad,
}

fn finding(subject: &'static str, verdict: Verdict, text: impl Into<String>) -> Finding {
    Finding { subject, verdict, text: text.into() }
}

/// Checks the address, the folder, the database, the clock, NATS, and the proxy options. Nothing is created or
/// migrated.
pub async fn check(settings: &Settings, listen: SocketAddr) -> Vec<Finding> {
    let mut findings = vec![address(listen).await];
    findings.extend(settings.data.as_deref().map(folder));
    findings.extend(settings.secret_file.as_deref().and_then(secret));
    findings.extend(database(settings).await);
    // Where there is a database, it has been compared with the last heartbeat.
    if !findings.iter().any(|finding| finding.subject == "clock") {
        findings.push(clock(None, None, settings.time.now()));
    }
    findings.extend(proxy(settings, listen));
    findings.push(nats(settings.nats.as_deref()).await);
    findings.push(mail(settings).await);
    findings
}

async fn address(listen: SocketAddr) -> Finding {
    let (verdict, text) = match TcpListener::bind(listen).await {
        Ok(_) => (Verdict::Good, format!("{listen} is free")),
        Err(error) => {
            let why = match error.kind() {
                ErrorKind::AddrInUse => "another program uses this port".to_owned(),
                ErrorKind::PermissionDenied => "ports below 1024 need special rights".to_owned(),
                ErrorKind::AddrNotAvailable => "this machine does not have that address".to_owned(),
                _ => error.to_string(),
            };
            (Verdict::Bad, format!("cannot listen on {listen}: {why}"))
        }
    };
    finding("address", verdict, text)
}

fn folder(folder: &Path) -> Finding {
    // The nearest folder that exists: the others would be created in it.
    let existing = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
    let probe = existing.join(format!(".stoa-check-{}", crate::ids::short()));
    let written = std::fs::File::create_new(&probe).and_then(|_| std::fs::remove_file(&probe));
    let (verdict, text) = match written {
        Ok(()) if existing == folder => {
            (Verdict::Good, format!("{} can be written", folder.display()))
        }
        Ok(()) => (Verdict::Good, format!("{} will be created", folder.display())),
        Err(error) => (Verdict::Bad, format!("cannot write to {}: {error}", existing.display())),
    };
    finding("folder", verdict, text)
}

/// Whether others could sign cookies for anyone.
#[cfg(unix)]
fn secret(file: &Path) -> Option<Finding> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(file).ok()?.permissions().mode();
    let text = format!("other users can read {0}: chmod 600 {0}", file.display());
    (mode & 0o044 != 0).then(|| finding("secret", Verdict::Doubtful, text))
}

#[cfg(not(unix))]
fn secret(_: &Path) -> Option<Finding> {
    None
}

async fn database(settings: &Settings) -> Vec<Finding> {
    let address = &settings.database;
    let shown = store::without_password(address);
    let location = match store::location(address) {
        Ok(location) => location,
        Err(error) => return vec![finding("database", Verdict::Bad, error.to_string())],
    };
    if let DatabaseKind::Sqlite(file) = &location.kind
        && !file.exists()
    {
        return vec![finding("database", Verdict::Good, format!("{shown} will be created"))];
    }
    let opened = async {
        sqlx::any::install_default_drivers();
        AnyConnectOptions::from_str(&location.url)?.connect().await
    };
    let mut connection = match timeout(ANSWER_TIMEOUT, opened).await {
        Ok(Ok(connection)) => connection,
        Ok(Err(error)) => {
            return vec![finding(
                "database",
                Verdict::Bad,
                format!("cannot open {shown}: {error}"),
            )];
        }
        Err(_) => {
            return vec![finding("database", Verdict::Bad, format!("{shown} does not answer"))];
        }
    };
    let mut findings = vec![schema(&mut connection, &shown).await];
    findings.push(writing(&mut connection, &location.kind).await);
    let last = last_heartbeat(&mut connection).await;
    let its_time = match location.kind {
        DatabaseKind::Sqlite(_) => None,
        DatabaseKind::Postgres => postgres_time(&mut connection).await,
    };
    findings.push(clock(last, its_time, settings.time.now()));
    let _ = connection.close().await;
    findings
}

async fn schema(connection: &mut AnyConnection, shown: &str) -> Finding {
    let found = sqlx::query("SELECT MAX(version) AS version FROM _sqlx_migrations")
        .fetch_one(connection)
        .await
        .and_then(|row| row.try_get::<Option<i64>, _>("version"));
    let newest = store::NEWEST_SCHEMA;
    let (verdict, text) = match found {
        Ok(Some(found)) if found > newest => {
            let error = store::StoreError::Newer { found, known: newest };
            (Verdict::Bad, error.to_string())
        }
        Ok(Some(found)) if found < newest => {
            let text = format!("{shown} has schema {found}; it will be migrated to {newest}");
            (Verdict::Doubtful, format!("{text}, so make a backup first"))
        }
        Ok(Some(found)) => (Verdict::Good, format!("{shown} has schema {found}")),
        Ok(None) => (Verdict::Good, format!("{shown} is empty; it will be set up")),
        Err(error) => {
            let text = error.to_string();
            let is_empty = text.contains("no such table") || text.contains("does not exist");
            match is_empty {
                true => (Verdict::Good, format!("{shown} is empty; it will be set up")),
                false => (Verdict::Bad, format!("cannot read {shown}: {text}")),
            }
        }
    };
    finding("database", verdict, text)
}

/// Whether the database can be written, tried by a transaction without a change.
async fn writing(connection: &mut AnyConnection, kind: &DatabaseKind) -> Finding {
    let begin = match kind {
        DatabaseKind::Sqlite(_) => "BEGIN IMMEDIATE",
        DatabaseKind::Postgres => "BEGIN",
    };
    let tried = async {
        sqlx::raw_sql(begin).execute(&mut *connection).await?;
        sqlx::raw_sql("ROLLBACK").execute(&mut *connection).await
    };
    match timeout(ANSWER_TIMEOUT, tried).await {
        Ok(Ok(_)) => finding("writing", Verdict::Good, "the database can be written"),
        Ok(Err(error)) => {
            finding("writing", Verdict::Bad, format!("the database cannot be written: {error}"))
        }
        Err(_) => finding(
            "writing",
            Verdict::Bad,
            "the database cannot be written: another process has locked it",
        ),
    }
}

/// When a server last wrote to the database.
async fn last_heartbeat(connection: &mut AnyConnection) -> Option<i64> {
    let row = sqlx::query("SELECT at FROM beat WHERE id = 1").fetch_optional(connection).await;
    row.ok().flatten()?.try_get("at").ok()
}

async fn postgres_time(connection: &mut AnyConnection) -> Option<i64> {
    let row = sqlx::query(store::POSTGRES_TIME).fetch_one(connection).await;
    row.ok()?.try_get("now").ok()
}

/// Whether the system's time makes sense, by itself, beside that of the database, and after the last heartbeat in it.
fn clock(last: Option<i64>, database: Option<i64>, now: i64) -> Finding {
    if now < MIN_TIME {
        return finding("clock", Verdict::Bad, "the clock of this machine is years behind");
    }
    if let Some(database) = database
        && (now - database).abs() > MAX_CLOCK_LAG
    {
        let seconds = (now - database).abs() / 1000;
        let word = if now > database { "ahead of" } else { "behind" };
        let verdict = match (now - database).abs() > millis(store::MAX_CLOCK_DIFFERENCE) {
            true => Verdict::Bad,
            false => Verdict::Doubtful,
        };
        let text = format!("the clock is {seconds} s {word} that of the database");
        return finding("clock", verdict, text);
    }
    match last {
        Some(last) if last > now + MAX_CLOCK_LAG => {
            let seconds = (last - now) / 1000;
            let text = format!("the clock is {seconds} s behind the last heartbeat of a server");
            finding("clock", Verdict::Bad, text)
        }
        _ => finding("clock", Verdict::Good, "the clock is plausible; keep it right with NTP"),
    }
}

fn proxy(settings: &Settings, listen: SocketAddr) -> Vec<Finding> {
    let doubt = |text: &str| finding("proxy", Verdict::Doubtful, text);
    let mut findings = Vec::new();
    let host = settings.public_url.as_deref().map(|url| url.parse::<Uri>().ok());
    if host.is_some_and(|uri| uri.as_ref().and_then(Uri::host).is_none()) {
        findings.push(finding("proxy", Verdict::Bad, "the public URL names no host"));
    }
    match (settings.is_https(), settings.behind_proxy) {
        (true, false) => findings.push(doubt(
            "the public URL is https, so a proxy must be in front; without --behind-proxy all clients \
             share its address, and its rate limit",
        )),
        (false, true) => findings.push(doubt(
            "there is a proxy, but no public URL with https: cookies are not marked as secure",
        )),
        _ => {}
    }
    if settings.behind_proxy && !is_private(listen.ip()) {
        findings.push(doubt(
            "X-Forwarded-For is trusted, and anyone can reach this address without the proxy: \
             listen on an address that only the proxy can reach",
        ));
    }
    if findings.is_empty() {
        let text = match settings.behind_proxy {
            true => "the proxy must set X-Forwarded-For itself and pass on Host and upgrades",
            false => "none",
        };
        findings.push(finding("proxy", Verdict::Good, text));
    }
    findings
}

fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    }
}

async fn nats(address: Option<&str>) -> Finding {
    let Some(address) = address else {
        return finding("NATS", Verdict::Good, "none: this is the only node");
    };
    let shown = store::without_password(address);
    match timeout(ANSWER_TIMEOUT, async_nats::connect(address)).await {
        Ok(Ok(_)) => finding("NATS", Verdict::Good, format!("{shown} answers")),
        Ok(Err(error)) => finding("NATS", Verdict::Bad, format!("cannot reach {shown}: {error}")),
        Err(_) => finding("NATS", Verdict::Bad, format!("{shown} does not answer")),
    }
}

async fn mail(settings: &Settings) -> Finding {
    let Some(server) = &settings.mail else {
        return finding("mail", Verdict::Good, "none: no mail server is named");
    };
    if settings.public_url.is_none() {
        let text = "links in mail lead to the public URL, and there is none";
        return finding("mail", Verdict::Bad, text);
    }
    let shown = server.server();
    match crate::mail::test(server).await {
        Ok(()) => {
            finding("mail", Verdict::Good, format!("{shown} accepts the sign-in; nothing was sent"))
        }
        // The server starts, and mail waits until the mail server is there.
        Err(why) => finding("mail", Verdict::Bad, format!("{shown} cannot be used: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(settings: &Settings, listen: &str) -> Vec<Verdict> {
        let listen = listen.parse().expect("an address");
        proxy(settings, listen).into_iter().map(|finding| finding.verdict).collect()
    }

    #[tokio::test]
    async fn the_clock_is_checked_with_and_without_a_database() {
        assert_eq!(clock(Some(MIN_TIME + 60_000), None, MIN_TIME).verdict, Verdict::Bad);
        assert_eq!(clock(Some(MIN_TIME + 1_000), None, MIN_TIME).verdict, Verdict::Good);
        assert_eq!(clock(None, None, MIN_TIME - 1).verdict, Verdict::Bad);
        for (ahead, verdict) in [
            (1_000, Verdict::Good),
            (-1_000, Verdict::Good),
            (6_000, Verdict::Doubtful),
            (-6_000, Verdict::Doubtful),
            (61_000, Verdict::Bad),
            (-61_000, Verdict::Bad),
        ] {
            let database = MIN_TIME + 100_000;
            let found = clock(None, Some(database), database + ahead);
            assert_eq!(found.verdict, verdict, "{}", found.text);
        }
        let mut settings = Settings::new("/nowhere/stoa.db", vec![0; 32]);
        settings.time = crate::Time::Manual(std::sync::Arc::new(1_000.into()));
        let found = check(&settings, "127.0.0.1:0".parse().expect("an address")).await;
        let clocks: Vec<_> = found.iter().filter(|found| found.subject == "clock").collect();
        assert_eq!(clocks.len(), 1);
        assert_eq!(clocks[0].verdict, Verdict::Bad, "{found:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_secret_that_others_can_read_is_doubtful() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("secret");
        assert_eq!(secret(&file), None, "it will be made");
        std::fs::write(&file, [7; 40]).expect("written");
        let modes = [(0o600, false), (0o711, false), (0o604, true), (0o640, true), (0o644, true)];
        for (mode, is_doubtful) in modes {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&file, permissions).expect("changed");
            assert_eq!(secret(&file).is_some(), is_doubtful, "{mode:o}");
        }
    }

    #[test]
    fn proxy_options_must_fit_together() {
        let mut settings = Settings::new("stoa.db", vec![0; 32]);
        assert_eq!(verdicts(&settings, "0.0.0.0:8473"), [Verdict::Good]);
        settings.public_url = Some("https://stoa.example".to_owned());
        assert_eq!(verdicts(&settings, "127.0.0.1:8473"), [Verdict::Doubtful]);
        settings.behind_proxy = true;
        assert_eq!(verdicts(&settings, "127.0.0.1:8473"), [Verdict::Good]);
        assert_eq!(verdicts(&settings, "10.1.2.3:8473"), [Verdict::Good]);
        assert_eq!(verdicts(&settings, "0.0.0.0:8473"), [Verdict::Doubtful]);
        settings.public_url = Some("http://".to_owned());
        let found = verdicts(&settings, "127.0.0.1:8473");
        assert_eq!(found, [Verdict::Bad, Verdict::Doubtful]);
    }
}
