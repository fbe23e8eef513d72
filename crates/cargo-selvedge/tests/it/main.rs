//! The command as a user sees it: real cargo on real projects, which are made for the purpose below
//! the target folder and have no dependencies but each other.

mod basics;
mod builds;
mod campaigns;
mod corrupt;
mod coverage;
mod environment;
mod findings;
mod fork;
mod history;
mod hostile;
mod interrupt;
mod life;
mod links;
mod memory;
mod migrate;
mod output;
mod plain;
mod polls;
mod processes;
mod races;
mod random;
mod replay;
mod report;
mod saturation;
mod selection;
mod settings;
mod shards;
mod spinning;
mod state;
mod support;
mod traces;
mod verdicts;
mod warnings;
mod workspace;
mod written;
