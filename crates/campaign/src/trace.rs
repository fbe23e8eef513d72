//! The trace of an exploration, as a file.

use selvedge_model::{Config, DetectorName, Isolation, Toggle, Traced};
use selvedge_observe::trace::{Header, TraceWriter, Written};
use std::io;
use std::path::Path;

/// Whoever writes the trace, if it is wanted and can be had.
pub(crate) fn writer(config: &Config, name: &str) -> Option<TraceWriter> {
    config.trace.as_ref()?;
    let program = std::env::current_exe().unwrap_or_default().display().to_string();
    let header = Header { test: name.to_owned(), program, settings: settings(config) };
    (config.isolation != Isolation::Fork).then(|| TraceWriter::new(&header, config.trace_size))
}

/// Writes the trace to its file, if one was asked for.
pub(crate) fn keep(config: &Config, name: &str, writer: Option<TraceWriter>) -> Option<Traced> {
    let folder = config.trace.as_deref()?;
    let Some(writer) = writer else {
        return Some(Traced::Failed(
            "each execution ran in a process of its own, of which no trace is kept".to_owned(),
        ));
    };
    let Written { bytes, executions, left_out } = writer.finish();
    let file = folder.join(file_name(name));
    Some(match write(&file, &bytes) {
        Ok(()) => Traced::Written {
            file,
            bytes: bytes.len() as u64,
            executions,
            left_out,
            limit: config.trace_size as u64,
        },
        Err(error) => Traced::Failed(format!("{} can not be written: {error}", file.display())),
    })
}

fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, bytes)
}

/// `queue.close.trace` for the test `queue::close`.
fn file_name(test: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = test.replace("::", ".").chars().map(plain).collect();
    format!("{name}.trace")
}

/// What those who watch were told to do, so that others can do the same with the trace.
fn settings(config: &Config) -> Vec<(String, String)> {
    let detectors = DetectorName::ALL.iter().filter(|&&name| config.detectors.has(name));
    let detectors: Vec<_> = detectors.map(|name| name.name()).collect();
    let metrics: Vec<_> = config.metrics.iter().map(ToString::to_string).collect();
    let allowed: Vec<_> = config.allowed_races.iter().map(ToString::to_string).collect();
    let weights = config.goldilock_weights;
    let weights = [weights.same_thread, weights.common_lock, weights.lockset, weights.race];
    let or = |text: String, none: &str| if text.is_empty() { none.to_owned() } else { text };
    let mut settings = vec![
        ("strategy", config.strategy.to_string()),
        ("seed", config.seed.to_string()),
        ("detectors", or(detectors.join(", "), "off")),
        ("metrics", or(metrics.join(", "), "none")),
        ("thread_sites", config.thread_sites.to_string()),
        ("goldilock_weights", weights.map(|weight| weight.to_string()).join("/")),
        ("races", if config.races == Toggle::On { "on" } else { "off" }.to_owned()),
        ("allowed_races", allowed.join(", ")),
    ];
    if let Some(series) = config.series {
        settings.push(("series", format!("{}x{}", series.count, series.length)));
    }
    settings.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_of_a_trace_are_those_of_the_exploration() {
        let mut config = Config::default();
        for (key, value) in [
            ("strategy", "pct(4)"),
            ("seed", "7"),
            ("detectors", "avio, progress"),
            ("metrics", "sp, avio*:real"),
            ("thread_sites", "3"),
            ("goldilock_weights", "1/2/3/4"),
            ("races", "on"),
            ("allowed_races", "0x10, 0x30"),
            ("series", "10x20"),
        ] {
            config.set(key, value).unwrap();
        }
        for config in [config, Config::default()] {
            let mut again = Config::default();
            for (key, value) in settings(&config) {
                again.set(&key, &value).unwrap();
            }
            assert_eq!(again, config);
        }
    }

    #[test]
    fn files_are_named_after_tests() {
        assert_eq!(file_name("queue::close"), "queue.close.trace");
        assert_eq!(file_name("../a b"), "..-a-b.trace");
    }
}
