//! Certificates, sound and unsound. The large one is what the documentation offers for download.

use stoa_rules::Side;
use stoa_verify::{DIGITS, checksum, verify};

const SMALL: &str = "stoa certificate 1
game: colonnade
position: -/-/-/r/r/-/-/- r
claim: win

0
";

fn with_checksum(body: &str) -> String {
    format!("{body}checksum: {:016x}\n", checksum(body))
}

fn why(body: &str) -> String {
    verify(&with_checksum(body)).expect_err("it proves nothing").to_string()
}

fn colonnade() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/colonnade.certificate");
    std::fs::read_to_string(path).expect("the certificate is in the repository")
}

#[test]
fn a_small_certificate_is_accepted() {
    let proof = verify(&with_checksum(SMALL)).expect("Red carries one onto the other and wins");
    assert_eq!((proof.winner, proof.positions, proof.replies), (Side::First, 0, 1));
}

#[test]
fn a_lost_position_needs_no_reply_if_the_loser_cannot_move() {
    let body = SMALL.replace("r/r/-", "r/-/-").replace("- r", "- b").replace("win", "loss");
    let proof = verify(&with_checksum(&body.replace("\n0\n", "\n"))).expect("Blue has nothing");
    assert_eq!((proof.winner, proof.positions, proof.replies), (Side::First, 0, 0));
}

#[test]
fn colonnade_is_won_by_the_second_player() {
    let proof = verify(&colonnade()).expect("the certificate of the start position");
    assert_eq!(proof.position, stoa_rules::Game::Colonnade.start());
    assert_eq!(proof.winner, Side::Second);
}

#[test]
fn mismatched_certificates_are_refused_with_a_reason() {
    assert!(verify("").expect_err("empty").to_string().contains("no checksum"));
    assert!(verify(SMALL).expect_err("no checksum").to_string().contains("no checksum"));
    assert!(why(&SMALL.replace("certificate 1", "certificate 2")).contains("first line"));
    assert!(why(&SMALL.replace("colonnade", "chess")).contains("chess"));
    assert!(why(&SMALL.replace("game: ", "play: ")).contains("'game: …'"));
    assert!(why(&SMALL.replace("-/-/-/r", "-/-/-/rr")).contains("not sound"));
    assert!(why(&SMALL.replace("win", "draw")).contains("neither"));
    assert!(why(&SMALL.replace("win", "loss")).contains("the claimed winner has not won"));
    assert!(why(&SMALL.replace("\n0\n", "\n9\n")).contains("not a move"));
    assert!(why(&SMALL.replace("\n0\n", "\n-\n")).contains("missing"));
    assert!(why(&SMALL.replace("\n0\n", "\n")).contains("missing"));
    assert!(why(&SMALL.replace("\n0\n", "\n00\n")).contains("more replies"));
}

/// Every byte that is changed, left out or added is noticed.
#[test]
fn damage_is_noticed_everywhere() {
    let sound = colonnade();
    for place in (0..sound.len()).step_by(sound.len() / 300) {
        let mut bytes = sound.clone().into_bytes();
        bytes[place] ^= 1;
        assert!(String::from_utf8(bytes).map_or(true, |text| verify(&text).is_err()), "{place}");
        let mut shorter = sound.clone();
        shorter.remove(place);
        assert!(verify(&shorter).is_err(), "{place}");
        assert!(verify(&sound[..place]).is_err(), "{place}");
    }
}

/// A forger who also mends the checksum must still win all games: a losing reply is refused, and so is the
/// claim that the other player wins. (Where two replies win, either may stand in a proof.)
#[test]
fn forged_replies_are_noticed() {
    let sound = colonnade();
    let body = &sound[..sound.rfind("checksum").expect("it has one")];
    assert!(verify(&with_checksum(&body.replace("claim: loss", "claim: win"))).is_err());
    let replies = body.find("\n\n").expect("an empty line before the replies") + 2;
    let (mut tried, mut refused) = (0, 0);
    for place in (replies..body.len()).step_by((body.len() - replies) / 12) {
        let mut bytes = body.as_bytes().to_vec();
        let Some(digit) = DIGITS.iter().position(|digit| *digit == bytes[place]) else { continue };
        bytes[place] = DIGITS[if digit == 0 { 1 } else { digit - 1 }];
        let forged = String::from_utf8(bytes).expect("digits are plain letters");
        tried += 1;
        refused += usize::from(verify(&with_checksum(&forged)).is_err());
    }
    assert!(tried >= 10 && refused * 4 >= tried * 3, "{refused} of {tried} were refused");
}
