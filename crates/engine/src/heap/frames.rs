//! Where a call of the allocator comes from.
//!
//! Frames are found by following frame pointers, which needs neither tables nor memory. Where code
//! was compiled without them, the walk ends early or meets values that are no return addresses;
//! it reads nothing but the thread's own stack, and what is no address of code is left out.

use std::ops::Range;

/// Who called the allocator.
#[derive(Clone, Copy, Debug)]
pub struct Caller {
    /// Where the call returns to.
    pub return_address: usize,
    /// The caller's frame pointer, if it has one; any value otherwise.
    pub frame: usize,
}

/// The return addresses of the innermost frames, relative to `base`; 0 after the last. At most `N` of them.
#[inline]
pub(crate) fn walk<const N: usize>(
    caller: Caller,
    base: usize,
    code: &Range<usize>,
    stack: &Range<usize>,
) -> [u32; N] {
    let mut frames = [0; N];
    let mut count = 0;
    let mut note = |address: usize| {
        if code.contains(&address) {
            frames[count] = (address - base) as u32;
            count += 1;
        }
        count < N
    };
    note(caller.return_address);
    let mut frame = caller.frame;
    let mut least = stack.start;
    // At most so many links, also if they lead nowhere.
    for _ in 0..4 * N {
        if frame < least || !frame.is_multiple_of(8) || frame + 16 > stack.end {
            break;
        }
        // SAFETY: Two words of the running thread's stack, above the frame that runs this.
        let [next, address] = unsafe { *(frame as *const [usize; 2]) };
        if !note(address) {
            break;
        }
        least = frame + 16;
        frame = next;
    }
    frames
}
