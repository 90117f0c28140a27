//! What the build of the page says about its addresses (`web/build/addresses.ts`).

use std::collections::BTreeMap;

use serde::Deserialize;

/// The file with it, which is no part of the app.
pub(super) const FILE: &str = "addresses.json";

/// Everything that the page has at fixed addresses.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Site {
    /// By path, such as `impasse/rules`; the empty one is the first page.
    #[serde(default)]
    pages: BTreeMap<String, SitePage>,
}

/// A page at a fixed address.
#[derive(Debug, Deserialize)]
pub(super) struct SitePage {
    /// The title of the tab.
    pub(super) title: String,
    /// What is there, in a sentence.
    pub(super) description: String,
    /// The game it is about.
    #[serde(default)]
    pub(super) game: Option<String>,
    /// HTML to read without scripts.
    #[serde(default)]
    pub(super) text: String,
    /// The scripts that it needs besides those of every page.
    #[serde(default)]
    pub(super) scripts: Vec<String>,
    /// Whether it is for its user alone, so that nobody should find it by searching.
    #[serde(default)]
    pub(super) private: bool,
}

impl Site {
    /// Reads the file; a program whose page says nothing knows the first page alone.
    pub(super) fn read(json: &str) -> Site {
        serde_json::from_str(json).unwrap_or_else(|error| {
            tracing::error!(%error, "cannot read {FILE} of the web app");
            Site::default()
        })
    }

    pub(super) fn page(&self, path: &str) -> Option<&SitePage> {
        self.pages.get(path)
    }

    /// The addresses that can be found by searching.
    pub(super) fn public_paths(&self) -> impl Iterator<Item = &str> {
        self.pages.iter().filter(|(_, page)| !page.private).map(|(path, _)| path.as_str())
    }
}
