#[selvedge::test]
fn parameters(_count: u32) {}

#[selvedge::test]
fn generic<T>() {}

fn main() {}
