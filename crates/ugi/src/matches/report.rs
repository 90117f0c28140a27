//! What a match has shown, in words, as a line and as JSON.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde::ser::SerializeStruct;
use stoa_draw::printable;
use stoa_engine::matches::{Bounded, Estimate, Played, Sprt, Totals, Verdict};
use stoa_rules::{Game, Side};

use crate::players::PlayerSpec;

/// A match that is over.
pub struct Report<'a> {
    /// The game that was played.
    pub game: Game,
    /// A and B.
    pub players: [&'a PlayerSpec; 2],
    /// The seed of the random numbers.
    pub seed: u64,
    /// All results.
    pub totals: &'a Totals,
    /// The first few forfeits, in words.
    pub forfeits: &'a [String],
    /// The sequential test, if there was one.
    pub sprt: Option<Sprt>,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// How long it took.
    pub time: Duration,
}

/// How many forfeits a report names; the records have them all.
const MAX_FORFEITS: usize = 5;

/// Adds the forfeits of a pair of games, until there are enough to see what is wrong.
pub fn add_forfeits(forfeits: &mut Vec<String>, pair: &[Played; 2]) {
    for (game, side_of_a) in pair.iter().zip(Side::BOTH) {
        if let Some((side, why)) = game.forfeit.as_ref().filter(|_| forfeits.len() < MAX_FORFEITS) {
            let loser = if *side == side_of_a { "A" } else { "B" };
            let ply = game.record.main_line().len() + 1;
            forfeits.push(format!("{loser} at move {ply}: {why}"));
        }
    }
}

/// How a match stands, in a line.
pub fn line(totals: &Totals, test: Option<(Sprt, f64)>) -> String {
    let [won, drawn, lost] = totals.results;
    let estimate = totals.estimate();
    let mut line =
        format!("+{won} ={drawn} -{lost}  {}  {}", percent(estimate.score), elo(estimate.elo));
    if let Some((sprt, llr)) = test {
        let (low, high) = sprt.bounds();
        line.push_str(&format!("  LLR {llr:.2} ({low:.2} to {high:.2})"));
    }
    line
}

/// `61.2 ± 3.4 %`
pub fn percent(score: Bounded) -> String {
    format!("{:.1} ± {:.1} %", 100.0 * score.value, 100.0 * score.error())
}

/// `Elo +79 ± 25`; after winning or losing every game, only a bound is known.
pub fn elo(elo: Bounded) -> String {
    if elo.error().is_finite() {
        format!("Elo {:+.1} ± {:.1}", elo.value, elo.error())
    } else if elo.low.is_finite() {
        format!("Elo more than {:+.0}", elo.low)
    } else if elo.high.is_finite() {
        format!("Elo less than {:+.0}", elo.high)
    } else {
        "Elo unknown".to_owned()
    }
}

/// `12.3 ms` or `1.25 s`
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { totals, players: [a, b], .. } = self;
        let ended = if self.interrupted { ", interrupted" } else { "" };
        let played = totals.games();
        writeln!(f, "{}: {played} games, seed {}{ended}", self.game, self.seed)?;
        writeln!(f, "A  {a}\nB  {b}\n")?;
        if played == 0 {
            return writeln!(f, "No pair of games was finished.");
        }
        let Estimate { score, elo: difference, superiority } = totals.estimate();
        let [won, drawn, lost] = totals.results;
        writeln!(f, "score of A     {}  (+{won} ={drawn} -{lost})", percent(score))?;
        writeln!(f, "strength of A  {}", elo(difference))?;
        writeln!(f, "superiority    {:.1} %", 100.0 * superiority)?;
        if let Some(sprt) = self.sprt {
            let (low, high) = sprt.bounds();
            let llr = sprt.llr(&totals.pairs);
            let verdict = match sprt.verdict(&totals.pairs) {
                Verdict::Accept => "accepted",
                Verdict::Reject => "rejected",
                Verdict::Continue => "not decided",
            };
            writeln!(f, "test           {verdict}: LLR {llr:.2} ({low:.2} to {high:.2}), {sprt}")?;
        }
        let [none, half, one, more, both] = totals.pairs.0;
        writeln!(f, "pairs          0: {none}  ½: {half}  1: {one}  1½: {more}  2: {both}")?;
        let [first, even, second] = totals.first_player;
        let share = 100.0 * totals.first_player_score();
        writeln!(f, "first player   {share:.1} %  (+{first} ={even} -{second})")?;
        let (shortest, longest) = totals.lengths.unwrap_or_default();
        writeln!(f, "length         {:.1} moves, {shortest} to {longest}", totals.mean_plies())?;
        for (name, pace) in ["A", "B"].into_iter().zip(totals.pace) {
            let (mean, slowest) = (time(pace.mean()), time(pace.slowest));
            writeln!(f, "a move of {name}    {mean} on average, the slowest {slowest}")?;
        }
        for (name, judgements) in ["A", "B"].into_iter().zip(&totals.judgements) {
            if let Some(points) = judgements.ten_to_one() {
                let Bounded { value, low, high } = points;
                writeln!(
                    f,
                    "scores of {name}    {value:.0} points meant ten to one ({low:.0} to {high:.0})"
                )?;
            }
        }
        let [a, b] = totals.forfeits;
        if a + b > 0 {
            writeln!(f, "forfeits       A: {a}  B: {b}")?;
            self.forfeits.iter().try_for_each(|forfeit| writeln!(f, "  {}", printable(forfeit)))?;
        }
        writeln!(f, "took           {}", time(self.time))
    }
}

impl Serialize for Report<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Player {
            player: String,
            moves: u64,
            mean_seconds: f64,
            slowest_seconds: f64,
            forfeits: u64,
            ten_to_one: Option<Bounded>,
        }
        #[derive(Serialize)]
        struct Results {
            wins: u64,
            draws: u64,
            losses: u64,
        }
        #[derive(Serialize)]
        struct Test {
            #[serde(flatten)]
            sprt: Sprt,
            llr: f64,
            bounds: (f64, f64),
            verdict: Verdict,
        }
        let results = |[wins, draws, losses]: [u64; 3]| Results { wins, draws, losses };
        let player = |index: usize| {
            let pace = self.totals.pace[index];
            Player {
                player: self.players[index].to_string(),
                moves: pace.moves,
                mean_seconds: pace.mean().as_secs_f64(),
                slowest_seconds: pace.slowest.as_secs_f64(),
                forfeits: self.totals.forfeits[index],
                ten_to_one: self.totals.judgements[index].ten_to_one(),
            }
        };
        let test = self.sprt.map(|sprt| Test {
            sprt,
            llr: sprt.llr(&self.totals.pairs),
            bounds: sprt.bounds(),
            verdict: sprt.verdict(&self.totals.pairs),
        });
        let estimate = self.totals.estimate();
        let mut fields = serializer.serialize_struct("Match", 16)?;
        fields.serialize_field("game", &self.game.to_string())?;
        fields.serialize_field("seed", &self.seed)?;
        fields.serialize_field("games", &self.totals.games())?;
        fields.serialize_field("interrupted", &self.interrupted)?;
        fields.serialize_field("a", &player(0))?;
        fields.serialize_field("b", &player(1))?;
        fields.serialize_field("results_of_a", &results(self.totals.results))?;
        fields.serialize_field("pairs_of_a", &self.totals.pairs)?;
        fields.serialize_field("score_of_a", &estimate.score)?;
        fields.serialize_field("elo_of_a", &estimate.elo)?;
        fields.serialize_field("superiority_of_a", &estimate.superiority)?;
        fields.serialize_field("sprt", &test)?;
        fields.serialize_field("results_of_first_player", &results(self.totals.first_player))?;
        fields.serialize_field("forfeits", &self.forfeits)?;
        fields.serialize_field("mean_moves", &self.totals.mean_plies())?;
        fields.serialize_field("seconds", &self.time.as_secs_f64())?;
        fields.end()
    }
}
