//! The static files of the web app, all in memory.
//!
//! Requests look them up by their exact path, so no path leads to the disk.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use axum::body::Bytes;

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
    /// The web app that this program was built with. It may be missing; then the server says how to
    /// build it.
    pub fn embedded() -> Assets {
        Assets::new(built::files())
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

/// What `cargo xtask web` builds, as it was when this program was compiled.
#[cfg(not(debug_assertions))]
mod built {
    use std::borrow::Cow;

    use axum::body::Bytes;
    use rust_embed::RustEmbed;

    #[derive(RustEmbed)]
    #[folder = "../../web/dist"]
    #[allow_missing = true]
    struct Embedded;

    pub(super) fn files() -> impl Iterator<Item = (String, Bytes)> {
        Embedded::iter().filter_map(|path| {
            let content = match Embedded::get(&path)?.data {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => Bytes::from(bytes),
            };
            Some((path.into_owned(), content))
        })
    }
}

/// What `cargo xtask web` has built by now: nobody compiles the program again for a new page.
///
/// (rust-embed would read the folder, too, but finds nothing in one that did not exist when the program
/// was compiled.)
#[cfg(debug_assertions)]
mod built {
    use std::fs;
    use std::path::Path;

    use axum::body::Bytes;

    pub(super) fn files() -> Vec<(String, Bytes)> {
        let mut files = Vec::new();
        collect(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist")), "", &mut files);
        files
    }

    /// Adds the files in a folder, whose path within the app is `prefix`. What cannot be read is missing.
    pub(super) fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, Bytes)>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                collect(&entry.path(), &format!("{path}/"), files);
            } else if let Ok(content) = fs::read(entry.path()) {
                files.push((path, Bytes::from(content)));
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::{Path, collect};

        #[test]
        fn files_have_their_paths_within_the_app() -> std::io::Result<()> {
            let folder = tempfile::tempdir()?;
            std::fs::create_dir(folder.path().join("assets"))?;
            std::fs::write(folder.path().join("index.html"), "a")?;
            std::fs::write(folder.path().join("assets/b.js"), "b")?;
            let mut files = Vec::new();
            collect(folder.path(), "", &mut files);
            files.sort();
            let read: Vec<_> =
                files.iter().map(|(path, file)| (path.as_str(), &file[..])).collect();
            assert_eq!(read, [("assets/b.js", &b"b"[..]), ("index.html", b"a")]);
            files.clear();
            collect(Path::new("no such folder"), "", &mut files);
            assert!(files.is_empty());
            Ok(())
        }
    }
}
