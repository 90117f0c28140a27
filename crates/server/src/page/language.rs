//! The language that a browser prefers.

use axum::http::{HeaderMap, header};

use crate::static_files::items;

/// The language of everything that is not translated.
pub(super) const USUAL: &str = "en";

/// The known language that the browser prefers, as the page itself chooses it.
pub(super) fn preferred<'a>(
    request: &HeaderMap,
    known: impl Iterator<Item = &'a str> + Clone,
) -> &'a str {
    let mut wishes: Vec<(f32, &str)> = items(request, &header::ACCEPT_LANGUAGE)
        .filter_map(|item| {
            let (tag, weight) = item.split_once(';').unwrap_or((item, "q=1"));
            let weight = weight.trim().strip_prefix("q=")?.parse().ok()?;
            Some((weight, tag.trim().split('-').next()?))
        })
        .filter(|(weight, _)| *weight > 0.0)
        .collect();
    // Stable: of those that are liked the same, the first is meant.
    wishes.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let find = |wish: &str| known.clone().find(|name| name.eq_ignore_ascii_case(wish));
    wishes.iter().find_map(|(_, wish)| find(wish)).unwrap_or(USUAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_language_is_chosen() {
        let chosen = |wishes: &str| {
            let mut request = HeaderMap::new();
            request.insert(header::ACCEPT_LANGUAGE, wishes.parse().expect("a header"));
            preferred(&request, ["en", "es"].into_iter())
        };
        assert_eq!(chosen("es-MX,es;q=0.9,en;q=0.8"), "es");
        assert_eq!(chosen("de, en;q=0.5, ES;q=0.7"), "es");
        assert_eq!(chosen("en-GB, es"), "en");
        assert_eq!(chosen("es;q=0, fr"), "en");
        for nonsense in ["", "*", ";;;", "es;q=x", "q=1", "es;q=NaN"] {
            assert_eq!(chosen(nonsense), "en", "{nonsense}");
        }
        assert_eq!(preferred(&HeaderMap::new(), [].into_iter()), "en");
    }
}
