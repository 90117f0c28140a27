//! Talks to a Stoa server over HTTP: for bots, the load tool and tests.
//!
//! ```no_run
//! # fn example() -> Result<(), stoa_client::Error> {
//! use stoa_client::{Action, Client, Control, Wish};
//!
//! let zeno = Client::guest("http://127.0.0.1:8473", "Zeno")?;
//! let wish = Wish { game: "impasse", control: Control::Unlimited, ..Wish::default() };
//! let challenge = zeno.challenge(&wish)?;
//! let hypatia = Client::guest("http://127.0.0.1:8473", "Hypatia")?;
//! let game = hypatia.accept(&challenge.id)?;
//! let first = if game.players[0].name == "Zeno" { &zeno } else { &hypatia };
//! let played = Action::Move { ply: 0, text: "d2-b4".to_owned() };
//! assert_eq!(first.act(&game.id, &played)?.ply, 1);
//! # Ok(())
//! # }
//! ```
//!
//! Written from the server's description alone and sharing no code with it, so whatever uses this tests
//! the description, too. Fields that are not needed here are left out; unknown ones are skipped.
//!
//! | module | what |
//! |---|---|
//! | `http` | requests |
//! | `events` | event streams |
//! | `wire` | what is sent and answered |

mod events;
mod http;
mod wire;

pub use events::Events;
pub use http::{Client, Error};
pub use wire::{
    Action, Challenge, Control, GameCard, GameResult, GameView, Message, Offers, Player, Seat,
    Situation, Wish,
};
