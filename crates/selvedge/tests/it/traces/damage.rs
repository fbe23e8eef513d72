//! Files that are no traces, or none any more, are told from those that are, and nothing panics.

use super::log::Log;
use super::{ROOM, watch};
use crate::coverage::programs;
use selvedge_observe::trace::{Trace, TraceError};

fn written() -> Vec<u8> {
    let program = programs::random(3);
    watch(3, 2, ROOM, &|| program.run()).0.bytes
}

fn error(bytes: &[u8]) -> Option<TraceError> {
    Trace::read(bytes).err()
}

#[test]
fn a_trace_that_is_cut_off_is_recognised_wherever_that_is() {
    let bytes = written();
    assert_eq!(error(&bytes), None);
    for length in 0..bytes.len() {
        let error = error(&bytes[..length]).expect("something is missing");
        let is_right = match error {
            TraceError::Foreign => length < 16,
            TraceError::CutOff { whole } => length >= 16 && whole <= 2,
            _ => false,
        };
        assert!(is_right, "{length} of {}: {error}", bytes.len());
    }
}

#[test]
fn a_single_bit_that_is_changed_is_noticed() {
    let bytes = written();
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(error(&changed).is_some(), "bit {bit} of {}", bytes.len() * 8);
    }
}

#[test]
fn other_files_and_other_versions_are_told_apart() {
    assert_eq!(error(b""), Some(TraceError::Foreign));
    assert_eq!(error(b"\x7fELF and much more than a trace begins with"), Some(TraceError::Foreign));
    let mut newer = written();
    newer[16] = 200;
    assert_eq!(error(&newer), Some(TraceError::Version(200)));
    let mut longer = written();
    longer.push(0);
    assert!(matches!(error(&longer), Some(TraceError::Damaged { .. })));
}

/// With a checksum that is right all the same, as no accident makes it.
#[test]
fn a_trace_of_nonsense_is_an_error_and_no_panic() {
    let bytes = written();
    let mut state = 1_u64;
    let mut wrong = 0;
    for _ in 0..3_000 {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize
        };
        let Some(forged) = forge(&bytes, next(), next() as u8) else { continue };
        if let Ok(trace) = Trace::read(&forged) {
            let mut player = trace.player();
            let mut log = Log::default();
            while player.play(&mut log).inspect_err(|_| wrong += 1).is_ok_and(|one| one.is_some()) {
            }
        }
    }
    assert!(wrong > 500, "hardly anything was noticed: {wrong}");
}

/// Changes a byte of an execution and makes the checksum of its chunk right.
fn forge(bytes: &[u8], at: usize, to: u8) -> Option<Vec<u8>> {
    let mut forged = bytes.to_vec();
    let mut begin = 17;
    while begin < forged.len() {
        let length = u64::from_le_bytes(forged[begin + 1..begin + 9].try_into().ok()?) as usize;
        let body = begin + 17..begin + 17 + length;
        let at = begin + 17 + at % length.max(1);
        if forged[begin] == b'X' && at.is_multiple_of(2) {
            forged[at] = to;
            let sum = checksum(&forged[body]);
            forged[begin + 9..begin + 17].copy_from_slice(&sum.to_le_bytes());
            return Some(forged);
        }
        begin = body.end;
    }
    None
}

/// As the format says.
fn checksum(bytes: &[u8]) -> u64 {
    let step =
        |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum =
        words.iter().fold(bytes.len() as u64, |sum, &word| step(sum, u64::from_le_bytes(word)));
    rest.iter().fold(sum, |sum, &byte| step(sum, u64::from(byte)))
}
