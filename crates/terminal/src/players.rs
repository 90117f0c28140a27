//! The players: two people, or a person against the engine or the random mover.

use stoa_engine::Level;
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Record, Side};

/// Who moves the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Players {
    /// Two people at one keyboard.
    TwoPeople,
    /// A person, and an opponent who plays this side.
    Against(Side, Opponent),
}

/// Who plays against a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opponent {
    /// Plays any legal move.
    Random,
    /// The engine at a level.
    Engine(Level),
}

/// The side that a person plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideChoice {
    /// The player who moves first.
    First,
    /// The player who answers.
    Second,
    /// Either, at random.
    Random,
}

/// The requested players; a record or a default decides what is left open.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlayerChoice {
    /// An opponent, or two people (`Some(None)`).
    pub opponent: Option<Option<Opponent>>,
    /// The person's side.
    pub side: Option<SideChoice>,
}

impl PlayerChoice {
    /// The players of a new game.
    pub(super) fn players(self, rng: &mut Rng) -> Players {
        let side = self.side.unwrap_or(SideChoice::First);
        match self.opponent.unwrap_or(Some(Opponent::DEFAULT)) {
            None => Players::TwoPeople,
            Some(opponent) => Players::Against(opponents_side(side, rng), opponent),
        }
    }

    /// The players of a game that is continued.
    pub(super) fn players_of(self, record: &Record, rng: &mut Rng) -> Players {
        let named = Players::of_record(record);
        let opponent = match (self.opponent, self.side) {
            (None, None) => return named,
            (Some(None), _) => return Players::TwoPeople,
            (Some(Some(opponent)), _) => opponent,
            (None, Some(_)) => named.opponent().unwrap_or(Opponent::DEFAULT),
        };
        let side = match (self.side, named) {
            (Some(side), _) => opponents_side(side, rng),
            (None, Players::Against(side, _)) => side,
            // The person who loads a game wants to make the next move.
            (None, Players::TwoPeople) => record.session().position().side_to_move().other(),
        };
        Players::Against(side, opponent)
    }
}

/// The side that is left for the opponent.
fn opponents_side(person: SideChoice, rng: &mut Rng) -> Side {
    match person {
        SideChoice::First => Side::Second,
        SideChoice::Second => Side::First,
        SideChoice::Random => Side::BOTH[rng.below(2)],
    }
}

/// The person's name in records.
const PERSON: &str = "You";
/// The random mover's name in records.
const RANDOM_MOVER: &str = "random mover";
/// What the engine's name in records begins with.
const ENGINE: &str = "Stoa level ";

impl Opponent {
    /// The opponent of a person who names none: an engine that a beginner can beat.
    pub const DEFAULT: Opponent = Opponent::Engine(match Level::new(3) {
        Some(level) => level,
        None => Level::LOWEST,
    });

    /// The name, as in records: `Stoa level 4 Regular`.
    pub(super) fn name(self) -> String {
        match self {
            Opponent::Random => RANDOM_MOVER.to_owned(),
            Opponent::Engine(level) => format!("{ENGINE}{level}"),
        }
    }

    /// The opponent of a name; the number of a level is enough.
    fn of_name(name: &str) -> Option<Opponent> {
        if name == RANDOM_MOVER {
            return Some(Opponent::Random);
        }
        let number = name.strip_prefix(ENGINE)?.split(' ').next()?;
        Level::new(number.parse().ok()?).map(Opponent::Engine)
    }
}

impl Players {
    /// Those that a record names. A record of two others is for two people.
    pub(super) fn of_record(record: &Record) -> Players {
        let opponent = |side: Side| {
            let name = record.tag(&record.game().side_word(side))?;
            Some(Players::Against(side, Opponent::of_name(name)?))
        };
        // The second first: of two engines, a person takes the first's place.
        opponent(Side::Second).or_else(|| opponent(Side::First)).unwrap_or(Players::TwoPeople)
    }

    /// Writes the names into a record. Names that people have given stay.
    pub(super) fn name_in(self, record: &mut Record) {
        let Players::Against(side, opponent) = self else { return };
        for (side, name) in [(side, opponent.name()), (side.other(), PERSON.to_owned())] {
            let word = record.game().side_word(side);
            let given = record
                .tag(&word)
                .is_some_and(|known| known != PERSON && Opponent::of_name(known).is_none());
            if !given {
                record.set_tag(&word, &name);
            }
        }
    }

    /// Whether the opponent plays this side.
    pub(super) fn opponent_plays(self, side: Side) -> bool {
        matches!(self, Players::Against(theirs, _) if theirs == side)
    }

    /// Who plays against a person.
    pub(super) fn opponent(self) -> Option<Opponent> {
        match self {
            Players::TwoPeople => None,
            Players::Against(_, opponent) => Some(opponent),
        }
    }

    /// The level of the engine, if it plays.
    pub(super) fn engine(self) -> Option<Level> {
        match self.opponent()? {
            Opponent::Engine(level) => Some(level),
            Opponent::Random => None,
        }
    }

    /// Who plays whom, the first player first; nothing if both are people.
    pub(super) fn names(self) -> Option<String> {
        let Players::Against(side, opponent) = self else { return None };
        let (person, opponent) = (PERSON, opponent.name());
        Some(match side {
            Side::First => format!("{opponent} – {person}"),
            Side::Second => format!("{person} – {opponent}"),
        })
    }

    /// What a player is called where there is little room.
    pub(super) fn short_name(self, game: Game, side: Side) -> &'static str {
        match self {
            Players::TwoPeople => game.side_name(side),
            Players::Against(theirs, _) if theirs != side => PERSON,
            Players::Against(_, Opponent::Random) => "Random",
            Players::Against(_, Opponent::Engine(_)) => "Stoa",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: Opponent = Opponent::Engine(Level::new(4).unwrap());

    #[test]
    fn names_in_records_are_understood_again() {
        for opponent in Level::all().map(Opponent::Engine).chain([Opponent::Random]) {
            assert_eq!(Opponent::of_name(&opponent.name()), Some(opponent));
            for side in Side::BOTH {
                let players = Players::Against(side, opponent);
                let mut record = Record::new(Game::Impasse.start());
                players.name_in(&mut record);
                assert_eq!(Players::of_record(&record), players);
            }
        }
        assert_eq!(FOUR.name(), "Stoa level 4 Regular");
        for stranger in ["Ada", "Stoa level 11 Giant", "Stoa level", "You", ""] {
            assert_eq!(Opponent::of_name(stranger), None, "{stranger}");
        }
    }

    #[test]
    fn people_keep_their_names_and_engines_change_sides() {
        let mut record = Record::new(Game::Impasse.start());
        record.set_tag("white", "Ada");
        Players::Against(Side::Second, FOUR).name_in(&mut record);
        assert_eq!(record.tag("white"), Some("Ada"));
        assert_eq!(record.tag("black"), Some("Stoa level 4 Regular"));
        let mut record = Record::new(Game::Impasse.start());
        Players::Against(Side::Second, FOUR).name_in(&mut record);
        Players::Against(Side::First, FOUR).name_in(&mut record);
        assert_eq!(record.tag("white"), Some("Stoa level 4 Regular"));
        assert_eq!(record.tag("black"), Some("You"));
    }
}
