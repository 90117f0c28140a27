//! The page as the build made it, with places for what differs from address to address.

/// `index.html` in parts.
#[derive(Debug)]
pub(super) struct Template {
    /// Up to the place of the `<base>`, which comes before everything with an address.
    start: String,
    /// Up to the title.
    before_title: String,
    /// Up to what is shown without scripts.
    before_noscript: String,
    end: String,
}

impl Template {
    /// Nothing if it is not like the page that we know.
    pub(super) fn new(html: &str) -> Option<Template> {
        let html = without_description(html);
        let (start, rest) = split_after(&html, "<head>")?;
        let (before_title, rest) = rest.split_once("<title>")?;
        let (_, rest) = rest.split_once("</title>")?;
        let (before_noscript, rest) = rest.split_once("<noscript")?;
        let (_, end) = rest.split_once("</noscript")?.1.split_once('>')?;
        Some(Template {
            start: start.to_owned(),
            before_title: before_title.to_owned(),
            before_noscript: before_noscript.to_owned(),
            end: end.to_owned(),
        })
    }

    /// The page with this folder, these tags in its head, and this text without scripts.
    pub(super) fn fill(&self, base: &str, tags: &str, text: &str) -> String {
        let Template { start, before_title, before_noscript, end } = self;
        let base = super::head::escaped(base);
        format!(
            "{start}<base href=\"{base}\">{before_title}{tags}{before_noscript}\
             <noscript>{text}</noscript>{end}"
        )
    }
}

fn split_after<'a>(text: &'a str, sign: &str) -> Option<(&'a str, &'a str)> {
    let at = text.find(sign)? + sign.len();
    Some(text.split_at(at))
}

/// Every address has a description of its own.
fn without_description(html: &str) -> String {
    let found = html.find("name=\"description\"").and_then(|at| {
        let from = html[..at].rfind('<')?;
        let to = at + html[at..].find('>')? + 1;
        Some(format!("{}{}", &html[..from], &html[to..]))
    });
    found.unwrap_or_else(|| html.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_filled() {
        let html = "<!doctype html><html><head><meta charset=\"utf-8\" /><meta\n name=\"description\"\n \
                    content=\"All\"\n/><title>Stoa</title></head><body><div></div><noscript\n>No\
                    </noscript\n><script></script></body>";
        let template = Template::new(html).expect("a page");
        assert_eq!(
            template.fill("/a\"b/", "<title>T</title>", "<p>text</p>"),
            "<!doctype html><html><head><base href=\"/a&quot;b/\"><meta charset=\"utf-8\" />\
             <title>T</title></head><body><div></div><noscript><p>text</p></noscript><script></script></body>"
        );
        assert!(Template::new("<html>").is_none());
    }
}
