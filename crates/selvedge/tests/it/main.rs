//! What the library promises to test authors, tried on small programs.

mod attribute;
mod brute_force;
mod clocks;
mod coverage;
mod detect;
mod enforced;
mod findings;
mod help;
mod outcomes;
mod portfolio;
mod properties;
mod saturation;
mod schedules;
mod settings;
mod spinning;
mod tasks;
mod traces;
mod tsa;
mod ui;
mod written;
