//! Settings of a package: from `selvedge.toml`, from its manifest, from the environment and from
//! the command line, the later overriding the earlier.

use crate::cli::ExploreArgs;
use crate::exit::{Exit, Failure};
use crate::project::Project;
use cargo_metadata::Package;
use selvedge_model::{Config, ConfigError};
use std::path::Path;

/// What holds for the tests of one package.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Settings of the exploration, by name, checked.
    pub(crate) explore: Vec<(String, String)>,
    /// Tests that are not run: parts of their names.
    pub(crate) exclude: Vec<String>,
    /// Crates that are compiled as they are.
    pub(crate) uninstrumented: Vec<String>,
}

/// The keys that are the command's own, with lists of names.
const LISTS: [&str; 2] = ["exclude", "uninstrumented"];

impl Settings {
    /// The settings of the whole workspace.
    pub(crate) fn of_workspace(project: &Project) -> anyhow::Result<Self> {
        let mut settings = Self::default();
        let mut errors = Vec::new();
        settings.read_file(&project.root().join("selvedge.toml"), &mut errors)?;
        settings.read_manifest("Cargo.toml", &project.metadata.workspace_metadata, &mut errors);
        finish(settings, errors)
    }

    /// The settings of a package: those of the workspace, and its own.
    pub(crate) fn of_package(
        &self,
        project: &Project,
        package: &Package,
        arguments: &ExploreArgs,
    ) -> anyhow::Result<Self> {
        let mut settings = self.clone();
        let mut errors = Vec::new();
        if let Some(folder) = package.manifest_path.parent()
            && folder != project.metadata.workspace_root
        {
            settings.read_file(folder.join("selvedge.toml").as_std_path(), &mut errors)?;
        }
        let place = format!("Cargo.toml of {}", package.name);
        settings.read_manifest(&place, &package.metadata, &mut errors);
        let mut variables: Vec<_> = std::env::vars().filter(|(name, _)| is_setting(name)).collect();
        variables.sort();
        for (name, value) in variables {
            let place = format!("environment variable {name}");
            let key = name["SELVEDGE_".len()..].to_ascii_lowercase();
            settings.set(&place, &key, &value, &mut errors);
        }
        settings.read_arguments(arguments, &mut errors);
        finish(settings, errors)
    }

    /// Takes a setting, if it can be taken.
    fn set(&mut self, place: &str, key: &str, value: &str, errors: &mut Vec<ConfigError>) {
        match Config::default().set(key, value) {
            Ok(()) => {
                self.explore.retain(|(other, _)| other != key);
                self.explore.push((key.to_owned(), value.to_owned()));
            }
            Err(kind) => errors.push(ConfigError { place: place.to_owned(), kind }),
        }
    }

    fn read_file(&mut self, path: &Path, errors: &mut Vec<ConfigError>) -> anyhow::Result<()> {
        let place = path.display().to_string();
        match std::fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(Failure::with(Exit::Usage, format!("can not read {place}: {error}"))),
            Ok(text) => {
                let table: toml::Table = toml::from_str(&text).map_err(|error| {
                    Failure::with(Exit::Usage, format!("{place}: {}", error.to_string().trim_end()))
                })?;
                for (key, value) in table {
                    match value {
                        toml::Value::String(text) => self.set(&place, &key, &text, errors),
                        toml::Value::Table(own) if key == "cargo" => {
                            for (key, value) in own {
                                self.extend(&place, &key, list_of_toml(&value))?;
                            }
                        }
                        other => self.set(&place, &key, &other.to_string(), errors),
                    }
                }
                Ok(())
            }
        }
    }

    fn read_manifest(
        &mut self,
        place: &str,
        metadata: &serde_json::Value,
        errors: &mut Vec<ConfigError>,
    ) {
        let Some(table) = metadata.get("selvedge").and_then(|value| value.as_object()) else {
            return;
        };
        let place = format!("[package.metadata.selvedge] in {place}");
        for (key, value) in table {
            if LISTS.contains(&key.as_str()) {
                let names = value.as_array().into_iter().flatten();
                let names = names.filter_map(|name| name.as_str()).map(str::to_owned);
                self.list(key).extend(names);
            } else {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.set(&place, key, &text, errors);
            }
        }
    }

    fn read_arguments(&mut self, arguments: &ExploreArgs, errors: &mut Vec<ConfigError>) {
        let ExploreArgs { executions, time, strategy, seed, settings, .. } = arguments;
        let named =
            [("executions", executions), ("time", time), ("strategy", strategy), ("seed", seed)];
        for (key, value) in named {
            if let Some(value) = value {
                self.set(&format!("--{key}"), key, value, errors);
            }
        }
        for setting in settings {
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            self.set(&format!("--set {setting}"), key.trim(), value.trim(), errors);
        }
    }

    fn extend(&mut self, place: &str, key: &str, names: Option<Vec<String>>) -> anyhow::Result<()> {
        match names {
            Some(names) if LISTS.contains(&key) => {
                self.list(key).extend(names);
                Ok(())
            }
            _ => Err(Failure::with(
                Exit::Usage,
                format!(
                    "{place}: [cargo] takes exclude and uninstrumented, each a list of names; not '{key}'"
                ),
            )),
        }
    }

    fn list(&mut self, key: &str) -> &mut Vec<String> {
        match key {
            "exclude" => &mut self.exclude,
            _ => &mut self.uninstrumented,
        }
    }
}

/// Whether an environment variable is one of the settings, and none of those that tell the
/// command itself where to keep things.
fn is_setting(name: &str) -> bool {
    name.starts_with("SELVEDGE_") && name != "SELVEDGE_CACHE"
}

fn list_of_toml(value: &toml::Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect()
}

fn finish(settings: Settings, errors: Vec<ConfigError>) -> anyhow::Result<Settings> {
    if errors.is_empty() {
        return Ok(settings);
    }
    let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
    Err(Failure::with(Exit::Usage, lines.join("\n")))
}
