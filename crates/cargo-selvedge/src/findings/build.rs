//! How the test of a finding is built again.
//!
//! A finding may come from elsewhere: a colleague, an artifact of CI. What it says is data. Of cargo's
//! flags it may choose features and the profile, which the project itself has defined; everything
//! else, configuration above all, could have cargo run whatever somebody else likes.

use crate::exit::{Exit, Failure};
use crate::memory_layer::MemoryLayer;
use selvedge_model::Config;
use serde::{Deserialize, Serialize};

/// How a test was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Built {
    /// Cargo's flags.
    pub(crate) cargo: Vec<String>,
    /// Which crates told of accesses to memory.
    #[serde(default)]
    pub(crate) memory: MemoryLayer,
}

/// Settings that are no part of what is replayed, or that write files.
const NOT_REPLAYED: [&str; 3] = ["replay", "trace", "trap"];

impl Built {
    /// The flags with which cargo builds the test again. Refuses those that a finding has no say in.
    pub(crate) fn flags(&self) -> anyhow::Result<Vec<String>> {
        let mut flags = Vec::new();
        let mut given = self.cargo.iter().map(String::as_str);
        while let Some(flag) = given.next() {
            let (name, value) = match flag.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (flag, None),
            };
            match (name, value) {
                ("--all-features" | "--no-default-features" | "--release", None) => {
                    flags.push(flag.to_owned());
                }
                ("--features" | "--profile", value) => {
                    let value = value.or_else(|| given.next()).unwrap_or_default();
                    let names = value.split([',', ' ']).filter(|name| !name.is_empty());
                    if value.is_empty() || !names.clone().all(is_name) {
                        return Err(refused(&format!("{name} {value}")));
                    }
                    // As one word, so that no value is taken for a flag.
                    flags.push(format!("{name}={value}"));
                }
                _ => return Err(refused(flag)),
            }
        }
        Ok(flags)
    }
}

fn refused(flag: &str) -> anyhow::Error {
    Failure::with(
        Exit::Usage,
        format!(
            "the finding asks cargo for `{flag}`, and a finding may only choose features and the \
             profile; if you trust it, give the flag to `cargo selvedge replay` yourself"
        ),
    )
}

/// Whether a text may be the name of a package, target, feature, profile or test: no flag, no path
/// that leads upwards, nothing that a shell or a terminal would take for more.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(['-', '/', '.'])
        && !text.contains("..")
        && text.chars().all(|c| c.is_alphanumeric() || "_-:.+/?".contains(c))
}

/// The settings with which a test is replayed. Refuses those that are none, or that write files.
pub(super) fn settings(given: &[(String, String)]) -> anyhow::Result<Vec<(String, String)>> {
    for (key, value) in given {
        let known = Config::SETTINGS.iter().any(|setting| setting.key == key.trim());
        let replayed = known && !NOT_REPLAYED.contains(&key.trim());
        let taken = Config::default().set(key, value).map_err(|error| error.to_string());
        let why = match (replayed, taken) {
            (true, Ok(())) => continue,
            (true, Err(why)) => why,
            (false, _) => "a finding has no say in it".to_owned(),
        };
        let message = format!("the finding has the setting `{key}` = `{value}`: {why}");
        return Err(Failure::with(Exit::Usage, message));
    }
    Ok(given.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(given: &[&str]) -> Option<Vec<String>> {
        let cargo = given.iter().map(|&flag| flag.to_owned()).collect();
        Built { cargo, memory: MemoryLayer::Off }.flags().ok()
    }

    #[test]
    fn features_and_profiles_are_replayed() {
        let all = ["--all-features", "--no-default-features", "--release"];
        assert_eq!(flags(&all).as_deref(), Some(all.map(str::to_owned).as_slice()));
        assert_eq!(
            flags(&["--features", "a,dep/b c", "--profile", "ci"]).as_deref(),
            Some(["--features=a,dep/b c".to_owned(), "--profile=ci".to_owned()].as_slice())
        );
    }

    #[test]
    fn whatever_could_run_something_is_refused() {
        for given in [
            &["--config", "build.rustc-wrapper='/tmp/x'"][..],
            &["--config=build.rustc-wrapper='/tmp/x'"],
            &["+nightly"],
            &["-Zunstable-options"],
            &["--manifest-path", "/tmp/Cargo.toml"],
            &["--target-dir=/tmp"],
            &["--features", "--config"],
            &["--features", "a,--config=x"],
            &["--features"],
            &["--profile", "../x"],
            &["--release=yes"],
            &["--", "--x"],
            &["--all-features", "--config", "a=1"],
            &["--features", "a\u{1b}[2J"],
        ] {
            assert_eq!(flags(given), None, "{given:?}");
        }
    }

    #[test]
    fn settings_that_write_files_are_refused() {
        let one = |key: &str, value: &str| settings(&[(key.to_owned(), value.to_owned())]).is_ok();
        assert!(one("seed", "5") && one("isolation", "fork"));
        assert!(!one("trace", "/tmp/x") && !one(" trace", "/tmp/x") && !one("log", "/tmp/x"));
        assert!(!one("seed", "five") && !one("trap", "1") && !one("replay", "selvedge/1"));
    }
}
