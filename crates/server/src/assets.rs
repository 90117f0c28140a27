//! The static files of the web app, all in memory.
//!
//! Requests look them up by their exact path, so no path leads to the disk.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use axum::body::Bytes;
use rust_embed::RustEmbed;

/// What `cargo xtask web` builds. It may be missing; then the server says how to build it.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Embedded;

/// The files of the web app by their paths, such as `assets/index-4f2a.js`.
#[derive(Debug)]
pub struct Assets {
    files: HashMap<String, File>,
}

/// A file, with the compressed versions that the build made.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) plain: Bytes,
    pub(crate) brotli: Option<Bytes>,
    pub(crate) gzip: Option<Bytes>,
    /// A hash of the content.
    pub(crate) fingerprint: u64,
}

impl Assets {
    /// The web app that this program was built with.
    pub fn embedded() -> Assets {
        let files = Embedded::iter().filter_map(|path| {
            let content = match Embedded::get(&path)?.data {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => Bytes::from(bytes),
            };
            Some((path.into_owned(), content))
        });
        Assets::new(files)
    }

    /// Assets from these files. `NAME.br` and `NAME.gz` are `NAME` compressed, not files of their own.
    pub fn new(files: impl IntoIterator<Item = (String, Bytes)>) -> Assets {
        let is_compressed = |path: &str| path.ends_with(".br") || path.ends_with(".gz");
        let (compressed, plain): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|(path, _)| is_compressed(path));
        let plain = plain.into_iter().map(|(path, content)| (path, File::plain(content)));
        let mut files: HashMap<String, File> = plain.collect();
        for (path, content) in compressed {
            if let Some(file) = path.strip_suffix(".br").and_then(|path| files.get_mut(path)) {
                file.brotli = Some(content);
            } else if let Some(file) = path.strip_suffix(".gz").and_then(|path| files.get_mut(path))
            {
                file.gzip = Some(content);
            }
        }
        Assets { files }
    }

    /// Whether the program was built without the web app.
    pub fn is_empty(&self) -> bool {
        !self.files.contains_key("index.html")
    }

    pub(crate) fn get(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }
}

impl File {
    fn plain(content: Bytes) -> File {
        let mut hasher = DefaultHasher::new();
        hasher.write(&content);
        File { plain: content, brotli: None, gzip: None, fingerprint: hasher.finish() }
    }
}
