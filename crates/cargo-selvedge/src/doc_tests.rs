//! Doc tests, which are not run: rustdoc compiles each as a program of its own, in which there is
//! nobody to run it under control. So they are named wherever cargo would have run them.

use crate::cargo_args::CargoArgs;
use crate::compile::{Binary, label};
use crate::memory_layer::source_files;
use crate::project::Project;
use cargo_metadata::Package;
use std::collections::BTreeSet;

/// What `cargo test` with these arguments would run beside these binaries, and why it is not run.
pub(crate) fn left_out(
    project: &Project,
    args: &CargoArgs,
    binaries: &[Binary],
) -> Vec<(String, String)> {
    // Cargo runs them unless it was told which targets to test.
    if args.names_targets() {
        return Vec::new();
    }
    let packages: BTreeSet<_> = binaries.iter().map(|binary| &binary.package).collect();
    let packages = packages.into_iter().filter_map(|id| project.package(id));
    let with_doc_tests = packages.filter(|package| {
        package.targets.iter().any(|target| target.doctest) && has_code_in_documentation(package)
    });
    let told = with_doc_tests.map(|package| {
        let why = format!(
            "rustdoc compiles doc tests on its own; `cargo test --doc --package {}` runs them",
            package.name
        );
        (label(&package.name, "doc", "tests"), why)
    });
    told.collect()
}

/// Whether the documentation in a package has code, or is taken from a file, which may have some.
fn has_code_in_documentation(package: &Package) -> bool {
    source_files(package).iter().any(|file| {
        std::fs::read_to_string(file).is_ok_and(|text| text.lines().any(is_code_in_documentation))
    })
}

fn is_code_in_documentation(line: &str) -> bool {
    let line = line.trim_start();
    let markers = ["///", "//!", "/**", "/*!", "*"];
    let documentation = markers.iter().find_map(|marker| line.strip_prefix(marker));
    let has_fence = |text: &str| text.contains("```") || text.contains("~~~");
    documentation.is_some_and(has_fence)
        || line.starts_with("```")
        || line.contains("doc = include_str!")
        || (line.contains("doc = ") && has_fence(line))
}

#[cfg(test)]
mod tests {
    use super::is_code_in_documentation;

    #[test]
    fn code_is_known_by_its_fence() {
        for code in [
            "/// ```",
            "    //! ```rust,no_run",
            " * ~~~",
            "```should_panic",
            "#![doc = include_str!(\"../README.md\")]",
            "#[cfg_attr(doctest, doc = include_str!(\"../README.md\"))]",
            "#[doc = \"```\"]",
        ] {
            assert!(is_code_in_documentation(code), "{code}");
        }
        for other in ["/// Gives `one`.", "// ```", "let fence = \"```\";", "#[doc = \"One.\"]"] {
            assert!(!is_code_in_documentation(other), "{other}");
        }
    }
}
