//! A place of the source in one word: the compiler's own location, or one that was read.
//!
//! Sites are copied into every event, so they must not be larger than a reference; and locations can
//! not be made, so that whoever reads a site needs another kind of data. Which of the two a word
//! refers to is said by its lowest bit, which is free in both.
#![expect(unsafe_code, reason = "nothing but raw pointers has a free bit")]

use super::Source;
use std::panic::Location;
use std::ptr::NonNull;

/// The bit that is set if the word refers to a [`Source`].
const STORED: usize = 1;

const _: () = assert!(align_of::<Location<'_>>() > STORED && align_of::<Source>() > STORED);

/// A reference to a [`Location`], or to a [`Source`] and [`STORED`] added to it; either lives for ever.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Word(NonNull<()>);

// SAFETY: It stands for a shared reference to data that can be shared, and for nothing else.
unsafe impl Send for Word {}
// SAFETY: As above.
unsafe impl Sync for Word {}

/// What a word refers to.
#[derive(Clone, Copy)]
pub(super) enum Is {
    Compiled(&'static Location<'static>),
    Stored(&'static Source),
}

impl Word {
    #[inline]
    pub(super) const fn compiled(location: &'static Location<'static>) -> Self {
        Self(NonNull::from_ref(location).cast())
    }

    pub(super) fn stored(source: &'static Source) -> Self {
        Self(NonNull::from_ref(source).cast().map_addr(|address| address | STORED))
    }

    #[inline]
    pub(super) fn is(self) -> Is {
        if self.address() & STORED == 0 {
            // SAFETY: Without the bit it is as `compiled` made it: locations are aligned to more.
            Is::Compiled(unsafe { self.0.cast().as_ref() })
        } else {
            let source = self.0.as_ptr().map_addr(|address| address & !STORED);
            // SAFETY: With the bit it was made by `stored`, and now it is what `stored` was given.
            Is::Stored(unsafe { &*source.cast() })
        }
    }

    #[inline]
    pub(super) fn address(self) -> usize {
        self.0.addr().get()
    }
}
