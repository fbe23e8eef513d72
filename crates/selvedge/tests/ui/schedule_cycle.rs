//! A schedule that nothing can satisfy.

#[selvedge::test(schedule = "first -> second, second -> third, third -> first")]
fn in_a_string() {}

#[selvedge::test(schedule { first -> second, second -> first })]
fn in_tokens() {}

#[selvedge::test(schedule = "[waiting@worker] -> going@worker")]
fn blocked_while_it_goes_on() {}

fn main() {}
