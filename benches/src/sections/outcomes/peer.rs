//! What the peers see, each in a process of its own: a test that fails may take it down.

use super::set::{Collector, Outcomes, compared, set};
use crate::child::{answer, ask};
use crate::engines::{loom, shuttle};
use crate::program::Litmus;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Stdio;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// The name of the job of running a litmus program on a peer.
pub(crate) const JOB: &str = "litmus";

/// What a peer sees, in another process. Held against all that the language allows.
pub(super) fn ask_peer(engine: &str, litmus: &Litmus, budget: &str) -> String {
    let mut seen = Outcomes::new();
    let mut end = "; no answer".to_owned();
    for line in ask(&[JOB, engine, litmus.name, budget], Stdio::null()) {
        match &line.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["outcome", outcome] => {
                seen.insert((*outcome).to_owned());
            }
            ["end", how] => end = (*how).to_owned(),
            _ => {}
        }
    }
    format!("{}{end}", compared(&seen, &set(litmus.allowed)))
}

/// Runs a litmus program on a peer in this process.
pub(crate) fn job(arguments: &[&str]) -> Option<()> {
    let &[engine, name, budget] = arguments else { return None };
    let budget: u32 = budget.parse().ok()?;
    let collector = Collector::default();
    let (telling, told) = (collector.clone(), Once::new());
    let tell = Arc::new(move |end: &str| {
        told.call_once(|| {
            telling.lock().iter().for_each(|outcome| answer(&["outcome", outcome]));
            answer(&["end", end]);
        });
    });
    // The engine may abort while the panic unwinds, so the hook is the last chance to tell.
    let in_hook = Arc::clone(&tell);
    std::panic::set_hook(Box::new(move |_| in_hook("; the test fails")));
    let began = Instant::now();
    let time = Duration::from_secs(budget.into());
    match engine {
        "shuttle" => {
            let litmus = shuttle::litmus::ALL.iter().find(|litmus| litmus.name == name)?;
            let test = collector.test(litmus.run);
            let _ = catch_unwind(AssertUnwindSafe(|| shuttle::sample(test, budget as usize)));
            tell("");
        }
        "loom" => {
            let litmus = loom::litmus::ALL.iter().find(|litmus| litmus.name == name)?;
            let counter = Arc::new(AtomicU64::new(0));
            let test = collector.test(litmus.run);
            let _ = catch_unwind(AssertUnwindSafe(|| loom::explore(test, None, time, &counter)));
            tell(if began.elapsed() < time { "" } else { " (time is up)" });
        }
        _ => return None,
    }
    Some(())
}
