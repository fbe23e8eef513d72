#[selvedge::test]
struct Test;

fn main() {}
