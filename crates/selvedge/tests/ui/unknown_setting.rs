#[selvedge::test(executoins = 10)]
fn misspelt() {}

#[selvedge::test(executions = 10, flavour = "vanilla")]
fn invented() {}

fn main() {}
