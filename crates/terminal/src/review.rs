//! A review of the open game: its progress, the list of mistakes, and the way to each.

use crossterm::event::KeyCode;
use ratatui::layout::Position;
use stoa_draw::reviewed::ReviewedGame;
use stoa_engine::review::{Progress, Review, Reviewed};
use stoa_rules::{Record, Session};

use super::app::App;
use super::local_game::LocalGame;
use super::overlay::Overlay;

/// A game and what is said about it.
#[derive(Debug)]
pub(super) struct GameReview {
    session: Session,
    record: Record,
    /// How many positions are judged, of how many.
    pub(super) progress: (usize, usize),
    review: Option<Review>,
    /// The mistake that is pointed at, of those in the list.
    pub(super) selected: usize,
}

impl GameReview {
    fn new(game: &LocalGame) -> GameReview {
        let session = game.session().clone();
        let mut record = Record::from(&session);
        game.players().name_in(&mut record);
        let positions = session.moves().len() + 1;
        GameReview { session, record, progress: (0, positions), review: None, selected: 0 }
    }

    /// The game at its last move.
    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    pub(super) fn is_done(&self) -> bool {
        self.review.is_some()
    }

    /// What was found, with the words for it.
    pub(super) fn found(&self) -> Option<ReviewedGame<'_>> {
        let review = self.review.as_ref()?;
        Some(ReviewedGame { record: &self.record, review })
    }

    /// The moves that were mistakes, in their order.
    pub(super) fn mistakes(&self) -> Vec<&Reviewed> {
        let moves = self.review.iter().flat_map(|review| &review.moves);
        moves.filter(|mv| mv.class.is_error()).collect()
    }

    /// Whether the open game is this one, perhaps at an earlier move.
    fn is_of(&self, game: &LocalGame) -> bool {
        let (mine, theirs) = (self.session.moves(), game.session().moves());
        self.session.start() == game.session().start() && mine.starts_with(&theirs)
    }
}

impl App {
    /// Shows the review of the game, and begins it if there is none.
    pub(super) fn open_review(&mut self) {
        let Some(game) = &self.game else { return };
        let known = self.review.as_ref().is_some_and(|review| review.is_of(game));
        if !known {
            if game.session().moves().is_empty() {
                self.message = "There is nothing to review yet.".to_owned();
                return;
            }
            self.review = Some(GameReview::new(game));
        }
        self.overlay = Overlay::Review;
    }

    pub(super) fn set_review_progress(&mut self, progress: Progress) {
        if let Some(review) = &mut self.review {
            review.progress = (progress.judged, progress.positions);
        }
    }

    pub(super) fn set_review(&mut self, found: Review) {
        if let Some(review) = &mut self.review {
            review.review = Some(found);
        }
    }

    pub(super) fn review_key(&mut self, code: KeyCode) {
        let Some(review) = &mut self.review else {
            self.overlay = Overlay::None;
            return;
        };
        let last = review.mistakes().len().saturating_sub(1);
        match code {
            KeyCode::Down | KeyCode::Char('j') => review.selected = (review.selected + 1).min(last),
            KeyCode::Up | KeyCode::Char('k') => review.selected = review.selected.saturating_sub(1),
            KeyCode::Home | KeyCode::Char('g') => review.selected = 0,
            KeyCode::End | KeyCode::Char('G') => review.selected = last,
            KeyCode::Enter | KeyCode::Char(' ') => self.look_at_mistake(),
            KeyCode::Esc | KeyCode::Char('q' | 'v') => {
                // An unfinished review starts again when it is wanted.
                if !review.is_done() {
                    self.review = None;
                }
                self.overlay = Overlay::None;
            }
            _ => {}
        }
    }

    /// The first click on a mistake chooses it, the second goes there.
    pub(super) fn review_click(&mut self, at: Position) {
        let clicked = self.drawn.mistakes.iter().find(|(area, _)| area.contains(at));
        let (Some(&(_, index)), Some(review)) = (clicked, &mut self.review) else { return };
        if review.selected == index { self.look_at_mistake() } else { review.selected = index }
    }

    /// Goes to the position before the mistake, with what would have been better.
    fn look_at_mistake(&mut self) {
        let (Some(review), Some(game)) = (&self.review, &mut self.game) else { return };
        let Some(found) = review.found() else { return };
        let mistakes = review.mistakes();
        let Some(mv) = mistakes.get(review.selected) else { return };
        game.look_back(review.session.clone(), mv.ply);
        let position = game.position().clone();
        self.engine.advise(position, mv.best.clone(), mv.before.mover);
        self.message = format!(
            "{}, {}: costs {:.0} %, better {}. v: the list",
            found.numbered(mv),
            mv.class.word(),
            100.0 * mv.lost,
            mv.best.first().map_or("", String::as_str),
        );
        self.cursor = game.targets().first().copied();
        self.overlay = Overlay::None;
    }
}
