//! The page as the build made it, with places for what differs from address to address.

/// `index.html` in parts.
#[derive(Debug)]
pub(super) struct Template {
    /// Up to the place of the `<base>`, which comes before everything with an address.
    start: String,
    /// Up to the title.
    before_title: String,
    /// Up to the end of the head.
    before_head_end: String,
    /// Up to where the app is.
    before_app: String,
    /// Up to what is shown without scripts.
    before_noscript: String,
    end: String,
}

/// What is put into the page.
pub(super) struct Filling<'a> {
    /// The folder of the app.
    pub(super) base: &'a str,
    /// The language of `app`.
    pub(super) language: &'a str,
    /// The tags of the head.
    pub(super) tags: &'a str,
    /// The last tags of the head: styles.
    pub(super) styles: &'a str,
    /// What is seen before the scripts run.
    pub(super) app: &'a str,
    /// What is seen without scripts.
    pub(super) noscript: &'a str,
}

/// Where the app is.
const APP: &str = "<div id=\"app\">";
/// Without scripts the text takes the place of an app that would never do anything.
const HIDDEN_APP: &str = "<style>#app{display:none}</style>";

impl Template {
    /// Nothing if it is not like the page that we know.
    pub(super) fn new(html: &str) -> Option<Template> {
        let html = without_description(html);
        let (start, rest) = split_after(&html, "<head>")?;
        let (before_title, rest) = rest.split_once("<title>")?;
        let (_, rest) = rest.split_once("</title>")?;
        let (before_head_end, rest) = rest.split_at(rest.find("</head>")?);
        let (before_app, rest) = split_after(rest, APP)?;
        let (before_noscript, rest) = rest.split_once("<noscript")?;
        let (_, end) = rest.split_once("</noscript")?.1.split_once('>')?;
        Some(Template {
            start: start.to_owned(),
            before_title: before_title.to_owned(),
            before_head_end: before_head_end.to_owned(),
            before_app: before_app.to_owned(),
            before_noscript: before_noscript.to_owned(),
            end: end.to_owned(),
        })
    }

    /// The page for an address.
    pub(super) fn fill(&self, filling: &Filling) -> String {
        let Template { start, before_title, before_head_end, before_app, before_noscript, end } =
            self;
        let Filling { base, language, tags, styles, app, noscript } = filling;
        let base = super::head::escaped(base);
        let start = start.replacen(" lang=\"en\"", &format!(" lang=\"{language}\""), 1);
        let hidden = if app.is_empty() { "" } else { HIDDEN_APP };
        format!(
            "{start}<base href=\"{base}\">{before_title}{tags}{before_head_end}{styles}{before_app}\
             {app}{before_noscript}<noscript>{hidden}{noscript}</noscript>{end}"
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
        let html = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\" /><meta\n \
                    name=\"description\"\n content=\"All\"\n/><title>Stoa</title></head><body>\
                    <div id=\"app\"></div><noscript\n>No</noscript\n><script></script></body>";
        let template = Template::new(html).expect("a page");
        let filling = Filling {
            base: "/a\"b/",
            language: "es",
            tags: "<title>T</title>",
            styles: "<style>h1{}</style>",
            app: "<h1>Hola</h1>",
            noscript: "<p>text</p>",
        };
        assert_eq!(
            template.fill(&filling),
            "<!doctype html><html lang=\"es\"><head><base href=\"/a&quot;b/\"><meta charset=\"utf-8\" />\
             <title>T</title><style>h1{}</style></head><body><div id=\"app\"><h1>Hola</h1></div><noscript>\
             <style>#app{display:none}</style><p>text</p></noscript><script></script></body>"
        );
        let plain = template.fill(&Filling { app: "", language: "en", ..filling });
        assert!(plain.contains("<div id=\"app\"></div><noscript><p>text</p>"), "{plain}");
        assert!(Template::new("<html>").is_none());
    }
}
