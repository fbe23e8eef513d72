/// Has unsafe code, so that plain accesses of this package are watched.
pub fn first(bytes: &[u8]) -> u8 {
    assert!(!bytes.is_empty());
    // SAFETY: there is a first one.
    unsafe { *bytes.get_unchecked(0) }
}

#[test]
fn reads() {
    assert_eq!(first(&[1]), 1);
}
