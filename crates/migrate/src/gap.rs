//! Places for events: the gaps between statements. Gaps around a sleep that is taken away are one gap.

use crate::source::{BlockId, FileId, Sources, StatementId};
use std::collections::BTreeSet;

/// A place for an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gap {
    /// Before a statement that stays.
    Before(StatementId),
    /// At the end of a block.
    End(BlockId),
}

/// Sleeps that are taken away.
pub type Removed = BTreeSet<StatementId>;

impl Gap {
    /// The gap in which a statement stands or, if it stays, the one before it.
    pub fn at(sources: &Sources, removed: &Removed, statement: StatementId) -> Self {
        let entry = sources.statement(statement);
        let block = sources.block(entry.block);
        let stays = block.statements[entry.index..].iter().find(|other| !removed.contains(other));
        stays.map_or(Self::End(entry.block), |&next| Self::Before(next))
    }

    /// The gap at the end of a block.
    pub fn end(block: BlockId) -> Self {
        Self::End(block)
    }

    /// The block in which it lies.
    pub fn block(self, sources: &Sources) -> BlockId {
        match self {
            Self::Before(statement) => sources.statement(statement).block,
            Self::End(block) => block,
        }
    }

    /// How many statements of its block stand before it, sleeps included.
    fn index(self, sources: &Sources) -> usize {
        match self {
            Self::Before(statement) => sources.statement(statement).index,
            Self::End(block) => sources.block(block).statements.len(),
        }
    }

    /// The sleeps in it, in order.
    pub fn sleeps(self, sources: &Sources, removed: &Removed) -> Vec<StatementId> {
        let before = &sources.block(self.block(sources)).statements[..self.index(sources)];
        let stays = before.iter().rposition(|other| !removed.contains(other));
        before[stays.map_or(0, |at| at + 1)..].to_vec()
    }

    /// The last statement before it that stays.
    pub fn previous(self, sources: &Sources, removed: &Removed) -> Option<StatementId> {
        let before = &sources.block(self.block(sources)).statements[..self.index(sources)];
        before.iter().rfind(|other| !removed.contains(other)).copied()
    }

    /// The file in which it lies.
    pub fn file(self, sources: &Sources) -> FileId {
        sources.block(self.block(sources)).file
    }

    /// The offset of what comes next: a statement, or the closing brace.
    pub fn offset(self, sources: &Sources) -> usize {
        match self {
            Self::Before(statement) => sources.statement(statement).range.start,
            Self::End(block) => sources.block(block).inner.end,
        }
    }
}
