//! Files of games for a report: written so that they can be continued, read so that several make one.
//!
//! A part is a file of self-played games ([`stoa_engine::selfplay::file`]) whose header names the plan and the
//! share. Its first game is the survey, and the others follow in the order of their numbers.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use stoa_engine::selfplay::file::{GameFileError, GameReader, PlayedGame, header};
use stoa_rules::Game;

use crate::openings::first_moves;
use crate::plan::{Plan, ROUND, SURVEY, Share};
use crate::replay::{Fault, check};

/// How the names of parts end.
pub const EXTENSION: &str = "games";

/// Why a part cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// The system refuses.
    #[error("cannot open {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The system refuses.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is no file of games, or it is damaged.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: GameFileError,
    },
    /// Another process is writing it.
    #[error("{} is being written by another program", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Its games were played otherwise.
    #[error("{} has games that were played otherwise: '{found}', not '{wanted}'", path.display())]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// How they should have been played.
        wanted: String,
        /// How they were played.
        found: String,
    },
    /// A game does not follow the rules.
    #[error("{}: game {number} {fault}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The game's number.
        number: u32,
        /// What is wrong with it.
        fault: Fault,
    },
    /// A game is missing or out of order.
    #[error("{} is damaged: game {found} stands where game {wanted} should", path.display())]
    OutOfOrder {
        /// The file.
        path: PathBuf,
        /// The number that should follow.
        wanted: u32,
        /// The number found.
        found: u32,
    },
    /// Two parts disagree.
    #[error(
        "{} and {} have different games under number {number}; were they played by different versions of the program?",
        first.display(), second.display()
    )]
    Disagree {
        /// A file.
        first: PathBuf,
        /// The other one.
        second: PathBuf,
        /// The number of the game.
        number: u32,
    },
    /// There is nothing to report on.
    #[error("there are no games of {0} to report on; play some first")]
    NoGames(Game),
}

/// The name of a game's part.
pub fn file_name(game: Game, share: Share) -> String {
    let game = game.to_string().replace(':', "-");
    match share.of {
        1 => format!("{game}.{EXTENSION}"),
        _ => format!("{game}.{}-of-{}.{EXTENSION}", share.which, share.of),
    }
}

fn how(plan: &Plan, share: Share) -> String {
    format!("{}, share {share}", plan.how())
}

/// A part that games are appended to.
pub struct PartWriter {
    path: PathBuf,
    out: BufWriter<File>,
    /// The survey, if it is there already.
    survey: Option<PlayedGame>,
    /// The first game after it.
    first: Option<PlayedGame>,
    /// How many games are there besides.
    games: u64,
}

impl PartWriter {
    /// Opens a part, which may have games already: what an interruption left of a game is cut off.
    pub fn open(path: &Path, plan: &Plan, share: Share) -> Result<PartWriter, PartError> {
        let failed = |source| PartError::Write { path: path.to_owned(), source };
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(PartError::Busy { path: path.to_owned() });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let header = header(&plan.game.to_string(), &how(plan, share));
        let (mut survey, mut first, mut games) = (None, None, 0);
        let length = file.metadata().map_err(failed)?.len();
        // What an interruption left of the header.
        let begun = length < header.len() as u64 && {
            let mut begun = String::new();
            io::Read::read_to_string(&mut &file, &mut begun).is_ok() && header.starts_with(&begun)
        };
        if begun {
            file.set_len(0).and_then(|()| file.rewind()).map_err(failed)?;
            file.write_all(header.as_bytes()).map_err(failed)?;
        } else {
            file.rewind().map_err(failed)?;
            let whole = read_part(path, &file, plan, Some(share), &mut |game| match survey {
                None => survey = Some(game),
                Some(_) => {
                    games += 1;
                    first.get_or_insert(game);
                }
            })?;
            file.set_len(whole).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        Ok(PartWriter { path: path.to_owned(), out: BufWriter::new(file), survey, first, games })
    }

    /// The survey, if it is there already.
    pub fn survey(&self) -> Option<&PlayedGame> {
        self.survey.as_ref()
    }

    /// The first game after the survey, if there is one.
    pub fn first(&self) -> Option<&PlayedGame> {
        self.first.as_ref()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many games are there besides the survey.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Appends a game, or the survey before all others.
    pub fn add(&mut self, game: PlayedGame) -> Result<(), PartError> {
        let written = game.write(&mut self.out).and_then(|()| self.out.flush());
        written.map_err(|source| PartError::Write { path: self.path.clone(), source })?;
        match self.survey {
            None => self.survey = Some(game),
            Some(_) => {
                self.games += 1;
                self.first.get_or_insert(game);
            }
        }
        Ok(())
    }
}

/// Reads a part of a plan and checks every game; returns how many bytes belong to whole games.
fn read_part(
    path: &Path,
    file: &File,
    plan: &Plan,
    share: Option<Share>,
    each: &mut dyn FnMut(PlayedGame),
) -> Result<u64, PartError> {
    let wrong = |source| PartError::File { path: path.to_owned(), source };
    let mut reader =
        GameReader::new(BufReader::new(file), &plan.game.to_string()).map_err(wrong)?;
    let found = played(reader.header());
    let (found_how, found_share) = found.rsplit_once(", share ").unwrap_or((found, ""));
    let found_share: Option<Share> = found_share.parse().ok();
    let fits = found_how == plan.how()
        && found_share.is_some_and(|found| share.is_none_or(|share| share == found));
    let share = found_share.filter(|_| fits).ok_or_else(|| PartError::OtherSettings {
        path: path.to_owned(),
        wanted: share.map_or_else(|| plan.how(), |share| how(plan, share)),
        found: found.chars().take(200).flat_map(char::escape_debug).collect(),
    })?;
    let mut index = None;
    for game in &mut reader {
        let game = game.map_err(wrong)?;
        let wanted = index.map_or(Some(SURVEY), |index| share.number(index)).unwrap_or(SURVEY);
        if game.number != wanted {
            let (path, found) = (path.to_owned(), game.number);
            return Err(PartError::OutOfOrder { path, wanted, found });
        }
        let sound = match game.number {
            SURVEY => check_survey(plan.game, &game),
            _ => check(plan.game, &game),
        };
        sound.map_err(|fault| PartError::Damaged {
            path: path.to_owned(),
            number: game.number,
            fault,
        })?;
        index = Some(index.map_or(0, |index| index + 1));
        each(game);
    }
    Ok(reader.whole_bytes())
}

fn played(header: &str) -> &str {
    header.lines().find_map(|line| line.strip_prefix("played: ")).unwrap_or("")
}

/// Whether a survey has a score for every first move.
fn check_survey(game: Game, survey: &PlayedGame) -> Result<(), Fault> {
    let expected: Vec<u16> = stoa_rules::dispatch!(game, |P, options| {
        let start = <P as stoa_rules::Position>::start(options);
        first_moves(&start).iter().map(|first| first.index).collect()
    });
    let is_whole = survey.turns.is_empty()
        && survey.asides.iter().map(|aside| aside.mv).eq(expected)
        && survey.asides.iter().all(|aside| aside.turn == 0);
    if !is_whole {
        return Err(Fault::Survey);
    }
    crate::replay::check_scores(survey)
}

/// The games of all parts together.
#[derive(Debug, Clone)]
pub struct Collected {
    /// How they were played.
    pub plan: Plan,
    /// What the survey thinks of the first moves.
    pub survey: PlayedGame,
    /// The games by number, without the survey.
    pub games: BTreeMap<u32, PlayedGame>,
}

impl Collected {
    /// Only the rounds that are whole, up to the first that is not, so that a number of rounds says
    /// which games these are. Everything, if not even the first round is whole.
    #[must_use]
    pub fn whole_rounds(mut self) -> Collected {
        let missing = (1..).find(|number| !self.games.contains_key(number)).unwrap_or(u32::MAX);
        let rounds = (missing - 1) / ROUND;
        if rounds > 0 {
            self.games.retain(|number, _| *number <= rounds * ROUND);
        }
        self
    }
}

/// The parts in a folder, by game. A file that has the name of a part and is none is an error.
pub fn find(folder: &Path) -> Result<BTreeMap<String, Vec<PathBuf>>, PartError> {
    let failed = |source| PartError::Open { path: folder.to_owned(), source };
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            let header = read_header(&path)?;
            let game = header.lines().find_map(|line| line.strip_prefix("game: "));
            let game = game.unwrap_or_default().to_owned();
            found.entry(game).or_default().push(path);
        }
    }
    found.values_mut().for_each(|paths| paths.sort());
    Ok(found)
}

/// The text that a part begins with.
fn read_header(path: &Path) -> Result<String, PartError> {
    const MAX_HEADER: u64 = 4096;
    let failed = |source| PartError::Open { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    io::Read::read_to_end(&mut io::Read::take(file, MAX_HEADER), &mut bytes).map_err(failed)?;
    let end = bytes.windows(2).position(|pair| pair == b"\n\n");
    let text = end.and_then(|end| std::str::from_utf8(&bytes[..end]).ok());
    text.map(str::to_owned)
        .ok_or_else(|| PartError::File { path: path.to_owned(), source: GameFileError::NotGames })
}

/// The plan of a part by its header. What is not as this program would play it is found out when the
/// part is read.
pub fn plan_of(path: &Path, game: Game) -> Result<Plan, PartError> {
    let header = read_header(path)?;
    let seed =
        played(&header).split(", ").find_map(|part| part.strip_prefix("seed ")?.parse().ok());
    Ok(Plan::new(game, seed.unwrap_or(0)))
}

/// Reads parts of one game, which must have been played by the same plan. Games that several parts
/// have must be the same in all of them, and count once.
pub fn collect(plan: &Plan, paths: &[PathBuf]) -> Result<Collected, PartError> {
    let mut from: BTreeMap<u32, (PlayedGame, &Path)> = BTreeMap::new();
    for path in paths {
        let file =
            File::open(path).map_err(|source| PartError::Open { path: path.clone(), source })?;
        let mut disagrees = None;
        read_part(path, &file, plan, None, &mut |game| match from.get(&game.number) {
            None => {
                from.insert(game.number, (game, path));
            }
            Some((known, first)) if *known != game => {
                disagrees.get_or_insert((first.to_path_buf(), game.number));
            }
            Some(_) => {}
        })?;
        if let Some((first, number)) = disagrees {
            return Err(PartError::Disagree { first, second: path.clone(), number });
        }
    }
    let (survey, _) = from.remove(&SURVEY).ok_or(PartError::NoGames(plan.game))?;
    if from.is_empty() {
        return Err(PartError::NoGames(plan.game));
    }
    let games = from.into_iter().map(|(number, (game, _))| (number, game)).collect();
    Ok(Collected { plan: *plan, survey, games })
}
