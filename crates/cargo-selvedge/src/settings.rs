//! Settings of a package: from `selvedge.toml`, from its manifest, from the environment and from
//! the command line, the later overriding the earlier.

use crate::cli::ExploreArgs;
use crate::exit::{Exit, Failure};
use crate::memory_layer::MemoryLayer;
use crate::project::Project;
use cargo_metadata::Package;
use selvedge_model::{Config, ConfigError};
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// What holds for the tests of one package.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Settings of the exploration, by name, checked.
    pub(crate) explore: Vec<(String, String)>,
    /// Tests that are not run: parts of their names.
    pub(crate) exclude: Vec<String>,
    /// Crates that are compiled as they are.
    pub(crate) uninstrumented: Vec<String>,
    /// Functions and files whose data races are no findings: parts of their names.
    pub(crate) allow_races: Vec<String>,
}

/// The keys that are the command's own, with lists of names.
const LISTS: [&str; 3] = ["exclude", "uninstrumented", "allow-races"];

/// The setting that has a schedule run again.
pub(crate) const REPLAY: &str = "replay";

/// Where traces go. Of no use to whoever runs a test again.
pub(crate) const TRACE: &str = "trace";

impl Settings {
    /// The settings of the whole workspace.
    pub(crate) fn of_workspace(project: &Project) -> anyhow::Result<Self> {
        let mut settings = Self::default();
        let mut errors = Vec::new();
        settings.read_file(&project.root().join("selvedge.toml"), &mut errors)?;
        let manifest = project.root().join("Cargo.toml");
        let place = format!("[workspace.metadata.selvedge] in {}", manifest.display());
        settings.read_manifest(&place, &project.metadata.workspace_metadata, &mut errors)?;
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
        let place = format!("[package.metadata.selvedge] in {}", package.manifest_path);
        settings.read_manifest(&place, &package.metadata, &mut errors)?;
        let mut variables: Vec<_> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .collect();
        variables.sort();
        for (name, value) in variables {
            let Some(key) = Config::key_of_variable(&name) else { continue };
            let place = format!("environment variable {name}");
            let (key, value) = (key.to_ascii_lowercase(), value.to_string_lossy());
            settings.set(&place, &key, &value, &mut errors);
        }
        settings.read_arguments(arguments, &mut errors);
        finish(settings, errors)
    }

    /// Whether tests are run along a given schedule instead of being explored.
    pub(crate) fn replays(&self) -> bool {
        self.explore.iter().any(|(key, _)| key == REPLAY)
    }

    /// Looks for data races if the build tells of accesses, unless the settings say otherwise.
    pub(crate) fn look_for_races(&mut self, memory: &MemoryLayer) {
        if memory.is_on() && !self.explore.iter().any(|(key, _)| key == "races") {
            self.explore.push(("races".to_owned(), "on".to_owned()));
        }
    }

    /// Has everything that happens written down, in a folder.
    pub(crate) fn trace_into(&mut self, folder: &Path) {
        self.explore.retain(|(key, _)| key != TRACE);
        self.explore.push((TRACE.to_owned(), folder.display().to_string()));
    }

    /// The crates that are compiled as they are, whatever package says so: there is one build of
    /// the project.
    pub(crate) fn all_uninstrumented(project: &Project) -> anyhow::Result<Vec<String>> {
        let workspace = Self::of_workspace(project)?;
        let mut names = workspace.uninstrumented.clone();
        for package in project.metadata.workspace_packages() {
            let settings = workspace.of_package(project, package, &ExploreArgs::default())?;
            names.extend(settings.uninstrumented);
        }
        names.sort();
        names.dedup();
        Ok(names)
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
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                return Err(Failure::with(Exit::Usage, format!("can not read {place}: {error}")));
            }
        };
        let table = DeTable::parse(&text).map_err(|error| {
            Failure::with(Exit::Usage, format!("{place}: {}", error.to_string().trim_end()))
        })?;
        let line = |at: usize| format!("{place}:{}", 1 + text[..at].matches('\n').count());
        for (key, value) in table.get_ref() {
            let place = line(key.span().start);
            match value.get_ref() {
                DeValue::Table(own) if key.get_ref() == "cargo" => {
                    for (key, value) in own {
                        let place = line(key.span().start);
                        self.extend(&place, key.get_ref(), list_of_toml(value.get_ref()))?;
                    }
                }
                DeValue::String(text) => self.set(&place, key.get_ref(), text, errors),
                _ => self.set(&place, key.get_ref(), &text[value.span()], errors),
            }
        }
        Ok(())
    }

    /// Reads what a manifest says below `[….metadata.selvedge]`.
    fn read_manifest(
        &mut self,
        place: &str,
        metadata: &serde_json::Value,
        errors: &mut Vec<ConfigError>,
    ) -> anyhow::Result<()> {
        let Some(table) = metadata.get("selvedge") else { return Ok(()) };
        let Some(table) = table.as_object() else {
            return Err(Failure::with(Exit::Usage, format!("{place}: expected a table")));
        };
        for (key, value) in table {
            if LISTS.contains(&key.as_str()) {
                self.extend(place, key, list_of_json(value))?;
            } else {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.set(place, key, &text, errors);
            }
        }
        Ok(())
    }

    fn read_arguments(&mut self, arguments: &ExploreArgs, errors: &mut Vec<ConfigError>) {
        let ExploreArgs { executions, time, suite_time, strategy, seed, settings, .. } = arguments;
        let named = [
            ("executions", executions),
            ("time", time),
            ("suite_time", suite_time),
            ("strategy", strategy),
            ("seed", seed),
        ];
        for (key, value) in named {
            if let Some(value) = value {
                self.set(&format!("--{}", key.replace('_', "-")), key, value, errors);
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
                    "{place}: '{key}' will not do; expected exclude, uninstrumented or allow-races, \
                     each a list of names"
                ),
            )),
        }
    }

    fn list(&mut self, key: &str) -> &mut Vec<String> {
        match key {
            "exclude" => &mut self.exclude,
            "allow-races" => &mut self.allow_races,
            _ => &mut self.uninstrumented,
        }
    }
}

fn list_of_toml(value: &DeValue<'_>) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|name| name.get_ref().as_str().map(str::to_owned)).collect()
}

fn list_of_json(value: &serde_json::Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect()
}

fn finish(settings: Settings, errors: Vec<ConfigError>) -> anyhow::Result<Settings> {
    if errors.is_empty() {
        return Ok(settings);
    }
    let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
    Err(Failure::with(Exit::Usage, lines.join("\n")))
}
