//! The one list of the games. Everything that goes from a name to a game's types comes from it: the
//! enum [`Game`], its ids, [`Game::visit`], and [`dispatch!`](crate::dispatch) for other crates.

use crate::{GameOptions, Position, Visitor};

/// Hands the list of the games to another macro: one line a game, with the name of
/// its variant, the type of its options if it has any, and its module.
#[doc(hidden)]
#[macro_export]
macro_rules! __games {
    ([$($macro:tt)+] $($arguments:tt)*) => {
        $($macro)+! {
            ($($arguments)*)
            /// Colonnade.
            Colonnade in colonnade;
            /// Impasse.
            Impasse in impasse;
            /// Palisade on a board of some size.
            Palisade(size: Size) in palisade;
            /// Columna by one of its two rule sets.
            Columna(rule_set: RuleSet) in columna;
            /// Colossus.
            Colossus in colossus;
        }
    };
}

/// Runs an expression with the position type and the options of a [`Game`], for code with bounds
/// of its own; [`Game::visit`] is enough where [`Playable`](crate::Playable) is.
///
/// ```
/// use stoa_rules::Game;
///
/// /// A trait of another crate, which it implements for each game.
/// trait Judge {
///     fn judge(&self) -> usize;
/// }
/// # impl<P: stoa_rules::Playable> Judge for P {
/// #     fn judge(&self) -> usize {
/// #         self.count_moves()
/// #     }
/// # }
///
/// fn judge_start(game: Game) -> usize {
///     stoa_rules::dispatch!(game, |P, options| <P as stoa_rules::Position>::start(options).judge())
/// }
///
/// assert_eq!(judge_start(Game::Impasse), 22);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($game:expr, |$position:ident, $options:ident| $body:expr) => {
        $crate::__games!([$crate::__dispatch] ($game) $position $options ($body))
    };
}

/// The match behind [`dispatch!`](crate::dispatch).
#[doc(hidden)]
#[macro_export]
macro_rules! __dispatch {
    (
        (($game:expr) $position:ident $options:ident ($body:expr))
        $($(#[$doc:meta])* $variant:ident $(($option:ident: $Option:ident))? in $module:ident;)+
    ) => {
        match $game {
            $($crate::Game::$variant $(($option))? => {
                type $position = $crate::$module::Position;
                let $options = ($($option)?);
                $body
            })+
        }
    };
}

/// A position type that is in the list of the games.
pub trait Listed: Position {
    /// The game with these options.
    fn game(options: Self::Options) -> Game;
}

macro_rules! define_game {
    (
        ()
        $($(#[$doc:meta])* $variant:ident $(($option:ident: $Option:ident))? in $module:ident;)+
    ) => {
        /// A game with its options.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Game {
            $($(#[$doc])* $variant $(($crate::$module::$Option))?,)+
        }

        impl Game {
            /// The games with their usual options.
            pub const ALL: [Game; [$(stringify!($variant)),+].len()] =
                [$(Game::$variant $((<$crate::$module::$Option as GameOptions>::DEFAULT))?),+];
        }

        $(impl Listed for $crate::$module::Position {
            #[allow(unused_parens, reason = "games without options have () here")]
            fn game(options: Self::Options) -> Game {
                let ($($option)?) = options;
                Game::$variant $(($option))?
            }
        })+
    };
}

__games!([define_game]);

impl Game {
    /// Does something with the game's own position type: the door from names to fast code.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        crate::dispatch!(self, |P, options| visitor.visit::<P>(options))
    }
}
