//! Errors: a code that programs can rely on, and a message for people.

use serde::{Deserialize, Serialize};
#[cfg(feature = "schema")]
use utoipa::ToSchema;

use crate::display_as_word;

/// Why a request was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ToSchema))]
pub struct ApiError {
    /// The code, which programs can rely on.
    pub code: ErrorCode,
    /// A sentence for people; it may change.
    #[cfg_attr(feature = "schema", schema(example = "it is the other side's turn"))]
    pub message: String,
    /// The number of seconds after which to retry, if that makes sense; also in the header
    /// `Retry-After`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub retry_after: Option<u64>,
}

macro_rules! error_codes {
    ($($status:literal: $($(#[doc = $doc:literal])+ $code:ident,)+)+) => {
        /// The code of an error.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(ToSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum ErrorCode {
            $($($(#[doc = $doc])+ $code,)+)+
        }

        impl ErrorCode {
            /// Every code.
            pub const ALL: &[ErrorCode] = &[$($(ErrorCode::$code,)+)+];

            /// The HTTP status that a response with this code has.
            pub const fn status(self) -> u16 {
                match self {
                    $($(ErrorCode::$code => $status,)+)+
                }
            }

            /// What the code means, in a sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $($(ErrorCode::$code => concat!($($doc),+).trim_ascii(),)+)+
                }
            }
        }
    };
}

error_codes! {
    400:
        /// The address is not one that mail can be sent to.
        BadAddress,
        /// The conditional moves are too many, contradict each other, or do not end with a reply.
        BadConditional,
        /// The time control is out of bounds.
        BadControl,
        /// The push endpoint is not the https URL of a push service.
        BadEndpoint,
        /// There is no such game, or it does not have these options.
        BadGame,
        /// The keys of a push subscription are not valid.
        BadKeys,
        /// The label of a token is too long or has control characters.
        BadLabel,
        /// The language is not a language tag.
        BadLanguage,
        /// The name is empty, too long, reserved, has invisible characters, too many combining marks, a word that
        /// uses several alphabets, or the form of an id.
        BadName,
        /// The opponent does not exist, or is yourself.
        BadOpponent,
        /// The new password is too short or too long.
        BadPassword,
        /// The text is empty, too long, or has too many combining marks.
        BadText,
        /// The request cannot be parsed, has unknown or missing fields, or a value is out of bounds.
        BadRequest,
        /// The vacation is longer than the days that are left.
        BadVacation,
        /// The review is not one of this game; the message says why.
        BadReview,
    401:
        /// The name or the password is wrong.
        BadLogin,
        /// The passkey is unknown, or what it signed is not what was asked for.
        BadPasskey,
        /// The token is unknown, or the header `Authorization` is malformed.
        BadToken,
        /// The request needs a cookie or a token.
        NoPlayer,
    403:
        /// The operators of the server have closed this account.
        AccountClosed,
        /// The player has blocked you, or you have blocked them.
        Blocked,
        /// The server allows only ready-made phrases here.
        NoFreeText,
        /// A bot cannot do this; it is for people.
        NotForBots,
        /// A token cannot do this; it needs the cookie.
        NotForTokens,
        /// The challenge is for another player.
        NotForYou,
        /// You do not play in this game, or did not create this challenge.
        NotYours,
        /// You cannot accept your own challenge.
        OwnChallenge,
        /// This needs a device that signed in within the last quarter of an hour: sign in again there.
        SignInAgain,
        /// The request was sent by the page of another site.
        WrongOrigin,
    404:
        /// There is no such resource.
        NotFound,
    405:
        /// The resource does not support this method.
        WrongMethod,
    408:
        /// The body of the request took too long to arrive.
        TooSlow,
    409:
        /// You have already asked, and the other side has not answered yet.
        AlreadyAsked,
        /// You have asked as often as you may, since the last move or in this game.
        AskedEnough,
        /// The password has just been changed elsewhere.
        Changed,
        /// The other side already has as much time as it may have.
        EnoughTime,
        /// The game is over.
        GameOver,
        /// The challenge is no longer open, or the opponent has left.
        Gone,
        /// You already have an account.
        HasAccount,
        /// There is already a rematch.
        HasRematch,
        /// The move is not legal; the message cites the rule.
        IllegalMove,
        /// The link in a mail has been used already, has expired, or is incomplete.
        LinkGone,
        /// This is for games without clocks.
        LiveGame,
        /// Another account signs in with this name, or one that looks like it.
        NameTaken,
        /// You have no account, and so no password to change.
        NoAccount,
        /// The game has no time limit.
        NoClock,
        /// The game has no draws.
        NoDraws,
        /// Passkeys need a domain, and the server is reached by an IP address.
        NoPasskeys,
        /// The game is not over yet.
        NotOver,
        /// The moves do not solve the puzzle.
        NotSolved,
        /// It is the other side's turn.
        NotYourTurn,
        /// You are on vacation already.
        OnVacation,
        /// You are to move in a game with little time left, and cannot go on vacation now.
        ShortOfTime,
        /// There is no offer to decline.
        NothingAsked,
        /// The game has no moves to review, or was aborted.
        NothingToReview,
        /// You have not moved yet.
        NothingToTakeBack,
        /// Moves cannot be taken back in a rated game.
        RatedGame,
        /// Passkeys belong to the server's public address, and the page was opened at another one.
        PasskeysElsewhere,
        /// You are playing; finish your games first.
        StillPlaying,
        /// This game has as many messages as it may have.
        TalkFull,
        /// Your time has run out.
        TimeUp,
        /// Both sides have moved; resign instead.
        TooLateToAbort,
        /// You, or people with your address, have too many open challenges.
        TooManyChallenges,
        /// The socket watches too many games.
        TooManyGames,
        /// You have too many passkeys, or this one already.
        TooManyPasskeys,
        /// You follow, have blocked, muted or reported too many people.
        TooManyPeople,
        /// You, or people with your address, have too many reviews waiting.
        TooManyReviews,
        /// You have too many tokens.
        TooManyTokens,
        /// `ply` is not the number of moves played so far.
        WrongPly,
        /// It is your own turn; conditional moves answer the other side's.
        YourTurn,
    413:
        /// The body of the request is too large.
        TooLarge,
    415:
        /// The body of the request is not declared as JSON.
        NotJson,
    426:
        /// The request must open a WebSocket.
        NotWebSocket,
    429:
        /// You were paired and did not make your first move, or left before both sides had moved; wait a while before
        /// you are paired again.
        DidNotMove,
        /// Too many requests; retry after `retry_after` seconds.
        TooMany,
        /// Your address has too many open sockets and event streams.
        TooManyConnections,
    500:
        /// The server failed; the failure was logged.
        Internal,
    503:
        /// The engine is busy, in all or with your games; retry after `retry_after` seconds.
        EngineBusy,
        /// No worker reviews games on this server now.
        NoReviews,
        /// The server cannot store this now; retry after `retry_after` seconds.
        Unavailable,
}

display_as_word!(ErrorCode);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_a_word_with_a_meaning() {
        let mut words = std::collections::HashSet::new();
        for code in ErrorCode::ALL {
            let word = code.to_string();
            assert_eq!(serde_json::to_string(code).unwrap(), format!("\"{word}\""));
            assert!(code.meaning().ends_with('.'), "{word}");
            assert!(words.insert(word));
        }
        assert_eq!(ErrorCode::NothingToTakeBack.to_string(), "nothing_to_take_back");
        assert_eq!((ErrorCode::Gone.status(), ErrorCode::TooMany.status()), (409, 429));
    }
}
