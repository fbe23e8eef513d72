//! Requirements as branches.

use crate::support::{Shop, maker, metric, pair, tested};
use selvedge_page::lcov;

#[test]
fn requirements_are_branches_of_the_lines_of_their_first_places() {
    let first = [
        metric("sp", vec![pair(3, 5), pair(3, 6)], vec![pair(4, 5)]),
        metric("hbpair", vec![pair(3, 5)], vec![]),
    ];
    // Another test covers what this one does not, and sees one more that nobody covers.
    let second = [metric("sp", vec![pair(4, 5), pair(3, 5)], vec![pair(3, 7)])];
    let mut maker = maker();
    maker.test(tested("buy", &first));
    maker.test(tested("sell", &second));
    assert_eq!(
        lcov(&maker.finish(&Shop)),
        "TN:\n\
         SF:src/shop.rs\n\
         BRDA:3,0,0,2\n\
         BRDA:3,0,1,1\n\
         BRDA:3,0,2,0\n\
         BRDA:3,1,0,1\n\
         BRDA:4,0,0,1\n\
         BRF:5\n\
         BRH:4\n\
         DA:3,3\n\
         DA:4,1\n\
         LF:2\n\
         LH:2\n\
         end_of_record\n"
    );
}
