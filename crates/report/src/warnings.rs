//! Warnings as text.

use crate::account::{Account, Block, Fact};
use crate::page::Page;
use crate::words::count;
use crate::{Sources, Style};
use selvedge_model::{Confidence, Place, Role, Treatment, Warning};

/// Those warnings that have not become a finding, which says more than they do.
pub fn untold(warnings: &[Warning]) -> impl Iterator<Item = &Warning> {
    let confirmed = |warning: &&Warning| matches!(warning.treatment, Treatment::Confirmed { .. });
    warnings.iter().filter(move |warning| !confirmed(warning))
}

/// What looks wrong, several lines, the last one ended too.
pub fn warning(warning: &Warning, style: Style, sources: &dyn Sources) -> String {
    let account = Account {
        kind: "warning",
        title: title(warning),
        blocks: blocks(&warning.witness, sources),
        notes: vec![note(warning)],
        ..Account::default()
    };
    let mut page = Page::new(style, sources);
    page.headline(&account);
    page.blocks(&account.blocks);
    page.notes(&account.notes);
    page.finish()
}

fn title(warning: &Warning) -> String {
    let Warning { kind, summary, .. } = warning;
    match warning.confidence {
        Confidence::Happened => format!("{kind}: {summary}"),
        Confidence::Predicted => format!("predicted {kind}: {summary}"),
    }
}

/// A block for each stretch of what one thread does.
fn blocks<'a>(witness: &'a [Role], sources: &dyn Sources) -> Vec<Block<'a>> {
    let mut blocks: Vec<(&Role, Block<'a>)> = Vec::new();
    for role in witness {
        let fact = fact(role, sources);
        match blocks.last_mut() {
            Some((last, block)) if last.thread.path == role.thread.path => block.facts.push(fact),
            _ => {
                let subject = format!("thread {}", role.thread);
                blocks.push((role, Block { subject, facts: vec![fact], ..Block::default() }));
            }
        }
    }
    blocks.into_iter().map(|(_, block)| block).collect()
}

fn fact<'a>(role: &'a Role, sources: &dyn Sources) -> Fact<'a> {
    let object = role.object.as_ref().map(|object| format!(" {object}")).unwrap_or_default();
    let text = format!("{}{object}", role.does);
    match &role.at {
        Place::Line(source) => Fact { text, at: Some(source) },
        Place::Code(address) => {
            let code = sources.code(*address).into_iter().next();
            let code = code.unwrap_or_else(|| format!("in code at {address}"));
            Fact { text: format!("{text}, {code}"), at: None }
        }
    }
}

fn note(warning: &Warning) -> String {
    let detector = warning.detector;
    match (warning.confidence, &warning.treatment) {
        (Confidence::Happened, _) => {
            format!("it happened in an execution that passed (detector {detector})")
        }
        (_, Treatment::Unconfirmed { executions }) => {
            let tries = count(*executions, "execution");
            format!(
                "no execution failed like this: {tries} tried to bring it about (detector {detector})"
            )
        }
        _ => format!("no execution has failed like this so far (detector {detector})"),
    }
}
