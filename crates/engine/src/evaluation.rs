//! Which evaluation an engine judges positions with: the hand-made terms or a learned network.

use std::fmt;
use std::sync::Arc;

use stoa_rules::Game;

use crate::games::{KnowledgeVisitor, visit};
use crate::net::{Accumulators, Net, NetError};
use crate::policy::{PolicyNet, PolicyState, is_policy_file};
use crate::{Evaluator, Knowledge, Strategy, Weights, WeightsError};

/// A choice of evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EvaluationChoice {
    /// The network that comes with the engine where there is one, otherwise the hand-made terms.
    #[default]
    Best,
    /// The hand-made terms with the game's weights.
    Terms,
    /// The hand-made terms with these weights, as text.
    Weights(String),
    /// The network that comes with the engine.
    Net,
    /// A network of one's own.
    NetFile {
        /// The name of its file.
        name: String,
        /// The bytes of its file.
        bytes: Arc<[u8]>,
    },
}

impl EvaluationChoice {
    /// Whether an engine of a game can judge positions with it.
    pub fn check(&self, game: Game) -> Result<(), EvaluationError> {
        struct Check<'a>(Game, &'a EvaluationChoice);
        impl KnowledgeVisitor for Check<'_> {
            type Output = Result<(), EvaluationError>;
            fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
                Evaluation::new::<P>(self.0, options, self.1).map(drop)
            }
        }
        visit(game, Check(game, self))
    }
}

/// Why an engine cannot judge positions as it was asked to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// The weights are not the game's.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The network cannot be used.
    #[error(transparent)]
    Net(#[from] NetError),
    /// No network comes with the engine.
    #[error(
        "no network for {0} comes with this engine; use evaluation=terms or the file of a network"
    )]
    NoNet(Game),
}

/// An evaluation that is ready for use.
#[derive(Debug, Clone)]
pub enum Evaluation {
    /// A sum of terms.
    Terms(Box<Weights>),
    /// A network.
    Net(Arc<Net>),
    /// A policy network.
    Policy(Arc<PolicyNet>),
}

/// What an evaluation keeps from one position to the next.
pub enum EvaluationState {
    /// Terms are counted anew.
    Terms,
    /// A network's accumulators are brought up to date.
    Net(Box<Accumulators>),
    /// A policy network has room to compute in.
    Policy(Box<PolicyState>),
}

impl Evaluation {
    /// The evaluation of a choice.
    pub fn new<P: Knowledge>(
        game: Game,
        options: P::Options,
        choice: &EvaluationChoice,
    ) -> Result<Evaluation, EvaluationError> {
        let terms = || Evaluation::Terms(Box::new(Weights::of::<P>(options)));
        let read = |bytes: &[u8]| match is_policy_file(bytes) {
            true => PolicyNet::read::<P>(bytes, game).map(Arc::new).map(Evaluation::Policy),
            false => Net::read::<P>(bytes, game, options).map(Arc::new).map(Evaluation::Net),
        };
        match choice {
            EvaluationChoice::Best => Ok(P::net(options).map_or_else(|| Ok(terms()), read)?),
            EvaluationChoice::Terms => Ok(terms()),
            EvaluationChoice::Weights(text) => {
                Ok(Evaluation::Terms(Box::new(Weights::parse::<P>(text)?)))
            }
            EvaluationChoice::Net => {
                Ok(read(P::net(options).ok_or(EvaluationError::NoNet(game))?)?)
            }
            EvaluationChoice::NetFile { bytes, .. } => Ok(read(bytes)?),
        }
    }
}

impl Evaluation {
    /// The evaluation of a choice for a search by this strategy. A policy network guides a tree search; alpha-beta
    /// asks for more judgements than it can give, and takes the terms where nobody has chosen otherwise.
    pub(crate) fn for_strategy<P: Knowledge>(
        game: Game,
        options: P::Options,
        choice: &EvaluationChoice,
        strategy: Strategy,
    ) -> Result<Evaluation, EvaluationError> {
        let has_use = P::GRID_PLANES == 0 || strategy == Strategy::Mcts;
        let choice = match choice {
            EvaluationChoice::Best if !has_use => &EvaluationChoice::Terms,
            choice => choice,
        };
        Evaluation::new::<P>(game, options, choice)
    }

    /// What it is, so that it can be told from others: the checksum of the network, or of the terms' weights.
    pub(crate) fn identity<P: Knowledge>(&self) -> String {
        match self {
            Evaluation::Terms(weights) => format!("terms {:08x}", weights.checksum::<P>()),
            _ => format!("network {:08x}", self.checksum()),
        }
    }

    /// The checksum of the network, 0 for terms.
    pub(crate) fn checksum(&self) -> u32 {
        match self {
            Evaluation::Terms(_) => 0,
            Evaluation::Net(net) => net.header().checksum,
            Evaluation::Policy(net) => net.header().checksum,
        }
    }
}

impl fmt::Display for EvaluationChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EvaluationChoice::Best => "best",
            EvaluationChoice::Terms => "terms",
            EvaluationChoice::Weights(_) => "weights",
            EvaluationChoice::Net => "net",
            EvaluationChoice::NetFile { name, .. } => name,
        })
    }
}

impl<P: Knowledge> Evaluator<P> for Evaluation {
    type State = EvaluationState;

    fn state(&self) -> EvaluationState {
        match self {
            Evaluation::Terms(_) => EvaluationState::Terms,
            Evaluation::Net(net) => EvaluationState::Net(Box::new(Evaluator::<P>::state(net))),
            Evaluation::Policy(net) => EvaluationState::Policy(Box::new(net.room())),
        }
    }

    #[inline]
    fn evaluate(&self, position: &P, state: &mut EvaluationState) -> i32 {
        match (self, state) {
            (Evaluation::Terms(weights), _) => weights.evaluate(position, &mut ()),
            (Evaluation::Net(net), EvaluationState::Net(accumulators)) => {
                net.evaluate(position, accumulators)
            }
            (Evaluation::Policy(net), EvaluationState::Policy(state)) => {
                net.evaluate(position, state)
            }
            // States of another evaluation, which no search has.
            (Evaluation::Net(net), _) => net.evaluate(position, &mut Evaluator::<P>::state(net)),
            (Evaluation::Policy(net), _) => net.evaluate(position, &mut net.room()),
        }
    }
}
