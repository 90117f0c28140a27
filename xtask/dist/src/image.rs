//! The container image, in the layout of the Open Container Initiative: one layer with the program and an
//! empty folder for its data, for each architecture.

use std::collections::BTreeMap;

use anyhow::Result;
use serde_json::{Value, json};

use crate::architecture::Architecture;
use crate::archive::{Entry, gzip, tar};
use crate::checksums::sha256;
use crate::release::Release;

/// Whom the program runs as: nobody in particular.
const USER: u64 = 65532;

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// Files by the SHA-256 of their content.
#[derive(Debug, Default)]
struct Blobs(BTreeMap<String, Vec<u8>>);

impl Blobs {
    /// Adds a file and describes it.
    fn add(&mut self, kind: &str, bytes: Vec<u8>) -> Value {
        let digest = sha256(&bytes);
        let description =
            json!({ "mediaType": kind, "digest": format!("sha256:{digest}"), "size": bytes.len() });
        self.0.insert(digest, bytes);
        description
    }
}

/// The layout as a tar file, which `docker load`, `podman load` and `skopeo` read.
pub(crate) fn layout(release: &Release, programs: &[(Architecture, Vec<u8>)]) -> Result<Vec<u8>> {
    let mut blobs = Blobs::default();
    let mut manifests = Vec::new();
    for (architecture, program) in programs {
        let mut manifest = image(&mut blobs, release, *architecture, program)?;
        manifest["platform"] = json!({ "architecture": architecture.debian(), "os": "linux" });
        manifests.push(manifest);
    }
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": manifests });
    // One name for all architectures.
    let mut named = blobs.add(INDEX, serde_json::to_vec(&index)?);
    named["annotations"] = json!({
        "org.opencontainers.image.ref.name": release.version,
        "io.containerd.image.name": format!("stoa:{}", release.version),
    });
    let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": [named] });
    let mut entries = vec![
        Entry::file("oci-layout", 0o644, r#"{"imageLayoutVersion":"1.0.0"}"#),
        Entry::file("index.json", 0o644, serde_json::to_vec(&index)?),
        Entry::folder("blobs/"),
        Entry::folder("blobs/sha256/"),
    ];
    for (digest, bytes) in blobs.0 {
        entries.push(Entry::file(&format!("blobs/sha256/{digest}"), 0o644, bytes));
    }
    tar(&entries, release.time)
}

/// Adds the image for one architecture, and describes its manifest.
fn image(
    blobs: &mut Blobs,
    release: &Release,
    architecture: Architecture,
    program: &[u8],
) -> Result<Value> {
    let files = [
        Entry::file("stoa", 0o755, program),
        Entry::folder("tmp/").owned_by(0, 0o1777),
        Entry::folder("var/"),
        Entry::folder("var/lib/"),
        Entry::folder("var/lib/stoa/").owned_by(USER, 0o700),
    ];
    let layer = tar(&files, release.time)?;
    let config = json!({
        "architecture": architecture.debian(),
        "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"),
            "ExposedPorts": { "8473/tcp": {} },
            "Env": [
                "PATH=/", "STOA_LISTEN=0.0.0.0:8473", "STOA_DATA=/var/lib/stoa", "STOA_LOG_FORM=json",
            ],
            "Entrypoint": ["/stoa"],
            "Cmd": ["serve"],
            "Volumes": { "/var/lib/stoa": {} },
            "WorkingDir": "/",
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "Stoa",
                "org.opencontainers.image.version": release.version,
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{}", sha256(&layer))] },
        "history": [{ "created_by": "cargo xtask dist" }],
    });
    let config = blobs.add(CONFIG, serde_json::to_vec(&config)?);
    let layer = blobs.add(LAYER, gzip(&layer)?);
    let manifest = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer],
    });
    Ok(blobs.add(MANIFEST, serde_json::to_vec(&manifest)?))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn every_digest_and_size_is_that_of_a_file() {
        let release = Release { version: "1.2.3".to_owned(), notes: String::new(), time: 7 };
        let programs = Architecture::ALL.map(|known| (known, known.rust().as_bytes().to_vec()));
        let bytes = layout(&release, &programs).expect("an image");
        let mut files = BTreeMap::new();
        for entry in tar::Archive::new(bytes.as_slice()).entries().expect("entries") {
            let mut entry = entry.expect("an entry");
            let path = entry.path().expect("a path").to_string_lossy().into_owned();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).expect("a content");
            files.insert(path, content);
        }
        let follow = |description: &Value| -> Vec<u8> {
            let digest = description["digest"].as_str().expect("a digest").replace("sha256:", "");
            let content = files[&format!("blobs/sha256/{digest}")].clone();
            assert_eq!(sha256(&content), digest);
            assert_eq!(description["size"], content.len());
            content
        };
        let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).expect("JSON");
        let index = read(&files["index.json"]);
        let index = read(&follow(&index["manifests"][0]));
        let manifests = index["manifests"].as_array().expect("manifests");
        assert_eq!(manifests.len(), 2);
        for (manifest, (architecture, program)) in manifests.iter().zip(programs) {
            assert_eq!(manifest["platform"]["architecture"], architecture.debian());
            let manifest = read(&follow(manifest));
            let config = read(&follow(&manifest["config"]));
            let layer = follow(&manifest["layers"][0]);
            let mut unpacked = Vec::new();
            let mut decoder = flate2::read::GzDecoder::new(layer.as_slice());
            decoder.read_to_end(&mut unpacked).expect("a layer");
            let diff = format!("sha256:{}", sha256(&unpacked));
            assert_eq!(config["rootfs"]["diff_ids"][0], diff);
            let mut archive = tar::Archive::new(unpacked.as_slice());
            let mut first = archive.entries().expect("entries").next().expect("one").expect("one");
            let mut content = Vec::new();
            first.read_to_end(&mut content).expect("a program");
            assert_eq!(content, program);
        }
    }
}
