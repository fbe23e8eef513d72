//! Which moments of an execution a formula is about.
//!
//! The condition of an ordering is looked at when its event happens. Its parts are about moments up
//! to then. What is one moment and what are several follows from what the operands of a conjunction
//! are:
//!
//! - an event says by itself which moment it is about, and a block event `[e]` is about the moment of
//!   the ordering's event: both are *anchors*;
//! - `[@t]`, `!f`, `(f -> g)` and combinations of these are *states*: they hold over a time;
//! - a conjunction of anchors is about several moments, and each must have come;
//! - a conjunction of one anchor and states is about one moment: that of the anchor;
//! - a conjunction of states is about one moment, whichever.

use crate::{Formula, FormulaKind};

/// What a formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The moment of an event of its own.
    Event,
    /// The moment of the ordering's event.
    Now,
    /// Several moments, each with an anchor.
    Several,
    /// Whatever moment it is looked at.
    State,
    /// Moments with anchors or states, depending on which of its alternatives holds.
    Either,
}

/// A conjunction that does not say which moment its states are about.
#[derive(Debug)]
pub(crate) struct Unclear<'a> {
    pub(crate) conjunction: &'a Formula,
    /// The operands that are about moments of their own.
    pub(crate) anchors: Vec<&'a Formula>,
    /// The operands that are not.
    pub(crate) states: Vec<&'a Formula>,
}

/// What a formula is about.
pub(crate) fn about(formula: &Formula) -> Result<About, Unclear<'_>> {
    match &formula.kind {
        FormulaKind::Event(_) => Ok(About::Event),
        FormulaKind::BlockEvent(_) => Ok(About::Now),
        FormulaKind::Blocked(_) | FormulaKind::Not(_) | FormulaKind::Ordered(..) => {
            Ok(About::State)
        }
        FormulaKind::Any(parts) => {
            let mut all = None;
            for part in parts {
                let part = about(part)?;
                all = Some(match all {
                    None => part,
                    Some(same) if same == part => same,
                    Some(About::State | About::Either) => About::Either,
                    Some(_) if matches!(part, About::State | About::Either) => About::Either,
                    Some(_) => About::Several,
                });
            }
            Ok(all.unwrap_or(About::State))
        }
        FormulaKind::All(parts) => {
            let mut anchors = Vec::new();
            let mut states = Vec::new();
            for part in parts {
                match about(part)? {
                    About::State => states.push((part, About::State)),
                    // Whether it is an anchor depends.
                    About::Either => {
                        let anchors = anchors.iter().map(|(part, _)| *part).collect();
                        return Err(Unclear { conjunction: formula, anchors, states: vec![part] });
                    }
                    anchor => anchors.push((part, anchor)),
                }
            }
            match (anchors.as_slice(), states.as_slice()) {
                ([], _) => Ok(About::State),
                (_, []) => Ok(About::Several),
                ([(_, anchor @ (About::Event | About::Now))], _) => Ok(*anchor),
                _ => Err(Unclear {
                    conjunction: formula,
                    anchors: anchors.into_iter().map(|(part, _)| part).collect(),
                    states: states.into_iter().map(|(part, _)| part).collect(),
                }),
            }
        }
    }
}
