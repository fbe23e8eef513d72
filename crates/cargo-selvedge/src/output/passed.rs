//! How much a test that has passed was tried.

use super::saturated::saturated;
use selvedge_model::{Report, Stopped, Verdict};
use selvedge_report::left_out;

/// What is said of it: no more than was done.
pub(crate) fn passed(report: &Report) -> String {
    let plural = if report.executions == 1 { "" } else { "s" };
    let executions = format!("{} execution{plural}", report.executions);
    match report.verdict() {
        Verdict::Exhausted => format!("exhausted: all interleavings, {executions}"),
        Verdict::Bounded => format!(
            "exhausted within bounds: {executions}, without {}",
            left_out(&report.conditions)
        ),
        Verdict::Saturated => saturated(report),
        Verdict::UsedUp if report.stopped == Stopped::Time => {
            format!("{executions}, time used up")
        }
        Verdict::UsedUp => format!("{executions}, budget used up"),
        Verdict::Long => format!("{executions}, each too long to explore in full"),
        Verdict::OwnMemory => format!(
            "{executions}, stopped: Selvedge's own memory limit (own_memory) was reached, and nothing \
             was found until then"
        ),
        Verdict::Plain if report.conditions.cut_off > 0 => format!(
            "{executions}, none of which came to its end under control; one run without control passed"
        ),
        Verdict::Plain => {
            "not explored: the first execution did not end under control; one run without \
                           control passed"
                .to_owned()
        }
        Verdict::Unfinished if report.conditions.cut_off > 0 => {
            format!("{executions}, none of which came to its end, and nothing was found")
        }
        Verdict::Unfinished => {
            "the first execution did not come to its end, and nothing was found \
             until it was stopped"
                .to_owned()
        }
        Verdict::Found | Verdict::Once | Verdict::Replayed => executions,
    }
}
