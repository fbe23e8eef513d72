const MANY: u64 = 10;

#[selvedge::test(executions = MANY)]
fn constant() {}

#[selvedge::test(seed = 1.5)]
fn fraction() {}

#[selvedge::test(executions)]
fn alone() {}

fn main() {}
