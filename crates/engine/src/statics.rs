//! The static state of the test, put back after each execution.
//!
//! An execution must not see what an earlier one left in statics: a mutex that is still locked, a
//! counter, a registry that is filled already. So an image of the program's writable static data
//! is taken before the first execution, and whatever differs from it after an execution is put
//! back.
//!
//! What lies there and is not the test's: statics of ours stay out (see [`kept!`](crate::kept)).
//! Those of the standard library are put back too, which is right because whatever an execution
//! initialised there may refer to memory of the execution. What changed *between* two executions,
//! while code of ours ran, is taken into the image.
//!
//! Deviations and limits:
//!
//! 1. Only the program itself is looked at, not shared libraries that it loads, and not
//!    thread-locals, which controlled threads have of their own. Whether libraries matter can be
//!    found out ([`Engine::leaves_trace_in_libraries`](crate::Engine::leaves_trace_in_libraries)).
//! 2. Memory that a static refers to and that was allocated before the first execution is not put
//!    back; but it is not freed either (see `heap`).
//! 3. Nobody but the execution may use statics of the program while it runs: what another
//!    operating-system thread writes there meanwhile is lost. So one engine at a time does this.

use crate::loaded::{Loaded, without};
use std::hint::black_box;
use std::ops::Range;
use std::sync::OnceLock;

/// What becomes of the static state of a test between two executions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Statics {
    /// It stays as the last execution left it.
    #[default]
    Leave,
    /// It is put back to what it was before the first execution.
    PutBack,
}

/// What an execution left in statics and what was put back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StaticTrace {
    /// How many bytes of static data had changed.
    pub bytes: usize,
}

/// Static data is compared in pieces of this many bytes,
const PIECE: usize = 4096;
/// and a piece that differs in lines of this many.
const LINE: usize = 64;

/// The static data of the program as it was.
pub(crate) struct Image {
    parts: Vec<Part>,
}

struct Part {
    start: usize,
    copy: Box<[u8]>,
}

impl Image {
    /// Takes an image of the program's static data as it is now.
    pub(crate) fn take() -> Self {
        let writable = without(&Loaded::program().writable, &crate::keep::range());
        Self { parts: writable.into_iter().map(Part::take).collect() }
    }

    /// Takes an image of the static data of all libraries but those of the C library, if there are
    /// any.
    pub(crate) fn of_libraries() -> Option<Self> {
        let libraries = Loaded::all().into_iter().skip(1).filter(Loaded::is_foreign);
        let parts: Vec<_> = libraries.flat_map(|loaded| loaded.writable).map(Part::take).collect();
        (!parts.is_empty()).then_some(Self { parts })
    }

    /// Whether anything has changed since.
    pub(crate) fn is_outdated(&self) -> bool {
        self.parts.iter().any(|part| differs(part.start, &part.copy))
    }

    /// What has changed since the last execution was not the test's doing and stays.
    pub(crate) fn refresh(&mut self) {
        for part in &mut self.parts {
            let start = part.start;
            for_each_difference(part, |at, copy| {
                // SAFETY: As in `differs`.
                *copy = unsafe { ((start + at) as *const u8).read_volatile() };
            });
        }
    }

    /// Puts back what has changed since.
    pub(crate) fn put_back(&mut self) -> StaticTrace {
        let mut bytes = 0;
        for part in &mut self.parts {
            let start = part.start;
            for_each_difference(part, |at, copy| {
                bytes += 1;
                // SAFETY: As in `differs`. The test's threads do not run any more, so
                // nobody has a reference to what is written here: what is left of them is
                // abandoned for good. Engine and strategies keep nothing in these statics.
                unsafe { ((start + at) as *mut u8).write_volatile(*copy) };
            });
        }
        StaticTrace { bytes }
    }
}

/// Whether the program's allocator keeps state in statics, as one does that has a list of all its
/// blocks. It serves us as well as the test: if its state were put back after an execution, it would
/// not know what we have allocated meanwhile.
///
/// Seen by allocating something. May miss an allocator that seldom touches its statics.
pub fn allocator_leaves_trace() -> bool {
    crate::kept! {
        static KNOWN: OnceLock<bool> = OnceLock::new();
    }
    let leaves_trace = || {
        let image = Image::take();
        let blocks = [16, 400, 10_000, 300_000].map(|size| black_box(vec![0_u8; size]));
        let changed = image.is_outdated();
        drop(blocks);
        changed
    };
    // Once is not enough: something else may have been used for the first time.
    crate::heap::is_asked() && *KNOWN.get_or_init(|| leaves_trace() && leaves_trace())
}

impl Part {
    fn take(range: Range<usize>) -> Self {
        // SAFETY: The loader says that this is static data of the program, so it can be read. It
        // is copied bytewise and means nothing here.
        let data = unsafe { std::slice::from_raw_parts(range.start as *const u8, range.len()) };
        Self { start: range.start, copy: data.into() }
    }
}

/// Calls `f` for each byte of the part that differs from its copy, with its offset.
#[inline]
fn for_each_difference(part: &mut Part, mut f: impl FnMut(usize, &mut u8)) {
    let start = part.start;
    for (number, piece) in part.copy.chunks_mut(PIECE).enumerate() {
        let piece_start = number * PIECE;
        if !differs(start + piece_start, piece) {
            continue;
        }
        for (number, line) in piece.chunks_mut(LINE).enumerate() {
            let line_start = piece_start + number * LINE;
            if !differs(start + line_start, line) {
                continue;
            }
            for (index, copy) in line.iter_mut().enumerate() {
                let at = line_start + index;
                // SAFETY: As in `differs`.
                if unsafe { ((start + at) as *const u8).read_volatile() } != *copy {
                    f(at, copy);
                }
            }
        }
    }
}

/// Whether static data is not what its copy says.
#[inline]
fn differs(start: usize, copy: &[u8]) -> bool {
    // SAFETY: The static data that the copy was made of is as long as the copy and stays mapped
    // for as long as the program runs.
    unsafe { libc::memcmp(start as *const _, copy.as_ptr().cast(), copy.len()) != 0 }
}
