//! Schedules as people write them, and what they are told.

mod checker;
mod errors;
mod explain;
mod page;
mod seed;
mod text;

use selvedge_spec::{Action, Letter, Monitor, Spec, ThreadKey};

/// The schedule, which has no mistakes.
#[track_caller]
fn parse(text: &str) -> Spec {
    Spec::parse(text).unwrap_or_else(|errors| panic!("{}", errors.render(text, "schedule")))
}

/// The letters of a trace such as `start@t a@t b`. A thread is known by its name; what has no name
/// happens to the main thread, whose name nobody asks for.
fn letters(trace: &str) -> Vec<Letter<'_>> {
    let mut names = Vec::new();
    let letters = trace.split_whitespace().map(|word| {
        let (action, name) = word.split_once('@').unwrap_or((word, "main"));
        let action = match action {
            "start" => Action::Start,
            "end" => Action::End,
            "block" => Action::Block,
            "unblock" => Action::Unblock,
            event => Action::Event(event),
        };
        let index = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        let thread = ThreadKey(u32::try_from(index).expect("few threads"));
        Letter { action, thread, name: Some(name) }
    });
    letters.collect()
}

/// The first letter of the trace that violates the schedule.
fn first_violation<'a>(spec: &Spec, trace: &'a str) -> Option<&'a str> {
    let mut monitor = Monitor::new(spec);
    let letters = letters(trace);
    let position = letters.iter().position(|letter| !monitor.step(letter, None).is_empty())?;
    trace.split_whitespace().nth(position)
}
