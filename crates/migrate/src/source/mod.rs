//! The sources of tests, as far as migration has to know them: functions and closures (*bodies*), their
//! blocks, the statements in these, and which of them sleep.
//!
//! Everything refers to byte offsets of the original text. Nothing is ever printed from the tree.

mod around;
mod calls;
mod exits;
mod scan;
mod uses;
mod variables;

use std::ops::Range;
use std::path::PathBuf;

pub use around::{Function, first_item, function_around, functions};
pub use variables::Variables;

/// A file of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub usize);

/// A statement of test code. The number is what a log has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub usize);

/// A block of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub usize);

/// The code of a function or of a closure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub usize);

/// A file, as it was read.
#[derive(Clone, Debug)]
pub struct File {
    /// Where it is, relative to the root of the workspace.
    pub path: PathBuf,
    /// What is in it.
    pub text: String,
    /// Sleeps inside of macros, which can not be looked into.
    pub in_macros: Vec<InMacro>,
}

/// A sleep that stands in the tokens of a macro.
#[derive(Clone, Debug)]
pub struct InMacro {
    /// The name of the macro.
    pub name: String,
    /// Where the macro's name stands.
    pub at: usize,
    /// The statement of which it is a part.
    pub statement: Option<StatementId>,
}

/// How a closure has what it uses of the code around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Captures {
    /// It owns it, and drops it at its end.
    Moved,
    /// It borrows it, if it uses anything.
    Borrowed,
}

/// Code that is run as a whole.
#[derive(Clone, Debug)]
pub struct Body {
    /// In which file.
    pub file: FileId,
    /// Its outermost block.
    pub root: BlockId,
    /// The name of the function; nothing for a closure or an `async` block.
    pub function: Option<String>,
    /// How it has what it uses.
    pub captures: Captures,
    /// The statement in which a closure stands.
    pub within: Option<StatementId>,
    /// The function in which it stands, or which it is.
    pub outermost: Option<BodyId>,
    /// Names that occur in it, without those in closures with statements of their own, sorted.
    pub idents: Vec<String>,
    /// The variables of a function; nothing for a closure.
    pub variables: Variables,
}

/// Whether a block has braces in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Braces {
    /// It has.
    Written,
    /// It is the expression of a closure, which gets braces if something is added to it.
    Missing,
}

/// A sequence of statements.
#[derive(Clone, Debug)]
pub struct Block {
    /// In which file.
    pub file: FileId,
    /// Of which function or closure.
    pub body: BodyId,
    /// What stands between the braces.
    pub inner: Range<usize>,
    /// Whether there are any.
    pub braces: Braces,
    /// The statements, items left out.
    pub statements: Vec<StatementId>,
}

/// What a statement is to migration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It does nothing but sleep.
    Sleep,
    /// It never comes to its end by itself: `return`, `break`, `continue`.
    Leaves,
    /// Any other.
    Other,
}

/// What becomes of the value of the last statement of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// The statement is not a value of a block.
    No,
    /// It is the value of its block, which may be anything.
    Value,
}

/// What kind of loop a statement stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// It has an end that does not depend on other threads.
    Counted,
    /// It asks again and again whether something has happened.
    Polling,
    /// It has no end.
    Endless,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// In which file.
    pub file: FileId,
    /// In which block.
    pub block: BlockId,
    /// Which one of the block's.
    pub index: usize,
    /// Its text, attributes included, with its semicolon.
    pub range: Range<usize>,
    /// What it is to us.
    pub kind: Kind,
    /// Whether it is the value of its block.
    pub tail: Tail,
    /// The call that it is about, if there is one.
    pub call: Option<String>,
    /// The loops around it, in its body, from the outermost.
    pub loops: Vec<Loop>,
    /// The variable that it binds, if it binds one.
    pub binds: Option<String>,
    /// The variable on which it calls `join`.
    pub joins: Option<String>,
    /// The function whose call it is, if it is nothing else.
    pub callee: Option<String>,
}

/// A function with `#[test]`.
#[derive(Clone, Debug)]
pub struct TestFn {
    /// Its name, with the modules of its crate before it.
    pub name: String,
    /// Its code.
    pub body: BodyId,
    /// The whole attribute, `#[test]`.
    pub attribute: Range<usize>,
    /// The whole function with its attributes.
    pub range: Range<usize>,
    /// From the name of the function to its end.
    pub function: Range<usize>,
}

/// A module in a file of its own that was met while a file was read.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Its name.
    pub name: String,
    /// The modules around it, in the file.
    pub within: Vec<String>,
    /// The path that an attribute gives it.
    pub path: Option<String>,
    /// What of it is test code.
    pub scope: Scope,
}

/// What of a file is test code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of it.
    All,
    /// Functions with `#[test]`, and modules with `#[cfg(test)]`.
    Tests,
}

/// A file that is not Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { path, line, column, message } = self;
        write!(f, "{}:{line}:{column}: {message}", path.display())
    }
}

impl std::error::Error for ParseError {}

/// All that was read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<File>,
    bodies: Vec<Body>,
    blocks: Vec<Block>,
    statements: Vec<Statement>,
    tests: Vec<TestFn>,
}

impl Sources {
    /// Reads a file. `modules` are those of its crate in which it stands.
    ///
    /// # Errors
    ///
    /// If it does not parse; nothing of it is known then.
    pub fn add(
        &mut self,
        path: impl Into<PathBuf>,
        text: impl Into<String>,
        modules: &[String],
        scope: Scope,
    ) -> Result<Vec<Outline>, ParseError> {
        scan::scan(self, path.into(), text.into(), modules, scope)
    }

    /// The files.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &File)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index), file))
    }

    /// The tests, in the order in which they were read.
    pub fn tests(&self) -> &[TestFn] {
        &self.tests
    }

    /// The statements.
    pub fn statements(&self) -> impl Iterator<Item = (StatementId, &Statement)> {
        self.statements.iter().enumerate().map(|(index, s)| (StatementId(index), s))
    }

    /// The blocks.
    pub fn blocks(&self) -> impl Iterator<Item = (BlockId, &Block)> {
        self.blocks.iter().enumerate().map(|(index, block)| (BlockId(index), block))
    }

    /// A file.
    pub fn file(&self, id: FileId) -> &File {
        &self.files[id.0]
    }

    /// A body.
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.0]
    }

    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0]
    }

    /// A statement.
    pub fn statement(&self, id: StatementId) -> &Statement {
        &self.statements[id.0]
    }

    /// Whether there is a statement with this number, as a log may claim.
    pub fn has(&self, id: StatementId) -> bool {
        id.0 < self.statements.len()
    }

    /// The body in which a statement stands.
    pub fn body_of(&self, id: StatementId) -> BodyId {
        self.block(self.statement(id).block).body
    }

    /// The function in which a statement stands.
    pub fn function_of(&self, id: StatementId) -> BodyId {
        let body = self.body_of(id);
        self.body(body).outermost.unwrap_or(body)
    }

    /// Whether a statement stands in a body, at any depth.
    pub fn is_within(&self, id: StatementId, body: BodyId) -> bool {
        let (file, range) = (self.body(body).file, &self.block(self.body(body).root).inner);
        let statement = self.statement(id);
        statement.file == file
            && range.start <= statement.range.start
            && statement.range.end <= range.end
    }

    /// A body and all closures in it.
    pub fn bodies_within(&self, body: BodyId) -> impl Iterator<Item = BodyId> + '_ {
        let outermost = move |(_, other): &(usize, &Body)| other.outermost == Some(body);
        let inner = self.bodies.iter().enumerate().filter(outermost);
        std::iter::once(body).chain(inner.map(|(index, _)| BodyId(index)))
    }

    /// The text of a statement.
    pub fn text(&self, id: StatementId) -> &str {
        let statement = self.statement(id);
        &self.file(statement.file).text[statement.range.clone()]
    }

    /// Whether a statement is a call or the like, and no loop, branch or block.
    pub fn is_call(&self, id: StatementId) -> bool {
        let text = self.text(id).trim_start();
        let word = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let flow = [
            "", "if", "match", "loop", "for", "while", "unsafe", "async", "return", "break",
            "continue", "move", "const",
        ];
        !flow.contains(&word)
    }

    /// The line and column of an offset, both from 1.
    pub fn line_column(&self, file: FileId, offset: usize) -> (usize, usize) {
        let before = &self.file(file).text[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }

    /// `path:line` of an offset.
    pub fn place(&self, file: FileId, offset: usize) -> String {
        format!("{}:{}", self.file(file).path.display(), self.line_column(file, offset).0)
    }
}
