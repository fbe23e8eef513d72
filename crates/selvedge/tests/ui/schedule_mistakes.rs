//! All mistakes of a schedule are told at once, in a string and in tokens.

#[selvedge::test(schedule = "finished -> , [waiting -> go")]
fn in_a_string() {}

#[selvedge::test(schedule { finished -> , (waiting) go })]
fn in_tokens() {}

#[selvedge::test(schedule = "start -> first")]
fn of_no_thread() {}

#[selvedge::test(schedule = 5)]
fn no_schedule() {}

#[selvedge::test(schedule = include_str!("missing.schedule"))]
fn no_file() {}

fn main() {}
