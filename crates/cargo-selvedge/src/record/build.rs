//! Which build of a test binary it is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A number that is made of all that is in a file.
pub(super) fn fingerprint(file: &Path) -> io::Result<u64> {
    let mut file = File::open(file)?;
    let mut buffer = vec![0; 1 << 20];
    let mut hash = 0x9e37_79b9_7f4a_7c15;
    loop {
        let mut filled = 0;
        while filled < buffer.len() {
            match file.read(&mut buffer[filled..])? {
                0 => break,
                read => filled += read,
            }
        }
        if filled == 0 {
            return Ok(hash);
        }
        buffer[filled..].fill(0);
        hash = fold(hash, filled as u64);
        for word in buffer[..filled.next_multiple_of(8)].chunks_exact(8) {
            let word = word.try_into().expect("a chunk has eight bytes");
            hash = fold(hash, u64::from_le_bytes(word));
        }
    }
}

/// Multiplies and folds, so that every bit counts in every bit of the result.
fn fold(hash: u64, word: u64) -> u64 {
    let wide = u128::from(hash ^ word) * 0xd6e8_feb8_6659_fd93_u128;
    (wide as u64) ^ ((wide >> 64) as u64).rotate_left(23) ^ hash.rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::fingerprint;
    use std::io::Write;

    #[test]
    fn every_byte_counts_and_so_does_the_length() {
        let of = |bytes: &[u8]| {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(bytes).unwrap();
            fingerprint(file.path()).unwrap()
        };
        let mut long = vec![7; (1 << 20) + 3];
        let mut prints = vec![of(&long), of(b""), of(b"\0"), of(b"\0\0"), of(b"a")];
        *long.last_mut().unwrap() = 8;
        prints.push(of(&long));
        let (count, again) = (prints.len(), of(&long));
        assert!(prints.contains(&again));
        prints.sort_unstable();
        prints.dedup();
        assert_eq!(prints.len(), count);
    }
}
