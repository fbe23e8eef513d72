//! How to see the finding again.

use crate::Context;
use crate::line::Tone;
use crate::page::Page;
use crate::printed::shortened;
use crate::words::count;
use selvedge_model::{Choice, Decision, Finding, FindingKind, Replayed, Schedule, Source};

/// One environment variable takes no more than this, with room for its name; Linux allows 128 KiB.
const MOST_BYTES: usize = 120 << 10;

/// Of a schedule that is kept elsewhere, so many characters are shown.
const MOST_SHOWN: usize = 4_000;

fn needs_other_bytes(schedule: &Schedule) -> bool {
    schedule.decisions.iter().any(|decision| matches!(decision.choice, Choice::RandomBytes(_)))
}

/// What is said of each delay that the finding takes.
fn delays(schedule: &Schedule) -> impl Iterator<Item = String> {
    schedule.decisions.iter().filter_map(|Decision { at, choice }| {
        let Choice::Delay(milliseconds) = choice else { return None };
        let place = at.source.as_ref().map(|Source { file, line, .. }| format!(" at {file}:{line}"));
        Some(format!(
            "it needs a delay of {milliseconds} ms{}: thread {} gets to run that much later than it was due, as on a \
             machine that is busy (setting delays)",
            place.unwrap_or_default(),
            at.thread
        ))
    })
}

/// Writes the command that replays the finding, and where it comes from.
pub(crate) fn write(page: &mut Page<'_>, finding: &Finding, context: Context<'_>) {
    let stalled = matches!(finding.kind, FindingKind::Stalled { .. });
    // Of a thread that could not be got out of where it stands still, nobody knows how far it has come.
    if stalled && finding.steps.is_empty() {
        return;
    }
    page.blank();
    page.text(0, "to see it again:", Tone::Strong);
    let schedule = finding.schedule.to_string();
    if let Some(id) = context.kept {
        page.long_text(2, &format!("cargo selvedge replay {id}"));
        page.blank();
        // All of it is in the folder of the finding.
        page.long_text(2, &shortened(&schedule, MOST_SHOWN));
    } else {
        page.long_text(2, &command(&schedule, context));
    }
    if context.kept.is_none() && schedule.len() > MOST_BYTES {
        let hint = "this is more than a command line takes; write it to selvedge.toml instead, as \
                    replay = \"selvedge/1 …\"";
        page.paragraph(2, "= note: ", hint, Tone::Plain);
    }
    page.blank();
    let origin = format!(
        "found in execution {} by {}; {}",
        finding.execution,
        finding.strategy,
        decisions(&finding.schedule)
    );
    page.text(0, &origin, Tone::Faint);
    if needs_other_bytes(&finding.schedule) {
        let note = "it takes other random bytes than those of the first execution: hash maps have other \
                    seeds, and the test gets others from the system; the schedule says which (=random)";
        page.paragraph(0, "", note, Tone::Plain);
    }
    for note in delays(&finding.schedule) {
        page.paragraph(0, "", &note, Tone::Plain);
    }
    if finding.unrecorded > 0 {
        let note = format!(
            "the execution was long: the schedule covers its first {} steps; {} more followed, in \
             which threads took turns",
            finding.before + finding.steps.len() as u64,
            finding.unrecorded
        );
        page.paragraph(0, "", &note, Tone::Plain);
    }
    if finding.before > 0 {
        let note = format!("the first {} steps are not shown", finding.before);
        page.paragraph(0, "", &note, Tone::Plain);
    }
    // To see a standstill again takes as long again, so nobody has.
    if finding.replayed == Replayed::No && !stalled {
        let warning = match finding.unrecorded {
            0 => {
                "it did not come again when its schedule was run a second time: something that is \
                 not under control decides as well"
            }
            _ => "there was no time to run it again, or it did not come again",
        };
        page.paragraph(0, "", warning, Tone::Bad);
    }
}

/// The command line, quoted for a shell. It stays one line however long it gets, to be copied.
fn command(schedule: &str, context: Context<'_>) -> String {
    let quoted = schedule.replace('\'', r"'\''");
    let test = context.test.map(|test| format!(" {test}")).unwrap_or_default();
    format!("SELVEDGE_REPLAY='{quoted}' cargo test{test}")
}

fn decisions(schedule: &Schedule) -> String {
    let decisions = count(schedule.decisions.len() as u64, "decision");
    match schedule.switches() {
        _ if schedule.decisions.is_empty() => "no decision, the undisturbed course".to_owned(),
        1 => format!("{decisions}, 1 switch"),
        switches => format!("{decisions}, {switches} switches"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_survives_a_shell() {
        let schedule = "selvedge/1 1:lock@src/it's.rs:1:1>2";
        assert_eq!(
            command(schedule, Context { test: Some("shop::refund"), kept: None }),
            r"SELVEDGE_REPLAY='selvedge/1 1:lock@src/it'\''s.rs:1:1>2' cargo test shop::refund"
        );
    }

    #[test]
    fn decisions_are_counted_and_so_are_the_switches_among_them() {
        let decisions = |text: &str| decisions(&text.parse().unwrap());
        assert_eq!(decisions("selvedge/1"), "no decision, the undisturbed course");
        assert_eq!(decisions("selvedge/1 1:lock@a:1:1>2"), "1 decision, 1 switch");
        assert_eq!(
            decisions("selvedge/1 1:lock@a:1:1>2 2:cas@a:1:1=fail 2:lock@a:2:1>1"),
            "3 decisions, 2 switches"
        );
    }
}
