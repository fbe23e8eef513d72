//! The edits of the logged copy: each statement of test code tells when it begins and, where that is
//! possible, when it has ended.

use crate::edit::Edit;
use crate::source::{Braces, FileId, Kind, Sources, Statement, StatementId, Tail, TestFn};

/// What is done with the last expression of a function or a closure, whose value must be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tails {
    /// Their ends are told of, too. The compiler may know less about types then.
    Told,
    /// They tell only that they begin.
    Plain,
}

/// The macros whose value is nothing.
const UNIT_MACROS: [&str; 10] = [
    "assert!",
    "assert_eq!",
    "assert_ne!",
    "debug_assert!",
    "debug_assert_eq!",
    "debug_assert_ne!",
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
];

/// The edits of a file.
pub fn instrument(sources: &Sources, file: FileId, tails: Tails) -> Vec<Edit> {
    let mut edits = Vec::new();
    for test in sources.tests().iter().filter(|test| sources.body(test.body).file == file) {
        edits.push(begin(sources, test));
    }
    for (id, statement) in sources.statements().filter(|(_, statement)| statement.file == file) {
        edits.extend(tell(sources, id, statement, tails));
    }
    edits
}

fn begin(sources: &Sources, test: &TestFn) -> Edit {
    let at = sources.block(sources.body(test.body).root).inner.start;
    let name = &test.name;
    Edit::insert(at, format!(" let _selvedge_log = ::selvedge::private::log::begin(\"{name}\");"))
}

fn tell(sources: &Sources, id: StatementId, statement: &Statement, tails: Tails) -> Vec<Edit> {
    let text = sources.text(id);
    let StatementId(number) = id;
    let mut before = format!("::selvedge::private::log::call({number}); ");
    let returned = format!("::selvedge::private::log::returned({number});");
    let mut after = String::new();
    match (statement.tail, statement.kind) {
        (_, Kind::Leaves) => {}
        (Tail::No, _) => after = format!(" {returned}"),
        (Tail::Value, Kind::Sleep) => after = format!("; {returned}"),
        (Tail::Value, _) if UNIT_MACROS.iter().any(|name| text.starts_with(name)) => {
            after = format!("; {returned}");
        }
        (Tail::Value, _) if text.starts_with("for ") || text.starts_with("while ") => {
            after = format!(" {returned}");
        }
        (Tail::Value, _)
            if tails == Tails::Told && sources.is_call(id) && text.ends_with([')', '?']) =>
        {
            before.push_str("match ");
            after = format!(" {{ value => {{ {returned} value }} }}");
        }
        (Tail::Value, _) => {}
    }
    if sources.block(statement.block).braces == Braces::Missing {
        before.insert_str(0, "{ ");
        after.push_str(" }");
    }
    let mut edits = vec![Edit::insert(statement.range.start, before)];
    if !after.is_empty() {
        edits.push(Edit::insert(statement.range.end, after));
    }
    edits
}
