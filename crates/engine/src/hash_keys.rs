//! The keys of hash maps: the same in every execution that sees the same random bytes.
//!
//! `RandomState::new` takes its keys from a thread-local of std, drawn at random at the first use
//! on an operating-system thread, and counts the first of them up. All threads of all executions
//! are fibers of one operating-system thread, so the order of a hash map's entries would change
//! from one execution to the next. Here the thread-local is found and set to the keys of the
//! execution before it begins.
//!
//! How it is found: by what it contains, which a `RandomState` shows, in the blocks of memory that
//! the C library keeps for the thread-locals of the calling thread. That the place is the right
//! one is seen by writing other keys to it, which the next `RandomState` must have.
//!
//! May miss: a std that keeps its keys otherwise, and other systems than Linux with the GNU C
//! library. Then the order of hash maps is as it always was, and [`HashKeys::Random`] says so.

use std::cell::Cell;

/// Whether hash maps have the same keys in each execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashKeys {
    /// Their keys are the same in every execution and in every process.
    Fixed,
    /// Their keys are random, because the place where std keeps them was not found.
    Random,
}

/// The first keys of every execution. Any two numbers do.
const FIXED: Keys = [0x5365_6c76_6564_6765, 0x7468_7265_6164_7321];

/// Two keys, the one that is counted up first.
type Keys = [u64; 2];

/// Where the calling thread's keys are.
#[derive(Clone, Copy)]
enum Place {
    NotLookedFor,
    NotFound,
    /// The addresses of the key that is counted up and of the other one.
    At([*mut u64; 2]),
}

thread_local! {
    static PLACE: Cell<Place> = const { Cell::new(Place::NotLookedFor) };
}

/// Gives hash maps of the calling thread the keys of a new execution, which differ by the salt.
pub(crate) fn fix(salt: u64) -> HashKeys {
    let mut place = PLACE.get();
    if let Place::NotLookedFor = place {
        place = find::find().map_or(Place::NotFound, Place::At);
        PLACE.set(place);
    }
    match place {
        Place::At(at) => {
            // SAFETY: The place is that of the calling thread's keys, since it is kept in a
            // thread-local itself.
            unsafe { find::put(at, [FIXED[0], FIXED[1] ^ salt]) };
            HashKeys::Fixed
        }
        Place::NotLookedFor | Place::NotFound => HashKeys::Random,
    }
}

/// Whether a hash map of the calling thread has drawn keys since they were fixed. If their place was not found, nobody
/// knows, and they do not vary by the salt.
pub(crate) fn were_drawn() -> bool {
    match PLACE.get() {
        // SAFETY: As in `fix`.
        Place::At([counted, _]) => unsafe { counted.read_volatile() != FIXED[0] },
        Place::NotLookedFor | Place::NotFound => false,
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
mod find {
    use super::Keys;
    use libc::{c_int, c_void, dl_phdr_info, size_t};
    #[expect(clippy::disallowed_types, reason = "the one whose seed is to be fixed")]
    use std::hash::RandomState;
    use std::slice;

    /// More places than this can not all look as if they had the keys by chance.
    const MOST: usize = 8;

    /// Where to look, and what was found.
    struct Search {
        wanted: [u64; 2],
        found: [*mut u64; MOST],
        count: usize,
    }

    /// The addresses of the calling thread's two keys.
    pub(super) fn find() -> Option<[*mut u64; 2]> {
        let (earlier, drawn) = (draw()?, draw()?);
        // Which of the two is counted up tells them apart; how std orders them is its own business.
        let counted = (0..2).find(|&i| drawn[i] == earlier[i].wrapping_add(1))?;
        let other = 1 - counted;
        if drawn[other] != earlier[other] {
            return None;
        }
        let next = drawn[counted].wrapping_add(1);
        [[next, drawn[other]], [drawn[other], next]].into_iter().zip([[0, 1], [1, 0]]).find_map(
            |(wanted, order)| {
                let mut search = Search { wanted, found: [std::ptr::null_mut(); MOST], count: 0 };
                // SAFETY: The callback gets the search back, which outlives the call.
                unsafe {
                    libc::dl_iterate_phdr(Some(visit), (&raw mut search).cast());
                }
                search.found[..search.count]
                    .iter()
                    // SAFETY: Both words of a match lie in the block that was searched.
                    .map(|&match_| unsafe { [match_.add(order[0]), match_.add(order[1])] })
                    .find(|&at| is_followed(at, counted))
            },
        )
    }

    /// The keys of a new `RandomState`, if it consists of two.
    #[expect(clippy::disallowed_types, reason = "the one whose seed is to be fixed")]
    fn draw() -> Option<Keys> {
        if size_of::<RandomState>() != size_of::<Keys>() {
            return None;
        }
        let state = RandomState::new();
        // SAFETY: The sizes agree, so the state consists of its two keys: it is documented to have
        // keys, and there is room for nothing else.
        Some(unsafe { (&raw const state).cast::<Keys>().read_unaligned() })
    }

    /// Looks through the calling thread's block of one object of the process.
    unsafe extern "C" fn visit(info: *mut dl_phdr_info, _: size_t, search: *mut c_void) -> c_int {
        // SAFETY: The C library passes valid information, and the search that `find` gave it.
        let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
        let block = info.dlpi_tls_data.cast::<u64>();
        if block.is_null() || info.dlpi_phdr.is_null() {
            return 0;
        }
        // SAFETY: The C library says where the headers are and how many.
        let headers = unsafe { slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
        let Some(header) = headers.iter().find(|header| header.p_type == libc::PT_TLS) else {
            return 0;
        };
        let words = header.p_memsz as usize / size_of::<u64>();
        let aligned = block.is_aligned();
        for position in 0..words.saturating_sub(1) {
            if !aligned || search.count == MOST {
                break;
            }
            // SAFETY: The block has as many bytes as its header says; they belong to this thread,
            // which is here.
            let found = unsafe {
                let at = block.add(position);
                [at.read_volatile(), at.add(1).read_volatile()] == search.wanted
            };
            if found {
                // SAFETY: As above.
                search.found[search.count] = unsafe { block.add(position) };
                search.count += 1;
            }
        }
        0
    }

    /// Whether new states have the keys that are written to this place. If not, it gets back what
    /// it had.
    fn is_followed(at: [*mut u64; 2], counted: usize) -> bool {
        const OTHERS: Keys = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210];
        // SAFETY: The place is memory of the calling thread that can be read and written. If it is
        // not that of the keys, it has its contents back before anybody else could look.
        unsafe {
            let before = [at[0].read_volatile(), at[1].read_volatile()];
            put(at, OTHERS);
            let drawn = draw();
            if drawn.is_some_and(|keys| [keys[counted], keys[1 - counted]] == OTHERS) {
                return true;
            }
            put(at, before);
        }
        false
    }

    /// Writes keys to their place.
    ///
    /// # Safety
    ///
    /// The place must be that of the calling thread's keys, or be put back at once.
    pub(super) unsafe fn put(at: [*mut u64; 2], keys: Keys) {
        // SAFETY: Passed on to the caller.
        unsafe {
            at[0].write_volatile(keys[0]);
            at[1].write_volatile(keys[1]);
        }
    }
}

/// Elsewhere nobody knows where to look.
#[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
mod find {
    use super::Keys;

    pub(super) fn find() -> Option<[*mut u64; 2]> {
        None
    }

    pub(super) unsafe fn put(_: [*mut u64; 2], _: Keys) {}
}
