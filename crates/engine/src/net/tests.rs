//! Networks against a plain computation, against damage, and against what the games promise them.

use stoa_rules::playout::Rng;
use stoa_rules::{Game, Position as _, Symmetry as _, colossus, columna, impasse};

use super::header::crc32;
use super::*;
use crate::games::{KnowledgeVisitor, visit};
use crate::{EvaluationChoice, EvaluationError};

/// A network of random weights for a game, as the bytes of a file.
fn random_file<P: Knowledge>(game: Game, hidden: usize, second: usize, rng: &mut Rng) -> Vec<u8> {
    let inputs: usize = P::NET_INPUTS.iter().map(|&width| usize::from(width)).sum();
    let mut body = Vec::new();
    let mut number = |most: i32| rng.below(2 * most as usize + 1) as i32 - most;
    let largest = 30_000 / (i32::from(P::NET_MAX_SET) + 1);
    for _ in 0..hidden * (inputs + 1) {
        body.extend((number(largest.min(200)) as i16).to_le_bytes());
    }
    for _ in 0..P::NET_BUCKETS {
        for _ in 0..hidden * second {
            body.extend((number(100) as i16).to_le_bytes());
        }
        for _ in 0..second {
            body.extend(number(20_000).to_le_bytes());
        }
        for _ in 0..second + 1 {
            body.extend(number(5_000).to_le_bytes());
        }
    }
    let widths: Vec<String> = P::NET_INPUTS.iter().map(u8::to_string).collect();
    let header = format!(
        "stoa-net 1\ngame: {game}\ninputs: {}\nhidden: {hidden}\nsecond: {second}\nbuckets: {}\n\
         made: by a test\nchecksum: {:08x}\n\n",
        widths.join(" "),
        P::NET_BUCKETS,
        crc32(&body)
    );
    [header.into_bytes(), body].concat()
}

/// The same file with a share of the hand-made terms.
fn over_terms(file: &[u8], share: &str) -> Vec<u8> {
    let at = file.windows(6).position(|bytes| bytes == b"made: ").expect("a header");
    [&file[..at], format!("terms: {share}\n").as_bytes(), &file[at..]].concat()
}

/// The value of a position, computed plainly from the numbers of the network.
fn plain_value<P: Knowledge>(net: &Net, position: &P) -> i32 {
    let mut inputs = [0; MAX_INPUT_GROUPS];
    position.net_inputs(&mut inputs);
    let mut sums: Vec<i64> = net.bias.iter().map(|&bias| i64::from(bias)).collect();
    for (group, &offset) in net.offsets.iter().enumerate() {
        for bit in 0..64 {
            if inputs[group] >> bit & 1 != 0 {
                for (sum, &weight) in sums.iter_mut().zip(net.column(offset + bit)) {
                    *sum += i64::from(weight);
                }
            }
        }
    }
    let squares: Vec<i64> = sums.iter().map(|sum| sum.clamp(&0, &255).pow(2) >> 8).collect();
    let head = &net.heads[position.net_bucket()];
    let mut total = 0;
    for (unit, row) in head.second.chunks(net.hidden()).enumerate() {
        let products = row.iter().zip(&squares).map(|(&weight, square)| i64::from(weight) * square);
        let sum = i64::from(head.second_bias[unit]) + products.sum::<i64>();
        total += (sum / 128).clamp(0, 254).pow(2) * i64::from(head.output[unit]);
    }
    let points = (total / (254 * 254) + i64::from(head.output_bias)) / 16;
    points.clamp(-15_000, 15_000) as i32
}

/// Whatever came before, the value is that of the position alone, with every set of instructions.
fn equals_plain<P: Knowledge>(options: P::Options, game: Game) {
    let mut rng = Rng::new(0x0e7);
    let file = random_file::<P>(game, 32, 16, &mut rng);
    let net = Arc::new(Net::read::<P>(&file, game, options).expect("a sound network"));
    let weights = Weights::of::<P>(options);
    let share = format!("700 {:08x}", weights.checksum::<P>());
    let over = Net::read::<P>(&over_terms(&file, &share), game, options).expect("a sound network");
    let over = Arc::new(over);
    let mut over_state = Evaluator::<P>::state(&over);
    let mut state = Evaluator::<P>::state(&net);
    let mut portable = Evaluator::<P>::state(&net);
    for _ in 0..20 {
        let mut position = P::start(options);
        while position.outcome().is_none() {
            let mut inputs = [0; MAX_INPUT_GROUPS];
            position.net_inputs(&mut inputs);
            let set: u32 = inputs.iter().map(|word| word.count_ones()).sum();
            assert!(set <= P::NET_MAX_SET.into(), "{set} inputs are set in {position:?}");
            for (group, word) in inputs.iter().enumerate() {
                let width = P::NET_INPUTS.get(group).map_or(0, |&width| u32::from(width));
                assert!(u64::BITS - word.leading_zeros() <= width, "group {group}: {position:?}");
            }
            assert!(position.net_bucket() < P::NET_BUCKETS, "{position:?}");
            let expected = plain_value(&net, &position);
            assert_eq!(net.evaluate(&position, &mut state), expected, "{position:?}");
            let accumulator = &mut portable.0[position.side_to_move().index()];
            let value = net.value_portable(accumulator, &inputs, position.net_bucket());
            assert_eq!(value, expected, "{position:?}");
            let terms = weights.evaluate(&position, &mut ()) * 700 / 1024;
            let expected = (expected + terms).clamp(-15_000, 15_000);
            assert_eq!(over.evaluate(&position, &mut over_state), expected, "{position:?}");
            let count = position.count_moves();
            position.play_unchecked(position.nth_move(rng.below(count)).expect("a move"));
        }
    }
}

#[test]
fn networks_equal_a_plain_computation() {
    equals_plain::<impasse::Position>((), Game::Impasse);
    equals_plain::<colossus::Position>((), Game::Colossus);
    for rules in columna::RuleSet::BOTH {
        equals_plain::<columna::Position>(rules, Game::Columna(rules));
    }
}

/// A position and the same one with colours exchanged look alike to the player to move.
#[test]
fn the_point_of_view_is_the_movers() {
    fn seen<P: Knowledge>(position: &P) -> (InputGroups, usize) {
        let mut inputs = [0; MAX_INPUT_GROUPS];
        position.net_inputs(&mut inputs);
        (inputs, position.net_bucket())
    }
    let mut rng = Rng::new(4);
    let mut position = impasse::Position::start(());
    while position.outcome().is_none() {
        assert_eq!(seen(&position), seen(&position.transform(1)), "{position:?}");
        position.play_unchecked(position.nth_move(rng.below(position.count_moves())).unwrap());
    }
    let mut position = columna::Position::start(columna::RuleSet::Points);
    while position.outcome().is_none() {
        assert_eq!(seen(&position), seen(&position.transform(1)), "{position:?}");
        position.play_unchecked(position.nth_move(rng.below(position.count_moves())).unwrap());
    }
    let mut position = colossus::Position::start(());
    while position.outcome().is_none() {
        assert_eq!(seen(&position), seen(&position.transform(12)), "{position:?}");
        position.play_unchecked(position.nth_move(rng.below(position.count_moves())).unwrap());
    }
}

#[test]
fn networks_that_come_with_the_engine_are_sound() {
    struct Shipped(Game);
    impl KnowledgeVisitor for Shipped {
        type Output = Option<Result<Net, NetError>>;
        fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
            let bytes = P::net(options).filter(|bytes| !crate::policy::is_policy_file(bytes));
            bytes.map(|bytes| Net::read::<P>(bytes, self.0, options))
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
fn damaged_and_foreign_files_are_refused() {
    let mut rng = Rng::new(9);
    let sound = random_file::<impasse::Position>(Game::Impasse, 16, 4, &mut rng);
    let read = |bytes: &[u8]| Net::read::<impasse::Position>(bytes, Game::Impasse, ());
    let refused = |bytes: &[u8]| read(bytes).expect_err("not a network").to_string();
    read(&sound).unwrap();
    assert!(refused(b"").starts_with("this is not a network file"));
    assert!(refused(b"\x7fELF").starts_with("this is not a network file"));
    assert!(refused(b"stoa-net 12\n\n").starts_with("this is not a network file"));
    assert!(refused(b"stoa-net 1\ngame: impasse").contains("no empty line ends it"));
    assert!(refused(&vec![b'x'; MAX_NET_BYTES + 1]).contains("no network has more than"));
    assert!(refused(&sound[..sound.len() - 1]).contains("it should have"));
    let mut longer = sound.clone();
    longer.push(0);
    assert!(refused(&longer).contains("it should have"));
    let mut flipped = sound.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert!(refused(&flipped).contains("its checksum is"));
    let changed = |from: &str, to: &str| {
        let text = String::from_utf8_lossy(&sound[..200]).replace(from, to);
        let end = text.find("\n\n").unwrap() + 2;
        let body = sound.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
        [&text.as_bytes()[..end], &sound[body..]].concat()
    };
    let message = refused(&changed("game: impasse", "game: colossus"));
    assert_eq!(message, "this network is for colossus, not for impasse");
    assert!(
        refused(&changed("inputs: 64 64", "inputs: 64")).contains("'inputs: 64 64', found '64'")
    );
    assert!(refused(&changed("hidden: 16", "hidden: 17")).contains("a multiple of 16"));
    assert!(refused(&changed("hidden: 16", "hidden: 99999999")).contains("from 1 to"));
    assert!(refused(&changed("second: 4", "second: NaN")).contains("from 1 to"));
    assert!(refused(&changed("buckets: 8", "buckets: 1")).contains("'buckets: 8', found '1'"));
    assert!(refused(&changed("checksum", "check")).contains("eight hexadecimal digits"));
    assert!(refused(&over_terms(&sound, "0 00000000")).contains("a number from 1 to 4096"));
    assert!(refused(&over_terms(&sound, "700")).contains("and a checksum"));
    assert!(refused(&over_terms(&sound, "700 00000000")).contains("train it again"));
    let choice = EvaluationChoice::NetFile { name: "x".to_owned(), bytes: sound.into() };
    let settings = crate::Settings { evaluation: choice, ..crate::Settings::default() };
    let error =
        crate::Engine::new(Game::Colonnade, settings).err().expect("no network for Colonnade");
    assert_eq!(error.to_string(), "colonnade is not played with a network of this kind");
    let none = crate::Settings { evaluation: EvaluationChoice::Net, ..crate::Settings::default() };
    let error = crate::Engine::new(Game::Colonnade, none).err();
    assert_eq!(error, Some(EvaluationError::NoNet(Game::Colonnade)));
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let mut rng = Rng::new(2);
    let mut file = random_file::<impasse::Position>(Game::Impasse, 16, 4, &mut rng);
    let body = file.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
    file[body..body + 2].copy_from_slice(&20_000_i16.to_le_bytes());
    let checksum = format!("{:08x}", crc32(&file[body..]));
    let at = body - 10;
    file[at..at + 8].copy_from_slice(checksum.as_bytes());
    let error = Net::read::<impasse::Position>(&file, Game::Impasse, ()).unwrap_err();
    assert_eq!(error, NetError::Overflow("first layer"));
}

#[test]
fn checksums_are_those_of_zlib() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
}
