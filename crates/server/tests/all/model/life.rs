//! The model: challenges and games as they should be, without clocks, databases or networks.

use serde_json::{Value, json};
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Game, Side};

/// The code of a refusal.
pub(super) type Refused = &'static str;

/// How many open challenges a person may have.
const MAX_OPEN: usize = 20;
/// How often a side may ask for something between two moves.
const MAX_ASKED: usize = 3;

/// Something that somebody does.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Challenge { who: usize, game: Game, opponent: Option<usize> },
    Accept { who: usize, challenge: usize },
    Decline { who: usize, challenge: usize },
    Cancel { who: usize, challenge: usize },
    Act { who: usize, game: usize, act: Act },
}

/// Something that somebody does in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    Move { ply: usize, text: String },
    Resign,
    Abort,
    Draw,
    DeclineDraw,
    Takeback,
    DeclineTakeback,
    AddTime,
    Rematch,
    DeclineRematch,
}

#[derive(Debug, Clone)]
pub(super) struct ModelChallenge {
    creator: usize,
    opponent: Option<usize>,
    game: Game,
    pub(super) state: &'static str,
}

#[derive(Debug, Clone)]
pub(super) struct ModelGame {
    players: [usize; 2],
    /// The position before the first move, and after each.
    positions: Vec<AnyPosition>,
    moves: Vec<String>,
    draw: Option<Side>,
    takeback: Option<Side>,
    rematch: Option<Side>,
    /// How often each side has asked for a draw and for a take-back since the last move, and for a rematch.
    asked: [[usize; 3]; 2],
    version: usize,
    pub(super) end: Option<(Option<Side>, &'static str)>,
    has_next: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Life {
    people: usize,
    pub(super) challenges: Vec<ModelChallenge>,
    pub(super) games: Vec<ModelGame>,
    /// People who have left; their places are taken by others.
    gone: Vec<(usize, usize)>,
}

impl Step {
    pub(super) fn who(&self) -> usize {
        match self {
            Step::Challenge { who, .. }
            | Step::Accept { who, .. }
            | Step::Decline { who, .. }
            | Step::Cancel { who, .. }
            | Step::Act { who, .. } => *who,
        }
    }
}

impl Act {
    pub(super) fn body(&self) -> Value {
        let kind = match self {
            Act::Move { ply, text } => return json!({ "kind": "move", "ply": ply, "move": text }),
            Act::Resign => "resign",
            Act::Abort => "abort",
            Act::Draw => "draw",
            Act::DeclineDraw => "decline_draw",
            Act::Takeback => "takeback",
            Act::DeclineTakeback => "decline_takeback",
            Act::AddTime => "add_time",
            Act::Rematch => "rematch",
            Act::DeclineRematch => "decline_rematch",
        };
        json!({ "kind": kind })
    }
}

impl Life {
    pub(super) fn new(people: usize) -> Life {
        Life { people, challenges: Vec::new(), games: Vec::new(), gone: Vec::new() }
    }

    /// Something that somebody might do, sensible or not.
    pub(super) fn any_step(&self, rng: &mut Rng) -> Step {
        let who = rng.below(self.people);
        let challenge = match self.challenges.len() {
            0 => return self.any_challenge(who, rng),
            // Mostly one of the last.
            count => count - 1 - rng.below(count.min(4)),
        };
        match rng.below(20) {
            0 | 1 => self.any_challenge(who, rng),
            2..5 => Step::Accept { who, challenge },
            5 => Step::Decline { who, challenge },
            6 => Step::Cancel { who, challenge },
            _ => match self.any_game(rng) {
                Some(game) => self.any_act(game, rng),
                None => Step::Accept { who, challenge },
            },
        }
    }

    fn any_challenge(&self, who: usize, rng: &mut Rng) -> Step {
        let game = [Game::Impasse, Game::Colossus, Game::Colonnade][rng.below(3)];
        let other = (who + 1 + rng.below(self.people - 1)) % self.people;
        Step::Challenge { who, game, opponent: (rng.below(2) == 0).then_some(other) }
    }

    /// One of the last games.
    pub(super) fn any_game(&self, rng: &mut Rng) -> Option<usize> {
        let count = self.games.len();
        (count > 0).then(|| count - 1 - rng.below(count.min(3)))
    }

    pub(super) fn any_act(&self, game: usize, rng: &mut Rng) -> Step {
        let known = &self.games[game];
        let anyone = rng.below(self.people);
        let position = known.positions.last().expect("a position");
        let mover = known.players[position.side_to_move().index()];
        let mut who = if rng.below(4) == 0 { anyone } else { mover };
        let act = match rng.below(24) {
            0 => Act::Draw,
            1 => Act::DeclineDraw,
            2 => Act::Takeback,
            3 => Act::DeclineTakeback,
            4 => Act::AddTime,
            5 | 6 if known.end.is_some() => Act::Rematch,
            5 => Act::Rematch,
            7 => Act::DeclineRematch,
            8 if rng.below(4) == 0 => Act::Resign,
            9 if rng.below(4) == 0 => Act::Abort,
            10 => Act::Move { ply: known.moves.len() + 1, text: "a1".to_owned() },
            11 if !known.moves.is_empty() => {
                let text = known.moves.last().cloned().unwrap_or_default();
                Act::Move { ply: known.moves.len() - 1, text }
            }
            12 => Act::Move { ply: known.moves.len(), text: "nonsense".to_owned() },
            _ => {
                let moves = position.legal_moves();
                let text = moves.get(rng.below(moves.len().max(1))).cloned();
                Act::Move { ply: known.moves.len(), text: text.unwrap_or_default() }
            }
        };
        // Offers are answered by the other side now and then.
        if !matches!(act, Act::Move { .. }) {
            who = known.players[rng.below(2)];
        }
        Step::Act { who: if self.is_gone(game, who) { anyone } else { who }, game, act }
    }

    /// Whether a place in a game belongs to somebody who has left.
    fn is_gone(&self, game: usize, who: usize) -> bool {
        self.gone.iter().any(|(place, games)| *place == who && game < *games)
    }

    /// What comes of a step.
    pub(super) fn take(&mut self, step: &Step) -> Result<(), Refused> {
        match step {
            Step::Challenge { who, game, opponent } => {
                let open = |one: &&ModelChallenge| one.creator == *who && one.state == "open";
                if self.challenges.iter().filter(open).count() >= MAX_OPEN {
                    return Err("too_many_challenges");
                }
                let (creator, opponent, game) = (*who, *opponent, *game);
                self.challenges.push(ModelChallenge { creator, opponent, game, state: "open" });
                Ok(())
            }
            Step::Accept { who, challenge } => {
                let known = &mut self.challenges[*challenge];
                if known.creator == *who {
                    return Err("own_challenge");
                }
                if known.opponent.is_some_and(|opponent| opponent != *who) {
                    return Err("not_for_you");
                }
                known.close("accepted")?;
                let game = ModelGame::new(known.game, [known.creator, *who]);
                self.games.push(game);
                Ok(())
            }
            Step::Decline { who, challenge } => {
                let known = &mut self.challenges[*challenge];
                if known.opponent != Some(*who) {
                    return Err("not_for_you");
                }
                known.close("declined")
            }
            Step::Cancel { who, challenge } => {
                let known = &mut self.challenges[*challenge];
                if known.creator != *who {
                    return Err("not_yours");
                }
                known.close("cancelled")
            }
            Step::Act { who, game, act } => {
                if self.is_gone(*game, *who) {
                    return Err("not_yours");
                }
                let mut after = self.games[*game].clone();
                let next = after.act(*who, act)?;
                // Nobody plays a rematch against somebody who has left.
                if next.is_some() && after.players.iter().any(|other| self.is_gone(*game, *other)) {
                    return Err("bad_opponent");
                }
                self.games[*game] = after;
                self.games.extend(next);
                Ok(())
            }
        }
    }

    /// Somebody leaves: their games are resigned, their challenges closed.
    pub(super) fn leave(&mut self, who: usize) {
        for challenge in &mut self.challenges {
            if challenge.state == "open" && challenge.creator == who {
                challenge.state = "cancelled";
            } else if challenge.state == "open" && challenge.opponent == Some(who) {
                challenge.state = "declined";
            }
            // Whoever takes the place is somebody else.
            if challenge.creator == who {
                challenge.creator = usize::MAX;
            }
            if challenge.opponent == Some(who) {
                challenge.opponent = Some(usize::MAX);
            }
        }
        for game in 0..self.games.len() {
            if !self.is_gone(game, who) && self.games[game].players.contains(&who) {
                let _ = self.games[game].act(who, &Act::Resign);
            }
        }
        self.gone.push((who, self.games.len()));
    }
}

impl ModelChallenge {
    fn close(&mut self, state: &'static str) -> Result<(), Refused> {
        if self.state != "open" {
            return Err("gone");
        }
        self.state = state;
        Ok(())
    }
}

impl ModelGame {
    fn new(game: Game, players: [usize; 2]) -> ModelGame {
        ModelGame {
            players,
            positions: vec![game.start()],
            moves: Vec::new(),
            draw: None,
            takeback: None,
            rematch: None,
            asked: [[0; 3]; 2],
            version: 0,
            end: None,
            has_next: false,
        }
    }

    fn position(&self) -> &AnyPosition {
        self.positions.last().expect("a position")
    }

    /// What comes of an action: perhaps another game.
    fn act(&mut self, who: usize, act: &Act) -> Result<Option<ModelGame>, Refused> {
        let side = self.players.iter().position(|player| *player == who).ok_or("not_yours")?;
        let side = Side::BOTH[side];
        if let Act::Move { ply, text } = act {
            return self.play(side, *ply, text).map(|()| None);
        }
        let is_after = matches!(act, Act::Rematch | Act::DeclineRematch);
        match self.end {
            None if is_after => return Err("not_over"),
            Some(_) if !is_after => return Err("game_over"),
            Some(_) if self.has_next => return Err("has_rematch"),
            _ => {}
        }
        let mut next = None;
        match act {
            Act::Move { .. } => {}
            Act::Resign => self.finish(Some(side.other()), "resigned"),
            Act::Abort if self.moves.len() >= 2 => return Err("too_late_to_abort"),
            Act::Abort => self.finish(None, "aborted"),
            Act::AddTime => return Err("no_clock"),
            Act::Draw if !self.position().game().info().draws => return Err("no_draws"),
            Act::Draw => {
                if ask(&mut self.draw, side, &mut self.asked[side.index()][0])? {
                    self.finish(None, "agreed");
                }
            }
            Act::Takeback => {
                let mover = self.takeback.unwrap_or(side);
                let asked = &mut self.asked[side.index()][1];
                if self.takeback.is_none() && *asked >= MAX_ASKED {
                    return Err("asked_enough");
                }
                let mut plies = (0..self.moves.len()).rev();
                let last = plies.find(|ply| self.positions[*ply].side_to_move() == mover);
                if self.takeback != Some(side) {
                    last.ok_or("nothing_to_take_back")?;
                }
                if ask(&mut self.takeback, side, asked)? {
                    let ply = last.unwrap_or(0);
                    self.moves.truncate(ply);
                    self.positions.truncate(ply + 1);
                    self.forget_offers();
                }
            }
            Act::Rematch => {
                if ask(&mut self.rematch, side, &mut self.asked[side.index()][2])? {
                    self.has_next = true;
                    let [first, second] = self.players;
                    next = Some(ModelGame::new(self.position().game(), [second, first]));
                }
            }
            Act::DeclineDraw => {
                self.draw = self.draw.take().map(|_| None).ok_or("nothing_asked")?
            }
            Act::DeclineTakeback => {
                self.takeback = self.takeback.take().map(|_| None).ok_or("nothing_asked")?;
            }
            Act::DeclineRematch => {
                self.rematch = self.rematch.take().map(|_| None).ok_or("nothing_asked")?;
            }
        }
        self.version += 1;
        Ok(next)
    }

    fn play(&mut self, side: Side, ply: usize, text: &str) -> Result<(), Refused> {
        if ply < self.moves.len() {
            let was_mine = self.positions[ply].side_to_move() == side;
            if was_mine && self.moves[ply] == text {
                return Ok(());
            }
            return Err(if self.end.is_some() { "game_over" } else { "wrong_ply" });
        }
        if self.end.is_some() {
            return Err("game_over");
        }
        if ply != self.moves.len() {
            return Err("wrong_ply");
        }
        let mut position = self.position().clone();
        if position.side_to_move() != side {
            return Err("not_your_turn");
        }
        let text = position.play(text).map_err(|_| "illegal_move")?;
        if let Some(outcome) = position.outcome() {
            self.end = Some((outcome.winner, outcome.reason.word()));
        }
        self.moves.push(text);
        self.positions.push(position);
        self.takeback = None;
        self.draw = self.draw.filter(|by| *by == side);
        self.asked = [[0; 3]; 2];
        self.version += 1;
        Ok(())
    }

    fn finish(&mut self, winner: Option<Side>, reason: &'static str) {
        self.end = Some((winner, reason));
        (self.draw, self.takeback, self.rematch) = (None, None, None);
    }

    fn forget_offers(&mut self) {
        (self.draw, self.takeback, self.rematch) = (None, None, None);
        self.asked = [[0; 3]; 2];
    }

    /// Whether the server says the same.
    pub(super) fn is(&self, view: &Value) -> bool {
        let end = self.end.map(|(winner, reason)| json!({ "winner": winner, "reason": reason }));
        let turn = self.end.is_none().then(|| self.position().side_to_move());
        let rematch = self.rematch.filter(|_| !self.has_next);
        let offers = json!({ "draw": self.draw, "takeback": self.takeback, "rematch": rematch });
        view["moves"] == json!(self.moves)
            && view["position"] == self.position().text()
            && view["offers"] == offers
            && view["result"] == json!(end)
            && view["turn"] == json!(turn)
            && view["version"] == self.version
            && view["next"].is_string() == self.has_next
    }
}

/// Asks for something, or agrees to it; true if both agree.
fn ask(offer: &mut Option<Side>, side: Side, asked: &mut usize) -> Result<bool, Refused> {
    match *offer {
        None if *asked >= MAX_ASKED => Err("asked_enough"),
        None => {
            *offer = Some(side);
            *asked += 1;
            Ok(false)
        }
        Some(by) if by == side => Err("already_asked"),
        Some(_) => Ok(true),
    }
}
