//! What a search of all schedules has left out, in words.

use crate::words::count;
use selvedge_model::{Conditions, Fault, LeftOut};

/// What was possible and was not tried, one after the other; empty if everything was.
pub fn left_out(conditions: &Conditions) -> String {
    let mut parts: Vec<String> = conditions.left_out.iter().map(|one| words(*one)).collect();
    if !conditions.outside_threads.is_empty() {
        parts.push("what threads outside of control do".to_owned());
    }
    parts.join(", ")
}

fn words(left_out: LeftOut) -> String {
    match left_out {
        LeftOut::Preemptions(most) => {
            format!("more than {} in an execution", count(u64::from(most), "preemption"))
        }
        LeftOut::Faults { fault, most: 0 } => name(fault, "s"),
        LeftOut::Faults { fault, most } => {
            let plural = if most == 1 { "" } else { "s" };
            format!("more than {most} {} in an execution", name(fault, plural))
        }
        LeftOut::LongSpins => "longer turns of loops that wait".to_owned(),
        LeftOut::LongExecutions => "what comes after the first max_steps steps".to_owned(),
    }
}

fn name(fault: Fault, plural: &str) -> String {
    match fault {
        Fault::Timeout => format!("time-out{plural} while others can go on"),
        Fault::Spurious => format!("spurious wake-up{plural}"),
        Fault::WeakFailure => format!("spurious failure{plural} of compare_exchange_weak"),
        Fault::PolledAgain => format!("poll{plural} that nobody asked for"),
        Fault::OtherWaker => format!("change{plural} of wakers"),
        Fault::SpinOn => format!("longer turn{plural} of loops that wait"),
        Fault::EarlyDrop => format!("early drop{plural} of futures"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_is_named() {
        let mut conditions = Conditions::default();
        assert_eq!(left_out(&conditions), "");
        conditions.left_out.extend([
            LeftOut::Preemptions(2),
            LeftOut::Faults { fault: Fault::Timeout, most: 0 },
            LeftOut::Faults { fault: Fault::Spurious, most: 1 },
        ]);
        assert_eq!(
            left_out(&conditions),
            "more than 2 preemptions in an execution, time-outs while others can go on, more than 1 \
             spurious wake-up in an execution"
        );
    }
}
