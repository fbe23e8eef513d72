#[test]
fn beside_a_binary() {
    assert_eq!(link_bin::first(&[2]), 2);
}
