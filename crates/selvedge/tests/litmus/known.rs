//! Litmus tests of the literature, each with an outcome and whether C++20 allows it.

use crate::axioms::Outcome;

/// Whether an outcome can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allowed,
    Forbidden,
}

/// A program, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) name: &'static str,
    pub(crate) program: &'static str,
    /// What each thread reads, separated by `|`, and what is left in the atomics behind `;`, if that counts. A dot is
    /// any value.
    pub(crate) shows: &'static str,
    pub(crate) verdict: Verdict,
}

const fn allowed(name: &'static str, program: &'static str, shows: &'static str) -> Known {
    Known { name, program, shows, verdict: Verdict::Allowed }
}

const fn forbidden(name: &'static str, program: &'static str, shows: &'static str) -> Known {
    Known { name, program, shows, verdict: Verdict::Forbidden }
}

/// Whether an outcome is the one that is meant.
pub(crate) fn matches(outcome: &Outcome, shows: &str) -> bool {
    let (reads, left) = shows.split_once(';').unwrap_or((shows, ""));
    let (last, threads) = outcome.split_last().expect("what is left");
    let same = |values: &[u32], text: &str| {
        let mut pairs = values.iter().zip(text.chars());
        pairs.all(|(value, letter)| letter == '.' || letter.to_digit(10) == Some(*value))
    };
    threads.iter().zip(reads.split('|')).all(|(values, text)| same(values, text))
        && same(last, left)
}

#[rustfmt::skip]
pub(crate) const KNOWN: &[Known] = &[
    allowed("SB+rlx", "x=1.rlx y?.rlx | y=1.rlx x?.rlx", "0|0"),
    allowed("SB+ra", "x=1.rel y?.acq | y=1.rel x?.acq", "0|0"),
    forbidden("SB+sc", "x=1.sc y?.sc | y=1.sc x?.sc", "0|0"),
    forbidden("SB+scfences", "x=1.rlx F.sc y?.rlx | y=1.rlx F.sc x?.rlx", "0|0"),
    allowed("SB+arfences", "x=1.rlx F.ar y?.rlx | y=1.rlx F.ar x?.rlx", "0|0"),
    allowed("SB+xchg-ar", "x!1.ar y?.acq | y!1.ar x?.acq", "00|00"),
    allowed("MP+rlx", "x=1.rlx y=1.rlx | y?.rlx x?.rlx", "|10"),
    allowed("MP+rlx+acq", "x=1.rlx y=1.rlx | y?.acq x?.rlx", "|10"),
    forbidden("MP+fences", "x=1.rlx F.rel y=1.rlx | y?.rlx F.acq x?.rlx", "|10"),
    forbidden("MP+relf+acq", "x=1.rlx F.rel y=1.rlx | y?.acq x?.rlx", "|10"),
    forbidden("MP+rel+acqf", "x=1.rlx y=1.rel | y?.rlx F.acq x?.rlx", "|10"),
    forbidden("MP+scfences", "x=1.rlx F.sc y=1.rlx | y?.rlx F.sc x?.rlx", "|10"),
    allowed("MP+scf+rlx", "x=1.rlx F.sc y=1.rlx | y?.rlx x?.rlx", "|10"),
    forbidden("MP+rs-rmw", "x=1.rlx y=1.rel | y+1.rlx | y?.acq x?.rlx", "|1|20"),
    allowed("MP+rs-store-cpp20", "x=1.rlx y=1.rel y=2.rlx | y?.acq x?.rlx", "|20"),
    allowed("MP+rs-other-store", "x=1.rlx y=1.rel | y=2.rlx | y?.acq x?.rlx", "||20"),
    forbidden("MP+rs-rmwchain", "x=1.rlx y=1.rel | y+1.rlx | y+1.rlx | y?.acq x?.rlx", "|1|2|30"),
    forbidden("MP+rs-cas", "x=1.rlx y=1.rel | y:1>2.rlx.rlx | y?.acq x?.rlx", "|1|20"),
    allowed("MP+cas-fail-rlx", "x=1.rlx y=1.rel | y:5>6.ar.rlx x?.rlx", "|10"),
    forbidden("LB+ra", "x?.acq y=1.rel | y?.acq x=1.rel", "1|1"),
    forbidden("LB3", "x?.rlx y=1.rlx | y?.rlx z=1.rlx | z?.rlx x=1.rlx", "1|1|1"),
    allowed("S+rlx", "x=2.rlx y=1.rlx | y?.rlx x=1.rlx", "|1;2."),
    forbidden("S+ra", "x=2.rlx y=1.rel | y?.acq x=1.rlx", "|1;2."),
    allowed("R+rlx", "x=1.rlx y=1.rlx | y=2.rlx x?.rlx", "|0;.2"),
    forbidden("R+sc", "x=1.sc y=1.sc | y=2.sc x?.sc", "|0;.2"),
    forbidden("R+scfences", "x=1.rlx F.sc y=1.rlx | y=2.rlx F.sc x?.rlx", "|0;.2"),
    allowed("2+2W+rlx", "x=1.rlx y=2.rlx | y=1.rlx x=2.rlx", "|;11"),
    allowed("2+2W+rel", "x=1.rel y=2.rel | y=1.rel x=2.rel", "|;11"),
    forbidden("2+2W+sc", "x=1.sc y=2.sc | y=1.sc x=2.sc", "|;11"),
    forbidden("2+2W+scfences", "x=1.rlx F.sc y=2.rlx | y=1.rlx F.sc x=2.rlx", "|;11"),
    allowed("2+2W+3sc+rel", "x=1.sc y=2.sc | y=1.rel x=2.sc", "|;11"),
    forbidden("CoRR", "x=1.rlx x=2.rlx | x?.rlx x?.rlx", "|21"),
    forbidden("CoWW", "x=1.rlx x=2.rlx | x?.rlx", "|0;1"),
    forbidden("CoWR", "x=1.rlx x?.rlx | x=2.rlx", "2|;1"),
    forbidden("CoRW1", "x?.rlx x=1.rlx", "1"),
    forbidden("CoRW2", "x?.rlx x=1.rlx | x=2.rlx", "2|;2"),
    allowed("IRIW+rlx", "x=1.rlx | y=1.rlx | x?.rlx y?.rlx | y?.rlx x?.rlx", "||10|10"),
    allowed("IRIW+ra", "x=1.rel | y=1.rel | x?.acq y?.acq | y?.acq x?.acq", "||10|10"),
    forbidden("IRIW+sc", "x=1.sc | y=1.sc | x?.sc y?.sc | y?.sc x?.sc", "||10|10"),
    allowed("IRIW+acq+sc", "x=1.sc | y=1.sc | x?.acq y?.sc | y?.acq x?.sc", "||10|10"),
    allowed("IRIW+rlxW+scR", "x=1.rlx | y=1.rlx | x?.sc y?.sc | y?.sc x?.sc", "||10|10"),
    allowed("IRIW+arfences", "x=1.rlx | y=1.rlx | x?.rlx F.ar y?.rlx | y?.rlx F.ar x?.rlx", "||10|10"),
    allowed("WRC+rlx", "x=1.rlx | x?.rlx y=1.rlx | y?.rlx x?.rlx", "|1|10"),
    forbidden("WRC+rel-only", "x=1.rlx | x?.rlx y=1.rel | y?.acq x?.rlx", "|1|10"),
    forbidden("RWC+scfences", "x=1.rlx | x?.rlx F.sc y?.rlx | y=1.rlx F.sc x?.rlx", "|10|0"),
    forbidden("RWC+sc", "x=1.sc | x?.sc y?.sc | y=1.sc x?.sc", "|10|0"),
    allowed("RWC+acq+sc", "x=1.sc | x?.acq y?.sc | y=1.sc x?.sc", "|10|0"),
    forbidden("W+RWC", "x=1.rlx z=1.rel | z?.acq F.sc y?.rlx | y=1.rlx F.sc x?.rlx", "|10|0"),
    allowed("Z6.U", "x=1.sc y=1.rel | y+1.sc y?.rlx | y=3.sc x?.sc", "|13|0"),
    forbidden("ISA2+ra", "x=1.rlx y=1.rel | y?.acq z=1.rel | z?.acq x?.rlx", "|1|10"),
    allowed("ISA2+rlx", "x=1.rlx y=1.rel | y?.rlx z=1.rel | z?.acq x?.rlx", "|1|10"),
    forbidden("CAS-once", "x:0>1.rlx.rlx | x:0>2.rlx.rlx", "0|0;1"),
    forbidden("CAS-once", "x:0>1.rlx.rlx | x:0>2.rlx.rlx", "0|0;2"),
    allowed("RMW-stale", "x=5.rlx | x+1.rlx | x?.rlx x?.rlx", "|0|05;5"),
    allowed("Dekker+rlx", "x=1.rlx y?.rlx z?.rlx | y=1.rlx x?.rlx z=1.rlx", "00|0"),
    forbidden("Peterson+sc", "x=1.sc t=1.sc y?.sc t?.sc | y=1.sc t=2.sc x?.sc t?.sc", "02|01"),
    forbidden("Peterson+sc", "x=1.sc t=1.sc y?.sc t?.sc | y=1.sc t=2.sc x?.sc t?.sc", "01|02"),
    forbidden("Peterson+xchg", "x=1.rlx t!1.ar y?.acq | y=1.rlx t!2.ar x?.acq", "00|00"),
    allowed("Seqlock+bad", "s=1.rlx d=1.rlx s=2.rel | s?.acq d?.rlx s?.rlx", "|010"),
    forbidden("Seqlock+good", "s=1.rlx F.rel d=1.rlx s=2.rel | s?.acq d?.rlx F.acq s?.rlx", "|010"),
    forbidden("SCwrite-rf-fence", "x=1.sc | x?.rlx F.sc y?.rlx | y=1.sc x?.sc", "|10|0"),
    allowed("MP+2locs-chain", "x=1.rlx y=1.rel | y?.rlx z=1.rlx | z?.rlx F.acq x?.rlx", "|1|10"),
    allowed("WWmerge", "x?.acq y?.sc | x=1.sc x=2.sc | y=1.sc x?.sc", "10||0"),
    forbidden("WWmerge", "x?.acq y?.sc | x=1.sc x=2.sc | y=1.sc x?.sc", "20||0"),
    allowed("SC-mo-against-porf", "x=1.sc y=1.rlx | y?.rlx x=2.sc", "|1;1."),
];
