//! What is in the program besides our own code: crates, and packages of the page.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// The packages of the web app that are in the page; the others only build it.
const IN_THE_PAGE: [&str; 3] = ["gifenc", "svelte", "uqr"];
/// The program.
const PROGRAM: &str = "stoa";
/// What it is built for; what is only for other systems is left out.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Something that the program contains.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Where it comes from, as a package URL: `pkg:cargo/serde@1.0.0`.
    pub(crate) url: String,
    /// As an SPDX expression.
    pub(crate) licence: String,
    /// The SHA-256 of its source, if it is known.
    pub(crate) checksum: Option<String>,
    /// The URLs of what it depends on.
    pub(crate) needs: BTreeSet<String>,
    /// Where its source is.
    pub(crate) folder: PathBuf,
}

/// Everything, by name.
pub(crate) fn all(root: &Path) -> Result<Vec<Dependency>> {
    let mut found = crates(&metadata(root)?, &lock_file(root)?)?;
    for name in IN_THE_PAGE {
        found.push(of_the_page(root, name)?);
    }
    found.sort();
    Ok(found)
}

fn metadata(root: &Path) -> Result<Value> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET])
        .output()
        .context("cannot start cargo")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("cannot read what cargo says")
}

fn lock_file(root: &Path) -> Result<String> {
    fs::read_to_string(root.join("Cargo.lock")).context("cannot read Cargo.lock")
}

/// The checksums in Cargo.lock, by name and version.
fn checksums(lock: &str) -> HashMap<(&str, &str), &str> {
    lock.split("[[package]]")
        .filter_map(|block| {
            let value = |name: &str| {
                let line = block.lines().find_map(|line| line.strip_prefix(name))?;
                line.strip_prefix(" = \"")?.strip_suffix('"')
            };
            Some(((value("name")?, value("version")?), value("checksum")?))
        })
        .collect()
}

/// What the program is linked with, found from it along its dependencies; those of builds and tests are not
/// in it.
fn crates(metadata: &Value, lock: &str) -> Result<Vec<Dependency>> {
    let checksums = checksums(lock);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages: BTreeMap<String, Value> = list(&metadata["packages"])
        .into_iter()
        .map(|package| (text(&package["id"]), package))
        .collect();
    let nodes: BTreeMap<String, Value> = list(&metadata["resolve"]["nodes"])
        .into_iter()
        .map(|node| (text(&node["id"]), node))
        .collect();
    let linked = |id: &str| -> Vec<String> {
        let needs = nodes.get(id).map(|node| list(&node["deps"])).unwrap_or_default();
        let is_normal =
            |need: &Value| list(&need["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
        needs.iter().filter(|need| is_normal(need)).map(|need| text(&need["pkg"])).collect()
    };
    let is_macro = |package: &Value| {
        list(&package["targets"])
            .iter()
            .any(|target| target["kind"] == serde_json::json!(["proc-macro"]))
    };
    let program = packages
        .iter()
        .find(|(_, package)| package["name"] == PROGRAM && package["source"].is_null())
        .context("there is no program in the workspace")?;
    let mut waiting = vec![program.0.clone()];
    let mut seen = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        // Macros run when the program is built, and what they need does, too.
        if packages.get(&id).is_some_and(|package| !is_macro(package)) && seen.insert(id.clone()) {
            waiting.extend(linked(&id));
        }
    }
    let url = |package: &Value| {
        format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
    };
    let mut found = Vec::new();
    for id in &seen {
        let package = &packages[id];
        // Our own crates are the program itself.
        if package["source"].is_null() {
            continue;
        }
        let (name, version) = (text(&package["name"]), text(&package["version"]));
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        found.push(Dependency {
            licence: package["license"].as_str().unwrap_or("NOASSERTION").replace('/', " OR "),
            checksum: checksums
                .get(&(name.as_str(), version.as_str()))
                .map(|sum| (*sum).to_owned()),
            needs: linked(id)
                .iter()
                .filter(|need| seen.contains(*need))
                .map(|need| url(&packages[need]))
                .collect(),
            folder: manifest.parent().map(Path::to_owned).unwrap_or_default(),
            url: url(package),
            name,
            version,
        });
    }
    Ok(found)
}

fn of_the_page(root: &Path, name: &str) -> Result<Dependency> {
    let folder = root.join("web/node_modules").join(name);
    let text = fs::read_to_string(folder.join("package.json")).with_context(|| {
        format!("{name} is in the page, and its licence is not here: `npm ci` in web/ fetches it")
    })?;
    let package: Value = serde_json::from_str(&text)?;
    let text = |name: &str| package[name].as_str().unwrap_or("NOASSERTION").to_owned();
    let version = text("version");
    Ok(Dependency {
        name: name.to_owned(),
        url: format!("pkg:npm/{name}@{version}"),
        version,
        licence: text("license"),
        checksum: None,
        needs: BTreeSet::new(),
        folder,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn linked_crates_are_found_and_build_or_test_crates_are_not() {
        let package = |name: &str, source: Option<&str>, kind: &str| {
            json!({ "id": name, "name": name, "version": "1.0.0", "source": source, "license": "MIT/Apache-2.0",
                "manifest_path": format!("/crates/{name}/Cargo.toml"), "targets": [{ "kind": [kind] }] })
        };
        let need = |name: &str, kind: Option<&str>| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let registry = Some("registry");
        let metadata = json!({
            "packages": [
                package("stoa", None, "bin"), package("stoa-rules", None, "lib"), package("used", registry, "lib"),
                package("deep", registry, "lib"), package("macro", registry, "proc-macro"),
                package("of-macro", registry, "lib"), package("test", registry, "lib"), package("cc", registry, "lib"),
            ],
            "resolve": { "nodes": [
                { "id": "stoa", "deps": [need("stoa-rules", None), need("test", Some("dev")), need("macro", None)] },
                { "id": "stoa-rules", "deps": [need("used", None)] },
                { "id": "used", "deps": [need("deep", None), need("cc", Some("build"))] },
                { "id": "macro", "deps": [need("of-macro", None)] },
            ] },
        });
        let lock = "[[package]]\nname = \"deep\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        let found = crates(&metadata, lock).expect("crates");
        let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
        assert_eq!(names, ["deep", "used"]);
        assert_eq!(found[0].checksum.as_deref(), Some("abc"));
        assert_eq!(found[1].needs, BTreeSet::from(["pkg:cargo/deep@1.0.0".to_owned()]));
        assert_eq!(found[1].licence, "MIT OR Apache-2.0");
        assert_eq!(found[1].folder, Path::new("/crates/used"));
    }
}
