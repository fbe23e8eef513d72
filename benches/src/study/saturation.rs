//! When coverage has stopped to grow.
//!
//! Source: E. Sherman, M. B. Dwyer, S. Elbaum, *Saturation-Based Testing of Concurrent Programs*
//! (ESEC/FSE 2009), as S. Hong et al. (ISSTA 2012), section 3.3, use it: a line is fitted to the growth
//! curve over a window, and testing is saturated when the line explains next to nothing of it, r² < 0.1.
//!
//! Deviations: (1) the window is one of executions and not of seconds, so that the speed of the machine
//! does not matter. (2) A window in which nothing was covered has no r²; it is saturated.

/// So little of the growth may a line explain.
const EXPLAINED: f64 = 0.1;

/// After how many executions coverage was saturated: the end of the first window that is flat. `growth`
/// has the number of covered requirements after each execution.
pub(crate) fn point(growth: &[u64], window: usize) -> Option<usize> {
    let flat = |window: &[u64]| r_squared(window) < EXPLAINED;
    growth.windows(window).position(flat).map(|start| start + window)
}

/// How much of the growth a line explains, from 0 to 1.
fn r_squared(growth: &[u64]) -> f64 {
    let n = growth.len() as f64;
    let mean_x = (n - 1.0) / 2.0;
    let mean_y = growth.iter().sum::<u64>() as f64 / n;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, &y) in growth.iter().enumerate() {
        let (x, y) = (x as f64 - mean_x, y as f64 - mean_y);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    if yy == 0.0 { 0.0 } else { xy * xy / (xx * yy) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_explains_itself_and_a_step_three_quarters() {
        assert!((r_squared(&[1, 2, 3, 4, 5]) - 1.0).abs() < 1e-12);
        assert_eq!(r_squared(&[7; 10]), 0.0);
        let step: Vec<u64> = (0..1000).map(|x| u64::from(x >= 500)).collect();
        assert!((r_squared(&step) - 0.75).abs() < 1e-3);
    }

    #[test]
    fn a_curve_is_saturated_when_a_window_behind_its_growth_is_flat() {
        // It grows for 30 executions and never again.
        let growth: Vec<u64> = (0..100).map(|x: u64| x.min(30)).collect();
        assert_eq!(point(&growth, 10), Some(40));
        let endless: Vec<u64> = (0..100).collect();
        assert_eq!(point(&endless, 10), None);
        assert_eq!(point(&[1; 5], 10), None, "the window is not full");
    }

    #[test]
    fn one_late_requirement_at_the_edge_of_a_window_does_not_matter() {
        // 3 f (1 - f) of a step at the fraction f is less than a tenth up to f = 0.035.
        let growth: Vec<u64> = (0..100).map(|x| u64::from(x >= 99)).collect();
        assert_eq!(point(&growth, 100), Some(100));
        let growth: Vec<u64> = (0..100).map(|x| u64::from(x >= 90)).collect();
        assert_eq!(point(&growth, 100), None);
    }
}
