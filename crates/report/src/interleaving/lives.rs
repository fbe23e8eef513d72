//! From when to when each thread lives.

use selvedge_model::{Effect, Finding, OperationKind, ThreadPath};

/// The steps between which each thread of a table lives.
pub(super) struct Lives {
    /// For each thread, the step that made it and the step at which it ended.
    spans: Vec<(Option<usize>, Option<usize>)>,
}

impl Lives {
    pub(super) fn of(finding: &Finding, threads: &[&ThreadPath]) -> Self {
        let span = |path: &&ThreadPath| {
            let number = finding.threads.iter().position(|thread| thread.path == **path);
            let born = finding.steps.iter().position(|step| match step.effect {
                Effect::Thread(id) => {
                    step.kind == OperationKind::Spawn && Some(id.index()) == number
                }
                _ => false,
            });
            let died = finding
                .steps
                .iter()
                .rposition(|step| step.kind == OperationKind::ThreadEnd && step.thread == **path);
            (born, died)
        };
        Self { spans: threads.iter().map(span).collect() }
    }

    /// Whether a thread lives right after a step.
    pub(super) fn alive(&self, thread: usize, step: usize) -> bool {
        let (born, died) = self.spans[thread];
        born.is_none_or(|born| born < step) && died.is_none_or(|died| step < died)
    }
}
