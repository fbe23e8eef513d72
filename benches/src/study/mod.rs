//! Guided exploration beside random testing on real threads, and beside random choices on the same
//! engine.
//!
//! Source: S. Hong et al., *Testing Concurrent Programs to Achieve High Synchronization Coverage*
//! (ISSTA 2012), section 3: the four studies, on subjects in the manner of its Table 1.
//!
//! Deviations: (1) saturation is looked for over executions and not over time, see `saturation.rs`.
//! (2) What is possible is taken to be the union of everything that any technique has covered, not of
//! what one technique has. (3) Where noise takes long, fewer runs are made than under the engine; the
//! tables say how many.

mod baseline;
mod controlled;
mod crates;
mod measured;
mod noisy;
mod options;
mod pair;
mod saturation;
mod subjects;
mod tables;
mod wilcoxon;

use crate::chapter::{read, renew, write};
use baseline::{Baseline, Baselines};
use measured::Measured;
use options::Options;
use std::path::Path;

/// Does what the arguments say.
pub(crate) fn run(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let baselines = match &options.baselines {
        Some(file) => Baselines::read(&read(file)?)?,
        None => measure_baselines(&options)?,
    };
    let measured: Vec<Measured> = options
        .subjects
        .iter()
        .map(|&subject| {
            let baseline = baselines.0.get(subject.name).cloned().unwrap_or_default();
            Measured::new(subject, baseline, &options)
        })
        .collect();
    let report = tables::render(&measured, &options);
    println!("{report}");
    match &options.out {
        Some(file) => write(file, &report),
        None if options.is_whole() => {
            let alone = format!("# A study of synchronisation coverage\n\n{report}");
            write(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/STUDY.md")), &alone)?;
            renew("study.md", &report)
        }
        None => {
            measured.iter().for_each(|measured| print!("{}", tables::missed(measured)));
            Ok(())
        }
    }
}

/// Measures on real threads, and keeps what is known after each subject.
fn measure_baselines(options: &Options) -> Result<Baselines, String> {
    let mut baselines = Baselines::default();
    for &subject in &options.subjects {
        let baseline = Baseline::measure(subject, options.noise_runs, options.executions);
        baselines.0.insert(subject.name.to_owned(), baseline);
        if let Some(file) = &options.save {
            write(file, &baselines.write())?;
        }
    }
    Ok(baselines)
}
