//! The client against engines of every kind, written in a few lines of shell.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use super::*;

/// Speaks the protocol; `$1` does what `go` is answered with, and `$2` is a file for what it hears.
const ENGINE: &str = r#"
while read -r line; do
    [ -n "$2" ] && echo "$line" >> "$2"
    case "$line" in
        ugi) echo 'id name Fake'; echo 'option name Seed type spin default 0 min 0 max 9'; echo ugiok;;
        isready) echo readyok;;
        go*) eval "$1";;
        quit) exit 0;;
    esac
done
"#;

const QUICK: Timeouts = Timeouts {
    ready: Duration::from_millis(1500),
    grace: Duration::from_millis(300),
    silence: Duration::from_millis(600),
};

fn start(script: &str, args: &[&str]) -> Result<External, PlayerError> {
    let mut words = vec!["sh", "-c", script, "sh"];
    words.extend(args);
    let command = shlex::try_join(words).unwrap();
    run(&command, &[])
}

fn run(command: &str, options: &[(String, String)]) -> Result<External, PlayerError> {
    External::start_with("fake", command, options, Game::Impasse, Stop::new(), QUICK)
}

/// An engine that answers `go` with some shell commands.
fn answering(go: &str) -> External {
    start(ENGINE, &[go]).unwrap()
}

fn choose(player: &mut External, thinking: &Thinking) -> Result<Choice, PlayerError> {
    let start = Game::Impasse.start();
    player.choose(&start, &[], &start, thinking)
}

fn soon() -> Thinking {
    Thinking { limits: Limits::time(Duration::from_millis(100)), opponent: None }
}

fn by_nodes() -> Thinking {
    Thinking { limits: Limits::nodes(9), opponent: None }
}

/// Whether a process is there; one that was not waited for counts as well. Only Linux can tell.
fn is_there(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

/// Whether a process is there and not only waits to be waited for.
fn is_running(pid: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    status.is_ok_and(|status| !status.contains(") Z"))
}

#[test]
fn the_conversation_is_as_the_protocol_wants_it() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let go = "echo 'info depth 6 nodes 77 multipv 1 score cp 12 pv d2-b4'; echo 'bestmove D2-b4 x'";
    let mut player = start(ENGINE, &[go, heard.to_str().unwrap()]).unwrap();
    assert_eq!(player.name(), "fake");
    player.new_game(7).unwrap();
    let choice = choose(&mut player, &soon()).unwrap();
    let score = Some(stoa_engine::Score::points(12));
    let text = "d2-b4".to_owned();
    assert_eq!(choice, Choice { text, score, depth: Some(6), nodes: Some(77) });
    let start = Game::Impasse.position("1w6/8/8/4W3/8/8/8/6b1 w").unwrap();
    let mut position = start.clone();
    let moves = vec![position.play("e5-d4").unwrap()];
    let second = |left, increment| {
        let [left, increment] = [left, increment].map(Duration::from_millis);
        Some(Clock { left, increment })
    };
    let limits = Limits { clock: second(900, 10), ..Limits::default() };
    let thinking = Thinking { limits, opponent: second(800, 20) };
    player.choose(&start, &moves, &position, &thinking).unwrap_err();
    drop(player);
    assert_eq!(
        std::fs::read_to_string(heard).unwrap(),
        "ugi\nisready\nsetoption name Seed value 3\nuginewgame\nisready\nposition startpos\nisready\n\
         go movetime 100\nposition fen 1w6/8/8/4W3/8/8/8/6b1 w moves e5-d4\nisready\n\
         go p1time 800 p2time 900 p1inc 20 p2inc 10\nquit\n"
    );
}

#[test]
fn options_are_set_if_the_engine_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let command = ["sh", "-c", ENGINE, "sh", "", heard.to_str().unwrap()];
    let command = shlex::try_join(command).unwrap();
    let option = |name: &str| [(name.to_owned(), "5".to_owned())];
    let mut player = run(&command, &option("seed")).unwrap();
    player.new_game(7).unwrap();
    drop(player);
    assert_eq!(
        std::fs::read_to_string(heard).unwrap(),
        "ugi\nsetoption name seed value 5\nisready\nuginewgame\nisready\nquit\n",
        "and the seed of the game is not"
    );
    let error = run(&command, &option("Speed")).err().unwrap();
    assert_eq!(error.to_string(), "it has no option 'Speed'; its options are: Seed");
    let beyond = [("Seed".to_owned(), "10".to_owned())];
    let error = run(&command, &beyond).err().unwrap();
    assert_eq!(error.to_string(), "its option 'Seed' goes from 0 to 9, not to 10");
}

#[test]
fn an_engine_that_complains_of_its_options_does_not_play() {
    let fussy = ENGINE.replace(
        "case \"$line\" in",
        "case \"$line\" in\nsetoption*) echo 'info string Error: no';;",
    );
    let command = shlex::try_join(["sh", "-c", &fussy]).unwrap();
    let error = run(&command, &[("Seed".to_owned(), "5".to_owned())]).err().unwrap();
    assert_eq!(error.to_string(), "it refuses its options: info string Error: no");
    assert!(run(&command, &[]).is_ok());
}

#[test]
fn an_illegal_move_is_shown_with_its_line() {
    let mut player = answering("echo 'info string error: no idea'; echo 'bestmove d2-d3 ponder x'");
    let error = choose(&mut player, &soon()).unwrap_err();
    let PlayerError::Nonsense(text) = &error else { panic!("{error}") };
    assert!(text.starts_with("in its line 'bestmove d2-d3 ponder x': "), "{text}");
    assert!(text.ends_with("(it said: info string error: no idea)"), "{text}");
    for line in ["bestmove", "bestmove none", "bestmove \u{1b}[31m"] {
        let mut player = answering(&format!("echo '{line}'"));
        let error = choose(&mut player, &soon()).unwrap_err();
        assert!(matches!(error, PlayerError::Nonsense(_)), "{error}");
        assert!(!error.to_string().contains('\u{1b}'));
        player.new_game(1).unwrap();
    }
}

#[test]
fn a_crashed_engine_is_restarted_for_the_next_game() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("crashed");
    let mark = mark.to_str().unwrap();
    let go = format!(
        "[ -e {mark} ] && echo bestmove d2-b4 || {{ touch {mark}; echo 'out of luck' >&2; exit 3; }}"
    );
    let mut player = answering(&go);
    player.new_game(1).unwrap();
    let error = choose(&mut player, &soon()).unwrap_err();
    assert_eq!(
        error,
        PlayerError::Crashed("no bestmove: exit status: 3; its last words: out of luck".to_owned())
    );
    let error = choose(&mut player, &soon()).unwrap_err();
    assert_eq!(error, PlayerError::Crashed("no readyok: it is not running".to_owned()));
    player.new_game(2).unwrap();
    assert_eq!(choose(&mut player, &soon()).unwrap().text, "d2-b4");
}

#[test]
fn a_hanging_engine_is_given_up_and_killed() {
    let folder = tempfile::tempdir().unwrap();
    let pids = folder.path().join("pids");
    let path = pids.to_str().unwrap();
    // Its child must go as well.
    let go = format!("sleep 60 & echo $$ $! > {path}; wait");
    for thinking in [soon(), by_nodes()] {
        let mut player = answering(&go);
        let begun = Instant::now();
        let error = choose(&mut player, &thinking).unwrap_err();
        assert_eq!(error, PlayerError::Silent("no bestmove, even after 'stop'".to_owned()));
        assert!(begun.elapsed() >= QUICK.grace * 2, "it had its time");
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        let pids = std::fs::read_to_string(&pids).unwrap();
        let pids: Vec<&str> = pids.split_whitespace().collect();
        assert!(!is_there(pids[0]), "not even a zombie is left");
        // The grandchild is waited for by the system, which may take a moment.
        let until = Instant::now() + Duration::from_secs(5);
        while is_running(pids[1]) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!is_running(pids[1]));
    }
}

#[test]
fn an_engine_that_overruns_its_time_is_told_to_stop() {
    let mut player = answering("read -r line; [ \"$line\" = stop ] && echo bestmove d2-b4");
    assert_eq!(choose(&mut player, &soon()).unwrap().text, "d2-b4");
    player.timeouts.silence = Duration::from_secs(100);
    player.stop.stop();
    let begun = Instant::now();
    // Readiness is not waited for any more once the user has had enough, so ask for the move alone.
    player.send("go nodes 9");
    let (line, _) = player.wait_for_move(&by_nodes().limits).unwrap();
    assert_eq!(line, "bestmove d2-b4");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn an_engine_that_sends_info_is_not_silent() {
    let mut player = answering(
        "for i in 1 2 3 4 5; do echo info nodes $i; sleep 0.2; done; echo bestmove d2-b4",
    );
    assert_eq!(choose(&mut player, &by_nodes()).unwrap().nodes, Some(5));
}

#[test]
fn garbage_is_passed_over_but_is_no_answer() {
    let noise = "printf '\\377\\376\\n'; head -c 3000000 /dev/zero; echo; echo babble";
    let mut player = start(&format!("{noise}; {ENGINE}"), &["echo bestmove d2-b4"]).unwrap();
    assert_eq!(choose(&mut player, &soon()).unwrap().text, "d2-b4");
    // `yes` says the same for ever, `sleep` hears nothing, `cat` says everything back.
    for (command, words) in [
        ("yes babble", "no ugiok (it said: babble)"),
        ("sleep 60", "no ugiok"),
        ("cat", "no ugiok (it said: ugi)"),
    ] {
        let error = run(command, &[]).err().unwrap();
        assert_eq!(error, PlayerError::Silent(words.to_owned()));
    }
}

#[test]
fn a_program_that_cannot_be_started_is_named() {
    let error = |command| run(command, &[]).err().unwrap().to_string();
    assert!(error("no-such-program -x").starts_with("cannot run 'no-such-program': "));
    assert!(error("'open").contains("'open' is no command; quotes must be closed"));
    assert!(error("").contains("no command"));
    assert!(error("true").starts_with("it crashed: no ugiok: exit status: 0"));
}

#[test]
fn an_engine_that_does_not_read_cannot_block_us() {
    let script = "echo ugiok; echo readyok; echo readyok; sleep 60";
    let mut player = start(script, &[]).unwrap();
    let start = Game::Impasse.start();
    let moves = vec!["d2-b4".to_owned(); 100_000];
    player.new_game(1).unwrap();
    let error = player.choose(&start, &moves, &start, &soon()).unwrap_err();
    assert_eq!(error, PlayerError::Silent("no readyok".to_owned()));
}
