//! Waiting for what no thread of the execution may bring about.
//!
//! Files become ready because of other threads of the execution (a pipe between two of them) or of
//! the rest of the world (a socket); which of the two can not be known. A thread that waits for one
//! is looked at again, without waiting, after each operation on files and whenever nobody can run.
//! Only when no deadline is left that virtual time could jump to, the process really waits. If that
//! takes longer than the setting `stall` allows, whoever watches gives up.
//!
//! The same goes for words in memory that belong to code which is not under control, such as a lock
//! inside of std that a thread of another test holds. Those are given back within moments, and so
//! the wait for them is a short one: a small part of `stall`, since those who really wait for each
//! other have to wait for it as well before that is noticed.

use crate::ending::Ending;
use crate::execution::Execution;
use crate::outside_threads::apart;
use crate::real_time::real_clock;
use selvedge_model::ThreadId;
use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The process waits for so long at a time if it waits for nothing but files.
const SLICE: Duration = Duration::from_millis(50);
/// The process waits for so long at a time if it has to look at something else in between.
const SHORT_SLICE: Duration = Duration::from_millis(1);

/// A file, and what somebody waits for there: `pollfd` of the C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct FileInterest {
    /// The number of the file.
    pub file: c_int,
    /// What is waited for, in the bits of `poll`.
    pub wanted: i16,
    /// What was found, in the same bits.
    found: i16,
}

impl FileInterest {
    /// A file that is to be ready for what the bits of `poll` say.
    pub const fn new(file: c_int, wanted: i16) -> Self {
        Self { file, wanted, found: 0 }
    }
}

/// The threads that wait for the outside.
#[derive(Default)]
pub(crate) struct Outside {
    files: Vec<(ThreadId, FileInterest)>,
    /// Words with the value that they had when the thread began to wait.
    words: Vec<(ThreadId, *const u32, u32)>,
    /// The object that stands for all files, if any was used.
    pub(crate) object: Option<selvedge_model::ObjectId>,
}

impl Outside {
    pub(crate) fn reset(&mut self) {
        self.files.clear();
        self.words.clear();
        self.object = None;
    }
}

impl Execution {
    /// The running thread waits until one of the files is ready.
    pub(crate) fn listen_to_files(&mut self, files: &[FileInterest]) {
        let me = self.current;
        self.world.outside.files.extend(files.iter().map(|&file| (me, file)));
        if files.is_empty() {
            // Nothing can come, but the thread is one that waits for the outside all the same.
            self.world.outside.files.push((me, FileInterest::new(-1, 0)));
        }
    }

    /// The running thread, which waits on a word with the given value, also waits for those outside
    /// of the execution to change it; unless only threads of the execution do.
    ///
    /// # Safety
    ///
    /// The word must stay readable until the thread listens no more.
    pub(crate) unsafe fn listen_to_word(&mut self, word: *const u32, value: u32) {
        if self.registry.atomics.find(word as usize).is_none() {
            self.world.outside.words.push((self.current, word, value));
        }
    }

    /// The files that threads wait for.
    pub(crate) fn awaited_files(&self) -> impl Iterator<Item = c_int> {
        self.world.outside.files.iter().map(|(_, interest)| interest.file).filter(|&file| file >= 0)
    }

    /// Whether any thread waits for files.
    pub(crate) fn listens_to_files(&self) -> bool {
        !self.world.outside.files.is_empty()
    }

    /// The first of the threads that wait for files.
    pub(crate) fn first_listener(&self) -> Option<ThreadId> {
        self.world.outside.files.first().map(|(thread, _)| *thread)
    }

    /// The running thread waits for nothing from outside any more.
    pub(crate) fn listens_no_more(&mut self) {
        let me = self.current;
        self.world.outside.files.retain(|(thread, _)| *thread != me);
        self.world.outside.words.retain(|(thread, ..)| *thread != me);
    }

    /// Lets those go on for whom something has come, waiting for no longer than is said. Says
    /// whether there is anybody.
    pub(crate) fn look_outside(&mut self, wait: Duration) -> bool {
        // SAFETY: Whoever listens to a word keeps it readable.
        let is_changed = |&(_, word, value): &_| unsafe { read_word(word) } != value;
        let changed = self.world.outside.words.iter().filter(|heard| is_changed(heard));
        let changed: Vec<_> = changed.map(|(thread, ..)| *thread).collect();
        for &thread in &changed {
            self.deadline_passed(thread);
        }
        let came = changed.into_iter().any(|thread| self.states.can_run(thread));
        let wait = if came { Duration::ZERO } else { wait };
        if self.world.outside.files.is_empty() {
            if !wait.is_zero() && !self.world.outside.words.is_empty() {
                poll(&mut [], wait);
            }
            return came;
        }
        let mut came = came;
        let mut files: Vec<_> = self.world.outside.files.iter().map(|(_, file)| *file).collect();
        poll(&mut files, wait);
        for (&(thread, _), file) in self.world.outside.files.iter().zip(&files) {
            if file.found != 0 {
                self.states.wake(thread);
                came = true;
            }
        }
        came
    }

    /// As [`look_outside`](Self::look_outside), and waits as well if nobody listens.
    pub(crate) fn look_outside_or_sleep(&mut self, wait: Duration) -> bool {
        if self.world.outside.files.is_empty() && self.world.outside.words.is_empty() {
            poll(&mut [], wait);
            return false;
        }
        self.look_outside(wait)
    }

    /// Nobody can run and no deadline is left: waits for the outside. Says whether anything came, or
    /// it is worth to let those that spin try again.
    pub(crate) fn await_outside(&mut self) -> bool {
        let of_file = self.first_listener();
        let of_word = self.world.outside.words.first().map(|(thread, ..)| *thread);
        if of_file.is_none() && of_word.is_none() {
            return false;
        }
        if self.states.is_anybody_aside() {
            // They may wait for the one that waits for the outside.
            return self.look_outside(SHORT_SLICE);
        }
        if self.main_has_ended() {
            return false;
        }
        let first = of_file.filter(|_| !self.waits_for_own_files_only());
        let Some(thread) = first.or(of_word) else { return false };
        // This is who does not come back.
        let steps = self.account.first_step + self.events.len() as u64;
        self.partners.watch.step(steps, thread.0, self.info[thread.index()].pending.site);
        let slice = if self.world.outside.words.is_empty() { SLICE } else { SHORT_SLICE };
        let mut slices = 0;
        let began = real_clock();
        while !self.look_outside(slice) {
            slices += 1;
            if let Some(crash) = self.partners.watch.interrupted() {
                self.current = thread;
                self.end(Ending::Crashed { crash });
                return false;
            }
            if first.is_none()
                && self.world.outside_threads.is_empty()
                && SHORT_SLICE * slices >= self.settings.limits.word_patience
            {
                return false;
            }
        }
        self.has_passed(began.elapsed());
        true
    }
}

/// The value of a word that others may change at any time.
///
/// # Safety
///
/// The word can be read, and is aligned.
pub(crate) unsafe fn read_word(word: *const u32) -> u32 {
    // SAFETY: The caller promises a readable, aligned word. Nobody accesses it at the same time but
    // by atomic operations, as the contract of a futex has it.
    unsafe { AtomicU32::from_ptr(word.cast_mut()) }.load(Ordering::SeqCst)
}

/// Whether one of the files is ready.
pub(crate) fn is_ready(files: &[FileInterest]) -> bool {
    let mut files = files.to_vec();
    poll(&mut files, Duration::ZERO);
    files.iter().any(|file| file.found != 0)
}

/// Notes what is found at the files, waiting for no longer than is said until there is something.
///
/// Apart from the execution, since somebody may stand in front of the function.
#[cfg(all(target_os = "linux", not(miri)))]
fn poll(files: &mut [FileInterest], wait: Duration) {
    let time = libc::timespec {
        tv_sec: wait.as_secs() as libc::time_t,
        tv_nsec: wait.subsec_nanos().into(),
    };
    let (first, count) = (files.as_mut_ptr().cast(), files.len() as libc::nfds_t);
    // SAFETY: The files have the layout of `pollfd` and live as long as the call, as the time does.
    apart(|| unsafe { libc::ppoll(first, count, &raw const time, std::ptr::null()) });
}

/// Elsewhere nobody stands in front of the C library, so nobody waits.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn poll(_: &mut [FileInterest], _: Duration) {}
