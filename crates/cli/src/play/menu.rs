//! The first screen: which game, with which options, against whom.

use stoa_rules::{Game, Side};

use super::table::Players;

/// What is chosen on the first screen.
#[derive(Debug)]
pub(super) struct Menu {
    /// One entry a game, each with the options chosen for it.
    games: Vec<Game>,
    selected: usize,
    players: Players,
}

impl Menu {
    pub(super) fn new() -> Menu {
        // A full Palisade board is a long first game.
        let games = Game::ALL.map(|game| match game {
            Game::Palisade(_) => "palisade:9".parse().unwrap_or(game),
            other => other,
        });
        Menu { games: games.to_vec(), selected: 0, players: Players::TwoPeople }
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

    pub(super) fn players(&self) -> Players {
        self.players
    }

    /// Goes up or down, round at the ends.
    pub(super) fn go(&mut self, by: isize) {
        let count = self.games.len() as isize;
        self.selected = (self.selected as isize + by).rem_euclid(count) as usize;
    }

    pub(super) fn select(&mut self, index: usize) {
        self.selected = index.min(self.games.len() - 1);
    }

    /// Takes the next or the previous option of the selected game, if it has options.
    pub(super) fn change_option(&mut self, by: isize) {
        let game = self.game();
        let variants: Vec<Game> = game.own_variants().collect();
        let at = variants.iter().position(|variant| *variant == game).unwrap_or(0) as isize;
        let next = (at + by).rem_euclid(variants.len() as isize) as usize;
        self.games[self.selected] = variants[next];
    }

    /// Two people, then the random mover as second player, then as first.
    pub(super) fn change_players(&mut self) {
        self.players = match self.players {
            Players::TwoPeople => Players::Against(Side::Second),
            Players::Against(Side::Second) => Players::Against(Side::First),
            Players::Against(Side::First) => Players::TwoPeople,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_go_round() {
        let mut menu = Menu::new();
        menu.go(-1);
        assert_eq!(menu.game(), Game::Colossus);
        menu.change_option(1);
        assert_eq!(menu.game(), Game::Colossus);
        menu.select(2);
        assert_eq!(menu.game().to_string(), "palisade:9");
        for _ in 0..9 {
            menu.change_option(1);
        }
        assert_eq!(menu.game().to_string(), "palisade:9");
        menu.change_option(-1);
        assert_eq!(menu.game().to_string(), "palisade:7");
        menu.select(3);
        menu.change_option(-1);
        assert_eq!(menu.game().to_string(), "columna:points");
        for _ in 0..3 {
            menu.change_players();
        }
        assert_eq!(menu.players(), Players::TwoPeople);
        menu.select(99);
        assert_eq!(menu.game(), Game::Colossus);
    }
}
