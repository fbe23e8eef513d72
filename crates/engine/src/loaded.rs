//! What is loaded into the process: where code and static data lie.

use std::ops::Range;

/// A program or library in memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loaded {
    /// Where it was loaded from; the program itself has no name.
    pub(crate) name: String,
    /// What addresses in its files are relative to.
    pub(crate) base: usize,
    /// From its first to its last instruction.
    pub(crate) code: Range<usize>,
    /// Static data that can be written to.
    pub(crate) writable: Vec<Range<usize>>,
    /// How large its thread-locals are, for one thread.
    pub(crate) thread_locals: usize,
}

impl Loaded {
    /// The program itself.
    pub(crate) fn program() -> Self {
        Self::all().into_iter().next().unwrap_or_default()
    }
}

/// How the files of the C library and of what belongs to it begin.
const C_LIBRARY: [&str; 12] = [
    "ld-",
    "ld64",
    "libc.",
    "libc-",
    "libdl",
    "libgcc_s",
    "libm.",
    "libm-",
    "libpthread",
    "librt",
    "libutil",
    "linux-",
];

impl Loaded {
    /// Whether it is none of the C library's.
    pub(crate) fn is_foreign(&self) -> bool {
        let file = self.name.rsplit('/').next().unwrap_or_default();
        !file.is_empty() && !C_LIBRARY.iter().any(|known| file.starts_with(known))
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64", not(miri)))]
mod linux;

/// Elsewhere it is not known what is loaded.
#[cfg(not(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64", not(miri))))]
impl Loaded {
    pub(crate) fn all() -> Vec<Self> {
        Vec::new()
    }
}

/// The parts of the ranges that lie outside of `hole`.
pub(crate) fn without(ranges: &[Range<usize>], hole: &Range<usize>) -> Vec<Range<usize>> {
    let parts = ranges.iter().flat_map(|range| {
        [
            range.start..range.end.min(hole.start.max(range.start)),
            range.start.max(hole.end.min(range.end))..range.end,
        ]
    });
    let mut parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
    // A range that the hole does not touch was found twice.
    parts.dedup();
    parts
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a list of one range is meant")]
mod tests {
    use super::*;

    #[test]
    fn a_hole_is_left_out_wherever_it_lies() {
        assert_eq!(without(&[10..20], &(12..15)), [10..12, 15..20]);
        assert_eq!(without(&[10..20], &(5..15)), [15..20]);
        assert_eq!(without(&[10..20], &(15..25)), [10..15]);
        assert_eq!(without(&[10..20], &(5..25)), []);
        assert_eq!(without(&[10..20], &(30..40)), [10..20]);
        assert_eq!(without(&[10..20], &(0..5)), [10..20]);
        assert_eq!(without(&[10..20, 30..40], &(15..35)), [10..15, 35..40]);
    }

    #[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64", not(miri)))]
    #[test]
    fn the_program_has_code_and_data_of_its_own() {
        static DATA: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(3);
        let program = Loaded::program();
        assert!(program.code.contains(&(Loaded::program as *const () as usize)));
        let data = (&raw const DATA) as usize;
        assert!(program.writable.iter().any(|range| range.contains(&data)));
    }
}
