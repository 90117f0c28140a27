//! Talks to a Stoa server over HTTP: for bots, the load tool and tests.
//!
//! ```no_run
//! # fn example() -> Result<(), stoa_client::Error> {
//! use stoa_client::{Action, Client, NewChallenge, TimeControl};
//!
//! let zeno = Client::guest("http://127.0.0.1:8473", "Zeno")?;
//! let challenge = zeno.challenge(&NewChallenge::new("impasse", TimeControl::Unlimited))?;
//! let hypatia = Client::guest("http://127.0.0.1:8473", "Hypatia")?;
//! let game = hypatia.accept(&challenge.id)?;
//! let first = if game.players[0].name == "Zeno" { &zeno } else { &hypatia };
//! let played = Action::Move { ply: 0, text: "d2-b4".to_owned() };
//! assert_eq!(first.act(&game.id, &played)?.ply, 1);
//! # Ok(())
//! # }
//! ```
//!
//! The types are those of [`stoa_wire`], which the server uses too. Unknown fields and unknown kinds of
//! messages are ignored, so a client works with a newer server.
//!
//! | module | what |
//! |---|---|
//! | `http` | requests |
//! | `events` | event streams |
//! | `worker` | what workers do that review games |

mod events;
mod http;
mod worker;

pub use events::Events;
pub use http::{Client, Error};
pub use stoa_wire::{
    Action, Challenge, ChallengeSide, ChallengeState, EndReason, ErrorCode, GameEvent, GameResult,
    GameReview, GameSummary, GameView, JudgedPosition, NewChallenge, Offers, Player, PlayerKind,
    ReviewFailure, ReviewJob, ReviewProgress, ReviewResult, ReviewState, ServerMessage, Side,
    Situation, TimeControl,
};
