//! What can not stand beside a schedule.

#[selvedge::test(schedule = "first -> second", strategy = "pct(2)")]
fn a_setting_of_the_engine() {}

#[selvedge::test(threads = "controlled")]
fn threads_without_a_schedule() {}

#[selvedge::test(schedule = "first -> second", threads = "green")]
fn unknown_threads() {}

#[selvedge::test(schedule(one = "first -> second", one = "second -> first"))]
fn one_name_twice() {}

#[selvedge::test(schedule = "first -> block@worker")]
fn what_nobody_can_hold_back() {}

fn main() {}
