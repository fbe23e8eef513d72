//! Under which conditions a test ran, in a few words.

use crate::words::count;
use selvedge_model::{Conditions, FailedExecution, Forked, KeptFor};

/// What people should know of the conditions, if there is anything.
pub fn conditions(conditions: &Conditions) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(first) = conditions.outside_threads.first() {
        let threads = count(conditions.outside_threads.len() as u64, "thread");
        let after = first.after.as_ref().map(|at| format!(", started after {at}"));
        parts.push(format!("{threads} outside of control{}", after.unwrap_or_default()));
    }
    if let Some(bytes @ 1..) = conditions.statics_put_back {
        parts.push(format!("statics put back ({})", crate::words::bytes(bytes)));
    }
    if let Some(why) = conditions.forked {
        let why = match why {
            Forked::Asked => "",
            Forked::Allocator => ", since its allocator keeps state in statics",
            Forked::Libraries => ", since it changes statics of shared libraries",
            Forked::Process => ", since it changes its process for good",
            Forked::LeftBehind => {
                ", since executions in one process found what earlier ones had left behind"
            }
            Forked::Died => ", since its process died",
        };
        parts.push(format!("each execution forked{why}"));
    }
    if let Some(FailedExecution { execution, problem }) = &conditions.left_behind {
        parts.push(format!(
            "not explored beyond execution {execution}, whose {problem} also comes with the schedule of \
             execution 1, which had passed: the test finds what an earlier execution left behind, \
             such as a file"
        ));
    }
    if let Some(FailedExecution { execution, problem }) = &conditions.never_again {
        parts.push(format!(
            "a {problem} in execution {execution} never came again, neither with its schedule nor when \
             the test was explored once more with nothing else running: something outside of the test \
             decides as well"
        ));
    }
    if let Some(FailedExecution { problem, .. }) = &conditions.only_under_control {
        parts.push(format!(
            "passes without control only: under control there is a {problem}; the test has one thread, \
             so the likely cause is something that Selvedge changes in its process"
        ));
    }
    if conditions.cut_off > 0 {
        let executions = count(conditions.cut_off, "execution");
        parts.push(format!("{executions} cut off early, since the test is long"));
    }
    for not_kept in &conditions.not_kept {
        let after = not_kept.after;
        parts.push(match not_kept.what {
            KeptFor::Races => format!("race detection was thinned after step {after}"),
            KeptFor::Coverage => format!("coverage is that of the first {after} steps"),
            KeptFor::Warnings => format!("warnings are about the first {after} steps"),
        });
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::conditions;
    use selvedge_model::{
        Conditions, FailedExecution, Forked, KeptFor, NotKept, OutsideThread, Source, ThreadPath,
        ThreadReport,
    };

    #[test]
    fn only_what_is_worth_knowing_is_said() {
        let clean = Conditions { statics_put_back: Some(0), ..Conditions::default() };
        assert_eq!(conditions(&clean), None);
        let by = ThreadReport { path: ThreadPath::main(), name: None, spawned: None };
        let after = Some(Source { file: "src/lib.rs".to_owned(), line: 12, column: 5 });
        let outside = Conditions {
            outside_threads: vec![OutsideThread { by, after }],
            ..Conditions::default()
        };
        assert_eq!(
            conditions(&outside).as_deref(),
            Some("1 thread outside of control, started after src/lib.rs:12:5")
        );
        let statics = Conditions { statics_put_back: Some(16), ..Conditions::default() };
        assert_eq!(conditions(&statics).as_deref(), Some("statics put back (16 bytes)"));
        let forked = Conditions { forked: Some(Forked::Allocator), ..Conditions::default() };
        assert_eq!(
            conditions(&forked).as_deref(),
            Some("each execution forked, since its allocator keeps state in statics")
        );
        let failed = FailedExecution { execution: 1, problem: "panic".to_owned() };
        let only_here = Conditions { only_under_control: Some(failed), ..Conditions::default() };
        let told = conditions(&only_here).unwrap();
        assert!(
            told.starts_with("passes without control only: under control there is a panic"),
            "{told}"
        );
        let not_kept = vec![NotKept { what: KeptFor::Races, after: 7 }];
        let thinned = Conditions { not_kept, ..Conditions::default() };
        assert_eq!(
            conditions(&thinned).as_deref(),
            Some("race detection was thinned after step 7")
        );
    }
}
