//! A pointer that goes from thread to thread through the kernel.

#![cfg(test)]

use std::thread;

unsafe extern "C" {
    fn epoll_create1(flags: i32) -> i32;
    fn epoll_ctl(epoll: i32, operation: i32, file: i32, event: *mut Event) -> i32;
    fn epoll_wait(epoll: i32, events: *mut Event, count: i32, timeout: i32) -> i32;
    fn eventfd(value: u32, flags: i32) -> i32;
}

const EPOLLIN: u32 = 1;
const EPOLL_CTL_ADD: i32 = 1;

#[cfg_attr(target_arch = "x86_64", repr(C, packed))]
#[cfg_attr(not(target_arch = "x86_64"), repr(C))]
struct Event {
    events: u32,
    data: u64,
}

#[test]
fn registering_comes_before_the_event() {
    // SAFETY: the calls are those of the manual, and the box is never freed.
    unsafe {
        let epoll = epoll_create1(0);
        let waiter = thread::spawn(move || {
            let mut event = Event { events: 0, data: 0 };
            assert_eq!(epoll_wait(epoll, &mut event, 1, -1), 1);
            let data = event.data;
            *(data as *const u64)
        });
        let value = Box::into_raw(Box::new(std::hint::black_box(7_u64)));
        let mut event = Event { events: EPOLLIN, data: value as u64 };
        assert_eq!(epoll_ctl(epoll, EPOLL_CTL_ADD, eventfd(1, 0), &mut event), 0);
        assert_eq!(waiter.join().unwrap(), 7);
    }
}
