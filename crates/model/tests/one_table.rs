//! What lock operations mean is said in one place: nobody but the table asks which kind one is.

use std::fs;
use std::path::{Path, PathBuf};

/// Who names kinds of lock operations without asking: those who carry them out or make examples up, and
/// one who steers threads to the beginning of a wait.
const NAMES_THEM: [&str; 4] = [
    "model/src/operation",
    "engine/src/objects",
    "page/src/sample.rs",
    "observe/src/detect/good_lock/tell.rs",
];

/// The files with product code below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of ours can be read") {
        let path = entry.expect("an entry of it, too").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.is_dir() {
            if !["tests", "target", "examples", "benches"].contains(&name.as_str()) {
                sources(&path, found);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" && name != "races_of_traces.rs" {
            found.push(path);
        }
    }
}

/// Whether a line names a kind of lock operation.
fn names_lock_operation(line: &str) -> bool {
    ["Mutex", "Rw", "Condvar", "Once", "Notify"].iter().any(|family| {
        line.match_indices(&format!("Kind::{family}")).any(|(at, _)| {
            // `ObjectKind::Mutex` and the like are no operations.
            let before = &line[..at];
            let is_operation =
                before.ends_with("Operation") || !before.ends_with(char::is_alphabetic);
            let rest = &line[at + "Kind::".len() + family.len()..];
            is_operation && rest.starts_with(char::is_uppercase)
        })
    })
}

#[test]
fn nobody_but_the_table_asks_which_kind_a_lock_operation_is() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it is among others");
    let mut all = Vec::new();
    sources(crates, &mut all);
    assert!(all.len() > 300, "{} files", all.len());
    let mut asks = Vec::new();
    for path in all {
        let place = path.strip_prefix(crates).expect("it is below").to_string_lossy().into_owned();
        if NAMES_THEM.iter().any(|allowed| place.starts_with(allowed)) {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source file is text");
        // Tests may name whatever they like.
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in product.lines().enumerate() {
            if names_lock_operation(line) && !line.trim_start().starts_with("//") {
                asks.push(format!("{place}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(asks.is_empty(), "ask `OperationKind::meaning` instead: {asks:#?}");
}

#[test]
fn the_question_is_recognised() {
    for line in
        ["OperationKind::MutexLock => 1,", "Kind::RwTryRead | Kind::RwRead", "if Kind::OnceCall"]
    {
        assert!(names_lock_operation(line), "{line}");
    }
    for line in ["ObjectKind::Mutex => 1,", "ForeignKind::RwLock", "OperationKind::Spawn"] {
        assert!(!names_lock_operation(line), "{line}");
    }
}
