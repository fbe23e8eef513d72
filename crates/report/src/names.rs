//! How threads, objects and places are called in one explanation.

use crate::relevant::waits;
use selvedge_model::{
    Effect, Finding, ObjectKind, ObjectName, OperationKind, Source, Step, ThreadId, ThreadPath,
    ThreadReport,
};
use std::collections::{BTreeMap, BTreeSet};

/// Names of everything in a finding.
pub(crate) struct Names<'a> {
    /// The finding itself, which knows the calls that led to places.
    pub(crate) finding: &'a Finding,
    threads: &'a [ThreadReport],
    /// The threads behind the objects of `join` and `unpark`, by the object's number.
    thread_objects: BTreeMap<u32, &'a ThreadPath>,
    /// The shortest ends of file names that tell the files of the finding apart.
    short_files: BTreeMap<&'a str, &'a str>,
}

impl<'a> Names<'a> {
    pub(crate) fn of(finding: &'a Finding) -> Self {
        let mut names = Self {
            finding,
            threads: &finding.threads,
            thread_objects: BTreeMap::new(),
            short_files: BTreeMap::new(),
        };
        let mut files: BTreeSet<&str> = BTreeSet::new();
        let mut last_file = None;
        for step in &finding.steps {
            // Most steps are in the file of the step before; a set is slow to tell.
            if last_file != Some(&step.at.file) {
                last_file = Some(&step.at.file);
                files.insert(&step.at.file);
            }
            if let Some(object) = step.object.as_ref().filter(|o| o.kind == ObjectKind::Thread)
                && let Some(thread) = names.thread_behind(step)
            {
                names.thread_objects.insert(object.number, thread);
            }
        }
        let spawned = finding.threads.iter().filter_map(|thread| thread.spawned.as_ref());
        let panicked = finding.panics.iter().filter_map(|panic| panic.at.as_ref());
        let waiting = waits(&finding.kind).iter().map(|wait| &wait.at);
        let called = finding.stacks.known.iter().filter_map(|stack| stack.at.as_ref());
        let places = spawned.chain(panicked).chain(waiting).chain(called);
        files.extend(places.map(|at| at.file.as_str()));
        names.short_files = files.iter().map(|&file| (file, shortened(file, &files))).collect();
        names
    }

    /// The thread that a step on a thread's own object concerns.
    fn thread_behind(&self, step: &'a Step) -> Option<&'a ThreadPath> {
        match (step.effect, step.kind) {
            (Effect::Thread(id), _) => Some(&self.thread(id)?.path),
            (_, OperationKind::ThreadStart | OperationKind::ThreadEnd | OperationKind::Park) => {
                Some(&step.thread)
            }
            _ => None,
        }
    }

    /// The thread with the given number. A finding lists threads in the order of their numbers.
    pub(crate) fn thread(&self, id: ThreadId) -> Option<&'a ThreadReport> {
        self.threads.get(id.index())
    }

    /// The position of a thread in the finding's list.
    pub(crate) fn position(&self, path: &ThreadPath) -> Option<usize> {
        self.threads.iter().position(|thread| thread.path == *path)
    }

    /// `1 'seller'`, `0 (the test)`.
    pub(crate) fn label(&self, path: &ThreadPath) -> String {
        match self.threads.iter().find(|thread| thread.path == *path) {
            Some(thread) => thread.to_string(),
            None => path.to_string(),
        }
    }

    /// `mutex 1`, `thread 2`. A thread is called by its path, not by its number as an object.
    pub(crate) fn object(&self, object: &ObjectName) -> String {
        match (object.kind, self.thread_objects.get(&object.number)) {
            (ObjectKind::Thread, Some(path)) => format!("thread {path}"),
            (ObjectKind::Thread, None) => "a thread".to_owned(),
            _ => object.to_string(),
        }
    }

    /// File and line, with no more of the path than needed: `shop.rs:17`.
    pub(crate) fn short(&self, at: &Source) -> String {
        let file = self.short_files.get(at.file.as_str()).copied();
        format!("{}:{}", file.unwrap_or(&at.file), at.line)
    }
}

/// A place in full. The standard library's own files lose the part that is the same for all.
pub(crate) fn full(at: &Source) -> String {
    let inside = at.file.strip_prefix("/rustc/").and_then(|rest| rest.split_once("/library/"));
    match inside {
        Some((_, file)) => format!("{file}:{}:{}", at.line, at.column),
        None => at.to_string(),
    }
}

/// Whether a place is in the standard library, where it says nothing about the user's program.
pub(crate) fn is_foreign(at: &Source) -> bool {
    at.file.starts_with("/rustc/")
}

/// The shortest end of a path, in whole components, that no other of the files has.
pub fn shortened<'a>(file: &'a str, files: &BTreeSet<&str>) -> &'a str {
    let separators = file.rmatch_indices(['/', '\\']).map(|(at, _)| at + 1);
    separators
        .map(|start| &file[start..])
        .find(|end| {
            let is_end = |other: &&&str| {
                let rest = other.strip_suffix(end);
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
            };
            !end.is_empty() && files.iter().filter(is_end).count() == 1
        })
        .unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_as_much_of_its_path_as_tells_it_apart() {
        let files =
            BTreeSet::from(["src/a/mod.rs", "src/b/mod.rs", "src/d.rs", "lib.rs", "mod.rs"]);
        let short = |file| shortened(file, &files);
        assert_eq!(short("src/a/mod.rs"), "a/mod.rs");
        assert_eq!(short("src/b/mod.rs"), "b/mod.rs");
        assert_eq!(short("src/d.rs"), "d.rs");
        assert_eq!(short("lib.rs"), "lib.rs");
        assert_eq!(short("mod.rs"), "mod.rs");
    }

    #[test]
    fn files_of_the_standard_library_are_named_within_it() {
        let file = "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/tuple.rs";
        let at = Source { file: file.to_owned(), line: 2, column: 1 };
        assert_eq!(full(&at), "core/src/tuple.rs:2:1");
        assert!(is_foreign(&at));
    }

    #[test]
    fn the_end_of_a_name_is_no_component() {
        let files = BTreeSet::from(["src/lib.rs", "src/my_lib.rs"]);
        assert_eq!(shortened("src/lib.rs", &files), "lib.rs");
    }
}
