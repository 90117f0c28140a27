//! `games`, `rules`, `show`, `moves` and `apply`: looking at games and positions.

use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;
use stoa_draw::{Marks, board, caption, picture, rules_text, svg};
use stoa_rules::view::View;
use stoa_rules::{AnyPosition, Game, Outcome, Session, Side, result_text};

use crate::args;
use crate::output::{charset, print, print_json};

/// `stoa games`
pub(crate) fn games(args: &args::Json) -> Result<()> {
    if args.json {
        #[derive(Serialize)]
        struct Listed {
            #[serde(flatten)]
            info: stoa_rules::Info,
            variants: Vec<String>,
            start: String,
        }
        let listed = Game::ALL.map(|game| Listed {
            info: game.info(),
            variants: game.own_variants().map(|variant| variant.to_string()).collect(),
            start: game.start().text(),
        });
        return print_json(&listed);
    }
    let mut text = String::new();
    for game in Game::ALL {
        let info = game.info();
        text.push_str(&format!(
            "{:<10} {} by {}, {}\n",
            info.id, info.name, info.designer, info.year
        ));
        text.push_str(&format!("{:<10} {}. {}\n", "", info.board, info.aim));
        if !game.options_help().is_empty() {
            text.push_str(&format!("{:<10} {}\n", "", game.options_help()));
        }
        text.push('\n');
    }
    text.push_str("Learn a game: stoa rules GAME.  Play it: stoa play GAME.\n");
    print(&text)
}

/// `stoa rules`
pub(crate) fn rules(args: &args::Rules) -> Result<()> {
    let width =
        crossterm::terminal::size().map_or(80, |(width, _)| usize::from(width)).clamp(40, 88);
    let charset = charset(args.look.plain);
    print(&rules_text::lay_out(args.game, width, charset).render(charset))
}

/// What a program wants to know about a position.
#[derive(Serialize)]
struct Described {
    game: String,
    position: String,
    to_move: Side,
    to_move_name: &'static str,
    legal_moves: usize,
    outcome: Option<Outcome>,
    result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<View>,
}

impl Described {
    fn new(position: &AnyPosition) -> Described {
        let game = position.game();
        Described {
            game: game.to_string(),
            position: position.text(),
            to_move: position.side_to_move(),
            to_move_name: game.side_name(position.side_to_move()),
            legal_moves: position.count_moves(),
            outcome: position.outcome(),
            result: result_text(game, position.outcome()),
            board: None,
        }
    }
}

/// Plays moves from a position; an error names the move's number.
pub(super) fn play_all(start: AnyPosition, moves: &[String]) -> Result<Session> {
    let mut session = Session::new(start);
    for (index, text) in moves.iter().enumerate() {
        if let Err(error) = session.play(text) {
            bail!("move {}: {error}", index + 1);
        }
    }
    Ok(session)
}

/// `stoa show`
pub(crate) fn show(args: &args::Show) -> Result<()> {
    let session = play_all(args.at.position()?, &args.moves)?;
    let position = session.position();
    let marks = Marks::last_move(&session);
    if let Some(path) = &args.svg {
        let svg = svg::draw(position.game(), &position.view(), &marks);
        return if path == Path::new("-") {
            print(&svg)
        } else {
            Ok(stoa_files::write_atomically(path, &svg)?)
        };
    }
    if args.json.json {
        let board = Some(position.view());
        return print_json(&Described { board, ..Described::new(position) });
    }
    let charset = charset(args.look.plain);
    let mut text = picture(position, &marks, charset);
    if charset != board::Charset::Colour {
        text.push_str(&format!("\n{}\n", caption::legend(position.game(), charset)));
    }
    text.push_str(&format!("\n{}\n", caption::status(position)));
    print(&text)
}

/// `stoa moves`
pub(crate) fn moves(args: &args::Moves) -> Result<()> {
    let position = args.at.position()?;
    let mut moves = position.legal_moves();
    moves.sort();
    if args.json.json {
        #[derive(Serialize)]
        struct Listed {
            #[serde(flatten)]
            position: Described,
            moves: Vec<String>,
        }
        return print_json(&Listed { position: Described::new(&position), moves });
    }
    if moves.is_empty() {
        eprintln!("stoa: the game is over: {}", caption::turn(&position));
    }
    print(&moves.iter().map(|text| format!("{text}\n")).collect::<String>())
}

/// `stoa apply`
pub(crate) fn apply(args: &args::Apply) -> Result<()> {
    let session = play_all(args.at.position()?, &args.moves)?;
    let position = session.position();
    if args.json.json {
        #[derive(Serialize)]
        struct Applied<'a> {
            #[serde(flatten)]
            position: Described,
            played: Vec<&'a str>,
        }
        return print_json(&Applied {
            position: Described::new(position),
            played: session.moves(),
        });
    }
    let mut text = String::new();
    if let Some(outcome) = position.outcome() {
        text.push_str(&format!("{}\n", result_text(position.game(), Some(outcome))));
    }
    text.push_str(&format!("{position}\n"));
    print(&text)
}
