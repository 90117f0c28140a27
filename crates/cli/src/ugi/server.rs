//! The server: what every command does, and in which order things are said.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use stoa_engine::{Engine, Settings, Strategy, Thought, best_strategy};
use stoa_rules::{AnyPosition, Game, MoveError, ParseError, PositionError, Session, Side};

use super::Event;
use super::command::{Command, Go, Query};
use super::info;
use super::options::Knob;
use super::search::Search;
use crate::commands::{picture, status_line};
use crate::draw::Marks;
use crate::output::{charset, print, safe};

const HELP: &str = "\
ugi                                 who this is, and the options
isready                             answered when everything before is done
uginewgame                          forget the last game
setoption name NAME value VALUE     set an option
position startpos [moves M …]       set the position
position fen TEXT [moves M …]
go [movetime MS] [nodes N] [depth N] [playouts N]
   [p1time MS p2time MS [p1inc MS p2inc MS]] [infinite]
                                    search, and answer with bestmove
stop                                end the search
query p1turn | gameover | result    ask about the position
query position | moves              its text, its legal moves
d, show                             draw the board
quit                                end
docs/protocol.md explains all of it.
";

/// While a search is silent, something is said this often: so people see that it goes on, and we
/// notice that nobody reads any more.
const SIGN_OF_LIFE: Duration = Duration::from_secs(1);

/// The state of a conversation.
pub(super) struct Server {
    settings: Settings,
    /// Nothing until it is needed, after a setting has changed, and while it searches.
    engine: Option<Box<Engine>>,
    session: Session,
    search: Option<Search>,
    search_began: Instant,
    /// What a search sends its events with.
    events: SyncSender<Event>,
    queue: Receiver<Event>,
    /// Events that came while the server waited for the end of a search.
    put_off: VecDeque<Event>,
}

/// Whether the conversation goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    GoOn,
    End,
}

impl Server {
    pub(super) fn new(
        game: Game,
        settings: Settings,
        events: SyncSender<Event>,
        queue: Receiver<Event>,
    ) -> Server {
        Server {
            settings,
            engine: None,
            session: Session::new(game.start()),
            search: None,
            search_began: Instant::now(),
            events,
            queue,
            put_off: VecDeque::new(),
        }
    }

    fn game(&self) -> Game {
        self.position().game()
    }

    fn position(&self) -> &AnyPosition {
        self.session.position()
    }

    /// Answers until it is told to quit, or the input ends, or nobody reads the output.
    pub(super) fn serve(mut self) -> Result<()> {
        loop {
            match self.next_event()? {
                Event::EndOfInput => break,
                Event::Line(line) => {
                    let done = match line.text() {
                        Err(flaw) => Err(anyhow!(flaw)),
                        Ok(text) => match Command::parse(&text) {
                            Ok(None) => continue,
                            Ok(Some(command)) => self.obey(command),
                            Err(flaw) => Err(flaw),
                        },
                    };
                    match done {
                        Ok(Next::GoOn) => {}
                        Ok(Next::End) => break,
                        // What cannot be written is the end; anything else is the other's mistake.
                        Err(error) if error.is::<std::io::Error>() => return Err(error),
                        Err(error) => say_error(&error)?,
                    }
                }
                event => self.heard_from_search(event)?,
            }
        }
        self.finish_search()
    }

    /// The next thing that happens; signs of life are given until then.
    fn next_event(&mut self) -> Result<Event> {
        if let Some(event) = self.put_off.pop_front() {
            return Ok(event);
        }
        while self.search.is_some() {
            match self.queue.recv_timeout(SIGN_OF_LIFE) {
                Ok(event) => return Ok(event),
                Err(RecvTimeoutError::Timeout) => {
                    say(&format!("info time {}", self.search_began.elapsed().as_millis()))?;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // The server holds a sender itself, so that this cannot fail.
        Ok(self.queue.recv().unwrap_or(Event::EndOfInput))
    }

    fn obey(&mut self, command: Command) -> Result<Next> {
        match command {
            Command::Ugi => self.introduce()?,
            Command::IsReady => {
                if self.search.is_none() {
                    self.make_engine()?;
                }
                say("readyok")?;
            }
            Command::Query(query) => self.answer(query)?,
            Command::Show => self.show()?,
            Command::Help => print(HELP)?,
            Command::Stop => self.finish_search()?,
            Command::Quit => return Ok(Next::End),
            Command::NewGame
            | Command::SetOption { .. }
            | Command::Position { .. }
            | Command::Go(_)
                if self.search.is_some() =>
            {
                bail!("a search is under way: wait for its bestmove, or send 'stop' first")
            }
            Command::NewGame => {
                self.session = Session::new(self.game().start());
                if let Some(engine) = &mut self.engine {
                    engine.forget();
                }
            }
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::Position { text, moves } => self.set_position(text.as_deref(), &moves)?,
            Command::Go(go) => self.go(&go)?,
        }
        Ok(Next::GoOn)
    }

    fn introduce(&self) -> Result<()> {
        let mut lines = vec![
            format!("id name Stoa {} ({})", env!("CARGO_PKG_VERSION"), self.game()),
            "id author the Stoa authors".to_owned(),
        ];
        lines.extend(Knob::ALL.map(|knob| knob.description(&self.settings)));
        lines.push("ugiok".to_owned());
        say(&lines.join("\n"))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<()> {
        let knob = Knob::named(name)?;
        let before = knob.value(&self.settings);
        knob.set(&mut self.settings, value)?;
        if knob.value(&self.settings) != before {
            match (knob, &mut self.engine) {
                (Knob::MultiPv, Some(engine)) => engine.set_lines(self.settings.lines),
                // Made anew when it is needed: several options may follow each other.
                _ => self.engine = None,
            }
        }
        Ok(())
    }

    fn set_position(&mut self, text: Option<&str>, moves: &[String]) -> Result<()> {
        let start = match text {
            None => self.game().start(),
            Some(text) => self.game().position(text).map_err(|error| position_error(&error))?,
        };
        let mut session = Session::new(start);
        for (number, text) in (1..).zip(moves) {
            session.play(text).map_err(|error| match error {
                MoveError::Parse(error) => {
                    anyhow!("move {number}, {text}: {}", parse_error(&error))
                }
                error => anyhow!("move {number}: {error}"),
            })?;
        }
        self.session = session;
        Ok(())
    }

    fn answer(&self, query: Query) -> Result<()> {
        let position = self.position();
        let response = match query {
            Query::FirstToMove => (position.side_to_move() == Side::First).to_string(),
            Query::GameOver => position.outcome().is_some().to_string(),
            Query::Result => {
                let word = match position.outcome().map(|outcome| outcome.winner) {
                    None => "none",
                    Some(None) => "draw",
                    Some(Some(Side::First)) => "p1win",
                    Some(Some(Side::Second)) => "p2win",
                };
                word.to_owned()
            }
            Query::Position => position.text(),
            Query::Moves => {
                let mut moves = position.legal_moves();
                moves.sort();
                moves.join(" ")
            }
        };
        say(format!("response {response}").trim_end())
    }

    fn show(&self) -> Result<()> {
        let board = picture(self.position(), &Marks::last_move(&self.session), charset(false));
        print(&format!("{board}\n{}\n", status_line(self.position())))
    }

    fn go(&mut self, go: &Go) -> Result<()> {
        if self.position().outcome().is_some() {
            return say("bestmove none");
        }
        let limits = go.limits(self.position().side_to_move())?;
        let strategy = self.settings.strategy.unwrap_or_else(|| best_strategy(self.game()));
        if strategy == Strategy::AlphaBeta && limits.playouts.is_some() {
            bail!("strategy {strategy} plays no playouts; limit its nodes instead");
        }
        self.make_engine()?;
        if let Some(engine) = self.engine.take() {
            let position = self.position().clone();
            self.search_began = Instant::now();
            // A failure to start a thread is not one of writing.
            let search = Search::begin(*engine, position, limits, self.events.clone())
                .map_err(|error| anyhow!("cannot start a search: {error}"))?;
            self.search = Some(search);
        }
        Ok(())
    }

    /// Makes the engine, if there is none for the game of the position.
    fn make_engine(&mut self) -> Result<()> {
        if self.engine.as_ref().is_some_and(|engine| engine.game() == self.game()) {
            return Ok(());
        }
        // The engine takes its memory without asking; to be refused here is better than to die.
        Vec::<u8>::new()
            .try_reserve_exact(self.settings.table << 20)
            .map_err(|_| anyhow!("there is not enough memory for {} MiB", self.settings.table))?;
        let engine = Engine::new(self.game(), self.settings.clone()).context("no engine")?;
        self.engine = Some(Box::new(engine));
        Ok(())
    }

    /// Stops the search, if there is one, and waits until it has answered. What is said meanwhile
    /// is heard afterwards, so that commands sent right after `stop` find no search.
    fn finish_search(&mut self) -> Result<()> {
        if let Some(search) = &self.search {
            search.stop();
        }
        while self.search.is_some() {
            match self.queue.recv() {
                Ok(event @ (Event::Line(_) | Event::EndOfInput)) => self.put_off.push_back(event),
                Ok(event) => self.heard_from_search(event)?,
                Err(_) => break,
            }
        }
        Ok(())
    }

    fn heard_from_search(&mut self, event: Event) -> Result<()> {
        match event {
            Event::Progress(thought) => {
                say(&info::written(&thought).join("\n"))?;
                if let Some(search) = &mut self.search {
                    search.told = Some(thought);
                }
            }
            Event::Finished(engine, thought) => {
                self.engine = Some(engine);
                let told = self.search.take().and_then(|search| search.told);
                self.tell_end(told.as_ref(), &thought)?;
            }
            Event::Failed => {
                self.search = None;
                say("info string error: the search broke down; the move is the first legal one")?;
                self.say_best(None)?;
            }
            Event::Line(_) | Event::EndOfInput => {}
        }
        Ok(())
    }

    /// The last word about a search: its lines, unless they are known already, and the best move.
    fn tell_end(&self, told: Option<&Thought>, thought: &Thought) -> Result<()> {
        let is_known =
            told.is_some_and(|told| told.depth == thought.depth && told.lines == thought.lines);
        if is_known {
            say(&format!("info {}", info::effort(thought)))?;
        } else {
            say(&info::written(thought).join("\n"))?;
        }
        self.say_best(thought.best())
    }

    fn say_best(&self, best: Option<&str>) -> Result<()> {
        let any = || self.position().legal_moves().into_iter().next();
        let best = best.map(str::to_owned).or_else(any);
        say(&format!("bestmove {}", best.as_deref().unwrap_or("none")))
    }
}

fn say(lines: &str) -> Result<()> {
    print(&format!("{lines}\n"))
}

fn say_error(error: &anyhow::Error) -> Result<()> {
    // One line, whatever was sent.
    let text = format!("{error:#}").replace(['\n', '\r'], " ");
    say(&format!("info string error: {}", safe(&text)))
}

/// The error in one line, without the excerpt and its caret.
fn parse_error(error: &ParseError) -> String {
    let place = error.offset() + 1;
    format!("expected {}, found {} at character {place}", error.expected(), error.found())
}

fn position_error(error: &PositionError) -> anyhow::Error {
    match error {
        PositionError::Parse(error) => anyhow!("the position: {}", parse_error(error)),
        PositionError::Impossible(flaws) => {
            let flaws: Vec<String> = flaws.iter().map(ToString::to_string).collect();
            anyhow!("this position is impossible: {}", flaws.join("; "))
        }
        PositionError::OtherOption { .. } => anyhow!("{error}"),
    }
}
