//! The command as a user sees it: real cargo on real projects, which are made for the purpose below
//! the target folder and have no dependencies but each other.

mod basics;
mod builds;
mod corrupt;
mod coverage;
mod findings;
mod hostile;
mod interrupt;
mod output;
mod replay;
mod selection;
mod settings;
mod support;
mod verdicts;
mod workspace;
