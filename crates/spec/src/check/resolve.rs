//! Whether `[x]` is about an event or about a thread.

use super::{each_event, each_thread};
use crate::{Error, EventName, EventRef, Formula, FormulaKind, Label, Ordering, Span, ThreadName};

/// Makes `[x]` into `[@x]` where `x` is a thread. `bare` has the places of those `x`.
pub(crate) fn resolve(orderings: &mut [Ordering], bare: &[usize], errors: &mut Vec<Error>) {
    let uses = Uses::of(orderings, bare);
    for ordering in orderings {
        each_block(&mut ordering.condition, &mut |formula| uses.resolve(formula, bare, errors));
    }
}

/// The names that are used for what they are without doubt.
struct Uses {
    events: Vec<(String, Span)>,
    threads: Vec<(String, Span)>,
}

impl Uses {
    fn of(orderings: &[Ordering], bare: &[usize]) -> Self {
        let mut uses = Self { events: Vec::new(), threads: Vec::new() };
        for ordering in orderings {
            uses.event(&ordering.event);
            each_event(&ordering.condition, &mut |event| {
                if !bare.contains(&event.span.start) {
                    uses.event(event);
                }
            });
            each_thread(&ordering.condition, &mut |thread, span| {
                uses.threads.push((thread.0.clone(), span));
            });
        }
        uses
    }

    fn event(&mut self, event: &EventRef) {
        if let EventName::Named(name) = &event.name {
            self.events.push((name.clone(), event.span));
        }
        if let Some(ThreadName(thread)) = &event.thread {
            self.threads.push((thread.clone(), event.span));
        }
    }

    fn resolve(&self, formula: &mut Formula, bare: &[usize], errors: &mut Vec<Error>) {
        let FormulaKind::BlockEvent(event) = &formula.kind else { return };
        if !bare.contains(&event.span.start) {
            return;
        }
        let EventName::Named(name) = &event.name else { return };
        let used = |uses: &[(String, Span)]| {
            uses.iter().find(|(used, _)| used == name).map(|(_, span)| *span)
        };
        match (used(&self.events), used(&self.threads)) {
            (_, None) => {}
            (None, Some(_)) => formula.kind = FormulaKind::Blocked(ThreadName(name.clone())),
            (Some(event), Some(thread)) => {
                let message = format!("`{name}` is an event and a thread");
                let mut error = Error::new(formula.span, message).here("which one is meant?");
                error.labels = vec![
                    Label { span: event, text: "here it is an event".to_owned() },
                    Label { span: thread, text: "here it is a thread".to_owned() },
                ];
                errors.push(
                    error.help(format!(
                        "write `[@{name}]` for the thread, `[{name}#1]` for the event"
                    )),
                );
            }
        }
    }
}

fn each_block(formula: &mut Formula, see: &mut impl FnMut(&mut Formula)) {
    match &mut formula.kind {
        FormulaKind::BlockEvent(_) => see(formula),
        FormulaKind::Event(_) | FormulaKind::Blocked(_) => {}
        FormulaKind::Not(formula) => each_block(formula, see),
        FormulaKind::All(parts) | FormulaKind::Any(parts) => {
            parts.iter_mut().for_each(|part| each_block(part, see));
        }
        FormulaKind::Ordered(first, second) => {
            each_block(first, see);
            each_block(second, see);
        }
    }
}
