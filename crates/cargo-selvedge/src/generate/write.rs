//! Tests for what was found, as files of the package.

use super::tell::describe;
use crate::output::{Status, note};
use cargo_metadata::Package;
use selvedge_generate::{Emitted, Harness, emit};
use selvedge_harness::{Level, Violation};
use std::path::PathBuf;

/// Writes a file with a test for each finding of a type. Nothing if there is none that could be written.
pub(crate) fn write_tests(
    package: &Package,
    harness: &Harness,
    violations: &[Violation],
) -> anyhow::Result<Option<PathBuf>> {
    let mut source = format!(
        "//! Tests of `{}` that `cargo selvedge generate` has written. Each fails in some interleavings only: `cargo selvedge test`\n\
         //! explores them.\n",
        harness.subject.name
    );
    let mut any = false;
    for violation in violations.iter().filter(|one| one.level == Level::Finding) {
        match emit(harness, violation, &describe(harness, violation)) {
            Emitted::Test { source: module, .. } => {
                any = true;
                source.push('\n');
                source.push_str(&module);
            }
            Emitted::Nothing(why) => note(&format!("no test is written for it: {why}")),
        }
    }
    if !any {
        return Ok(None);
    }
    let name: String = harness
        .subject
        .name
        .chars()
        .map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
        .collect();
    let folder = package
        .manifest_path
        .parent()
        .map(|folder| folder.as_std_path().join("tests"))
        .unwrap_or_default();
    fs_err::create_dir_all(&folder)?;
    let file = folder.join(format!("selvedge_{}.rs", name.replace("__", "_")));
    fs_err::write(&file, source)?;
    Status::Built.say(&format!("{}", file.display()));
    Ok(Some(file))
}
