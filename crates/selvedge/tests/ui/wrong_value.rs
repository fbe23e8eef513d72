#[selvedge::test(executions = 0)]
fn none() {}

#[selvedge::test(strategy = "randon", timeouts = "often", time = 10)]
fn all_at_once() {}

#[selvedge::test(replay = "selvedge/9 0:load@a.rs:1:1>1")]
fn later_version() {}

fn main() {}
