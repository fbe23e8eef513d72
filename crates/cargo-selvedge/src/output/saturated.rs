//! What is said of a test that was explored until nothing new came.

use selvedge_model::{Remaining, Report};

/// No more unseen requirements than this are listed; the report has all of them.
const MOST_LISTED: usize = 5;

/// By what it is judged that nothing new comes, and what was seen of what is thought to be possible.
pub(super) fn saturated(report: &Report) -> String {
    let orders = report.orders.as_ref().map(orders);
    let parts: Vec<String> = orders.into_iter().chain(seen(report)).collect();
    format!("saturated after {} executions: {}", report.executions, parts.join("; "))
}

fn orders(orders: &Remaining) -> String {
    let plural = if orders.covered == 1 { "" } else { "s" };
    let since = orders.saturated.map(|last| format!(", none new since execution {last}"));
    let unseen = match orders.unseen.round() {
        0.0 => String::new(),
        some => format!(" and about {some} unseen by Chao's estimate"),
    };
    format!("{} order{plural} of operations{unseen}{}", orders.covered, since.unwrap_or_default())
}

/// What was seen of what strategies and metrics count.
fn seen(report: &Report) -> Vec<String> {
    match &report.guidance {
        Some(guidance) if guidance.covered > 0 => {
            let unseen = guidance.uncovered.len() as u64;
            let estimated = guidance.covered + unseen;
            let plural = if estimated == 1 { "" } else { "s" };
            let left = if unseen == 0 { String::new() } else { format!(", {unseen} unseen") };
            let covered = guidance.covered;
            vec![format!("{covered} of {estimated} estimated pair{plural}{left}")]
        }
        _ => {
            let metrics = report.remaining.iter().filter(|remaining| remaining.covered > 0);
            metrics
                .map(|remaining| {
                    let unseen = match remaining.unseen.round() {
                        0.0 => String::new(),
                        some => format!(", about {some} unseen"),
                    };
                    format!("{} {}{unseen}", remaining.covered, remaining.metric)
                })
                .collect()
        }
    }
}

/// The requirements that are thought to be possible and were not seen, one a line.
pub(crate) fn unseen(report: &Report) -> Vec<String> {
    let Some(guidance) = &report.guidance else { return Vec::new() };
    let listed = guidance.uncovered.iter().take(MOST_LISTED);
    let mut lines: Vec<String> = listed.map(|one| format!("unseen: {one}")).collect();
    match guidance.uncovered.len().saturating_sub(MOST_LISTED) {
        0 => {}
        more => lines.push(format!("and {more} more")),
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_model::{Conditions, Guidance, Named, Part, Place, Requirement, Source, Stopped};
    use std::time::Duration;

    fn report(guidance: Option<Guidance>) -> Report {
        Report {
            executions: 412,
            steps: 0,
            threads: 2,
            stopped: Stopped::Saturated,
            finding: None,
            warnings: Vec::new(),
            output: String::new(),
            conditions: Conditions::default(),
            coverage: Vec::new(),
            guidance,
            orders: Some(Remaining {
                metric: "orders".to_owned(),
                covered: 24,
                unseen: 2.2,
                next: 0.0,
                saturated: Some(31),
            }),
            remaining: vec![Remaining {
                metric: "reads-from".to_owned(),
                covered: 30,
                unseen: 1.8,
                next: 0.01,
                saturated: Some(90),
            }],
            trace: None,
            elapsed: Duration::ZERO,
        }
    }

    fn pair(first: u32, then: u32) -> Requirement {
        let place = |line| {
            Named::Place(Place::Line(Source { file: "src/lib.rs".to_owned(), line, column: 1 }))
        };
        let part = |role: &str, line| Part { role: role.to_owned(), is: place(line) };
        Requirement { parts: vec![part("", first), part("then", then)] }
    }

    #[test]
    fn what_was_not_seen_is_counted_and_listed() {
        let uncovered = (1..=7).map(|line| pair(line, line + 1)).collect();
        let guidance = Guidance { metric: "sp".to_owned(), covered: 181, uncovered };
        let report = report(Some(guidance));
        assert_eq!(
            saturated(&report),
            "saturated after 412 executions: 24 orders of operations and about 2 unseen by Chao's \
             estimate, none new since execution 31; 181 of 188 estimated pairs, 7 unseen"
        );
        let listed = unseen(&report);
        assert_eq!(listed.len(), MOST_LISTED + 1);
        assert_eq!(listed[0], "unseen: src/lib.rs:1:1, then src/lib.rs:2:1");
        assert_eq!(listed[MOST_LISTED], "and 2 more");
    }

    #[test]
    fn a_test_without_locks_is_told_of_by_its_metrics() {
        let report = Report { orders: None, ..report(None) };
        let text = saturated(&report);
        assert_eq!(text, "saturated after 412 executions: 30 reads-from, about 2 unseen");
    }
}
