//! The bill of materials: everything in the program, in the format CycloneDX.

use anyhow::Result;
use serde_json::{Value, json};

use crate::dependencies::Dependency;
use crate::release::Release;

/// The bill of materials as JSON. It has no serial number and no hour, so that it depends on nothing but
/// the release.
pub(crate) fn json(release: &Release, dependencies: &[Dependency]) -> Result<String> {
    let own = format!("pkg:generic/stoa@{}", release.version);
    let components: Vec<Value> = dependencies.iter().map(component).collect();
    let needed: std::collections::BTreeSet<&String> =
        dependencies.iter().flat_map(|dependency| &dependency.needs).collect();
    // What nothing else needs is needed by our own code.
    let direct: Vec<&String> = dependencies
        .iter()
        .map(|dependency| &dependency.url)
        .filter(|url| !needed.contains(url))
        .collect();
    let mut graph = vec![json!({ "ref": own, "dependsOn": direct })];
    graph.extend(
        dependencies
            .iter()
            .map(|dependency| json!({ "ref": dependency.url, "dependsOn": dependency.needs })),
    );
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "stoa",
                "version": release.version,
                "purl": own,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": components,
        "dependencies": graph,
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn component(dependency: &Dependency) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": dependency.url,
        "name": dependency.name,
        "version": dependency.version,
        "purl": dependency.url,
        "licenses": [{ "expression": dependency.licence }],
    });
    if let Some(checksum) = &dependency.checksum {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_dependency_is_in_it_with_what_it_needs() {
        let dependency = |name: &str, needs: &[&str]| Dependency {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            url: format!("pkg:cargo/{name}@1.0.0"),
            licence: "MIT".to_owned(),
            checksum: Some("00".to_owned()),
            needs: needs
                .iter()
                .map(|name| format!("pkg:cargo/{name}@1.0.0"))
                .collect::<BTreeSet<_>>(),
            folder: "/".into(),
        };
        let release = Release { version: "2.0.0".to_owned(), notes: String::new(), time: 0 };
        let text = json(&release, &[dependency("deep", &[]), dependency("used", &["deep"])]);
        let document: Value = serde_json::from_str(&text.expect("JSON")).expect("JSON");
        assert_eq!(document["bomFormat"], "CycloneDX");
        assert_eq!(document["metadata"]["component"]["version"], "2.0.0");
        assert_eq!(document["components"][1]["purl"], "pkg:cargo/used@1.0.0");
        assert_eq!(document["components"][0]["hashes"][0]["content"], "00");
        let graph = &document["dependencies"];
        assert_eq!(graph[0]["dependsOn"], json!(["pkg:cargo/used@1.0.0"]));
        assert_eq!(graph[2]["dependsOn"], json!(["pkg:cargo/deep@1.0.0"]));
    }
}
