//! That a game that has ended is counted once by everything that counts games: archive, explorer, ratings.

use serde_json::{Value, json};

use crate::Witness;
use crate::deadline::RecoveryDeadline;
use crate::talk::Server;
use crate::talk::people::{Person, text};

/// In one schedule of this many the players have accounts, and their game is rated. Passwords take time.
const RATED: u64 = 4;

pub(crate) fn is_rated(seed: u64) -> bool {
    seed.is_multiple_of(RATED)
}

/// Two people who can play in a schedule.
pub(crate) fn people(first: &Server, second: &Server, seed: u64) -> [Person; 2] {
    let person = |server: &Server, name: &str| {
        if !is_rated(seed) {
            return Person::new(server.address, name);
        }
        let mut person = Person::stranger(server.address);
        let name = format!("{name} {seed}");
        let wish = json!({ "name": name, "password": "Achilles never arrives" });
        let (status, player) = person.post("/api/account/register", &wish);
        assert_eq!(status, 200, "{player}");
        person.id = text(&player["id"]);
        person
    };
    [person(first, "Ann"), person(second, "Bob")]
}

/// How many games the explorer has seen begin, by everyone or by oneself.
fn explored(person: &Person, by: &str) -> Option<i64> {
    let (status, found) = person.get(&format!("/api/explorer?game=impasse&by={by}"));
    let counts = |one: &Value| ["won", "drawn", "lost"].map(|key| one[key].as_i64().unwrap_or(0));
    let moves = found["moves"].as_array().filter(|_| status == 200)?;
    Some(moves.iter().map(|one| counts(one).iter().sum::<i64>()).sum())
}

fn archived(person: &Person) -> Option<usize> {
    let (status, found) = person.get(&format!("/api/archive?player={}", person.id));
    found["games"].as_array().filter(|_| status == 200).map(Vec::len)
}

/// That the game of a witness is counted, the last of this many.
pub(crate) fn check(witness: &Witness, games: i64, is_rated: bool, deadline: &RecoveryDeadline) {
    let [ann, bob] = &witness.players;
    deadline.wait_until("the explorer has counted the game", || {
        explored(ann, "people").is_some_and(|counted| counted >= games)
    });
    // Ann has made the first move, and Bob none from there.
    let counted = [explored(ann, "people"), explored(ann, "me"), explored(bob, "me")];
    assert_eq!(counted, [Some(games), Some(1), Some(0)]);
    assert_eq!((archived(ann), archived(bob)), (Some(1), Some(1)));
    if is_rated {
        deadline.wait_until("the game has changed the ratings", || {
            let (status, view) = ann.get(&format!("/api/games/{}", witness.game));
            status == 200 && view["rating_changes"].is_array()
        });
    }
}

/// That the ratings computed anew are those that are stored, bit by bit, and this many games count.
pub(crate) fn check_rebuilt(database: &str, games: usize) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let report = runtime.block_on(stoa_server::rebuild_ratings(database)).expect("ratings");
    assert_eq!((report.games, report.changed, report.newly_counted), (games, 0, 0), "{report:?}");
    assert_eq!(report.ratings, 2 * games);
}
