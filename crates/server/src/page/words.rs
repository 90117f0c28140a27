//! Games, challenges and positions in words.

use stoa_draw::caption;
use stoa_rules::{Game, Outcome};
use stoa_wire::EndReason;

use super::head::{Head, escaped};
use super::site::Site;
use crate::ratings::{Category, Standing};
use crate::store::{ChallengeRow, GameRow, PlayerRow};

/// The display name of a game.
pub(super) fn name_of(rules: &str) -> &str {
    rules.parse().map_or(rules, |game: Game| game.info().name)
}

/// How a game between people stands.
pub(super) fn standing(row: &GameRow) -> String {
    let Ok(rules) = row.rules() else { return String::new() };
    let moves = match row.snapshot.ply {
        1 => "after 1 move".to_owned(),
        ply => format!("after {ply} moves"),
    };
    match (row.snapshot.result, row.snapshot.turn) {
        (Some(result), _) => match result.reason {
            EndReason::Aborted => "The game was aborted.".to_owned(),
            EndReason::Over(reason) => {
                let outcome = Outcome { winner: result.winner, reason };
                format!("{}, {moves}.", caption::outcome(rules, outcome))
            }
        },
        (None, Some(side)) if row.snapshot.ply == 0 => {
            format!("{} moves first.", rules.side_name(side))
        }
        (None, Some(side)) => format!("{} to move {moves}.", rules.side_name(side)),
        (None, None) => String::new(),
    }
}

/// A game between people.
pub(super) fn game(row: &GameRow) -> Head {
    let [first, second] = row.players.each_ref().map(|player| match player.name.as_str() {
        "" => "A former player",
        name => name,
    });
    let name = name_of(&row.game);
    let sides = row.rules().map_or(["", ""], |rules| rules.info().sides);
    let description = format!(
        "{name}: {first} ({}) against {second} ({}). {}",
        sides[0],
        sides[1],
        standing(row)
    );
    // A game that goes on has another picture after every move, whatever others keep.
    let picture = format!("pictures/game/{}.png?v={}", row.id, row.version);
    let text = format!(
        "<main><h1>{name}: {} – {}</h1><p>{}</p>\
         <p><img src=\"{}\" alt=\"\"></p>\
         <p><a href=\"api/games/{id}/record\">The moves as text</a>. \
         <a href=\"{}/rules\">The rules of {name}</a>.</p></main>",
        escaped(first),
        escaped(second),
        escaped(&description),
        escaped(&picture),
        row.rules().map_or("", |rules| rules.info().id),
        id = escaped(&row.id),
    );
    Head {
        title: format!("{first} – {second}, {name} – Stoa"),
        description,
        canonical: Some(format!("game/{}", row.id)),
        picture: Some(picture),
        text,
        ..Head::default()
    }
}

/// A player, with the ratings that are not provisional. Search engines leave them out: a name is nobody
/// else's business.
pub(super) fn player(row: &PlayerRow, ratings: &[(Category, Standing)]) -> Head {
    let name = &row.name;
    let rating = |(category, standing): &(Category, Standing)| {
        let game = name_of_variant(category.game);
        let value = standing.rating_at(standing.at.unwrap_or_default()).value;
        format!("{game} ({}) {value}", category.pace)
    };
    let sure = ratings
        .iter()
        .filter(|(_, standing)| !standing.rating_at(standing.at.unwrap_or_default()).provisional);
    let known: Vec<String> = sure.map(rating).collect();
    let description = if known.is_empty() {
        format!("{name} plays on Stoa.")
    } else {
        format!("{name} plays on Stoa. Ratings: {}.", known.join(", "))
    };
    Head {
        title: format!("{name} – Stoa"),
        description,
        picture: Some("pictures/stoa.png".to_owned()),
        ..Head::default()
    }
}

/// A game with its options, such as `Palisade 9`.
fn name_of_variant(game: Game) -> String {
    let name = game.info().name;
    game.option().map_or_else(|| name.to_owned(), |option| format!("{name} {option}"))
}

/// A challenge, for the one who gets the link.
pub(super) fn challenge(row: &ChallengeRow) -> Head {
    let name = name_of(&row.game);
    let plain = row.game.parse().map_or("stoa", |game: Game| game.info().id);
    Head {
        title: format!("{} invites you to a game of {name} – Stoa", row.creator.name),
        description: format!("Play {name} with {} on Stoa.", row.creator.name),
        picture: Some(format!("pictures/{plain}.png")),
        ..Head::default()
    }
}

/// A board with a position.
pub(super) fn position(site: &Site, game: Game, text: Option<&str>, path: &str) -> Head {
    let page = path.split('/').next().unwrap_or("");
    let name = game.info().name;
    let (label, usual) = site.page(page).map_or(("", ""), |page| (&page.title, &page.description));
    let start = || Some(game.start());
    let position = text.map_or_else(start, |text| game.position(text).ok());
    let turn = position.as_ref().map(caption::turn).unwrap_or_default();
    let picture = match text {
        None => format!("pictures/{}.png", game.info().id),
        Some(text) => format!("pictures/position/{game}.png?p={}", query_value(text)),
    };
    Head {
        title: format!("{name} – {label}"),
        description: if text.is_some() { format!("{name}. {turn}.") } else { usual.to_owned() },
        canonical: (text.is_none() && page == "analyse")
            .then(|| format!("analyse/{}", game.info().id)),
        picture: Some(picture),
        ..Head::default()
    }
}

/// A position as links have it: readable, with `_` for spaces.
fn query_value(text: &str) -> String {
    let letter = |c: char| match c {
        ' ' => "_".to_owned(),
        c if c.is_ascii_alphanumeric() || "/,.-:".contains(c) => c.to_string(),
        c => {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")).collect()
        }
    };
    text.chars().map(letter).collect()
}
