//! Tables that are filled anew in each execution and keep their memory.

use super::fact::FIRST_WORD;

/// Something for each object and each word of memory.
#[derive(Default)]
pub(crate) struct PerVariable<T> {
    objects: Vec<T>,
    words: Vec<T>,
}

impl<T: Default> PerVariable<T> {
    pub(crate) fn clear(&mut self) {
        self.objects.clear();
        self.words.clear();
    }

    /// Calls `f` for all there are, so that what they have allocated can be kept.
    pub(crate) fn each(&mut self, mut f: impl FnMut(&mut T)) {
        self.objects.iter_mut().chain(&mut self.words).for_each(&mut f);
    }

    #[inline]
    pub(crate) fn of(&mut self, variable: u32) -> &mut T {
        match variable < FIRST_WORD {
            true => at(&mut self.objects, variable as usize),
            false => at(&mut self.words, (variable - FIRST_WORD) as usize),
        }
    }
}

/// Something for each thread.
#[derive(Default)]
pub(crate) struct PerThread<T> {
    threads: Vec<T>,
}

impl<T: Default> PerThread<T> {
    pub(crate) fn clear(&mut self) {
        self.threads.clear();
    }

    #[inline]
    pub(crate) fn of(&mut self, thread: u32) -> &mut T {
        at(&mut self.threads, thread as usize)
    }
}

#[inline]
fn at<T: Default>(entries: &mut Vec<T>, index: usize) -> &mut T {
    if entries.len() <= index {
        grow(entries, index);
    }
    &mut entries[index]
}

#[cold]
fn grow<T: Default>(entries: &mut Vec<T>, index: usize) {
    entries.resize_with(index + 1, T::default);
}

/// Who was where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) thread: u32,
    pub(crate) site: u32,
}

impl At {
    #[inline]
    pub(crate) fn of(fact: &super::Fact) -> Self {
        Self { thread: fact.thread, site: fact.site }
    }
}
