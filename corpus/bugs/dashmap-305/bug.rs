//! dashmap 6.0.0: <https://github.com/xacrimon/dashmap/issues/305>
//!
//! `shrink_to_fit` asks for the size of the whole map while it has one of its parts locked, which locks that part again. That
//! takes no second thread: an ordinary test hangs as well.

use dashmap::DashMap;

#[test]
fn a_map_shrinks_to_what_is_in_it() {
    let map = DashMap::new();
    map.insert("Johnny", 21);
    map.remove("Johnny");
    map.shrink_to_fit();
    assert_eq!(map.capacity(), 0);
}
