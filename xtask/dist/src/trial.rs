//! Every artefact installed and run, as its users would.
//!
//! Needs root, and packages of Debian: `debootstrap` for a bare system to install the package in, `systemd-container`
//! to boot that system, and `qemu-user-static` to run programs for other processors. What cannot be tried here is said.

use std::collections::HashMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::architecture::Architecture;
use crate::checksums;

/// How long a server may take to answer; an emulated one needs longer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// How long a server may take to end.
const END_TIMEOUT: Duration = Duration::from_secs(20);
/// The release of Debian that the package is installed in.
const DEBIAN: &str = "bookworm";

/// Tries everything in a folder that was packed.
pub(crate) fn try_everything(out: &Path) -> Result<()> {
    let sums = fs::read_to_string(out.join("SHA256SUMS")).context("no checksums")?;
    let mut names: Vec<&str> = Vec::new();
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").context("a line of SHA256SUMS")?;
        let bytes = fs::read(out.join(name)).with_context(|| format!("{name} is missing"))?;
        ensure!(checksums::sha256(&bytes) == sum, "{name} has another checksum");
        names.push(name);
    }
    say("checksums", "all files have theirs");
    let folder = tempfile::tempdir().context("no folder for trials")?;
    for name in names {
        let work = folder.path().join(name);
        fs::create_dir(&work)?;
        let file = out.join(name);
        let tried = if name.ends_with(".tar.gz") {
            archive(&file, &work)
        } else if name.ends_with(".deb") {
            package(&file, &work)
        } else if name.ends_with("-oci.tar") {
            image(&file, &work)
        } else {
            continue;
        };
        tried.with_context(|| format!("{name} does not work"))?;
    }
    Ok(())
}

fn say(what: &str, how: &str) {
    println!("{what:<36} {how}");
}

fn run(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot start {name}"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?} failed: {said}{error}");
    Ok(said)
}

fn has(program: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output()
        .is_ok_and(|done| done.status.success())
}

/// How to start a program that this machine may have to emulate; nothing if it cannot.
fn starter(architecture: Architecture, program: &Path) -> Option<Command> {
    if architecture.is_native() {
        return Some(Command::new(program));
    }
    let emulator = format!("qemu-{}-static", architecture.rust());
    if !has(&emulator) {
        say(
            &format!("{} programs", architecture.rust()),
            &format!("NOT TRIED: no {emulator} here"),
        );
        return None;
    }
    let mut command = Command::new(emulator);
    command.arg(program);
    Some(command)
}

/// The archive: unpacked and started.
fn archive(file: &Path, work: &Path) -> Result<()> {
    run(Command::new("tar").arg("-xzf").arg(file).arg("-C").arg(work))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().replace(".tar.gz", "");
    let architecture = Architecture::ALL.into_iter().find(|known| name.contains(known.rust()));
    let program = work.join(&name).join("stoa");
    let Some(mut command) = starter(architecture.context("for which processor?")?, &program) else {
        return Ok(());
    };
    let data = work.join("data");
    let mut server = Served::start(command.arg("serve").arg("--data").arg(&data))?;
    server.check()?;
    server.end()?;
    say(&name, "unpacked, started, asked, ended");
    Ok(())
}

/// The package: installed into a bare Debian, used, removed and purged.
fn package(file: &Path, work: &Path) -> Result<()> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let fields = run(Command::new("dpkg-deb").arg("--field").arg(file))?;
    let architecture = Architecture::ALL
        .into_iter()
        .find(|known| fields.contains(&format!("Architecture: {}\n", known.debian())))
        .context("for which processor?")?;
    if !architecture.is_native() {
        run(Command::new("dpkg-deb").arg("--extract").arg(file).arg(work))?;
        let Some(mut command) = starter(architecture, &work.join("usr/bin/stoa")) else {
            return Ok(());
        };
        let said = run(command.arg("--version"))?;
        say(&name, &format!("unpacked, and says: {}", said.trim()));
        return Ok(());
    }
    if !has("debootstrap") {
        say(&name, "NOT TRIED: no debootstrap here");
        return Ok(());
    }
    let root = work.join("root");
    let mirror = std::env::var("DEBIAN_MIRROR").unwrap_or_default();
    let mut bootstrap = Command::new("debootstrap");
    bootstrap.args(["--variant=minbase", "--include=systemd,systemd-sysv,dbus", DEBIAN]).arg(&root);
    if !mirror.is_empty() {
        bootstrap.arg(mirror);
    }
    run(&mut bootstrap)?;
    fs::copy(file, root.join("stoa.deb"))?;
    run(&mut inside(&root, &["dpkg", "--install", "/stoa.deb"]))?;
    let owner = run(&mut inside(&root, &["stat", "-c", "%U %a", "/var/lib/stoa"]))?;
    ensure!(owner.trim() == "stoa 700", "the data folder is {owner}");
    let units = ["stoa.service", "stoa.socket", "stoa-backup.service", "stoa-backup.timer"];
    if has("systemd-analyze") {
        let mut verify = Command::new("systemd-analyze");
        let units = units.map(|unit| root.join("usr/lib/systemd/system").join(unit));
        let output = verify.arg("verify").arg("--recursive-errors=no").args(units).output()?;
        let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        // The program is not where the unit says on this machine, but in the folder.
        let complaints: Vec<&str> = complaints
            .lines()
            .filter(|line| !line.contains("/usr/bin/stoa is not executable"))
            .collect();
        ensure!(complaints.is_empty(), "systemd does not like the units: {complaints:?}");
    }
    // As the unit starts it: the same user, folder and options.
    let command = || {
        let mut command = contained(&root, "stoa:stoa");
        command.args(["/usr/bin/stoa", "serve", "--data", "/var/lib/stoa"]);
        command
    };
    let mut server = Served::start(&mut command())?;
    server.check()?;
    let banner = ["/usr/bin/stoa", "admin", "banner", "Back soon", "--data", "/var/lib/stoa"];
    let said = run(&mut inside(&root, &banner))?;
    ensure!(said.contains("All pages show: Back soon"), "{said}");
    let backup = ["/usr/bin/stoa", "serve", "backup", "--data", "/var/lib/stoa", "/tmp/copy.db"];
    run(&mut inside(&root, &backup))?;
    server.end()?;
    // As root and onto a new machine; the server, which is started below, has to be able to use it.
    run(&mut inside(&root, &["sh", "-c", "rm /var/lib/stoa/*"]))?;
    let restore = ["/usr/bin/stoa", "serve", "restore", "--data", "/var/lib/stoa", "/tmp/copy.db"];
    run(&mut inside(&root, &restore))?;
    booted(&root).context("in a Debian that was booted")?;
    // What an administrator has changed outlives an upgrade; the data outlive everything.
    let options = root.join("etc/default/stoa");
    fs::write(&options, "STOA_LISTEN=127.0.0.1:9999\n")?;
    run(&mut inside(&root, &["dpkg", "--install", "/stoa.deb"]))?;
    ensure!(fs::read_to_string(&options)?.contains("9999"), "an upgrade has changed the options");
    let mut server = Served::start(&mut command())?;
    server.check()?;
    server.end()?;
    run(&mut inside(&root, &["dpkg", "--remove", "stoa"]))?;
    ensure!(!root.join("usr/bin/stoa").exists(), "removed, and still there");
    ensure!(options.exists() && root.join("var/lib/stoa/stoa.db").exists(), "too much was removed");
    run(&mut inside(&root, &["dpkg", "--purge", "stoa"]))?;
    ensure!(!options.exists() && root.join("var/lib/stoa/stoa.db").exists(), "purged badly");
    say(&name, "installed into a bare Debian, started, restored, upgraded, removed, purged");
    Ok(())
}

/// The system is booted: systemd starts the service in its sandbox, with its engine, hands over to another process,
/// and stops it.
fn booted(root: &Path) -> Result<()> {
    if !has("systemd-nspawn") {
        say("systemd", "NOT TRIED: no systemd-nspawn here");
        return Ok(());
    }
    let port = free_port()?;
    fs::write(root.join("etc/default/stoa"), format!("STOA_LISTEN=127.0.0.1:{port}\n"))?;
    run(&mut inside(root, &["systemctl", "enable", "stoa.service"]))?;
    let mut command = Command::new("systemd-nspawn");
    command.args(["--quiet", "--boot", "--register=no", "--keep-unit", "--directory"]).arg(root);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
    let mut server = Served { child: child.context("cannot boot")?, port };
    server.check()?;
    let systemctl = |words: &[&str]| -> Result<String> {
        let children = server.children();
        let first = children.first().context("nothing was booted")?;
        let mut command = Command::new("nsenter");
        command.args(["--target", first, "--all", "systemctl"]).args(words);
        run(&mut command)
    };
    let main_process = || systemctl(&["show", "--property=MainPID", "stoa"]);
    let begun = Instant::now();
    while !server.ask("/api/bots").is_ok_and(|answer| answer.contains("\"Stoa 10\"")) {
        ensure!(begun.elapsed() < ANSWER_TIMEOUT, "the engine does not come");
        std::thread::sleep(Duration::from_millis(100));
    }
    let before = main_process()?;
    systemctl(&["reload", "stoa"])?;
    let begun = Instant::now();
    while main_process()? == before {
        ensure!(begun.elapsed() < ANSWER_TIMEOUT, "no other process takes over");
        std::thread::sleep(Duration::from_millis(100));
    }
    let status = systemctl(&["show", "--property=ActiveState,NRestarts", "stoa"])?;
    ensure!(status.contains("ActiveState=active"), "after a handover: {status}");
    ensure!(status.contains("NRestarts=0"), "it was restarted: {status}");
    systemctl(&["stop", "stoa"])?;
    let result = systemctl(&["show", "--property=Result", "stoa"])?;
    ensure!(result.trim() == "Result=success", "stopped: {result}");
    let backup = systemctl(&["start", "stoa-backup.service"]);
    backup.context("the backup of the night")?;
    systemctl(&["disable", "stoa.service"])?;
    systemctl(&["--no-block", "poweroff"])?;
    let begun = Instant::now();
    while server.child.try_wait()?.is_none() {
        ensure!(begun.elapsed() < ANSWER_TIMEOUT, "the system does not turn itself off");
        std::thread::sleep(Duration::from_millis(100));
    }
    say(
        "systemd",
        "booted; the service started, played, handed over, stopped, and made its backup",
    );
    Ok(())
}

/// A command within another root, in which dpkg must not start services.
fn inside(root: &Path, command: &[&str]) -> Command {
    let mut inside = Command::new("chroot");
    inside.arg(root).args(command);
    inside.env("DEBIAN_FRONTEND", "noninteractive").env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    inside
}

/// A command within another root as some user, with the processes that runtimes and systems have there.
fn contained(root: &Path, user: &str) -> Command {
    const SCRIPT: &str = r#"root="$0"; user="$1"; shift; mkdir -p "$root/proc"
mount -t proc proc "$root/proc" && exec chroot --userspec="$user" "$root" "$@""#;
    let mut command = Command::new("unshare");
    command.args(["--mount", "sh", "-c", SCRIPT]).arg(root).arg(user);
    command
}

/// The image: unpacked and started as a runtime does it, with nothing but its own files and variables.
fn image(file: &Path, work: &Path) -> Result<()> {
    run(Command::new("tar").arg("-xf").arg(file).arg("-C").arg(work))?;
    let blob = |description: &Value| -> Result<PathBuf> {
        let digest = description["digest"].as_str().context("no digest")?;
        Ok(work.join("blobs").join(digest.replace(':', "/")))
    };
    let read = |path: &Path| -> Result<Value> { Ok(serde_json::from_slice(&fs::read(path)?)?) };
    let index = read(&work.join("index.json"))?;
    let index = read(&blob(&index["manifests"][0])?)?;
    for manifest in index["manifests"].as_array().context("no manifests")? {
        let debian = manifest["platform"]["architecture"].as_str().unwrap_or_default();
        let architecture = Architecture::ALL.into_iter().find(|known| known.debian() == debian);
        let architecture = architecture.context("for which processor?")?;
        let manifest = read(&blob(manifest)?)?;
        let config = read(&blob(&manifest["config"])?)?;
        let root = work.join(debian);
        fs::create_dir(&root)?;
        for layer in manifest["layers"].as_array().context("no layers")? {
            let owners = ["--numeric-owner", "--same-owner", "-xpzf"];
            run(Command::new("tar").args(owners).arg(blob(layer)?).arg("-C").arg(&root))?;
        }
        let name = format!("image for {debian}");
        if !architecture.is_native() {
            let Some(mut command) = starter(architecture, &root.join("stoa")) else { continue };
            let data = root.join("var/lib/stoa");
            let mut server = Served::start(command.arg("serve").arg("--data").arg(data))?;
            server.check()?;
            server.end()?;
            say(&name, "unpacked, emulated, started, asked, ended");
            continue;
        }
        // What runtimes add, by the specification: devices, and a file by which names are found.
        fs::create_dir(root.join("dev"))?;
        for (device, minor) in [("null", "3"), ("zero", "5"), ("random", "8"), ("urandom", "9")] {
            let path = root.join("dev").join(device);
            run(Command::new("mknod").args(["-m", "666"]).arg(path).args(["c", "1", minor]))?;
        }
        fs::create_dir(root.join("etc"))?;
        fs::write(root.join("etc/hosts"), "127.0.0.1 localhost bus\n")?;
        let config = &config["config"];
        let words = |name: &str| -> Vec<String> {
            let list = config[name].as_array().cloned().unwrap_or_default();
            list.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect()
        };
        let variables = words("Env");
        let variables: HashMap<&str, &str> =
            variables.iter().filter_map(|variable| variable.split_once('=')).collect();
        let start = |more: &[&str]| {
            let mut command = contained(&root, config["User"].as_str().unwrap_or_default());
            command.args(words("Entrypoint")).args(words("Cmd")).args(more);
            command.env_clear().envs(&variables).env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
            command
        };
        let mut server = Served::start(&mut start(&[]))?;
        server.check()?;
        server.end()?;
        let output = start(&["--check", "--listen", "0", "--nats", "nats://bus:1"]).output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        ensure!(said.to_lowercase().contains("connection refused"), "a name is not found: {said}");
        say(&name, "unpacked, started with its own files alone, asked, ended");
    }
    Ok(())
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// A server that is being tried.
#[derive(Debug)]
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    /// Starts `… serve …` on a free port.
    fn start(command: &mut Command) -> Result<Served> {
        let port = free_port()?;
        // An emulated engine would take all of the time.
        command.args([
            "--listen",
            &format!("127.0.0.1:{port}"),
            "--engine",
            "false",
            "--log",
            "warn",
        ]);
        let child = command.stdout(Stdio::null()).spawn();
        let child = child.with_context(|| format!("cannot start {command:?}"))?;
        Ok(Served { child, port })
    }

    /// The processes that it has started.
    fn children(&self) -> Vec<String> {
        let process = self.child.id();
        let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
        children.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
    }

    /// The status and the body of an answer.
    fn ask(&self, path: &str) -> Result<String> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    /// It is ready, and has the page and the API.
    fn check(&mut self) -> Result<()> {
        let begun = Instant::now();
        while !self.ask("/readyz").is_ok_and(|answer| answer.starts_with("HTTP/1.1 200")) {
            if let Some(status) = self.child.try_wait()? {
                bail!("the server has ended: {status}");
            }
            ensure!(begun.elapsed() < ANSWER_TIMEOUT, "the server does not get ready");
            std::thread::sleep(Duration::from_millis(50));
        }
        for (path, part) in
            [("/", "<!doctype html>"), ("/api/games", "\"games\""), ("/metrics", "stoa_")]
        {
            let answer = self.ask(path)?;
            let is_good =
                answer.starts_with("HTTP/1.1 200") && answer.to_lowercase().contains(part);
            ensure!(is_good, "{path} answers {}", answer.lines().next().unwrap_or_default());
        }
        Ok(())
    }

    /// Ends it by SIGTERM, as systemd and runtimes do.
    fn end(&mut self) -> Result<()> {
        run(Command::new("kill").arg(self.child.id().to_string()))?;
        let begun = Instant::now();
        loop {
            match self.child.try_wait()? {
                Some(status) => {
                    ensure!(status.success(), "the server ended with {status}");
                    return Ok(());
                }
                None => ensure!(begun.elapsed() < END_TIMEOUT, "the server does not end"),
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // A system that was booted would outlive what has booted it.
        for child in self.children() {
            let _ = Command::new("kill").args(["-KILL", &child]).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
