//! The engine as an opponent and adviser.

use stoa_engine::Level;

use super::*;

fn level(number: u8) -> Opponent {
    Opponent::Engine(Level::new(number).unwrap())
}

fn against(id: &str, side: Side, number: u8) -> Screen {
    Screen::with_game(id, Players::Against(side, level(number)))
}

/// An engine that goes on thinking until it is stopped.
fn tireless(id: &str, side: Side) -> Screen {
    let start = id.parse::<Game>().unwrap().start();
    let players = Players::Against(side, level(10));
    let game = LocalGame::new(Session::new(start), players, Rng::new(9));
    let pace = Pace { turn: Limits::default(), ..PACE };
    let terminal = Terminal::new(TestBackend::new(100, 40)).unwrap();
    let app = App::new(Some(game), PlayerChoice::default(), pace, Charset::Mono, 1);
    let mut screen = Screen { app, terminal };
    screen.app.tick(Instant::now());
    screen.draw();
    screen
}

impl Screen {
    fn play(&mut self, mv: &str) {
        self.press(KeyCode::Char('m'));
        self.type_line(mv);
    }

    /// Makes the engine move now, which it can once it has found anything.
    fn hurry_to(&mut self, moves: usize) {
        let begun = Instant::now();
        while self.moves() < moves {
            self.press(KeyCode::Char('g'));
            self.app.tick(Instant::now());
            assert!(begun.elapsed() < TIMEOUT, "it does not move:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(1));
        }
        self.draw();
    }

    fn wait_for_person(&mut self) {
        self.wait_until("the engine's move", |screen| screen.game().engine_to_move().is_none());
    }

    /// Clicks on a word that stands for a key.
    fn click_on(&mut self, words: &str) {
        let text = self.text();
        let found = text.lines().enumerate().find_map(|(row, line)| {
            line.find(words).map(|byte| (line[..byte].chars().count(), row))
        });
        let (column, row) = found.unwrap_or_else(|| panic!("no {words} in\n{text}"));
        self.click(column as u16, row as u16);
    }
}

/// Whole games of every kind: a person who takes the first choice each time, against the engine.
#[test]
fn the_engine_answers_until_the_game_is_over() {
    for id in games() {
        let mut screen = against(&id, Side::First, 1);
        let mut turns = 0;
        loop {
            screen.wait_for_person();
            if screen.game().position().outcome().is_some() {
                break;
            }
            assert_eq!(screen.game().position().side_to_move(), Side::Second, "{id}");
            let mv = screen.game().example().unwrap();
            screen.play(&mv);
            turns += 1;
            assert!(turns < 2_000, "{id} does not end");
        }
        assert!(screen.text().contains("The game is over"), "{}", screen.text());
    }
}

#[test]
fn the_screen_shows_which_engine_is_thinking() {
    let mut screen = tireless("impasse", Side::First);
    let text = screen.text();
    assert!(text.contains("Stoa 10 Architect thinks…"), "{text}");
    assert!(text.contains("Stoa level 10 Architect – You"), "{text}");
    assert!(text.contains("Esc stops it"), "{text}");
    // The screen may change its size meanwhile.
    for (width, height) in [(44, 17), (24, 8), (10, 3), (80, 24)] {
        screen.terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        screen.app.tick(Instant::now());
        screen.draw();
    }
    assert!(screen.text().contains("thinks…"), "{}", screen.text());
    // Nobody moves for it, but it can be made to move.
    screen.press(KeyCode::Right);
    screen.press(KeyCode::Enter);
    assert!(screen.text().contains("It is not your turn"), "{}", screen.text());
    screen.hurry_to(1);
}

#[test]
fn taking_back_stops_it_at_once() {
    let mut screen = tireless("impasse", Side::Second);
    screen.play("d2-b4");
    screen.wait_until("thinking", |screen| screen.text().contains("thinks…"));
    screen.press(KeyCode::Char('u'));
    assert_eq!(screen.moves(), 0);
    assert!(!screen.app.engine.is_busy());
    assert!(screen.text().contains("White to move"), "{}", screen.text());
    // Its answer does not come any more.
    for _ in 0..50 {
        screen.app.tick(Instant::now());
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(screen.moves(), 0);
    screen.press(KeyCode::Char('r'));
    assert_eq!(screen.moves(), 1);
    assert!(screen.app.engine.is_busy());
}

#[test]
fn escape_stops_it_and_g_lets_it_go_on() {
    let mut screen = tireless("impasse", Side::Second);
    screen.play("d2-b4");
    screen.press(KeyCode::Esc);
    assert!(!screen.app.engine.is_busy());
    assert!(screen.text().contains("g lets it move"), "{}", screen.text());
    // A person may move for it; then it is the person's turn as ever.
    screen.play("e7-g5");
    assert_eq!(screen.moves(), 2);
    assert!(!screen.app.engine.is_busy());
    let mv = screen.game().example().unwrap();
    screen.play(&mv);
    screen.press(KeyCode::Esc);
    screen.click_on("g go");
    assert!(screen.app.engine.is_busy());
    screen.hurry_to(4);
}

#[test]
fn quitting_does_not_wait_for_it() {
    let mut screen = tireless("palisade:5", Side::First);
    assert!(screen.app.engine.is_busy());
    screen.press(KeyCode::Char('q'));
    assert!(screen.app.is_done, "nothing was played that could be lost");
    let begun = Instant::now();
    drop(screen);
    assert!(begun.elapsed() < Duration::from_millis(20));
}

#[test]
fn taking_back_and_playing_again_go_over_the_answer_too() {
    let mut screen = against("impasse", Side::Second, 2);
    screen.play("d2-b4");
    screen.wait_for_person();
    let answered = screen.game().session().clone();
    assert_eq!(answered.moves().len(), 2);
    screen.click_on("u undo");
    assert_eq!(screen.moves(), 0);
    screen.press(KeyCode::Char('r'));
    assert_eq!(*screen.game().session(), answered);
    // The same move again gets the same answer, without thought.
    screen.press(KeyCode::Char('u'));
    screen.play("d2-b4");
    assert_eq!(*screen.game().session(), answered);
}

#[test]
fn a_move_is_held_back_so_that_people_can_see_it() {
    let mut screen = against("impasse", Side::First, 1);
    let shown = Duration::from_secs(3600);
    screen.app.engine = crate::engine_tasks::EngineTasks::new(Pace { shown, ..PACE });
    let begun = Instant::now();
    screen.app.tick(begun);
    std::thread::sleep(Duration::from_millis(100));
    screen.app.tick(begun + shown / 2);
    assert_eq!(screen.moves(), 0);
    screen.wait_until("thinking", |screen| screen.text().contains("thinks…"));
    let begun = Instant::now();
    while screen.moves() == 0 {
        screen.app.tick(Instant::now() + shown);
        assert!(begun.elapsed() < TIMEOUT);
    }
}

#[test]
fn a_hint_is_shown_and_played() {
    let mut screen = Screen::with_game("colonnade", Players::TwoPeople);
    screen.press(KeyCode::Char('t'));
    assert!(screen.text().contains("Looking for a hint"), "{}", screen.text());
    screen.wait_until("the hint", |screen| screen.text().contains("(t plays it)"));
    let text = screen.text();
    let hint = screen.app.engine.hint(screen.game().position()).unwrap();
    let best = hint.line[0].clone();
    assert!(text.contains(&format!("Best is {best}")), "{text}");
    let marked = text.chars().filter(|c| *c == '!').count();
    assert!(marked >= 2, "the move is not marked:\n{text}");
    screen.click_on("t hint");
    assert_eq!(screen.game().session().moves(), [best]);
    assert!(!screen.text().contains("Best is"), "{}", screen.text());
    // One that is not wanted any more does not come.
    screen.press(KeyCode::Char('t'));
    screen.press(KeyCode::Esc);
    assert!(!screen.app.engine.is_busy());
    // Nor does one for the opponent.
    let mut screen = tireless("impasse", Side::First);
    screen.press(KeyCode::Char('t'));
    assert!(screen.text().contains("It is not your turn"), "{}", screen.text());
}

#[test]
fn the_bar_says_who_is_winning() {
    let mut screen = against("impasse", Side::Second, 1);
    screen.press(KeyCode::Char('e'));
    screen.wait_until("an estimate", |screen| screen.text().contains("depth"));
    let text = screen.text();
    let line = text.lines().find(|line| line.contains('█')).unwrap();
    assert!(line.contains("You ") && line.contains("Stoa") && line.contains('%'), "{text}");
    screen.press(KeyCode::Char('e'));
    assert!(!screen.text().contains('█'), "{}", screen.text());
    assert!(!screen.app.engine.is_busy());
}

#[test]
fn a_proven_result_is_called_so() {
    // White has nothing but a single that cannot move: taking it off wins.
    let position = "1w6/8/8/8/8/8/8/2b5 w";
    let start = Game::Impasse.position(position).unwrap();
    for (width, height) in [(100, 40), (44, 17)] {
        let session = Session::new(start.clone());
        let game = LocalGame::new(session, Players::TwoPeople, Rng::new(9));
        let mut screen = Screen::new(Some(game), width, height);
        screen.press(KeyCode::Char('e'));
        screen.wait_until("a proof", |screen| screen.text().contains("wins in"));
        assert!(screen.text().contains("proven: White"), "{}", screen.text());
        assert!(screen.text().contains("White 100%"), "{}", screen.text());
    }
}

#[test]
fn records_name_the_players_and_go_on_against_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.stoa");
    let mut screen = against("impasse", Side::Second, 4);
    screen.play("d2-b4");
    screen.wait_for_person();
    screen.press(KeyCode::Char('s'));
    screen.app.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
    screen.type_line(&path.display().to_string());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\nwhite: You\nblack: Stoa level 4 Regular\n"), "{text}");
    let players = |choice| LocalGame::load(&path, choice, Rng::new(1)).unwrap().players();
    assert_eq!(players(PlayerChoice::default()), Players::Against(Side::Second, level(4)));
    let stronger = PlayerChoice { opponent: Some(Some(level(8))), side: None };
    assert_eq!(players(stronger), Players::Against(Side::Second, level(8)));
    let turned = PlayerChoice { opponent: None, side: Some(crate::players::SideChoice::Second) };
    assert_eq!(players(turned), Players::Against(Side::First, level(4)));
    assert_eq!(players(PlayerChoice { opponent: Some(None), side: None }), Players::TwoPeople);
    // With the sides changed, the engine is to move at once.
    let game = LocalGame::load(&path, turned, Rng::new(1)).unwrap();
    let mut screen = Screen::new(Some(game), 80, 24);
    screen.wait_until("the engine's move", |screen| screen.moves() == 3);
}

/// A record that names nobody: the person who loads it makes the next move.
#[test]
fn the_person_who_loads_a_game_is_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.stoa");
    for (moves, opponent) in [("1. d2-b4", Side::First), ("1. d2-b4 e7-g5", Side::Second)] {
        std::fs::write(&path, format!("game: impasse\n\n{moves}\n")).unwrap();
        let choice = PlayerChoice { opponent: Some(Some(level(2))), side: None };
        let game = LocalGame::load(&path, choice, Rng::new(1)).unwrap();
        assert_eq!(game.players(), Players::Against(opponent, level(2)));
        assert_eq!(game.engine_to_move(), None);
    }
}

/// A game that is over, to be reviewed.
fn finished(width: u16, height: u16) -> Screen {
    let mut session = Session::new(Game::Impasse.start());
    let mut rng = Rng::new(5);
    while session.position().outcome().is_none() {
        let moves = session.position().legal_moves();
        session.play(&moves[rng.below(moves.len())]).unwrap();
    }
    let players = Players::Against(Side::Second, level(1));
    Screen::new(Some(LocalGame::new(session, players, Rng::new(1))), width, height)
}

#[test]
fn a_finished_game_is_reviewed() {
    for (width, height) in [(100, 40), (80, 24), (44, 17)] {
        let mut screen = finished(width, height);
        let game = screen.game().session().clone();
        assert!(screen.text().contains("v reviews"), "{}", screen.text());
        screen.click_on("review  n new");
        assert!(screen.text().contains(" positions judged"), "{}", screen.text());
        screen.wait_until("the review", |screen| screen.text().contains("Accuracy: You "));
        assert!(screen.text().contains("How likely White wins"), "{}", screen.text());
        assert!(screen.text().contains("costs  better"), "{}", screen.text());
        // The second mistake, by key; then the first, by mouse.
        screen.press(KeyCode::Down);
        let review = screen.app.review.as_ref().unwrap();
        let plies: Vec<usize> = review.mistakes().iter().map(|mv| mv.ply).collect();
        let best = review.mistakes()[1].best[0].clone();
        screen.press(KeyCode::Enter);
        assert_eq!(screen.moves(), plies[1]);
        let hint = screen.app.engine.hint(screen.game().position()).unwrap();
        assert_eq!(hint.line[0], best);
        assert!(screen.app.message.contains(&format!("better {best}")), "{}", screen.app.message);
        // Looking back, nobody answers, and moves are gone through one at a time.
        for _ in 0..5 {
            screen.app.tick(Instant::now());
        }
        assert!(!screen.app.engine.is_busy());
        screen.press(KeyCode::Char('r'));
        screen.press(KeyCode::Char('r'));
        screen.press(KeyCode::Char('u'));
        assert_eq!(screen.moves(), plies[1] + 1);
        screen.press(KeyCode::Char('v'));
        let row = screen.app.drawn.mistakes[0].0;
        for _ in 0..2 {
            screen.click(row.x, row.y);
        }
        assert_eq!(screen.moves(), plies[0]);
        // Playing on from there is a game against the engine again.
        let side = screen.game().position().side_to_move();
        let mv = screen.game().example().unwrap();
        screen.play(&mv);
        screen.wait_for_person();
        let answered = usize::from(side == Side::First);
        let replayed = game.moves()[plies[0]] == mv;
        assert!(replayed || screen.moves() == plies[0] + 1 + answered);
    }
}

#[test]
fn a_review_can_be_stopped() {
    let mut screen = finished(80, 24);
    screen.app.engine =
        crate::engine_tasks::EngineTasks::new(Pace { review: Limits::default(), ..PACE });
    screen.press(KeyCode::Char('v'));
    assert!(screen.app.engine.is_busy());
    screen.click_on("Esc stop");
    assert!(!screen.app.engine.is_busy());
    assert_eq!(screen.app.overlay, Overlay::None);
    let mut screen = Screen::with_game("impasse", Players::TwoPeople);
    screen.press(KeyCode::Char('v'));
    assert!(screen.text().contains("nothing to review yet"), "{}", screen.text());
}

#[test]
fn the_menu_is_chosen_from_by_mouse() {
    let mut screen = Screen::new(None, 44, 17);
    screen.click_on("Impasse");
    screen.click_on("Stoa level 3");
    assert!(screen.text().contains("< Stoa level 4 Regular >"), "{}", screen.text());
    for expected in ["3 Novice", "2 Visitor"] {
        screen.click_on("< Stoa");
        assert!(screen.text().contains(expected), "{}", screen.text());
    }
    screen.click_on("first (White)");
    screen.click_on("Enter play");
    let players = Players::Against(Side::First, level(2));
    assert_eq!((screen.game().game(), screen.game().players()), (Game::Impasse, players));
    screen.wait_for_person();
    assert_eq!(screen.moves(), 1);
}

#[test]
fn the_help_scrolls_on_a_small_screen() {
    let mut screen = Screen::new(None, 44, 17);
    screen.press(KeyCode::Char('?'));
    assert!(!screen.text().contains("level 1 to 9, 10"), "{}", screen.text());
    screen.press(KeyCode::End);
    assert!(screen.text().contains("level 1 to 9, 10"), "{}", screen.text());
    screen.press(KeyCode::Up);
    assert_ne!(screen.app.overlay, Overlay::None);
    screen.click_on("Esc close");
    assert_eq!(screen.app.overlay, Overlay::None);
}
