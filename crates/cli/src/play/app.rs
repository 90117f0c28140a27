//! The state of the app, and what keys and clicks do to it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Session, Step};

use super::menu::Menu;
use super::overlay::{Asked, Leave, Overlay, Question};
use super::table::{Clicked, Players, Table};
use crate::draw::board::Charset;
use crate::draw::canvas::Canvas;
use crate::words::request;

/// The app.
#[derive(Debug)]
pub(super) struct App {
    pub(super) table: Option<Table>,
    pub(super) menu: Menu,
    pub(super) overlay: Overlay,
    pub(super) charset: Charset,
    /// Where the keyboard is on the board.
    pub(super) cursor: Option<Step>,
    /// What there is to say about the last thing done.
    pub(super) message: String,
    /// What was drawn where, to understand clicks.
    pub(super) drawn: Drawn,
    seed: u64,
    pub(super) is_done: bool,
}

/// What the last drawing put where.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    pub(super) board: Option<DrawnBoard>,
    /// The lines of the menu's entries.
    pub(super) menu: Vec<u16>,
    /// How far the rules can be scrolled.
    pub(super) rules_end: usize,
}

/// Where the board is on the screen.
#[derive(Debug)]
pub(super) struct DrawnBoard {
    pub(super) canvas: Canvas,
    /// The part of the screen that shows it.
    pub(super) window: Rect,
    /// How far it is scrolled.
    pub(super) scroll: (usize, usize),
}

impl App {
    pub(super) fn new(table: Option<Table>, charset: Charset, seed: u64) -> App {
        let mut app = App {
            table: None,
            menu: Menu::new(),
            overlay: Overlay::None,
            charset,
            cursor: None,
            message: String::new(),
            drawn: Drawn::default(),
            seed,
            is_done: false,
        };
        if let Some(table) = table {
            app.sit_down(table);
        }
        app
    }

    pub(super) fn sit_down(&mut self, table: Table) {
        self.cursor = table.targets().first().copied();
        self.message =
            "Arrow keys and Enter, the mouse, or m to type a move; ? for help".to_owned();
        self.table = Some(table);
        self.overlay = Overlay::None;
    }

    /// A key was pressed.
    pub(super) fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c' | 'q')) {
            // The first asks about an unsaved game, the second does not.
            let asked = matches!(self.overlay, Overlay::Question(Question::LeaveUnsaved(_)));
            if asked {
                self.is_done = true
            } else {
                self.leave(Leave::ToShell)
            }
            return;
        }
        match &self.overlay {
            Overlay::None if self.table.is_some() => self.game_key(key.code, control),
            Overlay::None => self.menu_key(key.code),
            Overlay::Help => self.overlay = Overlay::None,
            Overlay::Notice { .. } => self.notice_key(key.code),
            Overlay::Rules { .. } => self.rules_key(key.code),
            Overlay::Prompt { .. } => self.prompt_key(key.code, control),
            Overlay::Question(_) => self.question_key(key.code),
        }
    }

    fn menu_key(&mut self, code: KeyCode) {
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.menu.go(-1),
            KeyCode::Down | KeyCode::Char('j') => self.menu.go(1),
            KeyCode::Left | KeyCode::Char('h') => self.menu.change_option(-1),
            KeyCode::Right | KeyCode::Char('l') => self.menu.change_option(1),
            KeyCode::Tab | KeyCode::Char('p') => self.menu.change_players(),
            KeyCode::Enter | KeyCode::Char(' ') => self.begin(),
            KeyCode::Char('o') => self.ask(Asked::Open, String::new()),
            KeyCode::Char('i') => self.show_rules(self.menu.game()),
            KeyCode::Char('?') | KeyCode::F(1) => self.overlay = Overlay::Help,
            KeyCode::Char('q') | KeyCode::Esc => self.is_done = true,
            _ => {}
        }
    }

    fn begin(&mut self) {
        let session = Session::new(self.menu.game().start());
        let table = Table::new(session, self.menu.players(), self.next_rng());
        self.sit_down(table);
    }

    /// Every game has its own random numbers.
    pub(super) fn next_rng(&mut self) -> Rng {
        self.seed = self.seed.wrapping_add(1);
        Rng::new(self.seed)
    }

    fn show_rules(&mut self, game: Game) {
        self.overlay = Overlay::Rules { game, scroll: 0 };
    }

    fn game_key(&mut self, code: KeyCode, control: bool) {
        self.message.clear();
        let Some(table) = &mut self.table else { return };
        match code {
            KeyCode::Char('z') if control => self.undo(),
            KeyCode::Char('y') if control => self.redo(),
            _ if control => {}
            KeyCode::Left | KeyCode::Char('h') => self.move_cursor(-1.0, 0.0),
            KeyCode::Right | KeyCode::Char('l') => self.move_cursor(1.0, 0.0),
            KeyCode::Up | KeyCode::Char('k') => self.move_cursor(0.0, -1.0),
            KeyCode::Down | KeyCode::Char('j') => self.move_cursor(0.0, 1.0),
            KeyCode::Tab => self.next_target(1),
            KeyCode::BackTab => self.next_target(-1),
            KeyCode::Enter | KeyCode::Char(' ') => {
                if let Some(step) = self.cursor {
                    self.click(step);
                }
            }
            KeyCode::Char('d') => {
                let done = table.finish();
                self.say(done);
            }
            KeyCode::Esc => {
                let had_clicks = table.forget_clicks();
                let hint = if had_clicks { "" } else { "q leaves the game, ? shows the keys" };
                self.message = hint.to_owned();
            }
            KeyCode::Char('u') | KeyCode::Backspace => self.undo(),
            KeyCode::Char('r') => self.redo(),
            KeyCode::Char('m' | ':' | '/') => self.ask(Asked::Move, String::new()),
            KeyCode::Char('s') => {
                let name = match &table.file {
                    Some(path) => path.display().to_string(),
                    None => format!("{}.stoa", table.game().to_string().replace(':', "-")),
                };
                self.ask(Asked::SaveAs, name);
            }
            KeyCode::Char('o') => self.ask(Asked::Open, String::new()),
            KeyCode::Char('i') => {
                let game = table.game();
                self.show_rules(game);
            }
            KeyCode::Char('n') => self.leave(Leave::ToMenu),
            KeyCode::Char('q') => self.leave(Leave::ToShell),
            KeyCode::Char('?') | KeyCode::F(1) => self.overlay = Overlay::Help,
            _ => {}
        }
    }

    fn undo(&mut self) {
        let done = self.table.as_mut().is_some_and(Table::undo);
        self.message =
            if done { "Taken back." } else { "There is nothing to take back." }.to_owned();
    }

    fn redo(&mut self) {
        let done = self.table.as_mut().is_some_and(Table::redo);
        self.message =
            if done { "Played again." } else { "There is nothing to play again." }.to_owned();
    }

    fn click(&mut self, step: Step) {
        let Some(table) = &mut self.table else { return };
        let clicked = table.click(step);
        self.cursor = Some(step);
        self.say(clicked);
    }

    /// Says what a click has led to.
    fn say(&mut self, clicked: Clicked) {
        let Some(table) = &self.table else { return };
        self.message = match clicked {
            Clicked::Selected => format!("{}; Esc to start again", request(table.roles())),
            Clicked::Complete => format!(
                "d (or Enter here again) plays {}. {}",
                table.complete().unwrap_or_default(),
                request(table.roles())
            ),
            Clicked::Played => String::new(),
            Clicked::Nothing if table.position().outcome().is_some() => {
                "The game is over: u takes back, n begins another".to_owned()
            }
            Clicked::Nothing => {
                "No legal move begins there; Tab goes through those that do".to_owned()
            }
            Clicked::NotYourTurn => "It is not your turn".to_owned(),
        };
    }

    /// Moves the cursor to the nearest place in a direction.
    fn move_cursor(&mut self, dx: f64, dy: f64) {
        let Some(board) = &self.drawn.board else { return };
        let places = board.canvas.places();
        let here = places.iter().find(|(step, _, _)| Some(*step) == self.cursor).or(places.first());
        let Some(&(here_step, x, y)) = here else { return };
        // A character is about twice as high as it is wide.
        let cost = |&(step, to_x, to_y): &(Step, f64, f64)| {
            let (along, across) =
                ((to_x - x) / 2.0 * dx + (to_y - y) * dy, (to_x - x) / 2.0 * dy + (to_y - y) * dx);
            (step != here_step && along > 0.3).then_some(along + 3.0 * across.abs())
        };
        let best = places
            .iter()
            .filter_map(|place| cost(place).map(|cost| (cost, place.0)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        self.cursor = Some(best.map_or(here_step, |(_, step)| step));
    }

    /// Moves the cursor through what may be clicked.
    fn next_target(&mut self, by: isize) {
        let Some(table) = &self.table else { return };
        let targets = table.targets();
        if targets.is_empty() {
            return;
        }
        let at = targets.iter().position(|step| Some(*step) == self.cursor);
        let next = match at {
            Some(at) => (at as isize + by).rem_euclid(targets.len() as isize) as usize,
            None => 0,
        };
        self.cursor = Some(targets[next]);
    }

    /// The mouse did something.
    pub(super) fn mouse(&mut self, mouse: MouseEvent) {
        match (mouse.kind, &self.overlay) {
            (MouseEventKind::ScrollDown, Overlay::Rules { .. }) => self.rules_key(KeyCode::Down),
            (MouseEventKind::ScrollUp, Overlay::Rules { .. }) => self.rules_key(KeyCode::Up),
            (MouseEventKind::Down(MouseButton::Left), Overlay::None) => {
                self.mouse_click(mouse.column, mouse.row);
            }
            (MouseEventKind::Down(MouseButton::Right), Overlay::None) => {
                self.table.as_mut().map(Table::forget_clicks);
            }
            _ => {}
        }
    }

    fn mouse_click(&mut self, column: u16, row: u16) {
        if self.table.is_none() {
            if let Some(index) = self.drawn.menu.iter().position(|line| *line == row) {
                // The first click chooses, the second begins.
                if index == self.menu.selected() { self.begin() } else { self.menu.select(index) }
            }
            return;
        }
        let Some(DrawnBoard { canvas, window, scroll }) = &self.drawn.board else { return };
        if !window.contains(Position { x: column, y: row }) {
            return;
        }
        let at =
            (usize::from(column - window.x) + scroll.0, usize::from(row - window.y) + scroll.1);
        if let Some(step) = canvas.click(at.0, at.1) {
            self.message.clear();
            self.click(step);
        }
    }
}

/// How the players are called on the screen.
pub(super) fn players_text(game: Game, players: Players) -> String {
    match players {
        Players::TwoPeople => "two people".to_owned(),
        Players::Against(side) => {
            let [you, mover] = [side.other(), side].map(|side| game.side_name(side));
            format!("you are {you}, a random mover is {mover}")
        }
    }
}
