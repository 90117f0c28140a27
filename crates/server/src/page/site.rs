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
    /// What all pages have around them.
    #[serde(default)]
    frame: Prerendered,
}

/// HTML as the app shows it at first, by language.
#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Prerendered(BTreeMap<String, Vec<String>>);

impl Prerendered {
    /// What is shown on a day: if there are several, each has its turn.
    fn on(&self, language: &str, day: usize) -> &str {
        let all = self.0.get(language).map_or(&[][..], Vec::as_slice);
        all.get(day % all.len().max(1)).map_or("", String::as_str)
    }
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
    /// The files of the styles that it needs besides those of every page.
    #[serde(default)]
    pub(super) styles: Vec<String>,
    /// What is in these files. They are small and many, and nothing is painted before the last has arrived.
    #[serde(skip)]
    pub(super) css: String,
    #[serde(default)]
    prerendered: Prerendered,
    /// Whether it is for its user alone, so that nobody should find it by searching.
    #[serde(default)]
    pub(super) private: bool,
}

impl Site {
    /// Reads the file; a program whose page says nothing knows the first page alone.
    /// `text` reads another file of the web app.
    pub(super) fn read(json: &str, text: impl Fn(&str) -> Option<String>) -> Site {
        let mut site: Site = serde_json::from_str(json).unwrap_or_else(|error| {
            tracing::error!(%error, "cannot read {FILE} of the web app");
            Site::default()
        });
        for page in site.pages.values_mut() {
            page.css = page.styles.iter().filter_map(|path| text(path)).collect();
        }
        site
    }

    pub(super) fn page(&self, path: &str) -> Option<&SitePage> {
        self.pages.get(path)
    }

    /// The languages in which pages are sent before their scripts run.
    pub(super) fn languages(&self) -> impl Iterator<Item = &str> + Clone {
        self.frame.0.keys().map(String::as_str)
    }

    /// What is seen at a listed path, or anywhere else, before the scripts run; it may be empty.
    pub(super) fn prerendered(&self, path: Option<&str>, language: &str, day: usize) -> &str {
        let page = path.and_then(|path| self.pages.get(path));
        match page.map(|page| page.prerendered.on(language, day)) {
            Some(html) if !html.is_empty() => html,
            _ => self.frame.on(language, day),
        }
    }

    /// The addresses that can be found by searching.
    pub(super) fn public_paths(&self) -> impl Iterator<Item = &str> {
        self.pages.iter().filter(|(_, page)| !page.private).map(|(path, _)| path.as_str())
    }
}
