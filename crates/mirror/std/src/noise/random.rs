//! Random numbers for noise.
//!
//! Source: G. L. Steele Jr., D. Lea, C. H. Flood, *Fast Splittable Pseudorandom Number Generators*
//! (OOPSLA 2014), the generator that is known as SplitMix64. It is used here and not the one of the
//! strategies because whoever stands in for `std` has no dependencies, and because nothing has to be
//! repeatable here: it is the operating system that schedules.

/// A stream of random numbers.
pub(super) struct Random {
    state: u64,
}

/// What the state grows by: odd, and near 2^64 divided by the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// One of many streams for a seed.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut streams = Self { state: seed.wrapping_add(stream.wrapping_mul(STEP)) };
        // Mixed once, for otherwise the streams would be the same one, each a step ahead.
        Self { state: streams.bits() }
    }

    /// 64 random bits.
    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number from 0 to less than 1.
    pub(super) fn fraction(&mut self) -> f64 {
        // 53 bits fit into the mantissa.
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // The first numbers for seed 0.
        let mut random = Random { state: 0 };
        assert_eq!(random.bits(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(random.bits(), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn fractions_fill_the_unit_interval_and_streams_differ() {
        let mut random = Random::new(7, 0);
        let mut met = [0; 4];
        for _ in 0..1000 {
            met[(random.fraction() * 4.0) as usize] += 1;
        }
        assert!(met.iter().all(|&n| n > 180), "{met:?}");
        assert_ne!(Random::new(7, 0).bits(), Random::new(7, 1).bits());
        assert_ne!(Random::new(7, 0).bits(), Random::new(8, 0).bits());
    }
}
