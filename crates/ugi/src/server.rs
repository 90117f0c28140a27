//! The server: what every command does, and in which order answers are written.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use stoa_draw::board::Charset;
use stoa_draw::{Marks, caption, picture, printable};
use stoa_engine::{Engine, Settings, Strategy, Thought, best_strategy};
use stoa_rules::{AnyPosition, Game, MoveError, ParseError, PositionError, Session, Side};

use crate::command::{Command, Go, Query};
use crate::lines::Line;
use crate::options::EngineOption;
use crate::search::Search;
use crate::{Refusal, info, refuse};

const HELP: &str = "\
ugi                                 identify the engine and list its options
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

/// While a search finds nothing new, an `info` line says this often that it goes on.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// What the threads report to the server.
pub(crate) enum Event {
    /// A line of input.
    Line(Line),
    /// There will be no more input.
    EndOfInput,
    /// Nobody reads the output any more.
    OutputClosed,
    /// The search has found something.
    Progress(Thought),
    /// The search has ended, and the engine is free again.
    Finished(Box<Engine>, Thought),
    /// The search has panicked, and the engine is lost with it.
    Failed,
}

/// Why a command was not obeyed.
enum Failure {
    /// It cannot be obeyed; an error line says why.
    Refused(Refusal),
    /// The answer cannot be written; the conversation is over.
    Output(io::Error),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// The state of a conversation.
pub(crate) struct Server<W> {
    output: W,
    charset: Charset,
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
    deferred: VecDeque<Event>,
}

/// Whether the conversation goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    GoOn,
    End,
}

impl<W: Write> Server<W> {
    pub(crate) fn new(
        game: Game,
        settings: Settings,
        output: W,
        charset: Charset,
        events: SyncSender<Event>,
        queue: Receiver<Event>,
    ) -> Server<W> {
        Server {
            output,
            charset,
            settings,
            engine: None,
            session: Session::new(game.start()),
            search: None,
            search_began: Instant::now(),
            events,
            queue,
            deferred: VecDeque::new(),
        }
    }

    fn game(&self) -> Game {
        self.position().game()
    }

    fn position(&self) -> &AnyPosition {
        self.session.position()
    }

    /// Answers until it receives `quit`, or the input ends, or nobody reads the output.
    pub(crate) fn serve(mut self) -> io::Result<()> {
        loop {
            match self.next_event()? {
                Event::EndOfInput => break,
                Event::OutputClosed => {
                    if let Some(search) = &self.search {
                        search.stop();
                    }
                    return Ok(());
                }
                Event::Line(line) => match self.obey_line(line) {
                    Ok(Next::GoOn) => {}
                    Ok(Next::End) => break,
                    Err(Failure::Refused(refusal)) => self.say_refusal(&refusal)?,
                    Err(Failure::Output(error)) => return Err(error),
                },
                event => self.handle_search_event(event)?,
            }
        }
        self.finish_search()
    }

    fn obey_line(&mut self, line: Line) -> Result<Next, Failure> {
        let text = line.text().map_err(Refusal)?;
        match Command::parse(&text)? {
            None => Ok(Next::GoOn),
            Some(command) => self.obey(command),
        }
    }

    /// The next event; until then a search reports that it goes on.
    fn next_event(&mut self) -> io::Result<Event> {
        if let Some(event) = self.deferred.pop_front() {
            return Ok(event);
        }
        while self.search.is_some() {
            match self.queue.recv_timeout(PROGRESS_INTERVAL) {
                Ok(event) => return Ok(event),
                Err(RecvTimeoutError::Timeout) => {
                    let time = self.search_began.elapsed().as_millis();
                    self.say(&format!("info time {time}"))?;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // The server holds a sender itself, so that this cannot fail.
        Ok(self.queue.recv().unwrap_or(Event::EndOfInput))
    }

    fn obey(&mut self, command: Command) -> Result<Next, Failure> {
        match command {
            Command::Ugi => self.introduce()?,
            Command::IsReady => {
                let made = if self.search.is_none() { self.make_engine() } else { Ok(()) };
                // Whoever asks waits for this line, whatever has failed.
                self.say("readyok")?;
                made?;
            }
            Command::Query(query) => self.answer(query)?,
            Command::Show => self.show()?,
            Command::Help => self.write(HELP)?,
            Command::Stop => self.finish_search()?,
            Command::Quit => return Ok(Next::End),
            Command::NewGame
            | Command::SetOption { .. }
            | Command::Position { .. }
            | Command::Go(_)
                if self.search.is_some() =>
            {
                refuse!("a search is under way: wait for its bestmove, or send 'stop' first")
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

    fn introduce(&mut self) -> io::Result<()> {
        let mut lines = vec![
            format!("id name Stoa {} ({})", env!("CARGO_PKG_VERSION"), self.game()),
            "id author the Stoa authors".to_owned(),
        ];
        lines.extend(EngineOption::ALL.map(|option| option.description(&self.settings)));
        lines.push("ugiok".to_owned());
        self.say(&lines.join("\n"))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        let option = EngineOption::named(name)?;
        let mut changed = self.settings.clone();
        option.set(&mut changed, value)?;
        let is_judged_anew = changed.evaluation != self.settings.evaluation;
        if is_judged_anew {
            // Whoever chooses a network should not learn only when a move is due that it cannot be used.
            changed.evaluation.check(self.game()).map_err(Refusal::of)?;
        }
        if is_judged_anew || option.value(&changed) != option.value(&self.settings) {
            self.settings = changed;
            match (option, &mut self.engine) {
                (EngineOption::MultiPv, Some(engine)) => engine.set_lines(self.settings.lines),
                // Made anew when it is needed: several options may follow each other.
                _ => self.engine = None,
            }
        }
        Ok(())
    }

    fn set_position(&mut self, text: Option<&str>, moves: &[String]) -> Result<(), Refusal> {
        let start = match text {
            None => self.game().start(),
            Some(text) => self.game().position(text).map_err(|error| position_error(&error))?,
        };
        let mut session = Session::new(start);
        for (number, text) in (1..).zip(moves) {
            session.play(text).map_err(|error| match error {
                MoveError::Parse(error) => {
                    Refusal(format!("move {number}, {text}: {}", parse_error(&error)))
                }
                error => Refusal(format!("move {number}: {error}")),
            })?;
        }
        self.session = session;
        Ok(())
    }

    fn answer(&mut self, query: Query) -> io::Result<()> {
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
        self.say(format!("response {response}").trim_end())
    }

    fn show(&mut self) -> io::Result<()> {
        let board = picture(self.position(), &Marks::last_move(&self.session), self.charset);
        let status = caption::status(self.position());
        self.say(&format!("{board}\n{status}"))
    }

    fn go(&mut self, go: &Go) -> Result<(), Failure> {
        if self.position().outcome().is_some() {
            return Ok(self.say("bestmove none")?);
        }
        let limits = go.limits(self.position().side_to_move())?;
        let strategy = self.settings.strategy.unwrap_or_else(|| best_strategy(self.game()));
        if strategy == Strategy::AlphaBeta && limits.playouts.is_some() {
            refuse!("strategy {strategy} plays no playouts; limit its nodes instead");
        }
        self.make_engine()?;
        if let Some(engine) = self.engine.take() {
            let position = self.position().clone();
            self.search_began = Instant::now();
            let search = Search::begin(*engine, position, limits, self.events.clone())
                .map_err(|error| Refusal(format!("cannot start a search: {error}")))?;
            self.search = Some(search);
        }
        Ok(())
    }

    /// Makes the engine, if there is none for the game of the position.
    fn make_engine(&mut self) -> Result<(), Refusal> {
        if self.engine.as_ref().is_some_and(|engine| engine.game() == self.game()) {
            return Ok(());
        }
        // The engine aborts if it gets no memory; a refusal is better.
        let table = self.settings.table;
        if Vec::<u8>::new().try_reserve_exact(table << 20).is_err() {
            refuse!("there is not enough memory for {table} MiB");
        }
        let engine = Engine::new(self.game(), self.settings.clone())
            .map_err(|error| Refusal(format!("no engine: {error}")))?;
        self.engine = Some(Box::new(engine));
        Ok(())
    }

    /// Stops the search, if there is one, and waits until it has answered. Commands that come
    /// meanwhile are obeyed afterwards, so those sent right after `stop` find no search.
    fn finish_search(&mut self) -> io::Result<()> {
        if let Some(search) = &self.search {
            search.stop();
        }
        while self.search.is_some() {
            match self.queue.recv() {
                Ok(event @ (Event::Progress(_) | Event::Finished(..) | Event::Failed)) => {
                    self.handle_search_event(event)?;
                }
                Ok(event) => self.deferred.push_back(event),
                Err(_) => break,
            }
        }
        Ok(())
    }

    fn handle_search_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Progress(thought) => {
                self.say(&info::written(&thought).join("\n"))?;
                if let Some(search) = &mut self.search {
                    search.reported = Some(thought);
                }
            }
            Event::Finished(engine, thought) => {
                self.engine = Some(engine);
                let reported = self.search.take().and_then(|search| search.reported);
                self.say_result(reported.as_ref(), &thought)?;
            }
            Event::Failed => {
                self.search = None;
                self.say("info string error: the search failed; the move is the first legal one")?;
                self.say_best(None)?;
            }
            Event::Line(_) | Event::EndOfInput | Event::OutputClosed => {}
        }
        Ok(())
    }

    /// The end of a search: its lines, unless they were reported already, and the best move.
    fn say_result(&mut self, reported: Option<&Thought>, thought: &Thought) -> io::Result<()> {
        let is_known = reported
            .is_some_and(|known| known.depth == thought.depth && known.lines == thought.lines);
        if is_known {
            self.say(&format!("info {}", info::effort(thought)))?;
        } else {
            self.say(&info::written(thought).join("\n"))?;
        }
        self.say_best(thought.best())
    }

    fn say_best(&mut self, best: Option<&str>) -> io::Result<()> {
        let any = || self.position().legal_moves().into_iter().next();
        let best = best.map(str::to_owned).or_else(any);
        self.say(&format!("bestmove {}", best.as_deref().unwrap_or("none")))
    }

    fn say_refusal(&mut self, refusal: &Refusal) -> io::Result<()> {
        // One line, whatever was sent.
        let text = refusal.to_string().replace(['\n', '\r'], " ");
        self.say(&format!("info string error: {}", printable(&text)))
    }

    fn say(&mut self, lines: &str) -> io::Result<()> {
        self.write(&format!("{lines}\n"))
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }
}

/// The error in one line, without the excerpt and its caret.
fn parse_error(error: &ParseError) -> String {
    let place = error.offset() + 1;
    format!("expected {}, found {} at character {place}", error.expected(), error.found())
}

fn position_error(error: &PositionError) -> Refusal {
    match error {
        PositionError::Parse(error) => Refusal(format!("the position: {}", parse_error(error))),
        PositionError::Impossible(flaws) => {
            let flaws: Vec<String> = flaws.iter().map(ToString::to_string).collect();
            Refusal(format!("this position is impossible: {}", flaws.join("; ")))
        }
        error => Refusal::of(error),
    }
}
