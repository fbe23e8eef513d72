//! Makes many steps few rows: long stretches without interest, loops, and what is too much still.

use selvedge_model::Step;

/// Fewer steps than this are not worth a fold.
const LEAST_FOLD: usize = 3;
/// The longest loop, in rows, that is recognised.
const LONGEST_LOOP: usize = 12;
/// A loop is folded if it goes round at least so often.
const LEAST_ROUNDS: usize = 3;
/// So many rows at the beginning are kept if there are too many.
const FIRST_ROWS: usize = 8;

/// A row of the interleaving. Steps are given by their position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// A step.
    Step(usize),
    /// Several steps of one thread, the last of which is given, that are not worth showing.
    More { steps: usize, last: usize },
    /// The rows right above, so many of them, came again so often; ends with the given step.
    Again { rows: usize, times: usize, last: usize },
    /// So many steps of any threads, up to the given one, were too much to show.
    Skipped { steps: usize, last: usize },
}

impl Row {
    /// The last step that the row stands for.
    pub(crate) fn last(self) -> usize {
        match self {
            Self::Step(last)
            | Self::More { last, .. }
            | Self::Again { last, .. }
            | Self::Skipped { last, .. } => last,
        }
    }
}

/// The rows for some of the steps, at most about `most`; `matters` says of each candidate whether
/// it has to be shown.
pub(crate) fn fold(
    steps: &[Step],
    candidates: &[usize],
    matters: &[bool],
    most: usize,
) -> Vec<Row> {
    let rows = fold_stretches(candidates, matters);
    let rows = fold_loops(steps, &rows);
    skip_middle(rows, most)
}

/// Folds what does not have to be shown. Such a stretch belongs to one thread, because the steps
/// on both sides of a switch matter.
fn fold_stretches(candidates: &[usize], matters: &[bool]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut stretch: Vec<usize> = Vec::new();
    let flush = |stretch: &mut Vec<usize>, rows: &mut Vec<Row>| {
        match stretch.last() {
            Some(&last) if stretch.len() >= LEAST_FOLD => {
                rows.push(Row::More { steps: stretch.len(), last });
            }
            _ => rows.extend(stretch.iter().map(|&index| Row::Step(index))),
        }
        stretch.clear();
    };
    for (&index, &matters) in candidates.iter().zip(matters) {
        if matters {
            flush(&mut stretch, &mut rows);
            rows.push(Row::Step(index));
        } else {
            stretch.push(index);
        }
    }
    flush(&mut stretch, &mut rows);
    rows
}

/// Folds rows that come again and again, whatever threads they belong to.
fn fold_loops(steps: &[Step], rows: &[Row]) -> Vec<Row> {
    let same = |a: Row, b: Row| match (a, b) {
        (Row::Step(a), Row::Step(b)) => is_same(&steps[a], &steps[b]),
        (Row::More { steps: a, last: x }, Row::More { steps: b, last: y }) => {
            a == b && steps[x].thread == steps[y].thread
        }
        _ => false,
    };
    let mut folded = Vec::new();
    let mut start = 0;
    while start < rows.len() {
        let rest = &rows[start..];
        // The shortest loop wins among those that explain the same rows.
        let best = (1..=LONGEST_LOOP.min(rest.len() / LEAST_ROUNDS))
            .map(|length| {
                let equal =
                    rest.iter().zip(&rest[length..]).take_while(|(a, b)| same(**a, **b)).count();
                (length, 1 + equal / length)
            })
            .filter(|&(length, rounds)| {
                rounds >= LEAST_ROUNDS && (rounds - 1) * length >= LEAST_FOLD
            })
            .max_by_key(|&(length, rounds)| ((rounds - 1) * length, usize::MAX - length));
        match best {
            Some((length, rounds)) => {
                folded.extend(&rest[..length]);
                let last = rest[length * rounds - 1].last();
                folded.push(Row::Again { rows: length, times: rounds - 1, last });
                start += length * rounds;
            }
            None => {
                folded.push(rest[0]);
                start += 1;
            }
        }
    }
    folded
}

/// Whether two steps are equal. Where they stand differs most often and is compared in no time.
fn is_same(a: &Step, b: &Step) -> bool {
    (a.at.line, a.at.column) == (b.at.line, b.at.column) && a == b
}

/// Leaves out rows in the middle if there are too many.
fn skip_middle(rows: Vec<Row>, most: usize) -> Vec<Row> {
    if rows.len() <= most {
        return rows;
    }
    let mut from = rows.len() - (most - FIRST_ROWS);
    // "The rows above came again" must not lose the rows that it speaks of.
    for (position, row) in rows.iter().enumerate().skip(from) {
        if let Row::Again { rows: length, .. } = *row
            && position < from + length
        {
            from = position + 1;
        }
    }
    let skipped = &rows[FIRST_ROWS..from];
    let steps = skipped
        .iter()
        .map(|row| match *row {
            Row::Step(_) => 1,
            Row::More { steps, .. } | Row::Skipped { steps, .. } => steps,
            Row::Again { rows, times, .. } => rows * times,
        })
        .sum();
    let middle = Row::Skipped { steps, last: rows[from - 1].last() };
    [&rows[..FIRST_ROWS], &[middle], &rows[from..]].concat()
}
