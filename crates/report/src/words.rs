//! What figures mean, in sentences.

use stoa_engine::matches::Bounded;
use stoa_rules::Side;

use crate::exact::ExactReport;
use crate::figures::{Figures, Played};
use crate::report::Board;

/// A share as people read it: `56 ± 2 %`.
pub fn percent(share: &Bounded) -> String {
    // What never or always happened has a bound on one side only.
    if share.value == 0.0 && share.high > 0.0 {
        return format!("0 % (at most {:.0} %)", (100.0 * share.high).ceil());
    }
    if share.value == 1.0 && share.low < 1.0 {
        return format!("100 % (at least {:.0} %)", (100.0 * share.low).floor());
    }
    format!("{} %", with_error(100.0 * share.value, 100.0 * share.error()))
}

/// A number with its error: `61.3 ± 0.4`. As many digits as the error lets mean something.
pub fn number(bounded: &Bounded) -> String {
    with_error(bounded.value, bounded.error())
}

fn with_error(value: f64, error: f64) -> String {
    let digits = match error {
        error if !(0.001..1.0).contains(&error) => 0,
        error if error >= 0.1 => 1,
        _ => 2,
    };
    // Not minus nothing.
    let value = if value.abs() < 0.5 * 0.1f64.powi(digits) { 0.0 } else { value };
    let digits = digits as usize;
    format!("{value:.digits$} ± {error:.digits$}")
}

/// A difference in Elo, which has no bound where one player won everything.
pub fn elo(bounded: &Bounded) -> String {
    match (bounded.low.is_finite(), bounded.high.is_finite()) {
        (true, true) => format!("{:+.0} ± {:.0}", bounded.value, bounded.error()),
        (true, false) => format!("more than {:+.0}", bounded.low),
        (false, true) => format!("less than {:+.0}", bounded.high),
        (false, false) => "unknown".to_owned(),
    }
}

/// A whole number with commas.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The answers to a designer's questions about a board.
pub fn answers(board: &Board, sides: [&str; 2]) -> Vec<String> {
    let mut answers = Vec::new();
    if let Some(exact) = &board.exact {
        answers.extend(exact_answers(exact, sides));
    }
    if let Some(figures) = &board.figures {
        answers.extend(played_answers(figures, sides, board.exact.is_some()));
    }
    answers
}

fn exact_answers(exact: &ExactReport, sides: [&str; 2]) -> Vec<String> {
    let mut answers = Vec::new();
    let after = exact.plies.map_or(String::new(), |plies| format!(" after {plies} turns"));
    answers.push(match exact.winner {
        Some(side) => format!(
            "With best play {} wins{after}: the {} player. This is certain, by {}.",
            sides[side.index()],
            if side == Side::First { "first" } else { "second" },
            exact.known_by
        ),
        None => format!("With best play the game is drawn{after}, by {}.", exact.known_by),
    });
    let winning: Vec<&str> = exact
        .first_moves
        .iter()
        .filter(|first| first.winner == Some(Side::First))
        .map(|first| first.mv.as_str())
        .collect();
    let total = exact.first_moves.len();
    answers.push(match winning.len() {
        0 => "Every first move loses. A pie rule would not make it even: whoever moves second \
              keeps the win."
            .to_owned(),
        count if count == total => "Every first move wins.".to_owned(),
        count => format!(
            "{count} of {total} different first moves win ({}). With a pie rule the player who \
             chooses wins against best play: each first move is won by one side or the other.",
            winning.join(", ")
        ),
    });
    if let Some(turn) = exact.turns.get(1..) {
        let open: Vec<_> = turn.iter().filter(|turn| turn.won > 0.0).collect();
        if !open.is_empty() {
            let mean = |of: &dyn Fn(&crate::exact::ExactTurn) -> f64| {
                open.iter().map(|turn| of(turn)).sum::<f64>() / open.len() as f64
            };
            answers.push(format!(
                "In a won position of the first {} turns {:.1} of {:.1} moves keep the win; in {:.0} % \
                 of them a single one does.",
                exact.turns.len(),
                mean(&|turn| turn.winning),
                mean(&|turn| turn.legal),
                100.0 * mean(&|turn| turn.single)
            ));
        }
    }
    if !exact.lengths.is_empty() {
        let positions: u64 = exact.lengths.iter().sum();
        let turns: f64 =
            (0..).zip(&exact.lengths).map(|(n, &count)| f64::from(n) * count as f64).sum();
        let won: u64 = exact.layers.iter().map(|layer| layer.won).sum();
        answers.push(format!(
            "Of all {} positions the player to move wins {:.1} %; on average they are {:.1} turns from \
             the end, at most {}.",
            grouped(positions),
            100.0 * won as f64 / positions.max(1) as f64,
            turns / positions.max(1) as f64,
            exact.lengths.len() - 1
        ));
    }
    answers
}

fn played_answers(figures: &Figures, sides: [&str; 2], is_solved: bool) -> Vec<String> {
    let mut answers = Vec::new();
    let Some(best) = figures.strengths.last() else { return answers };
    answers.push(fairness(figures, best, sides));
    answers.extend(strength_matters(figures));
    if !is_solved {
        answers.extend(pie(figures));
    }
    answers.push(ends(best));
    answers.push(length(best));
    answers.push(drama(best));
    answers.extend(depth(figures));
    answers.extend(choice(figures));
    answers.extend(rules(figures));
    answers
}

fn fairness(figures: &Figures, best: &Played, sides: [&str; 2]) -> String {
    let verdict = match best.first_score {
        score if score.low > 0.5 => "moving first is an advantage",
        score if score.high < 0.5 => "moving second is an advantage",
        _ => "no advantage of either side can be seen",
    };
    format!(
        "The first player ({}) scores {}: {verdict} ({} games at {} {} a move).",
        sides[0],
        percent(&best.first_score),
        grouped(best.games as u64),
        grouped(best.nodes),
        figures.unit
    )
}

/// Whether the advantage grows or shrinks with strength.
fn strength_matters(figures: &Figures) -> Option<String> {
    let (weak, strong) = (figures.strengths.first()?, figures.strengths.last()?);
    let (before, after) = (&weak.first_score, &strong.first_score);
    let how = if after.low > before.high {
        "more"
    } else if after.high < before.low {
        "less"
    } else {
        return None;
    };
    Some(format!(
        "The stronger the players, the {how} the first one scores: {} at {} {} a move.",
        percent(before),
        grouped(weak.nodes),
        figures.unit
    ))
}

/// A score whose error is larger than this cannot be called even.
const MAX_ERROR_OF_EVEN: f64 = 0.1;

fn pie(figures: &Figures) -> Option<String> {
    let mv = figures.openings.pie.first()?;
    let first = figures.openings.first_moves.iter().find(|first| first.mv == *mv)?;
    let score = first.score?;
    let of =
        format!("after it the first player scores {} ({} games)", percent(&score), first.games);
    let may_be_even = score.low <= 0.5 && score.high >= 0.5;
    Some(if may_be_even && score.error() <= MAX_ERROR_OF_EVEN {
        format!("A pie rule with {mv} would be fair: {of}.")
    } else if may_be_even {
        format!(
            "For a pie rule {mv} looks most even so far, but more games are needed to say so: {of}."
        )
    } else {
        format!(
            "No first move is quite even, so a pie rule helps only so far; {mv} comes nearest: {of}."
        )
    })
}

fn ends(best: &Played) -> String {
    let mut text = match best.results[1] {
        0 => "No game was drawn".to_owned(),
        _ => format!("{} of the games are drawn", percent(&best.draws)),
    };
    if best.stalls.value > 0.0 {
        text +=
            &format!("; {} end because of too many turns without progress", percent(&best.stalls));
    }
    if best.ends.len() > 1 {
        let ends: Vec<String> = best
            .ends
            .iter()
            .map(|(reason, share)| format!("{reason} {}", percent(share)))
            .collect();
        text += &format!(". How games end: {}", ends.join(", "));
    }
    text + "."
}

fn length(best: &Played) -> String {
    let [_, low, middle, high, _] = best.length.quantiles;
    format!(
        "A game takes {} turns of both players; half take at most {middle}, nine in ten between {low} \
         and {high}. A turn has {} legal moves.",
        number(&best.length.mean),
        number(&best.branching)
    )
}

fn drama(best: &Played) -> String {
    let mut text = format!("The lead changes {} times a game", number(&best.lead_changes));
    if let (Some(decided), Some(left)) = (&best.decided, &best.turns_after_decision) {
        text += &format!(
            "; the outcome is open for {} of the game and settled {} turns before its end",
            percent(decided),
            number(left)
        );
    }
    if let Some(comebacks) = &best.comebacks {
        text += &format!(". {} of the winners had been far behind", percent(comebacks));
    }
    if let Some(behind) = &best.behind_wins {
        text += &format!("; who is behind in the middle of a game wins {}", percent(behind));
    }
    text + "."
}

fn depth(figures: &Figures) -> Option<String> {
    let rungs: Vec<String> = figures
        .depth
        .iter()
        .map(|rung| {
            let (less, more) = (grouped(rung.nodes), grouped(2 * rung.nodes));
            format!("{} from {less} to {more}", elo(&rung.estimate.elo))
        })
        .collect();
    (!rungs.is_empty()).then(|| {
        format!(
            "Thinking twice as much is worth, in Elo by {}: {}.",
            figures.unit,
            rungs.join(", ")
        )
    })
}

fn choice(figures: &Figures) -> Option<String> {
    let choice = figures.choice.as_ref()?;
    Some(format!(
        "Of {} legal moves {} are as good as the best; in {} of the positions a single one is. A random \
         move costs {} of the chance of winning.",
        number(&choice.legal),
        number(&choice.good),
        percent(&choice.single),
        percent(&choice.random_cost)
    ))
}

/// The rules that hardly ever bite: a designer could do without them.
fn rules(figures: &Figures) -> Option<String> {
    const RARE: f64 = 0.05;
    let rare: Vec<String> = figures
        .rules
        .iter()
        .filter(|rule| rule.in_games.value < RARE)
        .map(|rule| format!("{} ({} of the games)", rule.rule.id, percent(&rule.in_games)))
        .collect();
    (!rare.is_empty()).then(|| format!("Rules that hardly ever bite: {}.", rare.join(", ")))
}

/// How boards compare.
pub fn comparison(boards: &[Board]) -> Vec<String> {
    let best: Vec<Compared<'_>> = boards
        .iter()
        .filter_map(|board| {
            Some((board, board.figures.as_ref()?, board.figures.as_ref()?.strengths.last()?))
        })
        .collect();
    if best.len() < 2 {
        return Vec::new();
    }
    let mut sentences: Vec<String> = best
        .iter()
        .map(|(board, figures, best)| {
            let pie = match &board.exact {
                None => pie(figures),
                Some(exact) => exact.winner.map(|side| {
                    let which = if side == Side::First { "first" } else { "second" };
                    format!("With best play the {which} player wins, for certain.")
                }),
            };
            let pie = pie.map_or(String::new(), |pie| format!(" {pie}"));
            format!("{}: the first player scores {}.{pie}", board.name, percent(&best.first_score))
        })
        .collect();
    sentences.extend(extremes(&best, &|best| Some(best.first_score), |low, high| {
        format!("The first player scores most {high} and least {low}.")
    }));
    sentences.extend(extremes(&best, &|best| Some(best.length.mean), |low, high| {
        format!("Games are shortest {low} and longest {high}.")
    }));
    sentences.extend(extremes(&best, &|best| best.decided, |low, high| {
        format!("For their length games stay open longest {high}, shortest {low}.")
    }));
    sentences.extend(extremes(&best, &|best| Some(best.lead_changes), |low, high| {
        format!("The lead changes most often {high}, least often {low}.")
    }));
    sentences.extend(unequal_strengths(&best));
    sentences
}

/// A board with its figures and those of the strongest players.
type Compared<'a> = (&'a Board, &'a Figures, &'a Played);

/// A sentence on the boards with the least and the most of something, if these are further apart than
/// their errors.
fn extremes(
    boards: &[Compared<'_>],
    figure: &dyn Fn(&Played) -> Option<Bounded>,
    sentence: impl Fn(&str, &str) -> String,
) -> Option<String> {
    let mut found: Vec<(&str, Bounded)> = boards
        .iter()
        .filter_map(|(board, _, best)| Some((board.name.as_str(), figure(best)?)))
        .collect();
    found.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
    let ((low, least), (high, most)) = (found.first()?, found.last()?);
    (most.low > least.high).then(|| sentence(&where_played(low), &where_played(high)))
}

/// On a board of a size, or by a rule set.
fn where_played(board: &str) -> String {
    let word = if board.contains('×') { "on" } else { "by" };
    format!("{word} {board}")
}

/// Who is compared, if the players of some boards think more than those of others.
fn unequal_strengths(boards: &[Compared<'_>]) -> Option<String> {
    let (_, figures, first) = boards.first()?;
    if boards.iter().all(|(_, _, best)| best.nodes == first.nodes) {
        return None;
    }
    let efforts: Vec<String> = boards
        .iter()
        .map(|(board, _, best)| format!("{} {}", grouped(best.nodes), where_played(&board.name)))
        .collect();
    let efforts = efforts.join(", ").replacen(' ', &format!(" {} a move ", figures.unit), 1);
    Some(format!(
        "The players are not equally strong everywhere, which a comparison should allow for: they look \
         at {efforts}."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_error() {
        let bounded =
            |value: f64, error: f64| Bounded { value, low: value - error, high: value + error };
        assert_eq!(percent(&bounded(0.5612, 0.0234)), "56 ± 2 %");
        assert_eq!(percent(&bounded(0.0012, 0.0009)), "0.12 ± 0.09 %");
        let never = Bounded { value: 0.0, low: 0.0, high: 0.031 };
        assert_eq!(percent(&never), "0 % (at most 4 %)");
        assert_eq!(percent(&bounded(1.0, 0.0)), "100 ± 0 %");
        assert_eq!(number(&bounded(61.27, 0.42)), "61.3 ± 0.4");
        assert_eq!(number(&bounded(-0.01, 0.2)), "0.0 ± 0.2");
        assert_eq!(elo(&bounded(85.4, 20.2)), "+85 ± 20");
        let open = Bounded { value: f64::INFINITY, low: 310.0, high: f64::INFINITY };
        assert_eq!(elo(&open), "more than +310");
        assert_eq!(grouped(872_893_441), "872,893,441");
        assert_eq!(grouped(12), "12");
    }
}
