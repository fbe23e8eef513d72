#[selvedge::test]
async fn later() {}

fn main() {}
