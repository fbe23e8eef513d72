//! Properties of what people and other programs write: texts, and programs.
//!
//! The cases are the same in every run; `PROPTEST_RNG_SEED` and `PROPTEST_CASES` choose others. A
//! case that failed once becomes a test of its own next to the property.

mod programs;
mod text;

use proptest::test_runner::{Config, RngSeed};

/// As the environment says, and repeatable if it says nothing.
fn repeatable() -> Config {
    let config = Config::default();
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed => fixed,
    };
    Config { rng_seed, failure_persistence: None, ..config }
}
