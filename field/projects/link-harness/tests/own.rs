//! Has no test harness, so it can not be explored; it must not break the build.

fn main() {
    assert_eq!(link_harness::first(b"a"), b'a');
}
