//! Puzzles that people have solved.

use serde_json::{Value, json};

use crate::talk;
use crate::talk::people::{Person, text};
use crate::talk::world::World;

talk::world::scenes! {
    a_solved_puzzle_counts_once_and_everywhere,
    unsolved_puzzles_do_not_count,
}

/// Puzzles of the page.
fn puzzles(file: &str) -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/pages/puzzles/data");
    let file = std::fs::read_to_string(format!("{folder}/{file}.json")).expect("a file");
    serde_json::from_str(&file).expect("puzzles")
}

fn solution(puzzle: &Value, clean: bool) -> Value {
    let turns = puzzle["turns"].as_array().expect("turns").iter();
    let moves: Vec<&Value> = turns.map(|turn| &turn["accepted"][0]).collect();
    json!({ "puzzle": puzzle["id"], "moves": moves, "clean": clean })
}

fn account(world: &World, node: usize, name: &str) -> Person {
    let mut person = Person::stranger(world.address(node));
    let wish = json!({ "name": name, "password": "Achilles never arrives" });
    let (status, player) = person.post("/api/account/register", &wish);
    assert_eq!(status, 200, "{player}");
    person.id = text(&player["id"]);
    person
}

fn a_solved_puzzle_counts_once_and_everywhere(world: &World) {
    let ann = account(world, 0, "Puzzled Ann");
    let (impasse, palisade) = (puzzles("impasse"), puzzles("palisade-7"));
    // From the other node, if there are two.
    let mut elsewhere = ann.at(world.address(1));
    let mut report = |solved: Value| {
        let (status, answer) = elsewhere.post("/api/me/puzzles", &json!({ "solved": solved }));
        assert_eq!(status, 200, "{answer}");
        answer["solved"].as_array().expect("a list").len()
    };
    assert_eq!(report(json!([solution(&impasse[0], false), solution(&palisade[0], true)])), 2);
    assert_eq!(report(json!([solution(&impasse[1], false)])), 3);
    // Again, cleanly now; and once clean, always clean.
    assert_eq!(report(json!([solution(&impasse[0], true)])), 3);
    assert_eq!(report(json!([solution(&palisade[0], false)])), 3);

    let (_, known) = ann.get("/api/me/puzzles");
    let clean = |id: &Value| {
        let solved = known["solved"].as_array().expect("a list").iter();
        solved
            .filter(|one| &one["puzzle"] == id)
            .map(|one| one["clean"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(clean(&impasse[0]["id"]), [json!(true)]);
    assert_eq!(clean(&impasse[1]["id"]), [json!(false)]);
    assert_eq!(clean(&palisade[0]["id"]), [json!(true)]);
    let (_, profile) = Person::stranger(world.address(1)).get("/api/players/puzzled%20ann");
    let counts = json!([
        { "game": "impasse", "solved": 2, "clean": 1, "of": impasse.len() },
        { "game": "palisade", "solved": 1, "clean": 1, "of": palisade.len() },
    ]);
    assert_eq!(profile["puzzles"], counts, "{profile}");
    assert_eq!(ann.get("/api/me/data").1["puzzles_solved"].as_array().map(Vec::len), Some(3));
    assert_eq!(ann.delete("/api/me/puzzles").0, 204);
    assert_eq!(ann.get("/api/me/puzzles").1["solved"], json!([]));
    assert_eq!(report(json!([solution(&impasse[1], false)])), 1);
    assert_eq!(ann.delete("/api/me").0, 204, "and nothing in the database refers to her");
}

fn unsolved_puzzles_do_not_count(world: &World) {
    let mut bob = account(world, 0, "Puzzled Bob");
    let impasse = puzzles("impasse");
    let right = solution(&impasse[0], true);
    let mut wrong = solution(&impasse[1], true);
    wrong["moves"] = json!(["a1-a2"]);
    let mut unknown = right.clone();
    unknown["puzzle"] = json!("impasse-00000000");
    let mut none = right.clone();
    none["moves"] = json!([]);
    let too_many = vec![right.clone(); 51];
    for (solved, status, code) in [
        (json!([right, wrong]), 409, "not_solved"),
        (json!([none]), 409, "not_solved"),
        (json!([unknown]), 404, "not_found"),
        (json!([]), 400, "bad_request"),
        (json!(too_many), 400, "bad_request"),
    ] {
        let (found, answer) = bob.post("/api/me/puzzles", &json!({ "solved": solved }));
        assert_eq!((found, &answer["code"]), (status, &json!(code)), "{answer}");
    }
    assert_eq!(bob.get("/api/me/puzzles").1["solved"], json!([]), "not even the right one");
    let mut guest = Person::new(world.address(0), "Guest of the puzzles");
    let (_, answer) = guest.post("/api/me/puzzles", &json!({ "solved": [right] }));
    assert_eq!(answer["code"], "no_account");
}
