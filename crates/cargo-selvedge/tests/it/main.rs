//! The command as a user sees it: real cargo on real projects, which are made for the purpose below
//! the target folder and have no dependencies but each other.

mod basics;
mod builds;
mod corrupt;
mod coverage;
mod findings;
mod fork;
mod hostile;
mod interrupt;
mod output;
mod polls;
mod races;
mod replay;
mod selection;
mod settings;
mod support;
mod traces;
mod verdicts;
mod warnings;
mod workspace;
