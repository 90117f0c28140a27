//! The first screen: which game, with which options, against whom.

use stoa_engine::Level;
use stoa_rules::{Game, Side};

use super::players::{Opponent, PlayerChoice};
use crate::players::SideChoice;

/// What is chosen on the first screen.
#[derive(Debug)]
pub(super) struct Menu {
    /// One entry a game, each with the options chosen for it.
    games: Vec<Game>,
    selected: usize,
    /// The line that the keyboard is on.
    row: Row,
    /// Two people if there is none.
    opponent: Option<Opponent>,
    side: SideChoice,
}

/// A line of the first screen on which something can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// A game.
    Game(usize),
    /// Two people, or the engine at some level.
    Opponent,
    /// The side that a person plays.
    Side,
}

impl Menu {
    /// A menu on which a choice is chosen already.
    pub(super) fn new(choice: PlayerChoice) -> Menu {
        Menu {
            games: Game::ALL.map(Game::offered_first).to_vec(),
            selected: 0,
            row: Row::Game(0),
            opponent: choice.opponent.unwrap_or(Some(Opponent::DEFAULT)),
            side: choice.side.unwrap_or(SideChoice::First),
        }
    }

    pub(super) fn games(&self) -> &[Game] {
        &self.games
    }

    pub(super) fn selected(&self) -> usize {
        self.selected
    }

    pub(super) fn game(&self) -> Game {
        self.games[self.selected]
    }

    pub(super) fn row(&self) -> Row {
        self.row
    }

    pub(super) fn choice(&self) -> PlayerChoice {
        PlayerChoice { opponent: Some(self.opponent), side: Some(self.side) }
    }

    /// The lines from top to bottom.
    fn rows(&self) -> Vec<Row> {
        let games = (0..self.games.len()).map(Row::Game);
        let sides = self.opponent.map(|_| Row::Side);
        games.chain([Row::Opponent]).chain(sides).collect()
    }

    /// Goes up or down, round at the ends.
    pub(super) fn go(&mut self, by: isize) {
        let rows = self.rows();
        let at = rows.iter().position(|row| *row == self.row).unwrap_or(0) as isize;
        self.select(rows[(at + by).rem_euclid(rows.len() as isize) as usize]);
    }

    /// Goes to the next of: the games, the opponent, the side.
    pub(super) fn next_group(&mut self) {
        self.select(match self.row {
            Row::Game(_) => Row::Opponent,
            Row::Opponent if self.opponent.is_some() => Row::Side,
            Row::Opponent | Row::Side => Row::Game(self.selected),
        });
    }

    pub(super) fn select(&mut self, row: Row) {
        self.row = row;
        if let Row::Game(index) = row {
            self.selected = index.min(self.games.len() - 1);
        }
    }

    /// Takes the next or the previous choice of the line.
    pub(super) fn change(&mut self, by: isize) {
        match self.row {
            Row::Game(_) => {
                let game = self.game();
                let variants: Vec<Game> = game.own_variants().collect();
                self.games[self.selected] = turned(&variants, &game, by);
            }
            Row::Opponent => {
                let engines = Level::all().map(|level| Some(Opponent::Engine(level)));
                let opponents: Vec<_> = [None].into_iter().chain(engines).collect();
                self.opponent = turned(&opponents, &self.opponent, by);
            }
            Row::Side => {
                let sides = [SideChoice::First, SideChoice::Second, SideChoice::Random];
                self.side = turned(&sides, &self.side, by);
            }
        }
    }

    /// Takes the engine at a level.
    pub(super) fn set_level(&mut self, level: Level) {
        self.opponent = Some(Opponent::Engine(level));
    }

    /// The opponent in words.
    pub(super) fn opponent_words(&self) -> String {
        match self.opponent {
            None => "two people at this keyboard".to_owned(),
            Some(opponent) => opponent.name(),
        }
    }

    /// The person's side in words; nothing if people play both.
    pub(super) fn side_words(&self) -> Option<String> {
        let named = |word, side| format!("{word} ({})", self.game().side_name(side));
        self.opponent.map(|_| match self.side {
            SideChoice::First => named("first", Side::First),
            SideChoice::Second => named("second", Side::Second),
            SideChoice::Random => "either, at random".to_owned(),
        })
    }
}

/// The choice this many after another, wrapping around at the ends.
fn turned<T: Copy + PartialEq>(choices: &[T], now: &T, by: isize) -> T {
    let at = choices.iter().position(|choice| choice == now).unwrap_or(0) as isize;
    choices[(at + by).rem_euclid(choices.len() as isize) as usize]
}

#[cfg(test)]
mod tests {
    use stoa_rules::playout::Rng;

    use super::*;
    use crate::players::Players;

    #[test]
    fn choices_go_round() {
        let mut menu = Menu::new(PlayerChoice::default());
        menu.go(-1);
        assert_eq!(menu.row(), Row::Side);
        menu.select(Row::Game(4));
        menu.change(1);
        assert_eq!(menu.game(), Game::ALL[4]);
        menu.select(Row::Game(2));
        assert_eq!(menu.game().to_string(), "palisade:9");
        for _ in 0..9 {
            menu.change(1);
        }
        assert_eq!(menu.game().to_string(), "palisade:9");
        menu.change(-1);
        assert_eq!(menu.game().to_string(), "palisade:7");
        menu.select(Row::Game(3));
        menu.change(-1);
        assert_eq!(menu.game().to_string(), "columna:points");
        menu.select(Row::Game(99));
        assert_eq!(Some(&menu.game()), Game::ALL.last());
    }

    #[test]
    fn opponents_and_sides_go_round() {
        let mut menu = Menu::new(PlayerChoice::default());
        let rng = &mut Rng::new(1);
        let engine = Opponent::DEFAULT;
        assert_eq!(menu.choice().players(rng), Players::Against(Side::Second, engine));
        menu.next_group();
        menu.next_group();
        menu.change(1);
        assert_eq!(menu.choice().players(rng), Players::Against(Side::First, engine));
        menu.change(1);
        let drawn: std::collections::BTreeSet<_> =
            (0..50).map(|_| menu.choice().players(rng).opponent_plays(Side::First)).collect();
        assert_eq!(drawn.len(), 2, "either side comes up");
        menu.select(Row::Opponent);
        for _ in 0..3 {
            menu.change(-1);
        }
        assert_eq!(menu.choice().players(rng), Players::TwoPeople);
        assert_eq!(menu.side_words(), None);
        // Without an opponent there is no side to choose.
        menu.go(1);
        assert_eq!(menu.row(), Row::Game(0));
        menu.select(Row::Opponent);
        menu.change(-1);
        assert_eq!(menu.opponent_words(), "Stoa level 10 Architect");
    }
}
