//! What drawing knows about each game beyond its [`View`](stoa_rules::view::View): a row a game.

use stoa_rules::Game;

use crate::board::Scale;

/// How a game is drawn.
pub(crate) struct Look {
    /// The sizes in which its board can be drawn, largest first.
    pub(crate) scales: &'static [Scale],
    /// Its pieces' colours, the first player's first.
    pub(crate) colours: [SideColour; 2],
    /// What the signs on a board without colours stand for, and on one of ASCII characters.
    pub(crate) legend: [&'static str; 2],
    /// The rules in words (see [`rules_text`](crate::rules_text)).
    pub(crate) rules: &'static str,
}

/// The colour of a player's pieces. How terminals show it is in `pieces.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SideColour {
    Black,
    White,
    Red,
    Blue,
}

impl SideColour {
    /// Fill and outline in pictures.
    pub(crate) const fn in_pictures(self) -> (&'static str, &'static str) {
        match self {
            SideColour::Black => ("#22201d", "#d8d2c8"),
            SideColour::White => ("#fbf8f1", "#4a443b"),
            SideColour::Red => ("#c23b2e", "#7d1f16"),
            SideColour::Blue => ("#2f66b8", "#173a72"),
        }
    }
}

/// The look of a game.
pub(crate) const fn of(game: Game) -> &'static Look {
    match game {
        Game::Colonnade => &COLONNADE,
        Game::Impasse => &IMPASSE,
        Game::Palisade(_) => &PALISADE,
        Game::Columna(_) => &COLUMNA,
        Game::Colossus => &COLOSSUS,
    }
}

const fn scale(width: usize, height: usize) -> Scale {
    Scale { width, height }
}

static COLONNADE: Look = Look {
    scales: &[scale(6, 1), scale(5, 1)],
    colours: [SideColour::Red, SideColour::Blue],
    legend: ["[r] red, (b) blue"; 2],
    rules: include_str!("../texts/colonnade.md"),
};

static IMPASSE: Look = Look {
    scales: &[scale(6, 3), scale(4, 2), scale(2, 1)],
    colours: [SideColour::White, SideColour::Black],
    legend: ["w b singles, W B doubles"; 2],
    rules: include_str!("../texts/impasse.md"),
};

static PALISADE: Look = Look {
    scales: &[scale(4, 2), scale(2, 1)],
    colours: [SideColour::Black, SideColour::White],
    legend: [
        "● black, ○ white (◆ ◇ owned); + free for Black, · for White; ▪ owned by Black, ▫ by White",
        "b w stones (B W owned); . free for Black, , for White; # owned by Black, = by White",
    ],
    rules: include_str!("../texts/palisade.md"),
};

static COLUMNA: Look = Look {
    scales: &[scale(6, 2), scale(4, 1)],
    colours: [SideColour::Black, SideColour::White],
    legend: [
        "b3 a black stack of three, ♟b ♙w pawns, · track, ◆ base tile",
        "b3 a black stack of three, (b) a pawn, + track, # base tile",
    ],
    rules: include_str!("../texts/columna.md"),
};

static COLOSSUS: Look = Look {
    scales: &[scale(6, 2), scale(4, 1)],
    colours: [SideColour::Black, SideColour::White],
    legend: [
        "● black, ○ white, [  ] empty tower, [bb] [ww] claimed towers",
        "b w stones, [  ] empty tower, [bb] [ww] claimed towers",
    ],
    rules: include_str!("../texts/colossus.md"),
};

#[cfg(test)]
mod tests {
    use stoa_rules::Side;

    use super::*;

    #[test]
    fn pieces_have_the_colour_that_their_side_is_called_by() {
        for game in Game::ALL {
            for side in Side::BOTH {
                let colour = of(game).colours[side.index()];
                assert_eq!(format!("{colour:?}"), game.side_name(side), "{game}");
            }
        }
    }
}
