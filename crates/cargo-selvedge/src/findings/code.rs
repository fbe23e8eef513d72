//! What the addresses in a finding mean, kept with the finding.

use selvedge_model::{
    CodeAddress, FindingKind, MemoryBlock, MemoryEvent, MemoryUse, RacingAccess, Source,
};
use selvedge_report::{SourceFiles, Sources};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What an address means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Code {
    /// The address.
    address: CodeAddress,
    /// The functions that it stands in, innermost first.
    calls: Vec<String>,
    /// Its line.
    place: Option<Source>,
}

/// What the addresses in a finding of this kind mean, as far as somebody knows.
pub(crate) fn code_of(kind: &FindingKind, sources: &dyn Sources) -> Vec<Code> {
    let code =
        |address| Code { address, calls: sources.code(address), place: sources.place(address) };
    addresses(kind).into_iter().map(code).collect()
}

fn addresses(kind: &FindingKind) -> BTreeSet<CodeAddress> {
    fn event(event: &MemoryEvent) -> Vec<CodeAddress> {
        event.frames.clone()
    }
    fn block(block: &MemoryBlock) -> Vec<CodeAddress> {
        let freed = block.freed.iter().flat_map(event);
        event(&block.allocated).into_iter().chain(freed).collect()
    }
    fn access(access: &RacingAccess) -> Vec<CodeAddress> {
        access.frames.clone()
    }
    let found = match kind {
        FindingKind::DataRace { first, second, block: of, .. } => {
            let of = of.as_deref().map(block).unwrap_or_default();
            [access(first), access(second), of].concat()
        }
        FindingKind::UseAfterFree { used, block: of } => {
            let used = match used {
                MemoryUse::Access { event: access, .. }
                | MemoryUse::Stack { event: access, .. } => event(access),
                _ => Vec::new(),
            };
            [used, of.as_deref().map(block).unwrap_or_default()].concat()
        }
        FindingKind::DoubleFree { block: of, again } => [block(of), event(again)].concat(),
        FindingKind::InvalidFree { block: of, free } => {
            [of.as_deref().map(block).unwrap_or_default(), event(free)].concat()
        }
        FindingKind::Leak { blocks, .. } => blocks.iter().flat_map(block).collect(),
        FindingKind::Memory { last, .. } => event(last),
        _ => Vec::new(),
    };
    found.into_iter().collect()
}

/// Sources as they are now, and addresses as they were when the finding was made.
pub(crate) struct KnownCode<'a> {
    pub(crate) files: &'a SourceFiles,
    pub(crate) code: &'a [Code],
}

impl KnownCode<'_> {
    fn find(&self, address: CodeAddress) -> Option<&Code> {
        self.code.iter().find(|code| code.address == address)
    }
}

impl Sources for KnownCode<'_> {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        self.files.line(file, line)
    }

    fn code(&self, address: CodeAddress) -> Vec<String> {
        self.find(address).map(|code| code.calls.clone()).unwrap_or_default()
    }

    fn place(&self, address: CodeAddress) -> Option<Source> {
        self.find(address)?.place.clone()
    }
}
