//! The configuration of the server, from the command line, the environment and a file.

use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use stoa_server::{MailSettings, MailSettingsError, Settings, TalkPolicy};
use stoa_ugi::parse_duration;

use crate::args::{DatabasePlace, LogForm, ServeOptions, TalkWords, address};

const SECRET: &str = "STOA_SECRET";

/// The file that `--config` names. It has the same names as the options.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    listen: Option<String>,
    data: Option<PathBuf>,
    database: Option<String>,
    nats: Option<String>,
    secret_file: Option<PathBuf>,
    public_url: Option<String>,
    behind_proxy: Option<bool>,
    rate: Option<u32>,
    engine: Option<bool>,
    talk: Option<TalkWords>,
    reviews: Option<bool>,
    review_time: Option<String>,
    mail_url: Option<String>,
    mail_from: Option<String>,
    log_form: Option<LogForm>,
    log: Option<String>,
}

/// Everything that the server is started with.
#[derive(Debug)]
pub(in crate::commands) struct Config {
    pub(super) listen: SocketAddr,
    pub(in crate::commands) settings: Settings,
    pub(super) engine: bool,
    pub(super) reviews: bool,
    pub(super) log_form: LogForm,
    pub(super) log: String,
}

/// Whether what is missing is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Missing {
    Make,
    Leave,
}

impl Config {
    pub(in crate::commands) fn new(options: &ServeOptions, missing: Missing) -> Result<Config> {
        let file = match &options.config {
            Some(path) => read(path)?,
            None => File::default(),
        };
        let listen = match (options.listen, &file.listen) {
            (Some(listen), _) => listen,
            (None, Some(text)) => {
                address(text).map_err(|error| anyhow!("listen = {text:?}: {error}"))?
            }
            (None, None) => SocketAddr::from(([127, 0, 0, 1], 8473)),
        };
        let data = data_folder(options.data.clone().or(file.data))?;
        if missing == Missing::Make {
            fs::create_dir_all(&data)
                .with_context(|| format!("cannot make the folder {}", data.display()))?;
        }
        let database = match options.database.clone().or(file.database) {
            Some(database) => database,
            None => default_database(&data),
        };
        let named = options.secret_file.clone().or(file.secret_file);
        let (secret, secret_file) = secret(std::env::var_os(SECRET), named, &data, missing)?;
        let mut settings = Settings::new(database, secret);
        settings.secret_file = secret_file;
        settings.nats = options.nats.clone().or(file.nats);
        settings.public_url = options.public_url.clone().or(file.public_url);
        if let Some(url) = &settings.public_url
            && !url.starts_with("https://")
            && !url.starts_with("http://")
        {
            bail!("the public URL {url} begins with neither https:// nor http://");
        }
        if let Some(url) = settings.public_url.as_deref().filter(|url| !is_plain(url)) {
            bail!("the public URL {url:?} is not an address such as https://stoa.example");
        }
        settings.behind_proxy = options.behind_proxy.or(file.behind_proxy).unwrap_or(false);
        if let Some(rate) = options.rate.or(file.rate) {
            settings.rate = (rate > 0).then_some(rate);
        }
        settings.talk = match options.talk.or(file.talk) {
            None | Some(TalkWords::Phrases) => TalkPolicy::Phrases,
            Some(TalkWords::Players) => TalkPolicy::Players,
            Some(TalkWords::Everybody) => TalkPolicy::Everybody,
        };
        let review_time = match (options.review_time, &file.review_time) {
            (Some(time), _) => Some(time),
            (None, Some(text)) => Some(
                parse_duration(text).map_err(|error| anyhow!("review-time = {text:?}: {error}"))?,
            ),
            (None, None) => None,
        };
        if let Some(time) = review_time {
            settings.review_time = time;
        }
        let mail_url = options.mail_url.clone().or(file.mail_url);
        settings.mail = match (mail_url, options.mail_from.clone().or(file.mail_from)) {
            (None, None) => None,
            (Some(url), Some(from)) => Some(MailSettings::new(&url, &from)?),
            _ => return Err(MailSettingsError::Half.into()),
        };
        settings.data = Some(data);
        Ok(Config {
            listen,
            settings,
            engine: options.engine.or(file.engine).unwrap_or(true),
            reviews: options.reviews.or(file.reviews).unwrap_or(true),
            log_form: options.log_form.or(file.log_form).unwrap_or(LogForm::Text),
            log: options.log.clone().or(file.log).unwrap_or_else(|| "info".to_owned()),
        })
    }
}

/// Whether a URL has a host, perhaps a port and a path, and nothing else. It is put into pages and mail.
fn is_plain(url: &str) -> bool {
    let place = url.split_once("://").map_or(url, |(_, place)| place);
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~:/[]%".contains(c);
    place.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[')
        && place.chars().all(is_allowed)
}

fn read(path: &Path) -> Result<File> {
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read the configuration {}", path.display()))?;
    toml::from_str(&text)
        .with_context(|| format!("the configuration {} is not valid", path.display()))
}

/// The folder for the server's data, which need not exist.
pub(super) fn data_folder(named: Option<PathBuf>) -> Result<PathBuf> {
    match named {
        Some(folder) => Ok(folder),
        None => Ok(stoa_files::data_folder()
            .context("there is no home folder; choose a data folder with --data")?
            .join("server")),
    }
}

/// The database of a server that has been running.
pub(in crate::commands) fn existing_database(place: &DatabasePlace) -> Result<String> {
    let file = match &place.config {
        Some(path) => read(path)?,
        None => File::default(),
    };
    match place.database.clone().or(file.database) {
        Some(database) => Ok(database),
        None => Ok(default_database(&data_folder(place.data.clone().or(file.data))?)),
    }
}

pub(super) fn default_database(data: &Path) -> String {
    data.join("stoa.db").to_string_lossy().into_owned()
}

/// The key that signs cookies: from the environment, from a file, or made now and kept; and that file.
fn secret(
    environment: Option<OsString>,
    file: Option<PathBuf>,
    data: &Path,
    missing: Missing,
) -> Result<(Vec<u8>, Option<PathBuf>)> {
    if let Some(secret) = environment.filter(|secret| !secret.is_empty()) {
        return Ok((secret.into_encoded_bytes(), None));
    }
    let (path, may_make) = match file {
        Some(path) => (path, false),
        None => (data.join("secret"), true),
    };
    let secret = match fs::read(&path) {
        Ok(secret) => Ok(secret),
        Err(error)
            if error.kind() == ErrorKind::NotFound && may_make && missing == Missing::Leave =>
        {
            // Not the one that will be made, but one of the same length.
            Ok(stoa_server::new_secret().into_bytes())
        }
        Err(error) if error.kind() == ErrorKind::NotFound && may_make => {
            make_secret(&path).with_context(|| format!("cannot make {}", path.display()))
        }
        Err(error) => {
            Err(error).with_context(|| format!("cannot read the secret in {}", path.display()))
        }
    };
    Ok((secret?, Some(path)))
}

fn make_secret(path: &Path) -> Result<Vec<u8>> {
    let secret = stoa_server::new_secret().into_bytes();
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(&secret)?;
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `--check` says whether others can read the file that counts, and no other.
    #[test]
    fn the_secret_comes_with_the_file_that_it_was_read_from() {
        let folder = tempfile::tempdir().expect("a folder");
        let [own, named] = ["secret", "named"].map(|name| folder.path().join(name));
        let read = |environment: Option<&str>, file: Option<&PathBuf>| {
            let environment = environment.map(OsString::from);
            secret(environment, file.cloned(), folder.path(), Missing::Leave).ok()
        };
        fs::write(&own, "own").expect("written");
        assert!(read(None, Some(&named)).is_none(), "it is missing");
        fs::write(&named, "named").expect("written");
        assert_eq!(read(None, None), Some((b"own".to_vec(), Some(own))));
        assert_eq!(read(Some(""), Some(&named)), Some((b"named".to_vec(), Some(named.clone()))));
        assert_eq!(read(Some("spoken"), Some(&named)), Some((b"spoken".to_vec(), None)));
    }

    #[test]
    fn a_public_url_is_a_host_with_a_path_at_most() {
        for url in ["https://stoa.example", "http://[::1]:8473/", "https://a-b.example:81/stoa"] {
            assert!(is_plain(url), "{url}");
        }
        for url in [
            "https://",
            "https:///x",
            "https://x.example/a b",
            "https://x\"<",
            "https://x?y",
            "https://a@b",
        ] {
            assert!(!is_plain(url), "{url}");
        }
    }
}
