//! A report as a document: headings, sentences, tables and charts, in whatever form it is written.

use stoa_engine::matches::Bounded;

use crate::figures::{CellUse, Figures};
use crate::report::{Board, Report};
use crate::words::{elo, grouped, number, percent};

/// A part of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading of a level from 1.
    Heading(u8, String),
    /// A paragraph.
    Text(String),
    /// Sentences, one after the other.
    List(Vec<String>),
    /// A table with its head.
    Table(Vec<String>, Vec<Vec<String>>),
    /// A chart, which says nothing that is not in a table or a sentence as well.
    Chart(Chart),
}

/// A picture of figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// How.
    pub kind: ChartKind,
}

/// How figures are drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum ChartKind {
    /// Bars with their bounds, and perhaps a line to compare with. The last says whether they are
    /// shares.
    Bars(Vec<(String, Bounded)>, Option<f64>, bool),
    /// Points in the course of a game with their bounds. The last says whether they are shares.
    Course(Vec<Bounded>, bool),
    /// How many of each range, the lowest and the width.
    Histogram(Vec<u64>, u32, u32),
    /// How often each cell is used.
    Board(Vec<CellUse>),
}

/// The document of a report.
pub fn document(report: &Report) -> Vec<Block> {
    let mut blocks = vec![
        Block::Heading(1, format!("{}: what kind of game it is", report.name)),
        Block::Text(format!(
            "{} by {}, {}. After ± stands the error, within which the true figure lies with a \
             probability of 95 %; what each figure means is said at the end. Made by {}.",
            report.name, report.designer, report.year, report.code
        )),
    ];
    if report.boards.len() > 1 {
        blocks.push(Block::Heading(2, "Side by side".to_owned()));
        blocks.push(Block::List(report.comparison.clone()));
        blocks.extend(side_by_side(report));
    }
    for board in &report.boards {
        if report.boards.len() > 1 {
            blocks.push(Block::Heading(2, format!("{} {}", report.name, board.name)));
        }
        blocks.push(Block::Text(format!("Repeat it with `{}`.", board.command)));
        blocks.push(Block::Heading(3, "Answers".to_owned()));
        blocks.push(Block::List(board.answers.clone()));
        blocks.extend(exact_blocks(board, report.sides));
        if let Some(figures) = &board.figures {
            blocks.extend(figure_blocks(figures, board.exact.is_some()));
        }
    }
    blocks.push(Block::Heading(2, "What the figures mean".to_owned()));
    blocks.push(Block::List(crate::definitions::all()));
    blocks
}

fn column(head: &[&str]) -> Vec<String> {
    head.iter().map(|&text| text.to_owned()).collect()
}

fn side_by_side(report: &Report) -> Vec<Block> {
    let of =
        |figure: &dyn Fn(&crate::figures::Played) -> Option<Bounded>| -> Vec<(String, Bounded)> {
            let boards = report.boards.iter().filter_map(|board| {
                Some((board.name.clone(), figure(board.figures.as_ref()?.strengths.last()?)?))
            });
            boards.collect()
        };
    let head = [
        "board",
        "first player",
        "draws",
        "turns",
        "legal moves",
        "lead changes",
        "decided at",
        "comebacks",
        "Elo of a doubling",
    ];
    let rows = report.boards.iter().filter_map(|board| {
        let figures = board.figures.as_ref()?;
        let best = figures.strengths.last()?;
        let last = figures.depth.last();
        Some(vec![
            board.name.clone(),
            percent(&best.first_score),
            percent(&best.draws),
            number(&best.length.mean),
            number(&best.branching),
            number(&best.lead_changes),
            best.decided.map_or(String::new(), |decided| percent(&decided)),
            best.comebacks.map_or(String::new(), |comebacks| percent(&comebacks)),
            last.map_or(String::new(), |rung| elo(&rung.estimate.elo)),
        ])
    });
    vec![
        Block::Table(column(&head), rows.collect()),
        Block::Chart(Chart {
            title: "First player's score".to_owned(),
            kind: ChartKind::Bars(of(&|best| Some(best.first_score)), Some(0.5), true),
        }),
        Block::Chart(Chart {
            title: "Turns of a game".to_owned(),
            kind: ChartKind::Bars(of(&|best| Some(best.length.mean)), None, false),
        }),
        Block::Chart(Chart {
            title: "How late games are decided".to_owned(),
            kind: ChartKind::Bars(of(&|best| best.decided), None, true),
        }),
    ]
}

fn exact_blocks(board: &Board, sides: [&str; 2]) -> Vec<Block> {
    let Some(exact) = &board.exact else { return Vec::new() };
    let mut blocks = vec![Block::Heading(3, "First moves, for certain".to_owned())];
    let rows = exact.first_moves.iter().map(|first| {
        vec![
            format!("`{}`", first.mv),
            first.alike.to_string(),
            first.winner.map_or("nobody".to_owned(), |side| sides[side.index()].to_owned()),
            first.plies.map_or("not known".to_owned(), |plies| plies.to_string()),
        ]
    });
    let head = ["move", "moves alike", "won by", "after turns"];
    blocks.push(Block::Table(column(&head), rows.collect()));
    if !exact.turns.is_empty() {
        blocks.push(Block::Heading(3, "All positions by turn".to_owned()));
        let rows = exact.turns.iter().enumerate().map(|(turn, of)| {
            vec![
                turn.to_string(),
                grouped(of.positions),
                format!("{:.1} %", 100.0 * of.won),
                format!("{:.1}", of.legal),
                format!("{:.1}", of.winning),
                format!("{:.1} %", 100.0 * of.single),
            ]
        });
        let head = [
            "after turns",
            "positions",
            "won by the mover",
            "legal moves",
            "moves that keep the win",
            "a single one does",
        ];
        blocks.push(Block::Table(column(&head), rows.collect()));
    }
    if !exact.lengths.is_empty() {
        blocks.push(Block::Chart(Chart {
            title: "All positions by turns to the end".to_owned(),
            kind: ChartKind::Histogram(exact.lengths.clone(), 0, 1),
        }));
        blocks.push(Block::Heading(3, "All positions by pieces".to_owned()));
        let rows = exact.layers.iter().map(|layer| {
            vec![
                layer.pieces.to_string(),
                grouped(layer.positions),
                format!("{:.1} %", 100.0 * layer.won as f64 / layer.positions.max(1) as f64),
                layer.longest.to_string(),
            ]
        });
        let head = ["pieces", "positions", "won by the mover", "longest"];
        blocks.push(Block::Table(column(&head), rows.collect()));
    }
    blocks
}

fn figure_blocks(figures: &Figures, is_solved: bool) -> Vec<Block> {
    let Some(best) = figures.strengths.last() else { return Vec::new() };
    let mut blocks = vec![Block::Heading(3, "Who wins".to_owned())];
    let labelled = |nodes: u64| format!("{} {}", grouped(nodes), figures.unit);
    let rows = figures.strengths.iter().map(|played| {
        let [won, drawn, lost] = played.results;
        vec![
            labelled(played.nodes),
            format!("{} ({} different)", played.games, played.different),
            format!("{won} : {drawn} : {lost}"),
            percent(&played.first_score),
            number(&played.length.mean),
            number(&played.lead_changes),
            played.decided.map_or(String::new(), |decided| percent(&decided)),
            played.comebacks.map_or(String::new(), |comebacks| percent(&comebacks)),
        ]
    });
    let head = [
        "a move",
        "games",
        "won : drawn : lost",
        "first player",
        "turns",
        "lead changes",
        "decided at",
        "comebacks",
    ];
    blocks.push(Block::Table(column(&head), rows.collect()));
    let scores = figures.strengths.iter().map(|p| (labelled(p.nodes), p.first_score)).collect();
    let chart = |title: &str, kind| Block::Chart(Chart { title: title.to_owned(), kind });
    blocks
        .push(chart("First player's score by strength", ChartKind::Bars(scores, Some(0.5), true)));
    blocks.push(Block::Heading(3, "The course of a game".to_owned()));
    let histogram = best.length.histogram.iter().map(|&count| count.into()).collect();
    let [lowest, ..] = best.length.quantiles;
    blocks
        .push(chart("Turns of a game", ChartKind::Histogram(histogram, lowest, best.length.width)));
    let course = |points: &[Bounded], shares| ChartKind::Course(points.to_vec(), shares);
    blocks.push(chart("Chances of the later winner", course(&best.winner_by_phase, true)));
    blocks.push(chart("Legal moves of a turn", course(&best.branching_by_phase, false)));
    blocks.push(by_phase_table(best));
    if !figures.depth.is_empty() {
        blocks.push(Block::Heading(3, "Depth".to_owned()));
        let rows = figures.depth.iter().map(|rung| {
            let score = percent(&rung.estimate.score);
            let against = format!("{} against {}", grouped(2 * rung.nodes), labelled(rung.nodes));
            vec![against, rung.pairs.to_string(), score, elo(&rung.estimate.elo)]
        });
        let head = ["a move", "pairs of games", "score", "Elo"];
        blocks.push(Block::Table(column(&head), rows.collect()));
    }
    blocks.push(Block::Heading(3, "Rules".to_owned()));
    let rows = figures.rules.iter().map(|rule| {
        let what = format!("{}: a turn in which {}", rule.rule.id, rule.rule.bites_when);
        vec![what, number(&rule.a_game), percent(&rule.in_games)]
    });
    blocks.push(Block::Table(column(&["rule", "turns a game", "of the games"]), rows.collect()));
    blocks.extend(opening_blocks(figures, is_solved));
    blocks.push(Block::Heading(3, "Board and symmetry".to_owned()));
    blocks.push(Block::Text(symmetry(figures)));
    blocks.push(chart("Use of the board", ChartKind::Board(figures.board.clone())));
    blocks
}

fn by_phase_table(best: &crate::figures::Played) -> Block {
    let parts = best.branching_by_phase.len();
    let mut head = vec!["tenth of the game".to_owned()];
    head.extend((1..=parts).map(|part| part.to_string()));
    let row = |name: &str, points: &[Bounded], figure: &dyn Fn(&Bounded) -> String| {
        std::iter::once(name.to_owned()).chain(points.iter().map(figure)).collect::<Vec<_>>()
    };
    let rows = vec![
        row("chances of the later winner", &best.winner_by_phase, &percent),
        row("legal moves", &best.branching_by_phase, &number),
    ];
    Block::Table(head, rows)
}

fn opening_blocks(figures: &Figures, is_solved: bool) -> Vec<Block> {
    let openings = &figures.openings;
    let rows = openings.first_moves.iter().filter(|first| first.score.is_some()).map(|first| {
        // Where it is known who wins after each move, none is even.
        let is_even = !is_solved && openings.pie.contains(&first.mv);
        let advice = if is_even { "for a pie rule" } else { "" };
        vec![
            format!("`{}`", first.mv),
            first.alike.to_string(),
            first.score.map_or(String::new(), |score| percent(&score)),
            first.games.to_string(),
            format!("{:.0} %", 100.0 * first.chances),
            advice.to_owned(),
        ]
    });
    let bars =
        openings.first_moves.iter().filter_map(|first| Some((first.mv.clone(), first.score?)));
    let head = ["move", "moves alike", "first player", "games", "as the search sees it", ""];
    vec![
        Block::Heading(3, "Openings and the pie rule".to_owned()),
        Block::Text(format!(
            "There are {} first moves, {} of them different by more than a symmetry. The search looked at \
             each of these; those that looked best or nearest to even were compared by playing.",
            openings.moves,
            openings.first_moves.len()
        )),
        Block::Table(column(&head), rows.collect()),
        Block::Chart(Chart {
            title: "First player's score after a first move".to_owned(),
            kind: ChartKind::Bars(bars.collect(), Some(0.5), true),
        }),
    ]
}

fn symmetry(figures: &Figures) -> String {
    let of = &figures.symmetry;
    let most = figures.board.iter().max_by(|a, b| a.used.total_cmp(&b.used));
    let least = figures.board.iter().min_by(|a, b| a.used.total_cmp(&b.used));
    let used = match (most, least) {
        (Some(most), Some(least)) => format!(
            " {} is used most, in {:.1} % of the turns; {} least, in {:.1} %.",
            most.name,
            100.0 * most.used,
            least.name,
            100.0 * least.used
        ),
        _ => String::new(),
    };
    format!(
        "The rules have {} symmetries, {} of which leave the start as it is. {} positions of a game are \
         symmetric before the first that is not.{used}",
        of.symmetries,
        of.of_start,
        number(&of.symmetric_turns)
    )
}
