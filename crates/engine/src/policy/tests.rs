//! Policy networks against a plain computation, against damage, and in the search.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use stoa_rules::playout::Rng;
use stoa_rules::{Game, Position as _, Symmetry as _, impasse, palisade};

use super::*;
use crate::crew::tests::{LateHelper, Words};
use crate::crew::{Crew, Role, SharedWords, words_for};
use crate::games::{KnowledgeVisitor, visit};
use crate::net::{MAX_NET_BYTES, crc32};
use crate::{
    Engine, EvaluationChoice, EvaluationError, Limits, NetError, Settings, Stop, TreeSearchOptions,
};

fn board(side: u8) -> palisade::Size {
    palisade::Size::new(side).unwrap()
}

/// Random weights for a network, as the bytes of a file.
pub(crate) fn random_file(channels: usize, blocks: usize, rng: &mut Rng) -> Vec<u8> {
    let mut body = Vec::new();
    let mut weights = |body: &mut Vec<u8>, count: usize, most: usize| {
        for _ in 0..count {
            let weight = rng.below(2 * most + 1) as i32 - most as i32;
            body.extend((weight as i16).to_le_bytes());
        }
    };
    let biases = |body: &mut Vec<u8>, count: usize, most: i32| {
        for number in 0..count as i32 {
            body.extend(((number * 7919) % (2 * most) - most).to_le_bytes());
        }
    };
    weights(&mut body, 9 * PLANES * channels, 700);
    biases(&mut body, channels, 100_000);
    for _ in 0..blocks {
        weights(&mut body, 9 * channels * channels, 250);
        biases(&mut body, channels, 100_000);
        weights(&mut body, channels * channels, 100);
        weights(&mut body, 9 * channels * channels, 100);
        biases(&mut body, channels, 100_000);
    }
    weights(&mut body, channels, 500);
    weights(&mut body, VALUE_UNITS * 3 * channels, 200);
    biases(&mut body, VALUE_UNITS, 1_000_000);
    weights(&mut body, VALUE_UNITS, 500);
    biases(&mut body, 1, 50_000);
    let header = format!(
        "stoa-policy 1\ngame: palisade\nchannels: {channels}\nblocks: {blocks}\nmade: by a test\n\
         checksum: {:08x}\n\n",
        crc32(&body)
    );
    [header.into_bytes(), body].concat()
}

fn read(bytes: &[u8]) -> Result<PolicyNet, NetError> {
    PolicyNet::read::<palisade::Position>(bytes, Game::Palisade(board(9)))
}

/// The numbers of a file, computed with one after the other as the module says.
struct Slow<'a> {
    body: &'a [u8],
    channels: usize,
    blocks: usize,
}

impl Slow<'_> {
    fn weights(&mut self, count: usize) -> Vec<i64> {
        let (now, later) = self.body.split_at(2 * count);
        self.body = later;
        now.chunks(2).map(|two| i16::from_le_bytes([two[0], two[1]]).into()).collect()
    }

    fn biases(&mut self, count: usize) -> Vec<i64> {
        let (now, later) = self.body.split_at(4 * count);
        self.body = later;
        let four = |four: &[u8]| i32::from_le_bytes([four[0], four[1], four[2], four[3]]).into();
        now.chunks(4).map(four).collect()
    }

    /// The sums of a convolution, by cell and channel.
    fn convolution(&mut self, seen: &[Vec<i64>], side: usize) -> Vec<Vec<i64>> {
        let (inputs, outputs) = (seen[0].len(), self.channels);
        let (weights, biases) = (self.weights(9 * inputs * outputs), self.biases(outputs));
        let cells = 0..side * side;
        let sum = |cell: usize, output: usize| {
            let (rank, file) = ((cell / side) as isize, (cell % side) as isize);
            let mut sum = biases[output];
            for tap in 0..9 {
                let (rank, file) = (rank + tap / 3 - 1, file + tap % 3 - 1);
                let on_board = |at: isize| (0..side as isize).contains(&at);
                if on_board(rank) && on_board(file) {
                    let from = &seen[rank as usize * side + file as usize];
                    let row = &weights[(tap as usize * outputs + output) * inputs..][..inputs];
                    sum += from.iter().zip(row).map(|(x, w)| x * w).sum::<i64>();
                }
            }
            sum
        };
        cells.map(|cell| (0..outputs).map(|output| sum(cell, output)).collect()).collect()
    }

    fn judge(mut self, grid: &[u16], side: usize) -> Judgement {
        let clamp = |value: i64| value.clamp(0, MAX_ACTIVATION.into());
        let rounded = |sum: i64| (sum + 512).div_euclid(1024);
        let planes: Vec<Vec<i64>> = grid
            .iter()
            .map(|bits| (0..PLANES).map(|plane| i64::from(bits >> plane & 1) * 256).collect())
            .collect();
        let mut stream = self.convolution(&planes, side);
        stream.iter_mut().flatten().for_each(|value| *value = clamp(rounded(*value)));
        for _ in 0..self.blocks {
            let mut inner = self.convolution(&stream, side);
            let pool = self.weights(self.channels * self.channels);
            let means: Vec<i64> = (0..self.channels)
                .map(|channel| {
                    let sum: i64 = stream.iter().map(|cell| cell[channel]).sum();
                    sum / (side * side) as i64
                })
                .collect();
            for cell in &mut inner {
                for (value, row) in cell.iter_mut().zip(pool.chunks(self.channels)) {
                    let whole: i64 = row.iter().zip(&means).map(|(w, x)| w * x).sum();
                    *value = clamp(rounded(*value + whole));
                }
            }
            let added = self.convolution(&inner, side);
            for (value, sum) in stream.iter_mut().flatten().zip(added.iter().flatten()) {
                *value = clamp(*value + rounded(*sum));
            }
        }
        let policy = self.weights(self.channels);
        let policy = stream
            .iter()
            .map(|cell| cell.iter().zip(&policy).map(|(x, w)| x * w).sum::<i64>() as i32);
        let policy = policy.collect();
        let means: Vec<i64> = (0..self.channels)
            .map(|channel| {
                8 * stream.iter().map(|cell| cell[channel]).sum::<i64>() / (side * side) as i64
            })
            .collect();
        let by_size = means.iter().map(|mean| mean * (side as i64 - 9) / 8);
        let most = (0..self.channels)
            .map(|channel| 8 * stream.iter().map(|cell| cell[channel]).max().unwrap());
        let seen: Vec<i64> = means.iter().copied().chain(by_size).chain(most).collect();
        let weights = self.weights(VALUE_UNITS * seen.len());
        let biases = self.biases(VALUE_UNITS);
        let units = weights.chunks(seen.len()).zip(biases).map(|(row, bias)| {
            clamp((row.iter().zip(&seen).map(|(w, x)| w * x).sum::<i64>() + bias) / 8192)
        });
        let units: Vec<i64> = units.collect();
        let output = self.weights(VALUE_UNITS);
        let sum: i64 = units.iter().zip(output).map(|(x, w)| x * w).sum();
        Judgement { policy, value: (sum + self.biases(1)[0]) as i32 }
    }
}

/// Every set of instructions gives what the plain computation gives, on boards of all sizes one after the other.
#[test]
fn all_kernels_equal_a_plain_computation() {
    let mut rng = Rng::new(0x9017);
    for (channels, blocks) in [(32, 2), (64, 1)] {
        let file = random_file(channels, blocks, &mut rng);
        let body = file.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
        let net = read(&file).unwrap();
        let mut state = net.room();
        for side in [19, 3, 9, 13, 5, 7] {
            let mut position = palisade::Position::start(board(side));
            for _ in 0..rng.below(usize::from(side).pow(2) / 2) {
                let mv = position.nth_move(rng.below(position.count_moves()));
                position.play_unchecked(mv.unwrap());
            }
            let mut grid: Grid = [0; MAX_CELLS];
            let side = position.grid(&mut grid);
            let slow = Slow { body: &file[body..], channels, blocks };
            let expected = slow.judge(&grid[..side * side], side);
            assert_eq!(*net.judge(&position, 0, &mut state), expected, "{position:?}");
            net.judge_with::<kernel::Plain>(side, 0, &mut state);
            assert_eq!(state.judgement, expected, "plain, {position:?}");
            #[cfg(target_arch = "x86_64")]
            {
                net.judge_with::<kernel::Sse2>(side, 0, &mut state);
                assert_eq!(state.judgement, expected, "SSE2, {position:?}");
            }
            assert!(
                expected.policy.iter().any(|&logit| logit != expected.policy[0]),
                "weights that tell no cells apart test nothing"
            );
        }
    }
}

/// A position through a symmetry is judged as the position that the rules' symmetry makes.
#[test]
fn symmetries_are_those_of_the_rules() {
    let mut rng = Rng::new(3);
    let net = read(&random_file(32, 1, &mut rng)).unwrap();
    let (mut state, mut other) = (net.room(), net.room());
    let mut position = palisade::Position::start(board(7));
    while position.outcome().is_none() {
        for symmetry in 0..GRID_SYMMETRIES {
            // Exchanging files and ranks comes last there and first here, so two symmetries swap.
            let seen = (0..GRID_SYMMETRIES)
                .find(|&other| {
                    (0..49)
                        .all(|cell| transformed(transformed(cell, 7, symmetry), 7, other) == cell)
                })
                .unwrap();
            let turned = position.transform(symmetry);
            let expected = net.judge(&turned, 0, &mut other).clone();
            let found = net.judge(&position, seen, &mut state);
            assert_eq!(found.value, expected.value, "{position:?} {symmetry}");
            for mv in position.legal_moves() {
                let there = turned.grid_cell(position.transform_move(mv, symmetry));
                let here = position.grid_cell(mv);
                assert_eq!(found.policy[here], expected.policy[there], "{position:?} {symmetry}");
            }
        }
        position.play_unchecked(position.nth_move(rng.below(position.count_moves())).unwrap());
    }
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let sound = random_file(32, 1, &mut Rng::new(9));
    let refused = |bytes: &[u8]| read(bytes).expect_err("no network").to_string();
    read(&sound).unwrap();
    assert!(refused(b"").starts_with("this is not a network file"));
    assert!(refused(b"stoa-policy 12\n\n").starts_with("this is not a network file"));
    assert!(refused(b"stoa-policy 1\ngame: palisade").contains("no empty line ends it"));
    let mut huge = sound.clone();
    huge.resize(MAX_NET_BYTES + 1, 0);
    assert!(refused(&huge).contains("no network has more than"));
    assert!(refused(&sound[..sound.len() - 1]).contains("it should have"));
    let mut flipped = sound.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert!(refused(&flipped).contains("its checksum is"));
    let changed = |from: &str, to: &str| {
        let body = sound.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
        let text = String::from_utf8_lossy(&sound[..body]).replace(from, to);
        [text.as_bytes(), &sound[body..]].concat()
    };
    let message = refused(&changed("game: palisade", "game: impasse"));
    assert_eq!(message, "this network is for impasse, not for palisade");
    assert!(refused(&changed("channels: 32", "channels: 33")).contains("a multiple of 32"));
    assert!(refused(&changed("channels: 32", "channels: 9999")).contains("from 1 to"));
    assert!(refused(&changed("blocks: 1", "blocks: NaN")).contains("from 1 to"));
    assert!(refused(&changed("checksum", "check")).contains("eight hexadecimal digits"));
    let error = PolicyNet::read::<impasse::Position>(&sound, Game::Impasse).unwrap_err();
    assert_eq!(error.to_string(), "impasse is not played with a network of this kind");
    let choice = EvaluationChoice::NetFile { name: "x".to_owned(), bytes: sound.into() };
    let settings = Settings { evaluation: choice, ..Settings::default() };
    let error = Engine::new(Game::Colossus, settings).err().expect("no network for Colossus");
    assert_eq!(error, EvaluationError::Net(NetError::NoNets("colossus".to_owned())));
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let mut file = random_file(32, 1, &mut Rng::new(2));
    let body = file.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
    file[body..body + 2].copy_from_slice(&(MAX_POLICY_WEIGHT + 1).to_le_bytes());
    let checksum = format!("{:08x}", crc32(&file[body..]));
    file[body - 10..body - 2].copy_from_slice(checksum.as_bytes());
    assert_eq!(read(&file).unwrap_err(), NetError::Overflow("convolutions"));
}

#[test]
fn networks_that_come_with_the_engine_are_sound() {
    struct Shipped(Game);
    impl KnowledgeVisitor for Shipped {
        type Output = Option<Result<PolicyNet, NetError>>;
        fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
            let bytes = P::net(options).filter(|bytes| is_policy_file(bytes));
            bytes.map(|bytes| PolicyNet::read::<P>(bytes, self.0))
        }
    }
    for game in Game::variants() {
        if let Some(read) = visit(game, Shipped(game)) {
            let net = read.unwrap_or_else(|error| panic!("{game}: {error}"));
            assert!(!net.header().made.is_empty(), "{game}: how was it made?");
        }
    }
}

#[test]
fn exponentials_are_close() {
    for step in 0..4_000 {
        let x = -(step as f32) / 100.0;
        let (found, exact) = (f64::from(exp(x)), f64::from(x).exp());
        assert!((found / exact - 1.0).abs() < 4e-6, "exp({x}) is {found}, not {exact}");
    }
    assert_eq!(exp(0.0), 1.0);
    assert!(exp(-1e9) < 1e-29);
}

/// A search that random weights guide plays legal moves, is the same every time, keeps to its memory, and proves
/// what it comes across.
#[test]
fn guided_searches_are_sound() {
    let file: std::sync::Arc<[u8]> = random_file(32, 1, &mut Rng::new(5)).into();
    let engine = |size: u8, threads| {
        let choice = EvaluationChoice::NetFile { name: "x".to_owned(), bytes: file.clone() };
        let settings = Settings { evaluation: choice, threads, table: 1, ..Settings::default() };
        Engine::new(Game::Palisade(board(size)), settings).unwrap()
    };
    let think = |engine: &mut Engine, text: &str, playouts| {
        let limits = Limits { playouts: Some(playouts), ..Limits::default() };
        let position = engine.game().position(text).unwrap();
        engine.think(&position, &limits, &Stop::new(), &mut |_| {})
    };
    let solved = think(&mut engine(3, 1), "3/3/3 b", 50_000);
    assert!(solved.score().unwrap().is_proven(), "{solved:?}");
    for threads in [1, 3] {
        let text = "7/7/7/3b3/7/7/7 w";
        let thought = think(&mut engine(7, threads), text, 400);
        let position = Game::Palisade(board(7)).position(text).unwrap();
        assert!(position.legal_moves().iter().any(|mv| Some(mv.as_str()) == thought.best()));
        assert!(thought.nodes >= 400, "{thought:?}");
        if threads == 1 {
            let again = think(&mut engine(7, threads), text, 400);
            assert_eq!((thought.lines, thought.depth), (again.lines, again.depth));
        }
    }
    // After a single judgement the most likely move is chosen, which is also what the second one looks at.
    let text = "7/7/7/3b3/7/7/7 w";
    let (first, second) = (think(&mut engine(7, 1), text, 1), think(&mut engine(7, 1), text, 2));
    assert_eq!(first.best(), second.best());
    assert_ne!(first.score().unwrap(), crate::Score::EVEN);
    // One more move loses at once, and a loop that captures decides: the search sees both.
    let mut guided = engine(5, 1);
    let found = think(&mut guided, "5/2w2/1w3/1bwb1/2b2 b", 3_000);
    let mut terms = Engine::new(Game::Palisade(board(5)), Settings::default()).unwrap();
    let known = think(&mut terms, "5/2w2/1w3/1bwb1/2b2 b", 3_000);
    assert_eq!(found.best(), known.best());
}

#[test]
fn a_guided_tree_keeps_to_its_memory() {
    let net = read(&random_file(32, 1, &mut Rng::new(6))).unwrap();
    let mut state = net.room();
    let position = palisade::Position::start(board(9));
    let max_bytes = 64 << 10;
    let mut tree = crate::mcts::Tree::new(max_bytes);
    tree.begin(&position, TreeSearchOptions::GUIDED);
    for _ in 0..2_000 {
        tree.recycle(|| false);
        if let Some(leaf) = tree.descend(1) {
            let judgement = net.judge(leaf.position(), 0, &mut state);
            tree.settle(leaf, judgement);
        }
    }
    assert_eq!(tree.root_visits(), 2_000);
    assert!(tree.bytes() <= max_bytes, "{} bytes", tree.bytes());
}

/// Threads that share a tree look at different leaves and leave nothing behind.
#[test]
fn threads_share_a_guided_tree() {
    let net = read(&random_file(32, 1, &mut Rng::new(7))).unwrap();
    let mut state = net.room();
    let position = palisade::Position::start(board(7));
    let mut tree = crate::mcts::Tree::new(1 << 20);
    tree.begin(&position, TreeSearchOptions::GUIDED);
    let mut judge = |tree: &mut crate::mcts::Tree<_>, leaf: crate::mcts::Leaf<_>| {
        let judgement = net.judge(leaf.position(), 0, &mut state).clone();
        tree.settle(leaf, &judgement);
    };
    let root = tree.descend(1).unwrap();
    // Whoever comes before the root is expanded waits there, too, and expands it only once.
    let again = tree.descend(1).unwrap();
    judge(&mut tree, root);
    judge(&mut tree, again);
    assert_eq!(tree.root_moves().len(), position.count_moves());
    let leaves: Vec<_> = (0..8).map(|_| tree.descend(1).unwrap()).collect();
    let mut seen: Vec<_> = leaves.iter().map(|leaf| leaf.position().key()).collect();
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 1, "all threads look at the same move");
    for leaf in leaves {
        judge(&mut tree, leaf);
    }
    assert_eq!((tree.root_visits(), tree.pending()), (10, 0));

    let search = |threads, played| {
        let limits = Limits { playouts: Some(played), ..Limits::default() };
        let weights = crate::Weights::of::<palisade::Position>(board(7));
        let search = crate::mcts::Search {
            position: &position,
            evaluator: &weights,
            guide: Some(&net),
            options: TreeSearchOptions::GUIDED,
            oversight: crate::level::Oversight::default(),
            limits: &limits,
            lines: 1,
            threads,
            crew: None,
            stop: &Stop::new(),
            timer: crate::Timer::with(crate::system_now),
        };
        let mut trees = [crate::mcts::Tree::new(1 << 20)];
        let (_, _, total) = search.run(&mut trees, &mut |_| {});
        assert_eq!((trees[0].pending(), u64::from(trees[0].root_visits())), (0, total));
        total
    };
    assert_eq!(search(1, 300), 300);
    // Threads that are judging when the last playout is counted still settle theirs.
    let total = search(4, 300);
    assert!((300..304).contains(&total), "{total} playouts");
}

/// Engines that share nothing but some words with the leader judge leaves for it, and say what it would say itself.
#[test]
fn helpers_judge_leaves_of_the_leader() {
    let net = read(&random_file(32, 1, &mut Rng::new(7))).unwrap();
    let position = palisade::Position::start(board(7));
    let words: Arc<dyn SharedWords> = Arc::new(Words::new(words_for(0)));
    let search = |role, stop: &Stop, playouts| {
        let limits = Limits { playouts, ..Limits::default() };
        let weights = crate::Weights::of::<palisade::Position>(board(7));
        let search = crate::mcts::Search {
            position: &position,
            evaluator: &weights,
            guide: Some(&net),
            options: TreeSearchOptions::GUIDED,
            oversight: crate::level::Oversight::default(),
            limits: &limits,
            lines: 1,
            threads: 1,
            crew: Some(&Crew::new(Arc::clone(&words), role).unwrap()),
            stop,
            timer: crate::Timer::with(crate::system_now),
        };
        let mut trees = [crate::mcts::Tree::new(1 << 22)];
        let (found, _, total) = search.run(&mut trees, &mut |_| {});
        assert_eq!(trees[0].pending(), 0);
        if role == Role::Leader {
            assert_eq!(u64::from(trees[0].root_visits()), total);
        }
        (found, total)
    };
    let (stop, never) = (Stop::new(), Stop::new());
    std::thread::scope(|scope| {
        let help = |number| search(Role::Helper(number), &stop, None);
        let helpers = [0, 1].map(|number| scope.spawn(move || help(number)));
        // Until the helpers are there the leader searches alone.
        let leader = Crew::new(words.clone(), Role::Leader).unwrap();
        while [0, 2].iter().any(|&n| !leader.is_ready(n)) {
            std::thread::yield_now();
        }
        let (found, total) = search(Role::Leader, &never, Some(2_000));
        stop.stop();
        assert!(position.is_legal(found[0].line[0]));
        assert!((2_000..2_005).contains(&total), "{total} playouts");
        for helper in helpers {
            let (found, judged) = helper.join().unwrap();
            assert!(found.is_empty());
            assert!(judged > 0 && judged < total, "{judged} judged by a helper");
        }
    });
    // Helpers that have gone leave it to do everything itself, as it does without a crew.
    let (alone, total) = search(Role::Leader, &never, Some(500));
    assert_eq!((total, alone.len()), (500, 1));
}

#[test]
#[should_panic(expected = "a game without a grid")]
fn games_without_a_grid_are_not_judged() {
    let net = read(&random_file(32, 1, &mut Rng::new(7))).unwrap();
    net.judge(&impasse::Position::start(()), 0, &mut net.room());
}

#[test]
#[should_panic(expected = "no boards of 0 × 0")]
fn boards_without_cells_are_not_judged() {
    let net = read(&random_file(32, 1, &mut Rng::new(7))).unwrap();
    net.judge_cells(&[], 0, &mut net.room());
}

/// Searches of a position that a network with random weights guides.
struct Searches {
    net: PolicyNet,
    position: palisade::Position,
    weights: crate::Weights,
    words: Arc<dyn SharedWords>,
    options: TreeSearchOptions,
}

impl Searches {
    fn of(position: palisade::Position) -> Searches {
        Searches {
            net: read(&random_file(32, 1, &mut Rng::new(7))).unwrap(),
            position,
            weights: crate::Weights::of::<palisade::Position>(position.size()),
            words: Arc::new(Words::new(words_for(0))),
            options: TreeSearchOptions::GUIDED,
        }
    }

    /// Searches in a tree of so many bytes. Returns the tree, the reported depth and how many simulations there were.
    fn run(
        &self,
        limits: &Limits,
        bytes: usize,
        threads: usize,
        role: Option<Role>,
        stop: &Stop,
    ) -> (crate::mcts::Tree<palisade::Position>, u32, u64) {
        let crew = role.and_then(|role| Crew::new(Arc::clone(&self.words), role));
        let search = crate::mcts::Search {
            position: &self.position,
            evaluator: &self.weights,
            guide: Some(&self.net),
            options: self.options,
            oversight: crate::level::Oversight::default(),
            limits,
            lines: 1,
            threads,
            crew: crew.as_ref(),
            stop,
            timer: crate::Timer::with(crate::system_now),
        };
        let mut trees = [crate::mcts::Tree::new(bytes)];
        let (_, depth, total) = search.run(&mut trees, &mut |_| {});
        let [tree] = trees;
        (tree, depth, total)
    }

    /// The same with a helper of its own.
    fn run_with_helper(
        &self,
        limits: &Limits,
        bytes: usize,
    ) -> (crate::mcts::Tree<palisade::Position>, u64) {
        let (stop, never) = (Stop::new(), Stop::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                self.run(&Limits::default(), 1 << 20, 1, Some(Role::Helper(0)), &stop);
            });
            let _stops = crate::limits::StopOnDrop(&stop);
            let leader = Crew::new(Arc::clone(&self.words), Role::Leader).unwrap();
            while !leader.is_ready(0) {
                std::thread::yield_now();
            }
            let (tree, _, total) = self.run(limits, bytes, 1, Some(Role::Leader), &never);
            (tree, total)
        })
    }
}

/// Also with threads and with helpers a search whose tree is full proves what takes many times as many nodes.
#[test]
fn full_trees_are_no_obstacle() {
    let searches = Searches::of(palisade::Position::start(board(3)));
    let limits = Limits { playouts: Some(500_000), ..Limits::default() };
    let bytes = 16 << 10;
    let never = Stop::new();
    let check = |(tree, total): (crate::mcts::Tree<palisade::Position>, u64)| {
        assert!(tree.is_settled(1), "nothing is proven after {total} simulations");
        assert!(tree.recyclings() > 2, "it was never full");
        assert_eq!(tree.pending(), 0);
        assert!(tree.bytes() <= bytes / 3 * 2, "{} bytes", tree.bytes());
    };
    for threads in [1, 4] {
        let (tree, _, total) = searches.run(&limits, bytes, threads, None, &never);
        check((tree, total));
    }
    check(searches.run_with_helper(&limits, bytes));
}

/// Simulations that end at a known result take no time, so a helper is not late because there were many of them.
#[test]
fn the_leader_waits_for_helpers_as_long_as_it_judges() {
    let helper = Arc::new(LateHelper::new());
    let words: Arc<dyn SharedWords> = helper.clone();
    let searches = Searches { words, ..Searches::of(palisade::Position::start(board(3))) };
    let leader = Some(Role::Leader);
    let (tree, ..) = searches.run(&Limits::default(), 1 << 22, 1, leader, &Stop::new());
    assert!(tree.is_settled(1));
    assert!(helper.taken.load(Ordering::Relaxed) > 0, "all answers came too late");
}

/// At a depth of one turn every move of the root has been judged, and the value of a single move is searched for.
#[test]
fn a_depth_of_one_is_complete() {
    let searches = Searches::of(palisade::Position::start(board(9)));
    for threads in [1, 3] {
        let (tree, depth, total) =
            searches.run(&Limits::depth(1), 1 << 22, threads, None, &Stop::new());
        assert!(depth >= 1);
        assert_eq!(tree.root_moves().len(), searches.position.count_moves());
        assert!(tree.root_moves().iter().all(|&(_, visits)| visits > 0), "{total} simulations");
        assert!(total < 100, "{total} simulations");
    }
}

/// A limit of depth says that the value is wanted, also that of a single move.
#[test]
fn a_single_move_is_searched_where_its_value_is_wanted() {
    let mut rng = Rng::new(11);
    let single = (0..10_000).find_map(|_| {
        let mut position = palisade::Position::start(board(5));
        while position.outcome().is_none() && position.count_moves() > 1 {
            position.play_unchecked(position.nth_move(rng.below(position.count_moves())).unwrap());
        }
        position.outcome().is_none().then_some(position)
    });
    let Some(position) = single else { panic!("no position with a single move") };
    // So near the end it would be proven soon.
    let options = TreeSearchOptions { solver: false, ..TreeSearchOptions::GUIDED };
    let searches = Searches { options, ..Searches::of(position) };
    let total = |depth| {
        let limits = Limits { playouts: Some(1_000), depth, ..Limits::default() };
        searches.run(&limits, 1 << 22, 1, None, &Stop::new()).2
    };
    assert_eq!((total(None), total(Some(u32::MAX))), (64, 1_000));
}

/// A report that nobody takes holds up nobody but the thread that sends it.
#[test]
fn threads_search_on_while_a_report_waits() {
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    fn now() -> Duration {
        LOOKS.fetch_add(1, Ordering::Relaxed);
        crate::system_now()
    }
    let Searches { net, position, weights, .. } =
        &Searches::of(palisade::Position::start(board(9)));
    let stop = Stop::new();
    let search = crate::mcts::Search {
        position,
        evaluator: weights,
        guide: Some(net),
        options: TreeSearchOptions::GUIDED,
        oversight: crate::level::Oversight::default(),
        limits: &Limits::time(Duration::from_secs(60)),
        lines: 1,
        threads: 2,
        crew: None,
        stop: &stop,
        timer: crate::Timer::with(now),
    };
    let mut trees = [crate::mcts::Tree::new(1 << 22)];
    search.run(&mut trees, &mut |_| {
        if stop.is_stopped() {
            return;
        }
        // The other thread looks at the clock after each of its simulations.
        let (before, began) = (LOOKS.load(Ordering::Relaxed), crate::system_now());
        while LOOKS.load(Ordering::Relaxed) < before + 20 {
            assert!(crate::system_now() - began < Duration::from_secs(10), "nobody searches");
            std::thread::yield_now();
        }
        stop.stop();
    });
    assert!(stop.is_stopped());
}
