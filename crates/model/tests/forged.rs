//! Schedules that somebody has made up: no panic, and what is read prints as it was read.
//! `SELVEDGE_FUZZ` says how many; without it there are few.

use selvedge_model::Schedule;

const PIECES: [&str; 32] = [
    "selvedge/1",
    " ",
    "1",
    "0",
    ":",
    "lock",
    "@",
    "src/lib.rs",
    "14",
    "30",
    ">",
    "2.1",
    "=",
    "wake2",
    "spurious",
    "#",
    "3",
    "%20",
    "%",
    "%zz",
    "end",
    ".",
    "4294967295",
    "99999999999",
    "\u{1b}",
    "ü",
    "=fail",
    ">1.1.1.1.1.1.1.1.1",
    "wait",
    "\t",
    "-1",
    "a:b:c",
];

#[test]
fn forged_schedules_are_read_or_refused() {
    let count: u64 = std::env::var("SELVEDGE_FUZZ").map_or(5000, |n| n.parse().expect("a number"));
    let mut state = 0x5eed_u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % n
    };
    let whole = "selvedge/1 1:lock@src/my%20bank.rs:14:30#3>2.1 1:end#2>2 2.1:wait@C:/a.rs:1:2=spurious \
                 0:notify_one@a.rs:9:9=wake2 0:cas@a.rs:1:1=fail";
    let mut read = 0;
    for number in 0..count {
        let mut text: Vec<u8> = whole.into();
        for _ in 0..=below(4) {
            let (from, piece) = (below(text.len() + 1), PIECES[below(PIECES.len())]);
            let to = (from + below(6)).min(text.len());
            if below(3) > 0 {
                text.splice(from..to, piece.bytes());
            } else {
                text.drain(from..to);
            }
        }
        if number % 1000 == 0 {
            text = text.repeat(1 + below(2000));
        }
        let text = String::from_utf8_lossy(&text);
        if let Ok(schedule) = text.parse::<Schedule>() {
            read += 1;
            let printed = schedule.to_string();
            assert_eq!(printed.parse::<Schedule>().as_ref(), Ok(&schedule), "{printed}");
        }
    }
    assert!(read * 20 > count, "hardly any made sense: {read} of {count}");
}
