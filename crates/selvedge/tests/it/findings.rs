//! Every kind of finding, by the smallest program that has it, with everything that it says.
//!
//! Places are marked in the programs by comments at the ends of lines; a `Page` finds them again.

mod deadlock;
mod ending;
mod endless;
mod panic;
mod stuck;

use crate::help;
use selvedge::OperationKind;
use selvedge_model::{Held, ObjectKind, ObjectName, Source, ThreadReport, Wait};

/// The source of a file with programs in it.
struct Page {
    file: &'static str,
    text: &'static str,
}

/// The file in which this is written.
macro_rules! this_page {
    ($text:literal) => {
        crate::findings::Page { file: file!(), text: include_str!($text) }
    };
}
use this_page;

impl Page {
    /// The marker at the given place: the comment that its line ends in.
    #[track_caller]
    fn mark(&self, source: &Source) -> &'static str {
        assert_eq!(source.file, self.file);
        let line = self.text.lines().nth(source.line as usize - 1).expect("a line of the file");
        match line.split_once(" // ") {
            Some((_, marker)) => {
                assert_eq!(help::line(self.text, marker), source.line);
                marker
            }
            None => panic!("line {} is not marked: {line}", source.line),
        }
    }

    fn object(&self, object: &ObjectName) -> (ObjectKind, &'static str) {
        (object.kind, object.created.as_ref().map_or("nowhere", |created| self.mark(created)))
    }

    fn held(&self, held: &Held) -> (ObjectKind, &'static str, OperationKind, &'static str) {
        let (kind, created) = self.object(&held.object);
        (kind, created, held.kind, self.mark(&held.at))
    }

    /// A wait in words, places replaced by their markers.
    fn wait(&self, wait: &Wait) -> Told {
        Told {
            thread: self.thread(&wait.thread),
            wants: wait.kind,
            of: wait.object.as_ref().map(|object| self.object(object)),
            at: self.mark(&wait.at),
            waits_for: wait.for_threads.iter().map(ToString::to_string).collect(),
            holds: wait.holds.iter().map(|held| self.held(held)).collect(),
        }
    }

    /// All waits, in the order of their threads.
    fn waits(&self, waits: &[Wait]) -> Vec<Told> {
        let mut told: Vec<_> = waits.iter().map(|wait| self.wait(wait)).collect();
        told.sort_by(|a, b| a.thread.cmp(&b.thread));
        told
    }

    /// A thread: its path, its name, and where it was spawned.
    fn thread(&self, thread: &ThreadReport) -> (String, Option<String>, &'static str) {
        let spawned = thread.spawned.as_ref().map_or("nowhere", |spawned| self.mark(spawned));
        (thread.path.to_string(), thread.name.clone(), spawned)
    }
}

/// A wait, as it is compared with what is expected.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    thread: (String, Option<String>, &'static str),
    wants: OperationKind,
    of: Option<(ObjectKind, &'static str)>,
    at: &'static str,
    waits_for: Vec<String>,
    holds: Vec<(ObjectKind, &'static str, OperationKind, &'static str)>,
}

/// The test's own thread.
fn test_thread() -> (String, Option<String>, &'static str) {
    ("0".to_owned(), None, "nowhere")
}

/// A thread without a name.
fn thread_spawned(path: &str, at: &'static str) -> (String, Option<String>, &'static str) {
    (path.to_owned(), None, at)
}
