//! Every step of a finding, one a line.

use crate::names::Names;
use crate::operation::{AtomicNames, describe};
use selvedge_model::Finding;
use std::fmt::Write;

/// All steps, in order.
pub fn trace(finding: &Finding) -> String {
    let names = Names::of(finding);
    let mut text = String::new();
    let digits = finding.steps.len().to_string().len();
    let threads: Vec<_> = finding.steps.iter().map(|step| step.thread.to_string()).collect();
    let width = threads.iter().map(String::len).max().unwrap_or(0);
    for (number, (step, thread)) in finding.steps.iter().zip(&threads).enumerate() {
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{:>digits$}  {thread:<width$}  {:<28}  {}",
            number + 1,
            describe(step, &names, AtomicNames::Shown, None),
            step.at
        );
    }
    text
}
