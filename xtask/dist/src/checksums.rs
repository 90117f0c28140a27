//! SHA-256.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The checksums of all files in a folder, as `sha256sum --check` reads them.
pub(crate) fn of_folder(folder: &Path) -> Result<String> {
    let entries = fs::read_dir(folder).context("cannot read the folder")?;
    let mut lines = Vec::new();
    for entry in entries {
        let entry = entry?;
        let bytes = fs::read(entry.path())?;
        lines.push(format!("{}  {}\n", sha256(&bytes), entry.file_name().to_string_lossy()));
    }
    lines.sort_by(|one, other| one[64..].cmp(&other[64..]));
    Ok(lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_that_everybody_computes() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("b"), "").expect("a file");
        fs::write(folder.path().join("a"), "abc").expect("a file");
        let expected = "\
ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b
";
        assert_eq!(of_folder(folder.path()).expect("sums"), expected);
    }
}
