//! The files that threads of the execution have opened.
//!
//! Two things are to be known of them.
//!
//! - **Who can make them ready.** An event loop sleeps by waiting for files. If all of them are such
//!   that only threads of the execution can bring anything (events, timers, pipes with both ends
//!   here), and nobody can run, then nothing will ever come: the test is stuck, and there is no need
//!   to wait for the world.
//! - **That they are left.** A thread that is abandoned at the end of an execution never closes its
//!   files. Where statics are put back nobody can reach them any more, so they are closed; otherwise
//!   a thousand executions of a test with an event loop would use up all numbers of files.
//!
//! What can not be known counts as the world's: files that were opened elsewhere, and all of them
//! while the process has children or threads that are not under control.

use crate::context::Controlled;
use crate::execution::Execution;
use crate::objects::io::Carries;
use crate::outside_threads::apart;
use crate::statics::Statics;
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::fs;

/// Who can make a file ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Only whoever has a file of this process.
    Process,
    /// Anybody.
    World,
    /// Whoever can make one of those files ready that were put into this group.
    Group,
}

/// The files that were opened in this execution and are not closed.
#[derive(Default)]
pub(crate) struct OwnFiles {
    open: BTreeMap<c_int, Reach>,
}

impl OwnFiles {
    /// Whether the file was opened in this execution.
    pub(crate) fn is_own(&self, file: c_int) -> bool {
        self.open.contains_key(&file)
    }

    /// Whether nobody but threads of this process can make the file ready.
    fn is_internal(&self, file: c_int, depth: u32) -> bool {
        /// The kernel allows groups of groups, but not many.
        const MOST: u32 = 5;
        match self.open.get(&file) {
            Some(Reach::Process) => true,
            Some(Reach::Group) if depth < MOST => {
                let internal = |member| self.is_internal(member, depth + 1);
                group_members(file).is_some_and(|members| members.into_iter().all(internal))
            }
            _ => false,
        }
    }
}

impl Controlled {
    /// The running thread has opened a file.
    pub fn file_opened(self, file: c_int, reach: Reach) {
        if reach == Reach::World {
            // That it could be opened, or made, may depend on what others have done.
            self.carries(Carries::Both);
        }
        self.execution().world.own_files.open.insert(file, reach);
    }

    /// The running thread has opened `file`, which is the same as `original`.
    pub fn file_duplicated(self, original: c_int, file: c_int) {
        let mut execution = self.execution();
        if let Some(&reach) = execution.world.own_files.open.get(&original) {
            execution.world.own_files.open.insert(file, reach);
        }
    }

    /// A file was closed.
    pub fn file_closed(self, file: c_int) {
        let mut execution = self.execution();
        execution.world.own_files.open.remove(&file);
        execution.world.timers.closed(file);
    }
}

impl Execution {
    /// Whether none of the files that threads wait for can be made ready by anybody but threads of
    /// the execution.
    pub(crate) fn waits_for_own_files_only(&self) -> bool {
        let internal = |file| self.world.own_files.is_internal(file, 0);
        self.world.outside_threads.is_empty()
            && self.awaited_files().all(internal)
            && apart(children) == Children::None
    }

    /// Closes what was left open, if nobody can reach it any more.
    pub(crate) fn close_own_files(&mut self) {
        let open = std::mem::take(&mut self.world.own_files.open);
        // What a thread outside of control has closed is not known here.
        if self.settings.statics == Statics::PutBack && self.world.outside_threads.is_empty() {
            open.into_keys().for_each(close);
        }
    }
}

/// The files of a group; nothing if the kernel does not tell.
fn group_members(group: c_int) -> Option<Vec<c_int>> {
    let facts = apart(|| fs::read_to_string(format!("/proc/self/fdinfo/{group}"))).ok()?;
    let lines = facts.lines().filter_map(|line| line.strip_prefix("tfd:"));
    lines.map(|line| line.split_whitespace().next()?.parse().ok()).collect()
}

/// Whether this process has children, who may have its files as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Children {
    None,
    /// Or it can not be known.
    Some,
}

fn children() -> Children {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return Children::Some };
    let mut lists =
        threads.flatten().map(|thread| fs::read_to_string(thread.path().join("children")));
    // A thread that has ended meanwhile has handed its children on, so that nobody can say.
    match lists.all(|list| list.is_ok_and(|list| list.trim().is_empty())) {
        true => Children::None,
        false => Children::Some,
    }
}

#[cfg(unix)]
fn close(file: c_int) {
    // SAFETY: The file was opened by a thread of the execution that is over, and nobody refers to
    // it any more.
    apart(|| unsafe { libc::close(file) });
}

/// Elsewhere nobody tells of files.
#[cfg(not(unix))]
fn close(_: c_int) {}
