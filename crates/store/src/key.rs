//! Numbers that are made of what they stand for, so that they are the same in every file.
//!
//! They have 64 bits. Two different things with the same number would be taken for one; among a
//! million things that happens with a probability of less than one in ten million.

/// A number that is made of texts, in this order.
pub(crate) fn key<'a>(parts: impl IntoIterator<Item = &'a str>) -> i64 {
    // FNV-1a, with the bits mixed at the end.
    let bytes = parts.into_iter().flat_map(|part| part.bytes().chain([0xff]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    mixed(hash) as i64
}

/// A number for what several commands do together, made of all that they have in common.
pub fn family<'a>(parts: impl IntoIterator<Item = &'a str>) -> i64 {
    key(parts)
}

/// A number that is made of numbers, in this order.
pub(crate) fn key_of(first: i64, others: impl IntoIterator<Item = i64>) -> i64 {
    let hash = others.into_iter().fold(first as u64, |hash, other| {
        mixed(hash.rotate_left(17) ^ mixed(other as u64 ^ 0x9e37_79b9_7f4a_7c15))
    });
    mixed(hash) as i64
}

fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use super::{key, key_of};

    #[test]
    fn keys_do_not_change_from_version_to_version_and_tell_order_and_bounds() {
        assert_eq!(key(["queue", "close"]), -5_210_884_135_108_844_742);
        assert_ne!(key(["ab", "c"]), key(["a", "bc"]));
        assert_ne!(key(["a", "b"]), key(["b", "a"]));
        assert_ne!(key_of(1, [2, 3]), key_of(1, [3, 2]));
        assert_ne!(key_of(1, [0]), key_of(1, []));
    }
}
