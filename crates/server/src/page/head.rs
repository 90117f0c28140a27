//! What the head of the page says about an address, for tabs, search engines and previews of links.

use super::Origin;
use super::site::{Site, SitePage};

/// The size of the pictures of links.
const PICTURE_SIZE: [u32; 2] = [stoa_draw::card::WIDTH, stoa_draw::card::HEIGHT];

/// What is at a URL. Everything in it except `text` and `css` is plain text and may come from any user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) title: String,
    pub(super) description: String,
    /// The path at which it should be found, below the folder of the app; nothing if it should not be.
    pub(super) canonical: Option<String>,
    /// The path of its picture.
    pub(super) picture: Option<String>,
    /// HTML to read without scripts.
    pub(super) text: String,
    /// The paths of scripts to load at once.
    pub(super) scripts: Vec<String>,
    /// The styles of what is seen before the scripts run, and the paths of the files that they are from.
    pub(super) css: String,
    pub(super) styles: Vec<String>,
    /// Whether there is nothing at the address.
    pub(super) is_missing: bool,
}

impl Head {
    /// Nothing is there.
    pub(super) fn missing() -> Head {
        Head {
            title: "Page not found – Stoa".to_owned(),
            description: "There is nothing at this address.".to_owned(),
            is_missing: true,
            ..Head::default()
        }
    }

    /// Nobody knows what is there.
    pub(super) fn unknown() -> Head {
        Head { title: "Stoa".to_owned(), ..Head::default() }
    }

    /// A page with words of its own.
    pub(super) fn listed(path: &str, page: &SitePage) -> Head {
        let picture = page
            .game
            .as_deref()
            .map_or_else(|| "pictures/stoa.png".to_owned(), |game| format!("pictures/{game}.png"));
        Head {
            title: page.title.clone(),
            description: page.description.clone(),
            canonical: (!page.private).then(|| path.to_owned()),
            picture: Some(picture),
            text: page.text.clone(),
            scripts: page.scripts.clone(),
            css: page.css.clone(),
            styles: page.styles.clone(),
            is_missing: false,
        }
    }

    /// Something in the browser alone, of the kind of this page.
    pub(super) fn private(site: &Site, path: &str) -> Head {
        match site.page(path) {
            Some(page) => Head { canonical: None, ..Head::listed(path, page) },
            None => Head::unknown(),
        }
    }

    /// The tags, with everything escaped. `asked` is the address that was asked for, below the folder of the
    /// app.
    pub(super) fn tags(&self, origin: &Origin, asked: &str) -> String {
        let [title, description] = [&self.title, &self.description].map(|text| escaped(text));
        let mut tags = format!("<title>{title}</title>");
        let mut meta = |key: &str, name: &str, content: &str| {
            tags.push_str(&format!("<meta {key}=\"{name}\" content=\"{content}\">"));
        };
        if !description.is_empty() {
            meta("name", "description", &description);
            meta("property", "og:description", &description);
        }
        meta("property", "og:site_name", "Stoa");
        meta("property", "og:type", "website");
        meta("property", "og:title", &title);
        if self.canonical.is_none() {
            meta("name", "robots", "noindex");
        }
        if let (Some(picture), false) = (&self.picture, origin.host.is_empty()) {
            meta("property", "og:image", &escaped(&origin.address(picture)));
            meta("property", "og:image:type", "image/png");
            meta("property", "og:image:width", &PICTURE_SIZE[0].to_string());
            meta("property", "og:image:height", &PICTURE_SIZE[1].to_string());
            meta("property", "og:image:alt", &title);
            meta("name", "twitter:card", "summary_large_image");
        }
        if !self.is_missing && !origin.host.is_empty() {
            // Previews need one, also of what should not be found by searching.
            let path = self.canonical.as_deref().unwrap_or(asked);
            meta("property", "og:url", &escaped(&origin.address(path)));
        }
        if let (Some(path), false) = (&self.canonical, origin.host.is_empty()) {
            let address = escaped(&origin.address(path));
            tags.push_str(&format!("<link rel=\"canonical\" href=\"{address}\">"));
        }
        for script in &self.scripts {
            let script = escaped(script);
            tags.push_str(&format!("<link rel=\"modulepreload\" crossorigin href=\"{script}\">"));
        }
        tags
    }

    /// The styles of the page, which come after those of all pages.
    pub(super) fn styles(&self) -> String {
        if self.css.is_empty() {
            return String::new();
        }
        let mut tags = format!("<style>{}</style>", self.css);
        for path in &self.styles {
            // Scripts look for these before they load a file, and a browser does not load them.
            let path = escaped(path);
            tags.push_str(&format!("<link rel=\"stylesheet\" disabled href=\"{path}\">"));
        }
        tags
    }

    /// What is shown without scripts.
    pub(super) fn noscript(&self) -> String {
        let (title, description) = (escaped(&self.title), escaped(&self.description));
        let text = if self.text.is_empty() {
            format!("<main><h1>{title}</h1><p>{description}</p></main>")
        } else {
            self.text.clone()
        };
        format!(
            "{text}<p><a href=\"./\">Stoa</a> needs JavaScript to play; rules and lessons can be read without.</p>"
        )
    }
}

/// A text that is safe in HTML, also within quotes.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin() -> Origin {
        Origin { host: "https://stoa.example".to_owned(), base: "/".to_owned() }
    }

    #[test]
    fn nothing_breaks_out() {
        let hostile = "</title><script>alert(1)</script>\"' onload='x' & \u{202e}";
        let head = Head {
            title: hostile.to_owned(),
            description: hostile.to_owned(),
            canonical: Some(format!("game/{hostile}")),
            picture: Some(format!("pictures/{hostile}")),
            ..Head::default()
        };
        for html in [head.tags(&origin(), hostile), head.noscript()] {
            assert!(!html.contains("<script") && !html.contains("onload='"), "{html}");
            assert_eq!(html.matches("</title>").count(), html.matches("<title>").count(), "{html}");
        }
        // Every attribute has two quotes, and there are no others.
        let tags = head.tags(&origin(), hostile);
        assert_eq!(tags.matches('"').count() % 2, 0);
        assert!(
            tags.contains(
                "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; onload=&#39;x&#39; &amp;"
            )
        );
    }

    #[test]
    fn missing_pages_ask_not_to_be_indexed() {
        let tags = Head::missing().tags(&origin(), "game/none");
        assert!(tags.contains("<meta name=\"robots\" content=\"noindex\">"), "{tags}");
        assert!(!tags.contains("canonical") && !tags.contains("og:image"), "{tags}");
        assert!(!tags.contains("og:url"), "{tags}");
    }

    #[test]
    fn previews_know_the_address_of_what_is_not_searched_for() {
        let head = Head { title: "Impasse".to_owned(), ..Head::default() };
        let tags = head.tags(&origin(), "analyse/impasse?p=8/8_w&x=\"");
        let url = "content=\"https://stoa.example/analyse/impasse?p=8/8_w&amp;x=&quot;\">";
        assert!(tags.contains(&format!("<meta property=\"og:url\" {url}")), "{tags}");
        assert!(!tags.contains("canonical"), "{tags}");
    }
}
