//! `stoa admin` beside a running server.

use std::path::Path;
use std::process::{Command, Output};

use stoa_client::{Client, Player};

use super::{program, serve};

fn admin(data: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(program());
    command.arg("admin").args(arguments).arg("--data").arg(data);
    command.env_remove("STOA_DATABASE").env_remove("STOA_CONFIG").output().unwrap()
}

/// What a command that succeeds prints.
pub(super) fn said(data: &Path, arguments: &[&str]) -> String {
    let output = admin(data, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn accounts_and_the_banner_are_managed_while_the_server_runs() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    let server = serve(data, &[]);
    let zeno = Client::guest(&server.url(), "Zeno").unwrap();
    let sign_in = serde_json::json!({ "name": "Zeno", "password": "a tortoise in front" });
    let player: Player = zeno.post("/api/account/register", &sign_in).unwrap();
    let table = said(data, &["accounts"]);
    assert_eq!(table, said(data, &["accounts", "list"]));
    let row = table.lines().find(|line| line.starts_with("Zeno ")).unwrap();
    assert!(row.ends_with("    0  open"), "{table}");
    let sheet = said(data, &["accounts", "show", "zeno"]);
    assert!(sheet.contains(&format!("id        {}\n", player.id)), "{sheet}");
    assert!(sheet.contains("closed    no\n"), "{sheet}");
    assert!(said(data, &["accounts", "close", "Zeno"]).contains("is closed"));
    assert!(said(data, &["accounts", "close", "Zeno"]).contains("already"));
    assert!(said(data, &["accounts"]).contains("closed\n"));
    let refused = zeno.post::<Player>("/api/account/login", &sign_in).unwrap_err();
    assert_eq!(refused.code(), Some(stoa_client::ErrorCode::AccountClosed));
    assert!(said(data, &["accounts", "reopen", "Zeno"]).contains("open again"));
    zeno.post::<Player>("/api/account/login", &sign_in).unwrap();
    assert_eq!(said(data, &["banner"]), "No line is shown\n");
    assert_eq!(said(data, &["banner", "Back at six"]), "All pages show: Back at six\n");
    assert_eq!(said(data, &["banner", "--clear"]), "No line is shown\n");
    let ratings = said(data, &["ratings", "rebuild"]);
    assert_eq!(ratings, "0 ratings from 0 games: all were right\n");
    assert!(said(data, &["limits", "--rate", "7"]).contains("7 a second, 35 at once  (--rate)"));
    assert!(said(data, &["limits", "rate", "5"]).contains("rate is 5"));
    let changed = "5 a second, 25 at once  (--rate)  [rate, changed]\n";
    assert!(said(data, &["limits", "--rate", "7"]).contains(changed));
    assert!(said(data, &["limits", "rate", "--reset"]).contains("options"));
    assert!(said(data, &["limits"]).contains("20 a second, 100 at once  (--rate)  [rate]\n"));
    for bad in [&["limits", "rate"][..], &["limits", "rate", "0"], &["limits", "lobby", "7"]] {
        assert_eq!(admin(data, bad).status.code(), Some(2), "{bad:?}");
    }
}

#[test]
fn nothing_is_made_where_there_is_nothing() {
    let data = tempfile::tempdir().unwrap();
    let output = admin(data.path(), &["accounts"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("there is no database") && error.contains("--data"), "{error}");
    assert_eq!(std::fs::read_dir(data.path()).unwrap().count(), 0);
}
