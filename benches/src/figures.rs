//! Numbers as the tables show them: three digits are all that a measurement is worth.

/// What stands where there is no figure.
pub(crate) const NONE: &str = "–";

/// A number with three digits that matter.
pub(crate) fn plain(number: f64) -> String {
    let digits = if number >= 99.95 {
        0
    } else if number >= 9.995 {
        1
    } else {
        2
    };
    format!("{number:.digits$}")
}

/// So many in a second.
pub(crate) fn rate(per_second: f64) -> String {
    match per_second {
        r if r >= 1e6 => format!("{} M/s", plain(r / 1e6)),
        r if r >= 1e3 => format!("{} k/s", plain(r / 1e3)),
        r => format!("{}/s", plain(r)),
    }
}

/// A time in seconds.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 1e-3 => format!("{} ms", plain(s * 1e3)),
        s if s >= 1e-6 => format!("{} µs", plain(s * 1e6)),
        s => format!("{} ns", plain(s * 1e9)),
    }
}

/// So many times as much.
pub(crate) fn factor(ratio: f64) -> String {
    format!("{}×", plain(ratio))
}

/// A size in kilobytes.
pub(crate) fn size(kilobytes: f64) -> String {
    format!("{} MB", plain(kilobytes / 1024.0))
}
