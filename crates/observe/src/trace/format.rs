//! How a trace is written down.
//!
//! A file is a mark, a version and *chunks*: the header, one for each execution, and the end. Each
//! chunk says how long it is and has a checksum, so that whatever was cut off or changed is noticed
//! before anybody is told of it. Numbers are written seven bits to a byte, small ones first.
//!
//! An execution is a list of *records*, each with a tag. What does not change is not repeated: places
//! are written once for the whole trace, threads and objects when they first appear, what a thread is
//! about to do when that has changed, and its clock as the difference to what it was at the thread's
//! last record. Most events carry out what their thread was about to do and have ticked its clock
//! once, so that they are three bytes.

use super::TraceError;
use selvedge_model::{AccessKind, AccessMode, ObjectKind, Order};

/// How every trace begins.
pub(super) const MAGIC: [u8; 16] = *b"selvedge trace\n\0";
/// The version of the format. To be changed with it, whatever is changed.
pub(super) const VERSION: u8 = 3;

/// The kinds of chunk.
pub(super) const HEADER: u8 = b'H';
pub(super) const EXECUTION: u8 = b'X';
pub(super) const END: u8 = b'E';

/// The kinds of record.
pub(super) mod tag {
    pub(in crate::trace) const FILE: u8 = 0;
    pub(in crate::trace) const SITE: u8 = 1;
    pub(in crate::trace) const THREAD: u8 = 2;
    pub(in crate::trace) const OBJECT: u8 = 3;
    pub(in crate::trace) const PENDING: u8 = 4;
    pub(in crate::trace) const STEP: u8 = 5;
    pub(in crate::trace) const EVENT: u8 = 6;
    pub(in crate::trace) const ACCESS: u8 = 7;
    pub(in crate::trace) const MEMORY: u8 = 8;
    pub(in crate::trace) const END: u8 = 9;
    /// The bits that say which record it is.
    pub(in crate::trace) const KIND: u8 = 0x0f;
    /// An event that carries out what its thread was about to do.
    pub(in crate::trace) const AS_PENDING: u8 = 0x10;
    /// How the clock has changed: not at all if neither bit is set.
    pub(in crate::trace) const TICKED: u8 = 0x20;
    pub(in crate::trace) const JOINED: u8 = 0x40;
}

/// What an access is, as bits.
pub(super) mod access {
    pub(in crate::trace) const WRITES: u8 = 0x01;
    pub(in crate::trace) const MODE_SHIFT: u8 = 1;
    pub(in crate::trace) const MODE: u8 = 0x06;
    pub(in crate::trace) const IN_MEMORY: u8 = 0x08;
    pub(in crate::trace) const BY_CODE: u8 = 0x10;
}

/// The numbers of what has no number of its own. They are as they stand here.
pub(super) const ORDERS: [Order; 6] =
    [Order::Implied, Order::Relaxed, Order::Acquire, Order::Release, Order::Both, Order::SeqCst];
pub(super) const MODES: [AccessMode; 3] =
    [AccessMode::Plain, AccessMode::Atomic, AccessMode::Volatile];
pub(super) const OBJECT_KINDS: [ObjectKind; 11] = [
    ObjectKind::Atomic,
    ObjectKind::Barrier,
    ObjectKind::Channel,
    ObjectKind::Condvar,
    ObjectKind::Files,
    ObjectKind::Futex,
    ObjectKind::Mutex,
    ObjectKind::Once,
    ObjectKind::RwLock,
    ObjectKind::Thread,
    ObjectKind::Schedule,
];

/// Stands before what came of an event that has to do with one of several values of an atomic: how many of them are
/// newer follows. No effect and order are this.
pub(super) const AGED: u8 = 0xff;

/// Whether data is read or written, as a bit.
pub(super) const fn writes(kind: AccessKind) -> u8 {
    match kind {
        AccessKind::Read => 0,
        AccessKind::Write => access::WRITES,
    }
}

/// The number of a thing in its list.
pub(super) fn number_in<T: PartialEq>(list: &[T], thing: &T) -> u8 {
    let found = list.iter().position(|other| other == thing);
    found.expect("the list has everything there is") as u8
}

/// Bytes that are being written.
#[derive(Debug, Default)]
pub(super) struct Output(pub(super) Vec<u8>);

impl Output {
    #[inline]
    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    #[inline]
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// The difference between two numbers, in whichever direction.
    #[inline]
    pub(super) fn difference(&mut self, from: u64, to: u64) {
        let difference = to.wrapping_sub(from) as i64;
        self.number(((difference << 1) ^ (difference >> 63)) as u64);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(super) fn texts<T: AsRef<str>>(&mut self, texts: impl ExactSizeIterator<Item = T>) {
        self.number(texts.len() as u64);
        texts.for_each(|text| self.text(text.as_ref()));
    }

    /// A chunk that has been put together elsewhere.
    pub(super) fn chunk(&mut self, kind: u8, body: &[u8]) {
        self.byte(kind);
        self.0.extend_from_slice(&(body.len() as u64).to_le_bytes());
        self.0.extend_from_slice(&checksum(body).to_le_bytes());
        self.0.extend_from_slice(body);
    }
}

/// How many bytes a chunk has before its body.
pub(super) const CHUNK_HEAD: usize = 1 + 8 + 8;

/// Bytes that are being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'a>(pub(super) &'a [u8]);

/// What does not make sense in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nonsense(pub(super) &'static str);

impl Nonsense {
    /// As an error, in a chunk that is called so.
    pub(super) fn in_chunk(self, chunk: &str) -> TraceError {
        TraceError::Damaged { chunk: chunk.to_owned(), what: self.0 }
    }
}

impl<'a> Input<'a> {
    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, Nonsense> {
        let (&byte, rest) = self.0.split_first().ok_or(Nonsense("it ends too early"))?;
        self.0 = rest;
        Ok(byte)
    }

    #[inline]
    pub(super) fn number(&mut self) -> Result<u64, Nonsense> {
        let byte = self.byte()?;
        if byte < 0x80 {
            return Ok(u64::from(byte));
        }
        let mut number = u64::from(byte & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Nonsense("a number has no end"))
    }

    #[inline]
    pub(super) fn difference(&mut self, from: u64) -> Result<u64, Nonsense> {
        let written = self.number()?;
        let difference = (written >> 1) ^ (written & 1).wrapping_neg();
        Ok(from.wrapping_add(difference))
    }

    /// A number of 32 bits.
    #[inline]
    pub(super) fn short(&mut self) -> Result<u32, Nonsense> {
        u32::try_from(self.number()?).map_err(|_| Nonsense("a number is too large"))
    }

    /// A number that fits an address or a size.
    #[inline]
    pub(super) fn size(&mut self) -> Result<usize, Nonsense> {
        usize::try_from(self.number()?).map_err(|_| Nonsense("a number is too large"))
    }

    /// One of the things in a list, by its number.
    #[inline]
    pub(super) fn one_of<T: Copy>(&mut self, list: &[T]) -> Result<T, Nonsense> {
        let number = self.size()?;
        list.get(number).copied().ok_or(Nonsense("something is named that is not there"))
    }

    pub(super) fn bytes(&mut self, count: usize) -> Result<&'a [u8], Nonsense> {
        let split = self.0.split_at_checked(count).ok_or(Nonsense("it ends too early"))?;
        self.0 = split.1;
        Ok(split.0)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, Nonsense> {
        let length = self.size()?;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| Nonsense("a text is none"))
    }

    pub(super) fn texts(&mut self) -> Result<Vec<&'a str>, Nonsense> {
        (0..self.number()?).map(|_| self.text()).collect()
    }
}

/// Changes with every bit. Each step of it can be undone, so that one change is never made up for by
/// what comes after it alone.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum =
        words.iter().fold(bytes.len() as u64, |sum, &word| step(sum, u64::from_le_bytes(word)));
    rest.iter().fold(sum, |sum, &byte| step(sum, u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_differences_read_back_as_they_were_written() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        for from in numbers {
            for to in numbers {
                let mut output = Output::default();
                output.number(from);
                output.difference(from, to);
                let mut input = Input(&output.0);
                assert_eq!((input.number(), input.difference(from)), (Ok(from), Ok(to)));
                assert!(input.0.is_empty());
            }
        }
    }

    #[test]
    fn a_number_that_does_not_end_is_nonsense() {
        assert!(Input(&[0xff; 20]).number().is_err());
        assert!(Input(&[0xff; 3]).number().is_err());
    }

    #[test]
    fn every_bit_counts_for_the_checksum() {
        let bytes: Vec<u8> = (0..37).collect();
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&changed), checksum(&bytes), "bit {bit}");
        }
    }
}
