//! Memory that is left over.
//!
//! Source: conservative marking as in Boehm and Weiser (1988), as leak checkers do it. After the
//! test function has returned and all threads have ended, whatever static data refers to can still
//! be reached, and whatever is reached refers to more. Every word that looks like the address of a
//! block, or of a place inside of one, counts as a reference.
//!
//! May miss: leaked memory whose address happens to lie somewhere. May falsely report: memory that
//! is referred to only by pointers that are not stored as they are (compressed, tagged in the high
//! bits), or only by memory of the C library.

use super::arena::Arena;
use super::oracle::MemoryFault;
use crate::loaded::Loaded;

/// At most this many blocks are described.
const DESCRIBED: usize = 8;

/// Looks for blocks that can not be reached. `roots` are addresses that the engine knows.
pub(super) fn find(arena: &mut Arena, roots: &[usize]) -> Option<MemoryFault> {
    let blocks = arena.live_blocks();
    let mut reached = vec![false; blocks.len()];
    let mut work = Vec::new();
    let see = |word: usize, reached: &mut Vec<bool>, work: &mut Vec<usize>| {
        if !arena.contains(word) {
            return;
        }
        let after = blocks.partition_point(|block| block.start <= word);
        if let Some(index) = after.checked_sub(1)
            && word < blocks[index].end.max(blocks[index].start + 1)
            && !std::mem::replace(&mut reached[index], true)
        {
            work.push(index);
        }
    };
    for &root in roots {
        see(root, &mut reached, &mut work);
    }
    for range in Loaded::all().iter().flat_map(|loaded| &loaded.writable).chain([&thread_locals()])
    {
        words(range).for_each(|word| see(word, &mut reached, &mut work));
    }
    while let Some(index) = work.pop() {
        words(&blocks[index]).for_each(|word| see(word, &mut reached, &mut work));
    }
    let lost = || blocks.iter().zip(&reached).filter(|(_, reached)| !**reached);
    let bytes = lost().map(|(block, _)| block.len()).sum();
    let count = lost().count();
    let first: Vec<_> = lost().take(DESCRIBED).map(|(block, _)| block.start).collect();
    (count > 0).then(|| MemoryFault::Leaked {
        blocks: first.iter().filter_map(|&block| arena.record(block)).collect(),
        count,
        bytes,
    })
}

/// The words of a piece of memory.
fn words(range: &std::ops::Range<usize>) -> impl Iterator<Item = usize> + use<> {
    let (start, end) = (range.start.next_multiple_of(8), range.end / 8 * 8);
    // SAFETY: Callers pass static data, thread-locals of the calling thread or blocks of an arena,
    // all of which can be read. Nothing that runs meanwhile writes there but what is not the
    // test's; whatever is read is compared and never followed further than into the arena.
    (start..end).step_by(8).map(|at| unsafe { (at as *const usize).read_volatile() })
}

/// The thread-locals of the program for the calling thread: real ones, which are shared by all
/// controlled threads.
#[cfg(all(target_os = "linux", target_arch = "x86_64", not(miri)))]
fn thread_locals() -> std::ops::Range<usize> {
    let thread: usize;
    // SAFETY: The first word of the thread control block is its own address.
    unsafe { std::arch::asm!("mov {}, fs:0", out(reg) thread, options(nostack, readonly)) };
    // They lie right below it.
    thread - Loaded::program().thread_locals..thread
}

/// Elsewhere they are not looked at.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64", not(miri))))]
fn thread_locals() -> std::ops::Range<usize> {
    0..0
}
