//! What the figures were measured with and on.

use std::process::Command;

/// The number of cores and the model of the processor.
pub(crate) fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let description = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = description
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == "model name")
        .map_or("unknown processor", |(_, model)| model.trim());
    format!("{cores} cores, {model}")
}

/// Selvedge, its peers and the compiler.
pub(crate) fn versions() -> String {
    format!(
        "selvedge {}, shuttle {}, loom {}, {}",
        env!("CARGO_PKG_VERSION"),
        peer("shuttle"),
        peer("loom"),
        compiler()
    )
}

/// The version of a peer. The manifest pins it, so there is no second place to keep up to date.
fn peer(name: &str) -> &'static str {
    let manifest = include_str!("../Cargo.toml");
    let line = manifest.lines().filter_map(|line| line.split_once(" = "));
    line.into_iter()
        .find(|(key, _)| *key == name)
        .map_or("unknown", |(_, version)| version.trim_matches(['"', '=']))
}

fn compiler() -> String {
    let said = Command::new("rustc").arg("--version").output();
    let version = said.map(|said| String::from_utf8_lossy(&said.stdout).into_owned());
    let version = version.unwrap_or_default();
    let words: Vec<&str> = version.split_whitespace().take(2).collect();
    if words.is_empty() { "rustc unknown".to_owned() } else { words.join(" ") }
}
