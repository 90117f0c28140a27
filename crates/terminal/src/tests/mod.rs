//! The app driven by keys and clicks on a screen that is only in memory.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use stoa_draw::board::Charset;
use stoa_engine::Limits;
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Session, Side, Step};

use super::app::App;
use super::engine_tasks::Pace;
use super::local_game::LocalGame;
use super::overlay::Overlay;
use super::players::{Opponent, PlayerChoice, Players};
use super::screen;

mod engine;

/// Little thought, and always the same for the same position.
const PACE: Pace = Pace {
    turn: some_nodes(300),
    hint: some_nodes(2_000),
    estimate: some_nodes(2_000),
    review: some_nodes(1_000),
    shown: Duration::ZERO,
    threads: 1,
};

const fn some_nodes(nodes: u64) -> Limits {
    Limits { time: None, clock: None, nodes: Some(nodes), depth: None, playouts: None }
}

/// Longer than anything takes, on however busy a machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The app and its screen.
struct Screen {
    app: App,
    terminal: Terminal<TestBackend>,
}

impl Screen {
    fn new(game: Option<LocalGame>, width: u16, height: u16) -> Screen {
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut screen = Screen {
            app: App::new(game, PlayerChoice::default(), PACE, Charset::Mono, 1),
            terminal,
        };
        screen.draw();
        screen
    }

    fn with_game(id: &str, players: Players) -> Screen {
        let start = id.parse::<Game>().unwrap().start();
        Screen::new(Some(LocalGame::new(Session::new(start), players, Rng::new(9))), 100, 40)
    }

    fn draw(&mut self) {
        let app = &mut self.app;
        self.terminal.draw(|frame| screen::draw(app, frame)).unwrap();
    }

    fn press(&mut self, code: KeyCode) {
        self.app.key(KeyEvent::new(code, KeyModifiers::NONE));
        self.draw();
    }

    fn type_line(&mut self, text: &str) {
        for c in text.chars() {
            self.press(KeyCode::Char(c));
        }
        self.press(KeyCode::Enter);
    }

    fn click(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.app.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
        self.draw();
    }

    /// Presses Enter on cells, one after the other.
    fn choose(&mut self, cells: &[&str]) {
        for name in cells {
            let view = self.game().position().view();
            let spot = view.spots.iter().find(|spot| spot.name == *name).expect("such a cell");
            self.app.cursor = Some(Step::cell(spot.cell));
            self.press(KeyCode::Enter);
        }
    }

    fn text(&self) -> String {
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let symbols: Vec<&str> = buffer.content().iter().map(|cell| cell.symbol()).collect();
        symbols.chunks(width).map(|row| row.concat().trim_end().to_owned() + "\n").collect()
    }

    /// Handles the engine's updates until a condition holds.
    fn wait_until(&mut self, what: &str, is_so: impl Fn(&Screen) -> bool) {
        let begun = Instant::now();
        loop {
            self.app.tick(Instant::now());
            self.draw();
            if is_so(self) {
                return;
            }
            assert!(begun.elapsed() < TIMEOUT, "waited in vain for {what}:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn game(&self) -> &LocalGame {
        self.app.game.as_ref().expect("a game is open")
    }

    fn moves(&self) -> usize {
        self.game().session().moves().len()
    }
}

/// Every game with its options, on a small board where there are several.
fn games() -> impl Iterator<Item = String> {
    let is_small = |game: &Game| !matches!(game, Game::Palisade(size) if size.get() != 5);
    Game::variants().filter(is_small).map(|game| game.to_string())
}

#[test]
fn a_game_can_be_chosen_and_begun() {
    let mut screen = Screen::new(None, 80, 30);
    for game in Game::ALL {
        assert!(
            screen.text().contains(game.info().name)
                && screen.text().contains(game.info().designer)
        );
    }
    screen.press(KeyCode::Down);
    screen.press(KeyCode::Down);
    screen.press(KeyCode::Left);
    assert!(screen.text().contains("< 7 >"), "{}", screen.text());
    screen.press(KeyCode::Tab);
    for _ in 0..3 {
        screen.press(KeyCode::Left);
    }
    assert!(screen.text().contains("two people"), "{}", screen.text());
    screen.press(KeyCode::Enter);
    assert!(screen.text().contains("Palisade  by Mark Steere, 2007"), "{}", screen.text());
    assert!(screen.text().contains("Black to move"));
    // A digit chooses a level, from anywhere.
    screen.press(KeyCode::Char('n'));
    screen.press(KeyCode::Char('0'));
    assert!(screen.text().contains("< Stoa level 10 Architect >"), "{}", screen.text());
    // With the mouse: the first click chooses, the second begins.
    let mut screen = Screen::new(None, 80, 30);
    let line = screen.text().lines().position(|line| line.contains("Colossus")).unwrap() as u16;
    screen.click(5, line);
    assert!(screen.app.game.is_none());
    screen.click(5, line);
    assert_eq!(screen.game().game(), Game::Colossus);
}

/// Whole games with the keyboard alone: Tab goes to a choice, Enter takes it.
#[test]
fn whole_games_by_keyboard() {
    for id in games() {
        let mut screen = Screen::with_game(&id, Players::TwoPeople);
        let mut rng = Rng::new(1);
        let mut presses = 0;
        while screen.game().position().outcome().is_none() {
            for _ in 0..=rng.below(7) {
                screen.press(KeyCode::Tab);
            }
            screen.press(KeyCode::Enter);
            if screen.game().complete().is_some() && rng.below(2) == 0 {
                screen.press(KeyCode::Char('d'));
            }
            presses += 1;
            assert!(presses < 40_000, "{id} does not end");
        }
        assert!(
            screen.text().contains(" wins: ") || screen.text().contains("Draw: "),
            "{}",
            screen.text()
        );
        screen.press(KeyCode::Enter);
        assert!(screen.text().contains("The game is over"), "{}", screen.text());
        let played = screen.moves();
        screen.press(KeyCode::Char('u'));
        assert_eq!(screen.moves(), played - 1);
        screen.press(KeyCode::Char('r'));
        assert_eq!(screen.moves(), played);
    }
}

/// Games against the random mover with the mouse alone, in a window that is too small for the
/// large boards.
#[test]
fn whole_games_by_mouse_against_the_random_mover() {
    for id in games() {
        let start = id.parse::<Game>().unwrap().start();
        let game = LocalGame::new(
            Session::new(start),
            Players::Against(Side::First, Opponent::Random),
            Rng::new(2),
        );
        let mut screen = Screen::new(Some(game), 90, 30);
        assert_eq!(screen.moves(), 1, "the mover who moves first has moved");
        let mut rng = Rng::new(3);
        let mut clicks = 0;
        while screen.game().position().outcome().is_none() {
            assert_eq!(screen.game().position().side_to_move(), Side::Second);
            let targets = screen.game().targets().to_vec();
            let target = targets[rng.below(targets.len())];
            let drawn = screen.app.drawn.board.as_ref().unwrap();
            let (x, y) = drawn.canvas.place_of(target).unwrap();
            let place = (
                drawn.window.x + (x - drawn.scroll.0) as u16,
                drawn.window.y + (y - drawn.scroll.1) as u16,
            );
            screen.click(place.0, place.1);
            if screen.game().complete().is_some() && rng.below(2) == 0 {
                screen.click(place.0, place.1);
            }
            clicks += 1;
            assert!(clicks < 40_000, "{id} does not end");
        }
        // Taking back gives the person's turn back, if there was one.
        let had_turn = screen.moves() > 1;
        screen.press(KeyCode::Char('u'));
        assert_eq!(screen.game().position().outcome().is_none(), had_turn);
        if had_turn {
            assert_eq!(screen.game().position().side_to_move(), Side::Second);
        }
    }
}

#[test]
fn moves_can_be_typed_and_refusals_are_explained() {
    let mut screen = Screen::with_game("impasse", Players::TwoPeople);
    screen.press(KeyCode::Char('m'));
    screen.type_line("d2-b4");
    assert_eq!(screen.moves(), 1);
    screen.press(KeyCode::Char('m'));
    screen.type_line("d2-b4");
    assert!(screen.text().contains("d2-b4 is not legal"), "{}", screen.text());
    // Other keys do not close the notice; Enter goes back to what was typed.
    screen.press(KeyCode::Char('u'));
    assert_eq!(screen.moves(), 1);
    screen.press(KeyCode::Enter);
    assert!(screen.text().contains("d2-b4_"), "{}", screen.text());
    screen.press(KeyCode::Esc);
    assert_eq!(screen.app.overlay, Overlay::None);
    screen.press(KeyCode::Char(':'));
    screen.type_line("what?");
    assert!(screen.text().contains("expected a square, found 'w'"), "{}", screen.text());
    screen.press(KeyCode::Enter);
    screen.press(KeyCode::Esc);
    screen.press(KeyCode::Char('m'));
    screen.app.paste("e7\n-g5");
    screen.press(KeyCode::Enter);
    assert_eq!(screen.moves(), 2);
    assert!(screen.text().contains("1. d2-b4 e7-g5"), "{}", screen.text());
}

#[test]
fn the_same_move_again_gets_the_same_answer() {
    let mut screen =
        Screen::with_game("colonnade", Players::Against(Side::Second, Opponent::Random));
    screen.press(KeyCode::Char('m'));
    screen.type_line("1b<");
    let answered = screen.text();
    screen.press(KeyCode::Char('u'));
    assert_eq!(screen.moves(), 0);
    screen.press(KeyCode::Char('m'));
    screen.type_line("1b<");
    assert_eq!(screen.text(), answered);
    assert_eq!(screen.moves(), 2);
}

#[test]
fn a_game_that_was_resigned_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.stoa");
    let text = "game: colonnade\nresult: blue wins (resigned)\n\n1. 1b<\n";
    std::fs::write(&path, text).unwrap();
    let game = LocalGame::load(&path, PlayerChoice::default(), Rng::new(1)).unwrap();
    let mut screen = Screen::new(Some(game), 100, 30);
    assert!(screen.text().contains("Blue wins: the other"), "{}", screen.text());
    // It can be continued all the same.
    screen.press(KeyCode::Char('m'));
    screen.type_line("1g>");
    assert!(screen.text().contains("Red to move"), "{}", screen.text());
}

#[test]
fn a_click_elsewhere_begins_another_move() {
    let mut screen = Screen::with_game("impasse", Players::TwoPeople);
    screen.choose(&["d2", "h2", "g3"]);
    assert_eq!(screen.game().session().moves(), ["h2-g3"]);
    // Nothing begins on an empty square.
    screen.choose(&["d4"]);
    let message = "Not there: you have no checker on d4 (impasse clause 2). Choose a piece to move";
    assert!(screen.app.message == message && screen.text().contains(message), "{}", screen.text());
}

#[test]
fn a_refused_click_is_explained_with_its_clause() {
    let refused = [
        ("palisade:7", &["b1"][..], "only White may put a stone on b1 (palisade clause "),
        ("columna", &["a4", "d5"], "line of sight"),
        ("colossus", &["d4"], "d4 is not next to"),
    ];
    for (id, cells, why) in refused {
        let mut screen = Screen::with_game(id, Players::TwoPeople);
        let request = stoa_draw::caption::request(screen.game().roles());
        screen.choose(cells);
        let message = &screen.app.message;
        assert!(message.starts_with("Not there: ") && message.contains(why), "{message}");
        assert!(message.contains(&format!(" ({} ", id.split(':').next().unwrap())), "{message}");
        assert!(message.ends_with(&format!("). {request}")), "the move begins again: {message}");
        let words: Vec<String> = message.split_whitespace().map(str::to_owned).collect();
        for width in [100, 40] {
            screen.terminal = Terminal::new(TestBackend::new(width, 40)).unwrap();
            screen.draw();
            let shown: Vec<String> = screen.text().split_whitespace().map(str::to_owned).collect();
            assert!(shown.windows(words.len()).any(|part| part == words), "{}", screen.text());
        }
    }
    // Where the rules have nothing to add, the request stands alone.
    let mut screen = Screen::with_game("colonnade", Players::TwoPeople);
    screen.choose(&["b", "h"]);
    assert_eq!(screen.app.message, "Not there. Choose a piece to move");
}

#[test]
fn arrows_move_the_cursor_over_every_board() {
    for id in games() {
        let mut screen = Screen::with_game(&id, Players::TwoPeople);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..12 {
            for (there, back) in [(KeyCode::Right, KeyCode::Left), (KeyCode::Up, KeyCode::Down)] {
                for code in [there, there, there, back] {
                    screen.press(code);
                    seen.insert(screen.app.cursor);
                }
            }
            for code in [KeyCode::Left, KeyCode::Down, KeyCode::Down] {
                screen.press(code);
                seen.insert(screen.app.cursor);
            }
        }
        assert!(seen.len() >= 8, "{id}: the cursor reached only {} places", seen.len());
    }
}

#[test]
fn games_are_saved_and_opened_without_loss() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.stoa");
    let name = path.display().to_string();
    let mut screen = Screen::with_game("colonnade", Players::TwoPeople);
    for mv in ["1b<", "1g>"] {
        screen.press(KeyCode::Char('m'));
        screen.type_line(mv);
    }
    // An unsaved game is not left by accident.
    screen.press(KeyCode::Char('q'));
    assert!(screen.text().contains("The game is not saved"));
    screen.press(KeyCode::Char('n'));
    assert!(!screen.app.is_done);
    screen.press(KeyCode::Char('s'));
    screen.app.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
    screen.type_line(&name);
    assert!(screen.app.message.starts_with("Saved to "), "{}", screen.text());
    // A comment is added by hand; going on keeps it.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("1b<", "1b< {first}")).unwrap();
    screen.press(KeyCode::Char('o'));
    screen.type_line(&name);
    screen.press(KeyCode::Char('u'));
    screen.press(KeyCode::Char('m'));
    screen.type_line("1c<");
    screen.press(KeyCode::Char('s'));
    screen.press(KeyCode::Enter);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.ends_with("\n1. 1b< {first} 1c<\n   (1... 1g>)\n"), "{text}");
    // Another file is not written over without asking.
    let other = folder.path().join("other");
    std::fs::write(&other, "precious").unwrap();
    screen.press(KeyCode::Char('s'));
    screen.app.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
    screen.type_line(&other.display().to_string());
    assert!(screen.text().contains("exists. Write over it?"), "{}", screen.text());
    screen.press(KeyCode::Char('n'));
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "precious");
    // What is no record is refused, and the game stays.
    screen.press(KeyCode::Char('o'));
    screen.type_line(&other.display().to_string());
    assert!(screen.text().contains("is not a sound record"), "{}", screen.text());
    screen.press(KeyCode::Esc);
    screen.press(KeyCode::Esc);
    assert_eq!(screen.moves(), 2);
    screen.press(KeyCode::Char('u'));
    screen.press(KeyCode::Char('q'));
    assert!(screen.app.is_done, "everything is saved, what was taken back too");
}

#[test]
fn rules_and_help_open_over_any_screen() {
    let mut screen = Screen::new(None, 80, 24);
    screen.press(KeyCode::Char('i'));
    assert!(screen.text().contains("COLONNADE"));
    for code in [KeyCode::PageDown, KeyCode::End, KeyCode::Down, KeyCode::Home, KeyCode::Up] {
        screen.press(code);
    }
    screen.press(KeyCode::Esc);
    screen.press(KeyCode::Char('?'));
    assert!(screen.text().contains("move the cursor"));
    screen.press(KeyCode::Esc);
    assert_eq!(screen.app.overlay, Overlay::None);
    screen.press(KeyCode::Char('q'));
    assert!(screen.app.is_done);
}

/// Any size from nothing to huge draws something, in every charset, and keys still work.
#[test]
fn terminals_of_every_size_behave() {
    for charset in [Charset::Colour, Charset::Mono, Charset::Ascii] {
        for id in games().chain(["palisade".to_owned()]) {
            let start = id.parse::<Game>().unwrap().start();
            let game = LocalGame::new(Session::new(start), Players::TwoPeople, Rng::new(1));
            let mut screen = Screen::new(Some(game), 80, 24);
            screen.app.charset = charset;
            for (width, height) in [
                (1, 1),
                (10, 3),
                (24, 8),
                (30, 10),
                (40, 12),
                (80, 24),
                (120, 20),
                (200, 60),
                (37, 90),
            ] {
                screen.terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
                for code in [
                    KeyCode::Tab,
                    KeyCode::Enter,
                    KeyCode::Right,
                    KeyCode::Char('?'),
                    KeyCode::Esc,
                    KeyCode::Char('i'),
                    KeyCode::End,
                    KeyCode::Esc,
                    KeyCode::Char('m'),
                    KeyCode::Char('x'),
                    KeyCode::Esc,
                    KeyCode::Esc,
                ] {
                    screen.press(code);
                    assert!(charset != Charset::Ascii || screen.text().is_ascii(), "{id}");
                }
                screen.click(width / 2, height / 2);
                if charset == Charset::Ascii && width >= 24 && height >= 8 {
                    let board = screen.app.drawn.board.as_ref().unwrap();
                    assert!(board.canvas.plain().is_ascii(), "{id}");
                }
            }
        }
    }
}

#[test]
fn the_app_says_what_is_to_be_chosen() {
    let request = |id: &str, position: &str| {
        let start = id.parse::<Game>().unwrap().position(position).unwrap();
        let game = LocalGame::new(Session::new(start), Players::TwoPeople, Rng::new(9));
        let mut screen = Screen::new(Some(game), 100, 40);
        screen.press(KeyCode::Char('z'));
        screen.text()
    };
    let text = request("impasse", "1w3W2/4b1b1/8/8/8/8/8/8 w");
    assert!(text.contains("Choose a checker to remove, for you are at an impasse"), "{text}");
    let blocked =
        "x6,w4/x6,w4/x6,w4/b4,b4,b4,b4,b4,b4,b4/x6,w4/x6,w4/w4,w4,w4,w4,w4,w4,w4 i5 a4 b 38";
    let text = request("columna", blocked);
    assert!(text.contains("Choose your pawn to pass, for you have no valid turn"), "{text}");
    assert!(text.contains("no progress: 38 of 40 turns"), "{text}");
    let text = request("colossus", "t1wW/3ww/4w1/Bbbbbbt/6/1b3/B2t b 3 0 16");
    assert!(
        text.contains("a piece to move, or a place for a stone, or a tower to claim"),
        "{text}"
    );
    assert!(text.contains("3 towers in the supply"), "{text}");
}

#[test]
fn a_full_board_with_its_ring_fits_a_usual_terminal() {
    let start = "palisade".parse::<Game>().unwrap().start();
    let game = LocalGame::new(Session::new(start), Players::TwoPeople, Rng::new(9));
    let screen = Screen::new(Some(game), 80, 24);
    let ring = screen.text().lines().filter(|line| line.matches('◦').count() > 5).count();
    assert_eq!(ring, 2, "{}", screen.text());
}

/// Ctrl-C asks once about an unsaved game.
#[test]
fn control_c_asks_once_about_an_unsaved_game() {
    let mut screen = Screen::with_game("colonnade", Players::TwoPeople);
    screen.press(KeyCode::Char('m'));
    screen.type_line("1b<");
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    screen.app.key(control_c);
    assert!(!screen.app.is_done);
    screen.app.key(control_c);
    assert!(screen.app.is_done);
}
