//! What lies over the board: prompts, questions, notices, the rules; and what keys do there.

use std::error::Error;
use std::path::{Path, PathBuf};

use crossterm::event::KeyCode;
use stoa_rules::Game;

use super::app::App;
use super::local_game::LocalGame;
use super::players::PlayerChoice;

/// What lies over the board.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Overlay {
    None,
    Help {
        scroll: usize,
    },
    Rules {
        game: Game,
        scroll: usize,
    },
    Prompt {
        asked: PromptKind,
        text: String,
    },
    Question(Question),
    /// What the engine says about the whole game.
    Review,
    /// Something to be read, and what was typed before, to go on with.
    Notice {
        text: String,
        typed: Option<(PromptKind, String)>,
    },
}

/// What a line of text is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PromptKind {
    Move,
    SaveAs,
    Open,
}

/// A question to be answered with yes or no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    Overwrite(PathBuf),
    LeaveUnsaved(Leave),
}

/// Where to go from an unsaved game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leave {
    ToMenu,
    ToShell,
}

/// The longest line of text that can be typed.
const MAX_INPUT: usize = 1000;

impl App {
    pub(super) fn ask(&mut self, asked: PromptKind, text: String) {
        self.overlay = Overlay::Prompt { asked, text };
    }

    pub(super) fn prompt_key(&mut self, code: KeyCode, control: bool) {
        let Overlay::Prompt { asked, text } = &mut self.overlay else { return };
        match code {
            KeyCode::Esc => self.overlay = Overlay::None,
            KeyCode::Backspace => {
                text.pop();
            }
            KeyCode::Char('u') if control => text.clear(),
            KeyCode::Char(c) if !control && text.chars().count() < MAX_INPUT => {
                text.push(c);
            }
            KeyCode::Enter => {
                let (asked, text) = (*asked, text.trim().to_owned());
                self.overlay = Overlay::None;
                if text.is_empty() {
                    self.message = "Nothing was typed.".to_owned();
                } else {
                    self.answered(asked, &text);
                }
            }
            _ => {}
        }
    }

    /// Text came from the clipboard.
    pub(super) fn paste(&mut self, pasted: &str) {
        if let Overlay::Prompt { text, .. } = &mut self.overlay {
            let room = MAX_INPUT.saturating_sub(text.chars().count());
            text.extend(pasted.chars().filter(|c| !c.is_control()).take(room));
        }
    }

    fn answered(&mut self, asked: PromptKind, text: &str) {
        let typed_text = text.to_owned();
        match asked {
            PromptKind::Move => {
                let Some(game) = &mut self.game else { return };
                match game.type_move(text) {
                    Ok(()) => self.message.clear(),
                    Err(text) => {
                        let typed = Some((asked, typed_text));
                        self.overlay = Overlay::Notice { text, typed };
                    }
                }
            }
            PromptKind::SaveAs => {
                let path = in_home(text);
                let own = self.game.as_ref().is_some_and(|game| game.file.as_ref() == Some(&path));
                if path.exists() && !own {
                    self.overlay = Overlay::Question(Question::Overwrite(path));
                } else {
                    self.save(&path);
                }
            }
            PromptKind::Open => {
                let rng = self.next_rng();
                match LocalGame::load(&in_home(text), PlayerChoice::default(), rng) {
                    Ok(_) if self.game.as_ref().is_some_and(LocalGame::is_unsaved) => {
                        let text = "This game is not saved: save it (s) or leave it (n) first.";
                        self.overlay = Overlay::Notice { text: text.to_owned(), typed: None };
                    }
                    Ok(game) => self.open_game(game),
                    Err(error) => {
                        let typed = Some((asked, typed_text));
                        self.overlay = Overlay::Notice { text: with_causes(&error), typed };
                    }
                }
            }
        }
    }

    fn save(&mut self, path: &Path) {
        let Some(game) = &mut self.game else { return };
        match game.save(path) {
            Ok(()) => self.message = format!("Saved to {}", path.display()),
            Err(error) => {
                let typed = Some((PromptKind::SaveAs, path.display().to_string()));
                self.overlay = Overlay::Notice { text: with_causes(&error), typed };
            }
        }
    }

    pub(super) fn leave(&mut self, leave: Leave) {
        if self.game.as_ref().is_some_and(LocalGame::is_unsaved) {
            self.overlay = Overlay::Question(Question::LeaveUnsaved(leave));
        } else {
            self.go(leave);
        }
    }

    fn go(&mut self, leave: Leave) {
        match leave {
            Leave::ToMenu => self.game = None,
            Leave::ToShell => self.is_done = true,
        }
    }

    pub(super) fn question_key(&mut self, code: KeyCode) {
        let Overlay::Question(question) = &self.overlay else { return };
        let question = question.clone();
        match (code, question) {
            (KeyCode::Char('y' | 'Y'), Question::Overwrite(path)) => {
                self.overlay = Overlay::None;
                self.save(&path);
            }
            (KeyCode::Char('y' | 'Y'), Question::LeaveUnsaved(leave)) => {
                self.overlay = Overlay::None;
                self.go(leave);
            }
            (KeyCode::Char('n' | 'N') | KeyCode::Esc, _) => self.overlay = Overlay::None,
            _ => {}
        }
    }

    /// Only keys that mean "read" close a notice, so that nothing typed blindly goes astray.
    pub(super) fn notice_key(&mut self, code: KeyCode) {
        if !matches!(code, KeyCode::Enter | KeyCode::Esc | KeyCode::Char(' ')) {
            return;
        }
        if let Overlay::Notice { typed, .. } = std::mem::replace(&mut self.overlay, Overlay::None)
            && let Some((asked, text)) = typed
        {
            self.ask(asked, text);
        }
    }

    /// In the rules and in the help.
    pub(super) fn scroll_key(&mut self, code: KeyCode) {
        let end = self.drawn.scroll_end;
        let (Overlay::Rules { scroll, .. } | Overlay::Help { scroll }) = &mut self.overlay else {
            return;
        };
        match code {
            KeyCode::Down | KeyCode::Char('j') => *scroll += 1,
            KeyCode::Up | KeyCode::Char('k') => *scroll = scroll.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ') => *scroll += 15,
            KeyCode::PageUp | KeyCode::Char('b') => *scroll = scroll.saturating_sub(15),
            KeyCode::Home | KeyCode::Char('g') => *scroll = 0,
            KeyCode::End | KeyCode::Char('G') => *scroll = end,
            _ => {
                self.overlay = Overlay::None;
                return;
            }
        }
        *scroll = (*scroll).min(end);
    }
}

/// An error and what caused it, in a line.
fn with_causes(error: &dyn Error) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// A path in which `~/` stands for the home folder, as in a shell.
fn in_home(text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(text),
    }
}
