//! The times of files, on the calendar of an execution.
//!
//! Files are real, and the kernel notes by its own clock when they are changed. A program compares that
//! with `SystemTime`, which is virtual. So whoever asks gets the times of files in virtual time:
//!
//! - A time up to the beginning of the virtual calendar is what it is: nobody but a program or an archive sets
//!   it, and whoever set it finds it again.
//! - A later one is counted from the moment at which the execution began, so that a file is as old as it
//!   really is. None that has passed lies in the future.
//! - A file that the execution itself has written was written when the virtual clock said so, however little
//!   real time may lie between two such writes.
//!
//! Deviations: (1) of two files that were changed before the execution, one before the beginning of the
//! virtual calendar and one after it, the latter may seem to be the older one; (2) what is written past the
//! functions that tell of it (by a child process, through a mapping) has passed in real time; (3) only times
//! of content are known exactly, those of access and of status are counted from the beginning.

use crate::clock::VirtualClock;
use crate::context::Controlled;
use crate::execution::Execution;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Nanoseconds since 1970, on the kernel's calendar or on that of the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileTime(pub i128);

impl From<Duration> for FileTime {
    fn from(since: Duration) -> Self {
        Self(since.as_nanos() as i128)
    }
}

/// Tells one file of the machine from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileKey {
    /// The device that it lies on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
}

/// What is known of the times of files in an execution.
#[derive(Default)]
pub(crate) struct FileTimes {
    /// What the kernel's calendar showed when the execution began; nothing before somebody has said what
    /// it shows.
    began: Option<FileTime>,
    /// The files that the execution has written.
    written: FxHashMap<FileKey, Written>,
}

/// When a file was last written.
#[derive(Clone, Copy)]
struct Written {
    /// By the kernel's calendar.
    outside: FileTime,
    /// By that of the execution.
    inside: FileTime,
}

impl FileTimes {
    pub(crate) fn reset(&mut self) {
        self.began = None;
        self.written.clear();
    }
}

impl Controlled {
    /// The running thread has changed the content of a file, at `outside` by the kernel's calendar.
    pub fn file_written(self, file: FileKey, outside: FileTime) {
        let execution = &mut *self.execution();
        let inside = execution.present();
        execution.file_times.written.insert(file, Written { outside, inside });
    }

    /// When the content of a file was changed, which the kernel says was at `outside`. `present` is what
    /// its calendar shows now.
    pub fn content_time(self, file: FileKey, outside: FileTime, present: FileTime) -> FileTime {
        let execution = &mut *self.execution();
        match execution.file_times.written.get(&file) {
            Some(written) if written.outside == outside => written.inside,
            _ => execution.inside(outside, present),
        }
    }

    /// A time that the kernel has noted, on the calendar of the execution.
    pub fn file_time(self, outside: FileTime, present: FileTime) -> FileTime {
        self.execution().inside(outside, present)
    }

    /// The time that the kernel is to note for one on the calendar of the execution.
    pub fn kernel_time(self, inside: FileTime, present: FileTime) -> FileTime {
        let execution = &mut *self.execution();
        if inside <= BEGINNING {
            return inside;
        }
        FileTime(inside.0 - BEGINNING.0 + execution.began(present).0)
    }
}

/// The beginning of the virtual calendar.
const BEGINNING: FileTime = FileTime(VirtualClock::Calendar.beginning().as_nanos() as i128);

impl Execution {
    /// The present on the calendar of the execution. To ask is no operation.
    fn present(&self) -> FileTime {
        FileTime(BEGINNING.0 + i128::from(self.time.now))
    }

    /// What the kernel's calendar showed at the beginning, if it shows `present` now.
    fn began(&mut self, present: FileTime) -> FileTime {
        let passed = i128::from(self.time.now);
        *self.file_times.began.get_or_insert(FileTime(present.0 - passed))
    }

    fn inside(&mut self, outside: FileTime, present: FileTime) -> FileTime {
        if outside <= BEGINNING {
            return outside;
        }
        let counted = FileTime(outside.0 - self.began(present).0 + BEGINNING.0);
        if outside <= present { counted.min(self.present()) } else { counted }
    }
}
