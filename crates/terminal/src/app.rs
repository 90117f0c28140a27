//! The state of the app, and what keys and clicks do to it.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use stoa_draw::board::Charset;
use stoa_draw::canvas::Canvas;
use stoa_draw::caption::request;
use stoa_engine::Level;
use stoa_rules::playout::Rng;
use stoa_rules::{Game, Session, Step};

use super::engine_tasks::{EngineTasks, Pace};
use super::local_game::{Clicked, LocalGame};
use super::menu::{Menu, Row};
use super::overlay::{Leave, Overlay, PromptKind, Question};
use super::players::PlayerChoice;
use super::review::GameReview;

/// The app.
#[derive(Debug)]
pub(super) struct App {
    pub(super) game: Option<LocalGame>,
    pub(super) menu: Menu,
    pub(super) overlay: Overlay,
    pub(super) charset: Charset,
    /// Where the keyboard is on the board.
    pub(super) cursor: Option<Step>,
    /// The message about the last action.
    pub(super) message: String,
    /// The last drawing, to find out what clicks mean.
    pub(super) drawn: Drawn,
    /// What was last said about the game.
    pub(super) review: Option<GameReview>,
    /// The engine's part.
    pub(super) engine: EngineTasks,
    pub(super) seed: u64,
    pub(super) is_done: bool,
}

/// What the last drawing put where.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    pub(super) board: Option<DrawnBoard>,
    /// The lines of the menu's entries, and where the choices of each begin.
    pub(super) menu: Vec<(Row, Position)>,
    /// The lines of the mistakes in a review.
    pub(super) mistakes: Vec<(Rect, usize)>,
    /// Words that stand for keys.
    pub(super) buttons: Vec<(Rect, KeyCode)>,
    /// How far the rules or the help can be scrolled.
    pub(super) scroll_end: usize,
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
    pub(super) fn new(
        game: Option<LocalGame>,
        choice: PlayerChoice,
        pace: Pace,
        charset: Charset,
        seed: u64,
    ) -> App {
        let mut app = App {
            game: None,
            menu: Menu::new(choice),
            overlay: Overlay::None,
            charset,
            cursor: None,
            message: String::new(),
            drawn: Drawn::default(),
            review: None,
            engine: EngineTasks::new(pace),
            seed,
            is_done: false,
        };
        if let Some(game) = game {
            app.open_game(game);
        }
        app
    }

    pub(super) fn open_game(&mut self, game: LocalGame) {
        self.cursor = None;
        let is_persons = game.outcome().is_none() && game.engine_to_move().is_none();
        let words = "Arrow keys and Enter, the mouse, or m to type a move; ? for help";
        self.message = if is_persons { words } else { "" }.to_owned();
        if is_persons {
            self.cursor = game.targets().first().copied();
        }
        self.game = Some(game);
        self.engine.forget();
        self.review = None;
        self.overlay = Overlay::None;
    }

    /// A key was pressed.
    pub(super) fn key(&mut self, key: KeyEvent) {
        self.do_key(key);
        self.update_engine_task(Instant::now());
    }

    fn do_key(&mut self, key: KeyEvent) {
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
            Overlay::None if self.game.is_some() => self.game_key(key.code, control),
            Overlay::None => self.menu_key(key.code),
            Overlay::Notice { .. } => self.notice_key(key.code),
            Overlay::Help { .. } | Overlay::Rules { .. } => self.scroll_key(key.code),
            Overlay::Prompt { .. } => self.prompt_key(key.code, control),
            Overlay::Question(_) => self.question_key(key.code),
            Overlay::Review => self.review_key(key.code),
        }
    }

    fn menu_key(&mut self, code: KeyCode) {
        match code {
            KeyCode::Up | KeyCode::Char('k') => self.menu.go(-1),
            KeyCode::Down | KeyCode::Char('j') => self.menu.go(1),
            KeyCode::Left | KeyCode::Char('h') => self.menu.change(-1),
            KeyCode::Right | KeyCode::Char('l') => self.menu.change(1),
            KeyCode::Tab => self.menu.next_group(),
            KeyCode::Char(digit @ '0'..='9') => {
                // As on the keyboard, 0 comes after 9.
                let number = if digit == '0' { 10 } else { digit as u8 - b'0' };
                Level::new(number).into_iter().for_each(|level| self.menu.set_level(level));
            }
            KeyCode::Enter | KeyCode::Char(' ') => self.begin(),
            KeyCode::Char('o') => self.ask(PromptKind::Open, String::new()),
            KeyCode::Char('i') => self.show_rules(self.menu.game()),
            KeyCode::Char('?') | KeyCode::F(1) => self.overlay = Overlay::Help { scroll: 0 },
            KeyCode::Char('q') | KeyCode::Esc => self.is_done = true,
            _ => {}
        }
    }

    fn begin(&mut self) {
        let session = Session::new(self.menu.game().start());
        let mut rng = self.next_rng();
        let players = self.menu.choice().players(&mut rng);
        self.open_game(LocalGame::new(session, players, rng));
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
        let Some(game) = &mut self.game else { return };
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
                let done = game.finish();
                self.say(done);
            }
            KeyCode::Esc => self.escape(),
            KeyCode::Char('t') => self.hint_key(),
            KeyCode::Char('e') => self.bar_key(),
            KeyCode::Char('g') => self.go_key(),
            KeyCode::Char('v') => self.open_review(),
            KeyCode::Char('u') | KeyCode::Backspace => self.undo(),
            KeyCode::Char('r') => self.redo(),
            KeyCode::Char('m' | ':' | '/') => self.ask(PromptKind::Move, String::new()),
            KeyCode::Char('s') => {
                let name = match &game.file {
                    Some(path) => path.display().to_string(),
                    None => format!("{}.stoa", game.game().to_string().replace(':', "-")),
                };
                self.ask(PromptKind::SaveAs, name);
            }
            KeyCode::Char('o') => self.ask(PromptKind::Open, String::new()),
            KeyCode::Char('i') => {
                let game = game.game();
                self.show_rules(game);
            }
            KeyCode::Char('n') => self.leave(Leave::ToMenu),
            KeyCode::Char('q') => self.leave(Leave::ToShell),
            KeyCode::Char('?') | KeyCode::F(1) => self.overlay = Overlay::Help { scroll: 0 },
            _ => {}
        }
    }

    /// Ends what has been begun: the move being made, or what the engine does.
    fn escape(&mut self) {
        let forgot = self.game.as_mut().is_some_and(LocalGame::forget_clicks);
        if !forgot && !self.stop_thinking() {
            self.message = "q leaves the game, ? shows the keys".to_owned();
        }
    }

    fn undo(&mut self) {
        let done = self.game.as_mut().is_some_and(LocalGame::undo);
        self.message =
            if done { "Taken back." } else { "There is nothing to take back." }.to_owned();
    }

    fn redo(&mut self) {
        let done = self.game.as_mut().is_some_and(LocalGame::redo);
        self.message =
            if done { "Played again." } else { "There is nothing to play again." }.to_owned();
    }

    fn click(&mut self, step: Step) {
        let Some(game) = &mut self.game else { return };
        let clicked = game.click(step);
        self.cursor = Some(step);
        self.say(clicked);
    }

    /// Says what a click has led to.
    fn say(&mut self, clicked: Clicked) {
        let Some(game) = &self.game else { return };
        self.message = match clicked {
            Clicked::Selected => format!("{}; Esc to start again", request(game.roles())),
            Clicked::Complete => format!(
                "d (or Enter here again) plays {}. {}",
                game.complete().unwrap_or_default(),
                request(game.roles())
            ),
            Clicked::Played => String::new(),
            // Without a message the screen says that the game is over.
            Clicked::Refused(_) if game.position().outcome().is_some() => String::new(),
            Clicked::Refused(Some(why)) => format!("Not there: {why}. {}", request(game.roles())),
            Clicked::Refused(None) => format!("Not there. {}", request(game.roles())),
            Clicked::NotYourTurn => "It is not your turn; Esc stops the engine".to_owned(),
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
        let Some(game) = &self.game else { return };
        let targets = game.targets();
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
            (MouseEventKind::ScrollDown, Overlay::Help { .. } | Overlay::Rules { .. }) => {
                self.scroll_key(KeyCode::Down);
            }
            (MouseEventKind::ScrollUp, Overlay::Help { .. } | Overlay::Rules { .. }) => {
                self.scroll_key(KeyCode::Up);
            }
            (MouseEventKind::ScrollDown, Overlay::Review) => self.review_key(KeyCode::Down),
            (MouseEventKind::ScrollUp, Overlay::Review) => self.review_key(KeyCode::Up),
            (MouseEventKind::Down(MouseButton::Left), _) => {
                self.mouse_click(Position { x: mouse.column, y: mouse.row });
            }
            (MouseEventKind::Down(MouseButton::Right), Overlay::None) => {
                self.game.as_mut().map(LocalGame::forget_clicks);
            }
            _ => {}
        }
        self.update_engine_task(Instant::now());
    }

    fn mouse_click(&mut self, at: Position) {
        let button = self.drawn.buttons.iter().find(|(area, _)| area.contains(at));
        if let Some(&(_, code)) = button {
            return self.do_key(KeyEvent::new(code, KeyModifiers::NONE));
        }
        match (&self.overlay, &self.game) {
            (Overlay::None, None) => self.menu_click(at),
            (Overlay::None, Some(_)) => self.board_click(at),
            (Overlay::Review, _) => self.review_click(at),
            _ => {}
        }
    }

    fn menu_click(&mut self, at: Position) {
        let Some(&(row, choices)) = self.drawn.menu.iter().find(|(_, place)| place.y == at.y)
        else {
            return;
        };
        // The first click on a game chooses it, the second begins it; where there are choices
        // between arrows, a click goes to the next one, or on the left arrow to the one before.
        let was_chosen = matches!(row, Row::Game(index) if index == self.menu.selected());
        let is_arrow = at.x >= choices.x && choices.x > 0;
        self.menu.select(row);
        match row {
            Row::Game(_) if !is_arrow && was_chosen => self.begin(),
            Row::Game(_) if !is_arrow => {}
            _ if (choices.x..choices.x + 2).contains(&at.x) => self.menu.change(-1),
            _ => self.menu.change(1),
        }
    }

    fn board_click(&mut self, Position { x: column, y: row }: Position) {
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
