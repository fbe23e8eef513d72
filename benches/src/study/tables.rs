//! The tables of the study.

use super::baseline::mean;
use super::controlled::{RANDOM, TSA, TSA_H};
use super::measured::{Measured, Sample};
use super::noisy::Family;
use super::options::Options;
use super::pair::Pairs;
use super::subjects::Kind;
use super::wilcoxon::p_value;
use crate::figures::{NONE, plain};
use crate::report::{Section, Tally, Verdict};

/// The whole report, in Markdown.
pub(crate) fn render(measured: &[Measured], options: &Options) -> String {
    let sections = [
        effectiveness(measured, options),
        efficiency(measured, options),
        estimation(measured),
        rule_3(measured),
    ];
    let (mut passed, mut missed) = (0, 0);
    for section in &sections {
        let Tally { passed: more, missed: fewer } = section.tally();
        passed += more;
        missed += fewer;
    }
    let mut text = format!(
        "Written by `{}`; do not edit. Machine: {}. Bars: {passed} reached, {missed} missed.\n",
        options.command(),
        crate::machine::machine(),
    );
    if options.baselines.is_some() {
        text +=
            "What was measured on real threads comes from files that earlier calls have saved.\n";
    }
    for section in &sections {
        text += "\n";
        text += section.text();
    }
    text
}

/// Study 1: pairs that were covered.
fn effectiveness(measured: &[Measured], options: &Options) -> Section {
    let mut section = Section::new("Study 1: effectiveness");
    section.say(&format!(
        "Pairs covered in {} executions. RND-y, RND-s10 and RND-s100 run on real threads, with \
         noise before each operation on a lock at probabilities 0.1 to 0.5: the mean, the least and \
         the most of the five means of {} runs each. The others run under the engine, the mean of \
         {} runs. The last columns compare `tsa` with the best of the fifteen settings: the ratio, and \
         how likely the difference is chance (Wilcoxon's rank-sum test). The bar is 1, and 1.4 for the \
         pool.",
        options.executions,
        noise_runs(measured),
        options.runs
    ));
    let heads = [
        "subject",
        "threads",
        "RND-y",
        "RND-s10",
        "RND-s100",
        "random walk",
        "tsa-h",
        "tsa",
        "ratio",
        "p",
        "",
    ];
    let mut rows = Vec::new();
    for measured in measured {
        let mut row = vec![measured.subject.name.to_owned(), measured.subject.threads.to_string()];
        row.extend(Family::ALL.map(|family| family_cell(measured, family)));
        row.extend([RANDOM, TSA_H, TSA].map(|technique| {
            let sample = measured.sample(technique);
            sample.map_or(NONE.to_owned(), |sample| tenth(mean(&sample.counts)))
        }));
        row.extend(match (measured.sample(TSA), measured.baseline.best()) {
            (Some(tsa), Some((_, best))) => {
                let bar = if measured.subject.kind == Kind::Pool { 1.4 } else { 1.0 };
                let ratio = mean(&tsa.counts) / mean(best);
                [
                    format!("{ratio:.3}"),
                    chance(p_value(&tsa.counts, best)),
                    section.verdict(Verdict::at_least(bar, ratio)),
                ]
            }
            _ => [NONE, NONE, "not measured"].map(str::to_owned),
        });
        rows.push(row);
    }
    section.table(&heads, &rows);
    section
}

/// How many runs there were of each setting on real threads.
fn noise_runs(measured: &[Measured]) -> String {
    let runs = measured.iter().flat_map(|measured| measured.baseline.counts.values().map(Vec::len));
    let (least, most) =
        runs.fold((usize::MAX, 0), |(least, most), runs| (least.min(runs), most.max(runs)));
    match least {
        _ if most == 0 => "no".to_owned(),
        least if least == most => most.to_string(),
        least => format!("{least} to {most}"),
    }
}

fn family_cell(measured: &Measured, family: Family) -> String {
    let of_family = |(name, _): &(&String, _)| name.starts_with(&format!("{} ", family.name()));
    let means: Vec<f64> =
        measured.baseline.counts.iter().filter(of_family).map(|(_, counts)| mean(counts)).collect();
    if means.is_empty() {
        return "not measured".to_owned();
    }
    let least = means.iter().copied().fold(f64::INFINITY, f64::min);
    let most = means.iter().copied().fold(0.0, f64::max);
    format!("{} ({}–{})", tenth(mean(&means)), tenth(least), tenth(most))
}

/// Study 2: executions until nothing is gained any more.
fn efficiency(measured: &[Measured], options: &Options) -> Section {
    let mut section = Section::new("Study 2: efficiency");
    section.say(&format!(
        "Pairs covered / executions run when coverage was saturated: a line through the growth over \
         the last {} executions explains less than a tenth of it. A run is saturated at the beginning \
         of that window, which everybody has to wait for; the first ratio is that of these points, \
         and the bar is a half. The second one counts the window, too. A run that was never saturated \
         counts with all its executions. The random walk often seems to be saturated with less \
         covered; the last column has the executions after which `tsa` had covered as much.",
        options.window
    ));
    let mut rows = Vec::new();
    for measured in measured {
        let mut row = vec![measured.subject.name.to_owned()];
        row.extend(
            [RANDOM, TSA_H, TSA].map(|technique| {
                measured.sample(technique).map_or(NONE.to_owned(), saturation_cell)
            }),
        );
        row.extend(match (measured.sample(TSA), measured.sample(RANDOM)) {
            (Some(tsa), Some(random)) => {
                let window = options.window as f64;
                let ratio = (until(tsa) - window) / (until(random) - window).max(1.0);
                [
                    format!("{ratio:.2}"),
                    section.verdict(Verdict::at_most(0.5, ratio)),
                    format!("{:.2}", until(tsa) / until(random)),
                    plain(tsa.until_covered(mean(&random.at_saturation))),
                ]
            }
            _ => [NONE, "not measured", NONE, NONE].map(str::to_owned),
        });
        rows.push(row);
    }
    let heads = [
        "subject",
        "random walk",
        "tsa-h",
        "tsa",
        "ratio",
        "",
        "with the window",
        "tsa as far as random",
    ];
    section.table(&heads, &rows);
    section
}

/// After how many executions the runs were saturated, in the mean. A run that was not counts with all
/// its executions.
fn until(sample: &Sample) -> f64 {
    let points = sample.saturated.iter().map(|point| point.unwrap_or(sample.long) as f64);
    points.sum::<f64>() / sample.saturated.len() as f64
}

fn saturation_cell(sample: &Sample) -> String {
    let endless = sample.saturated.iter().filter(|point| point.is_none()).count();
    let note = if endless > 0 { format!(", {endless} runs not saturated") } else { String::new() };
    format!("{} / {}{note}", tenth(mean(&sample.at_saturation)), plain(until(sample)))
}

/// Study 3: what was thought to be possible, and what is.
fn estimation(measured: &[Measured]) -> Section {
    let mut section = Section::new("Study 3: precision of the estimation");
    section.say(
        "Pairs that `tsa` thinks to be possible, after its first execution and after its last, \
         beside all that any technique has covered in any run. False positives were thought to be \
         possible and never seen; false negatives were seen and not thought of. Means over the runs; \
         the error is that of the last estimate, in parts of the estimate. The bar is 2 % for \
         collections and 15 % for the pool.",
    );
    let mut rows = Vec::new();
    for measured in measured {
        let mut row = vec![measured.subject.name.to_owned()];
        let possible = measured.possible();
        row.push(possible.len().to_string());
        let last = measured.sample(TSA).map_or(&[][..], |sample| &sample.estimated);
        row.extend(estimate_cells(&measured.first_estimates, &possible).0);
        let (cells, error) = estimate_cells(last, &possible);
        row.extend(cells);
        row.extend(match (error, measured.subject.kind) {
            (None, _) => [NONE, "not measured"].map(str::to_owned),
            (Some(error), Kind::Server | Kind::Crate) => [percent(error), String::new()],
            (Some(error), Kind::Collection) => {
                [percent(error), section.verdict(Verdict::at_most(0.02, error))]
            }
            (Some(error), Kind::Pool) => {
                [percent(error), section.verdict(Verdict::at_most(0.15, error))]
            }
        });
        rows.push(row);
    }
    let heads = [
        "subject",
        "covered",
        "first estimate",
        "false +",
        "false −",
        "last estimate",
        "false +",
        "false −",
        "error",
        "",
    ];
    section.table(&heads, &rows);
    section
}

/// The size of the estimates, their false positives and negatives; and the error.
fn estimate_cells(estimates: &[Pairs], possible: &Pairs) -> ([String; 3], Option<f64>) {
    if estimates.is_empty() {
        return ([NONE; 3].map(str::to_owned), None);
    }
    let of = |count: &dyn Fn(&Pairs) -> usize| {
        mean(&estimates.iter().map(|estimate| count(estimate) as f64).collect::<Vec<_>>())
    };
    let size = of(&Pairs::len);
    let positives = of(&|estimate| estimate.difference(possible).count());
    let negatives = of(&|estimate| possible.difference(estimate).count());
    ([size, positives, negatives].map(tenth), Some((positives + negatives) / size))
}

/// Study 4: what the heuristic is worth.
fn rule_3(measured: &[Measured]) -> Section {
    let mut section = Section::new("Study 4: the estimation-based heuristic");
    section.say(
        "`tsa-h` is `tsa` without Rule 3: pairs covered and executions run when coverage was \
         saturated, and how likely the difference of the executions is chance.",
    );
    let mut rows = Vec::new();
    for measured in measured {
        let (Some(without), Some(with)) = (measured.sample(TSA_H), measured.sample(TSA)) else {
            continue;
        };
        let points = |sample: &Sample| -> Vec<f64> {
            sample.saturated.iter().map(|point| point.unwrap_or(sample.long) as f64).collect()
        };
        rows.push(vec![
            measured.subject.name.to_owned(),
            saturation_cell(without),
            saturation_cell(with),
            chance(p_value(&points(without), &points(with))),
        ]);
    }
    section.table(&["subject", "tsa-h", "tsa", "p"], &rows);
    section
}

/// The pairs that are possible and that `tsa` has not covered in every run, for whoever wants to know
/// why.
pub(crate) fn missed(measured: &Measured) -> String {
    let Some(tsa) = measured.sample(TSA) else { return String::new() };
    let mut text = String::new();
    for pair in measured.possible() {
        let runs = tsa.covered.get(&pair).copied().unwrap_or(0);
        if runs < tsa.counts.len() {
            let real =
                if measured.baseline.union.contains(&pair) { ", on real threads" } else { "" };
            let others = measured.samples.iter().filter(|sample| sample.technique != TSA);
            let others: Vec<String> = others
                .map(|sample| {
                    let runs = sample.covered.get(&pair).copied().unwrap_or(0);
                    format!("{} {runs}", sample.technique.strategy)
                })
                .collect();
            let (name, others) = (measured.subject.name, others.join(", "));
            text += &format!("{name}: tsa {runs}, {others}{real}: {pair}\n");
        }
    }
    text
}

fn tenth(number: f64) -> String {
    format!("{number:.1}")
}

fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

fn chance(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}
