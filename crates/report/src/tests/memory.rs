//! Findings about memory.

use super::build::{Story, at};
use super::{PLAIN, check};
use crate::{NoSources, Sources};
use selvedge_model::{
    AccessKind, AccessMode, CodeAddress, Finding, FindingKind, MemoryBlock, MemoryEvent, MemoryUse,
    OperationKind, RacingAccess,
};

/// A thread loads, the test frees, the thread goes on.
fn freed(kind: impl FnOnce(&Story) -> FindingKind) -> Finding {
    let mut story = Story::spawning(&[30]);
    story.load("1", 1, 8, 1);
    story.load("0", 1, 31, 1);
    let kind = kind(&story);
    story.finding(kind, "selvedge/1")
}

fn event(story: &Story, thread: &str, after: Option<u32>, frames: &[u64]) -> MemoryEvent {
    MemoryEvent {
        thread: Some(story.thread(thread)),
        after: after.map(at),
        frames: frames.iter().copied().map(CodeAddress).collect(),
    }
}

/// A block that the test allocated and freed.
fn block(story: &Story) -> MemoryBlock {
    MemoryBlock {
        size: 16,
        allocated: event(story, "0", None, &[0x1a40, 0x1b33, 0x2c01]),
        freed: Some(event(story, "0", Some(31), &[0x1f08, 0x2c66])),
    }
}

/// Knows some functions.
struct Functions;

impl Sources for Functions {
    fn line(&self, _file: &str, _line: u32) -> Option<String> {
        None
    }

    fn code(&self, address: CodeAddress) -> Vec<String> {
        let names: &[&str] = match address.0 {
            0x1b33 => &["Stock::new at src/shop.rs:12"],
            0x2c66 => &["close at src/shop.rs:33"],
            0x3d99 => &["Stock::take at src/shop.rs:21", "sell at src/shop.rs:40"],
            _ => &[],
        };
        names.iter().map(|&name| name.to_owned()).collect()
    }
}

#[test]
fn use_after_free_names_the_operation_and_both_ends_of_the_memory() {
    let finding = freed(|story| FindingKind::UseAfterFree {
        used: MemoryUse::Operation {
            thread: story.thread("1"),
            kind: Some(OperationKind::AtomicStore),
            at: at(9),
        },
        block: Some(Box::new(block(story))),
    });
    check(
        &finding,
        PLAIN,
        &Functions,
        r"
use after free: thread 1 uses memory that thread 0 (the test) has freed

  thread 1
    store in freed memory  src/shop.rs:9:9
  16 bytes allocated by thread 0 (the test)
    had carried out no operation before
    in Stock::new at src/shop.rs:12
  freed by thread 0 (the test)
    last operation before  src/shop.rs:31:9
    in close at src/shop.rs:33

what happened (3 steps):

              0 (the test)   1
                             shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────▸ load 1
  shop.rs:31  load 1 ◂───────┤
  shop.rs:9   │              store in freed memory

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn a_data_race_shows_both_accesses() {
    let access = |story: &Story, thread: &str, kind, frames: &[u64]| RacingAccess {
        thread: story.thread(thread),
        kind,
        mode: AccessMode::Plain,
        at: None,
        frames: frames.iter().copied().map(CodeAddress).collect(),
        after: None,
        line: None,
        weak: None,
    };
    let finding = freed(|story| FindingKind::DataRace {
        first: Box::new(access(story, "1", AccessKind::Write, &[0x3d99])),
        second: Box::new(access(story, "0", AccessKind::Read, &[0x2c66])),
        size: 8,
        block: Some(Box::new(block(story))),
    });
    check(
        &finding,
        PLAIN,
        &Functions,
        r"
data race: thread 0 (the test) reads 8 bytes that thread 1 writes, in no order

  thread 1
    writes
    in Stock::take at src/shop.rs:21
    in sell at src/shop.rs:40
  thread 0 (the test)
    reads
    in close at src/shop.rs:33
  16 bytes allocated by thread 0 (the test)
    had carried out no operation before
    in Stock::new at src/shop.rs:12

  = note: nothing orders these two accesses, whichever comes first: with a data race the behaviour
          of the program is undefined

what happened (3 steps):

              0 (the test)       1
                                 shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────────▸ load 1
              │                  has written 8 bytes
  shop.rs:31  load 1 ◂───────────┤
              has read 8 bytes   │

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn a_race_with_the_end_of_memory_says_what_ends() {
    let headline = |frames: &[u64]| {
        let finding = freed(|story| FindingKind::DataRace {
            first: Box::new(RacingAccess {
                thread: story.thread("1"),
                kind: AccessKind::Read,
                mode: AccessMode::Plain,
                at: None,
                frames: vec![CodeAddress(0x3d99)],
                after: None,
                line: None,
                weak: None,
            }),
            second: Box::new(RacingAccess {
                thread: story.thread("0"),
                kind: AccessKind::Write,
                mode: AccessMode::Freeing,
                at: None,
                frames: frames.iter().copied().map(CodeAddress).collect(),
                after: None,
                line: None,
                weak: None,
            }),
            size: 8,
            block: None,
        });
        crate::headline(&finding)
    };
    assert_eq!(
        headline(&[0x2c66]),
        "data race: thread 0 (the test) frees 8 bytes that thread 1 reads, in no order"
    );
    assert_eq!(
        headline(&[]),
        "data race: thread 1 reads the stack of thread 0 (the test), which ends, in no order"
    );
}

#[test]
fn a_write_to_freed_memory_says_that_the_writer_is_not_known() {
    let finding = freed(|story| FindingKind::UseAfterFree {
        used: MemoryUse::Write,
        block: Some(Box::new(block(story))),
    });
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
use after free: somebody has written to memory that thread 0 (the test) has freed

  16 bytes allocated by thread 0 (the test)
    had carried out no operation before
    called from 0x1a40 0x1b33 0x2c01
  freed by thread 0 (the test)
    last operation before  src/shop.rs:31:9
    called from 0x1f08 0x2c66

  = note: the write was noticed later: who it was and where is not known

what happened (3 steps):

              0 (the test)   1
                             shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────▸ load 1
  shop.rs:31  load 1 ◂───────┤

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn a_pointer_out_of_freed_memory_names_the_signal() {
    let finding = freed(|story| FindingKind::UseAfterFree {
        used: MemoryUse::Pointer {
            thread: story.thread("1"),
            signal: "SIGSEGV".to_owned(),
            after: Some(at(8)),
        },
        block: None,
    });
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
use after free: thread 1 followed a pointer out of freed memory

  thread 1
    last operation before  src/shop.rs:8:9

  = note: the address that was accessed (SIGSEGV) is what freed memory is filled with

what happened (3 steps):

              0 (the test)   1
                             shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────▸ load 1
  shop.rs:31  load 1 ◂───────┤
              │              SIGSEGV

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn double_free_names_both_frees() {
    let finding = freed(|story| FindingKind::DoubleFree {
        block: Box::new(block(story)),
        again: Box::new(event(story, "1", Some(8), &[0x1f08, 0x2d10])),
    });
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
double free: thread 1 frees memory that thread 0 (the test) has freed before

  16 bytes allocated by thread 0 (the test)
    had carried out no operation before
    called from 0x1a40 0x1b33 0x2c01
  freed by thread 0 (the test)
    last operation before  src/shop.rs:31:9
    called from 0x1f08 0x2c66
  freed again by thread 1
    last operation before  src/shop.rs:8:9
    called from 0x1f08 0x2d10

what happened (3 steps):

              0 (the test)   1
                             shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────▸ load 1
  shop.rs:31  load 1 ◂───────┤
              │              free, again

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn invalid_free_names_the_block_that_was_meant() {
    let finding = freed(|story| FindingKind::InvalidFree {
        block: Some(Box::new(MemoryBlock { freed: None, ..block(story) })),
        free: Box::new(event(story, "1", Some(8), &[0x1f08])),
    });
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
invalid free: thread 1 frees a pointer into the middle of 16 bytes

  freed by thread 1
    last operation before  src/shop.rs:8:9
    called from 0x1f08
  16 bytes allocated by thread 0 (the test)
    had carried out no operation before
    called from 0x1a40 0x1b33 0x2c01

what happened (3 steps):

              0 (the test)   1
                             shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────▸ load 1
  shop.rs:31  load 1 ◂───────┤
              │              free

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn a_leak_names_who_allocated_what() {
    let finding = freed(|story| FindingKind::Leak {
        blocks: vec![MemoryBlock { freed: None, ..block(story) }],
        count: 3,
        bytes: 48,
    });
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
leak: 48 bytes in 3 blocks of memory were never freed

  16 bytes allocated by thread 0 (the test)
    had carried out no operation before
    called from 0x1a40 0x1b33 0x2c01

  = note: only the first is shown
  = note: nothing that is left after the test refers to them; a pointer that is stored in another
          form than an address is not recognised

what happened (3 steps):

              0 (the test)   1
                             shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────▸ load 1
  shop.rs:31  load 1 ◂───────┤

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}

#[test]
fn too_much_memory_names_the_thread_and_the_setting() {
    let finding = freed(|story| FindingKind::Memory {
        bytes: (2 << 30) + 4096,
        limit: 2 << 30,
        last: Box::new(event(story, "1", Some(8), &[0x1a40])),
    });
    check(
        &finding,
        PLAIN,
        &NoSources,
        r"
memory: thread 1 has allocated more than 2 GiB

  2097156 KiB in use, the last by thread 1
    last operation before  src/shop.rs:8:9
    called from 0x1a40

  = note: if the test is meant to need that much at a time, raise memory

what happened (3 steps):

              0 (the test)   1
                             shop.rs:30
  shop.rs:30  spawn 1
  shop.rs:8   ├────────────▸ load 1
  shop.rs:31  load 1 ◂───────┤
              │              out of memory

to see it again:
  SELVEDGE_REPLAY='selvedge/1' cargo test shop::refund

found in execution 17 by pct(3); no decision, the undisturbed course
",
    );
}
