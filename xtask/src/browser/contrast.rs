//! How well a text can be told from what it stands on: the contrast ratio of WCAG 2.2.

use crate::Result;

/// What small text needs (level AA).
pub(super) const LEAST: f64 = 4.5;

/// The colours of texts, by the names that the style sheet gives them, and what they stand on.
pub(super) const PAIRS: [(&str, &str); 26] = [
    ("ink", "paper"),
    ("ink", "card"),
    ("ink", "soft"),
    ("ink", "accent-soft"),
    ("ink", "bad-soft"),
    ("muted", "paper"),
    ("muted", "card"),
    ("muted", "soft"),
    ("accent", "paper"),
    ("accent", "card"),
    ("bad", "bad-soft"),
    ("good", "card"),
    ("warn", "paper"),
    ("t0", "card"),
    ("t1", "card"),
    ("t2", "card"),
    ("t3", "card"),
    ("t4", "card"),
    ("t5", "card"),
    ("t6", "card"),
    ("t7", "card"),
    ("s-comment", "soft"),
    ("s-string", "soft"),
    ("s-word", "soft"),
    ("s-type", "soft"),
    ("s-literal", "soft"),
];

/// Reads `#rrggbb` and `rgb(r, g, b)`; each part from 0 to 1.
pub(super) fn parse(text: &str) -> Result<[f64; 3]> {
    let text = text.trim();
    let parts: Vec<f64> = if let Some(digits) = text.strip_prefix('#') {
        let part = |at: usize| digits.get(at..at + 2).map(|two| u8::from_str_radix(two, 16));
        [0, 2, 4].into_iter().filter_map(|at| part(at)?.ok()).map(f64::from).collect()
    } else {
        let inside = text.trim_start_matches("rgb(").trim_end_matches(')');
        inside.split(',').filter_map(|part| part.trim().parse().ok()).collect()
    };
    match parts[..] {
        [r, g, b] => Ok([r, g, b].map(|part| part / 255.0)),
        _ => Err(format!("'{text}' is no colour").into()),
    }
}

/// How bright a colour is.
pub(super) fn luminance(colour: [f64; 3]) -> f64 {
    let [r, g, b] = colour.map(|part| match part <= 0.04045 {
        true => part / 12.92,
        false => ((part + 0.055) / 1.055).powf(2.4),
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// From 1 (the same) to 21 (black on white).
pub(super) fn ratio(a: [f64; 3], b: [f64; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_on_white_is_as_far_as_it_goes() {
        let ratio = ratio(parse("#000000").unwrap(), parse("rgb(255, 255, 255)").unwrap());
        assert!((ratio - 21.0).abs() < 1e-9);
        assert!(parse("red").is_err());
    }
}
