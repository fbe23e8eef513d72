//! Where settings come from: default < file < environment < argument.
//!
//! Settings are read from the process' surroundings, so each test runs a process of its own: this
//! test binary again, with one test that does nothing otherwise.

use selvedge::Builder;
use selvedge::sync::Arc;
use selvedge::sync::atomic::AtomicU32;
use selvedge::sync::atomic::Ordering::SeqCst;
use selvedge::thread;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the child leaves what it has to say; it is one if this is set.
const RESULT: &str = "RESULT_OF_THE_CHILD";
/// What the child sets by argument.
const ARGUMENTS: &str = "ARGUMENTS_OF_THE_CHILD";

/// Has always something to decide, so that the budget is used up, and fails in some schedules if
/// it is to.
fn program(fail: bool) {
    let counter = Arc::new(AtomicU32::new(0));
    let theirs = Arc::clone(&counter);
    let adder = thread::spawn(move || theirs.store(theirs.load(SeqCst) + 1, SeqCst));
    counter.store(counter.load(SeqCst) + 1, SeqCst);
    adder.join().unwrap();
    assert!(!fail || counter.load(SeqCst) == 2, "an update was lost");
}

#[test]
fn the_child_says_what_its_settings_make_of_a_test() {
    let Some(result) = std::env::var_os(RESULT) else { return };
    let arguments = std::env::var(ARGUMENTS).unwrap_or_default();
    let arguments = arguments.split_whitespace().filter_map(|pair| pair.split_once('='));
    let builder = arguments.fold(Builder::new(), |builder, (key, value)| builder.set(key, value));
    let said = match builder.explore(|| program(false)) {
        Ok(report) => format!("{} executions, {:?}", report.executions, report.stopped),
        Err(error) => error.to_string(),
    };
    fs::write(result, said).unwrap();
}

/// A process in which settings are read.
struct Child {
    folder: PathBuf,
    package: PathBuf,
    variables: Vec<(OsString, OsString)>,
    arguments: String,
}

impl Child {
    /// A process for the test of the given name, with an empty folder as its package.
    fn new(test: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("settings").join(test);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir_all(&folder).unwrap();
        let package = folder.clone();
        Self { folder, package, variables: Vec::new(), arguments: String::new() }
    }

    /// With a settings file in the folder or below it.
    fn file(self, path: &str, contents: impl AsRef<[u8]>) -> Self {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
        self
    }

    /// With a package below the folder.
    fn package(mut self, path: &str) -> Self {
        self.package = self.folder.join(path);
        fs::create_dir_all(&self.package).unwrap();
        self
    }

    fn variable(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.variables.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    fn argument(mut self, key: &str, value: &str) -> Self {
        self.arguments.push_str(&format!("{key}={value} "));
        self
    }

    /// What the process says, with the folder's name left out.
    #[track_caller]
    fn says(self) -> String {
        let result = self.folder.join("result");
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "settings::the_child_says_what_its_settings_make_of_a_test"])
            .env("CARGO_MANIFEST_DIR", &self.package)
            .env(RESULT, &result)
            .env(ARGUMENTS, &self.arguments)
            .envs(self.variables)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        let said = fs::read_to_string(result).expect("the child left its result");
        said.replace(&format!("{}/", self.folder.display()), "")
    }
}

#[test]
fn by_default_there_are_a_thousand_executions() {
    assert_eq!(Child::new("default").says(), "1000 executions, Executions");
}

#[test]
fn a_file_overrides_the_default() {
    let child = Child::new("file").file("selvedge.toml", "# few\nexecutions = 50\n");
    assert_eq!(child.says(), "50 executions, Executions");
}

#[test]
fn the_environment_overrides_the_file() {
    let child = Child::new("environment").file("selvedge.toml", "executions = 50\n");
    let child = child.variable("SELVEDGE_EXECUTIONS", "70");
    assert_eq!(child.says(), "70 executions, Executions");
}

#[test]
fn an_argument_overrides_the_environment() {
    let child = Child::new("argument").file("selvedge.toml", "executions = 50\n");
    let child = child.variable("SELVEDGE_EXECUTIONS", "70").argument("executions", "90");
    assert_eq!(child.says(), "90 executions, Executions");
}

#[test]
fn each_source_overrides_only_what_it_names() {
    let child =
        Child::new("mixed").file("selvedge.toml", "executions = 50\nstrategy = exhaustive\n");
    let child = child.variable("SELVEDGE_PREEMPTIONS", "0").argument("seed", "3");
    // Without preemptions there are few schedules, and they are all run.
    let said = child.says();
    assert!(said.ends_with(" executions, Exhausted"), "{said}");
}

#[test]
fn the_nearest_file_at_or_above_the_package_counts() {
    let child =
        Child::new("above").package("crates/inner").file("selvedge.toml", "executions = 50");
    assert_eq!(child.says(), "50 executions, Executions");
    let child = Child::new("nearest")
        .package("crates/inner")
        .file("selvedge.toml", "executions = 50")
        .file("crates/selvedge.toml", "executions = 60");
    assert_eq!(child.says(), "60 executions, Executions");
}

#[test]
fn an_unknown_key_is_named_with_its_place_and_a_suggestion() {
    let child = Child::new("unknown")
        .file("selvedge.toml", "seed = 1\nexecutoins = 50\n")
        .variable("SELVEDGE_STARTEGY", "random")
        .argument("sed", "1");
    let expected = "selvedge: bad settings\n  \
        selvedge.toml:2: unknown setting 'executoins'; did you mean 'executions'?\n  \
        environment variable SELVEDGE_STARTEGY: unknown setting 'startegy'; did you mean 'strategy'?\n  \
        argument sed: unknown setting 'sed'; did you mean 'seed'?";
    assert_eq!(child.says(), expected);
}

#[test]
fn a_wrong_value_is_named_with_its_place_and_what_would_do() {
    let child = Child::new("wrong")
        .file("selvedge.toml", "timeouts = \"often\"\nno setting\n")
        .variable("SELVEDGE_EXECUTIONS", "many");
    let expected = "selvedge: bad settings\n  \
        selvedge.toml:1: 'often' will not do; expected off, rare or eager\n  \
        selvedge.toml:2: 'no setting' sets nothing; expected key = value\n  \
        environment variable SELVEDGE_EXECUTIONS: 'many' will not do; expected a number";
    assert_eq!(child.says(), expected);
}

#[test]
fn a_schedule_in_the_environment_is_replayed() {
    let child = Child::new("replay").variable("SELVEDGE_REPLAY", "selvedge/1");
    assert_eq!(child.says(), "1 executions, Replayed");
}

#[test]
fn a_file_that_is_no_text_is_an_error() {
    let child = Child::new("no_text").file("selvedge.toml", b"executions = 50 # \xff\xfe\n");
    let said = child.says();
    assert!(said.starts_with("selvedge: bad settings\n  selvedge.toml"), "{said}");
}

#[cfg(unix)]
#[test]
fn variables_that_are_no_text_do_no_harm_to_others() {
    use std::os::unix::ffi::OsStrExt;
    let child = Child::new("no_unicode")
        .variable("SOMETHING_ELSE", OsStr::from_bytes(b"caf\xe9"))
        .variable("SELVEDGE_EXECUTIONS", "70");
    assert_eq!(child.says(), "70 executions, Executions");
}

#[cfg(unix)]
#[test]
fn a_setting_in_the_environment_that_is_no_text_is_an_error() {
    use std::os::unix::ffi::OsStrExt;
    let child =
        Child::new("no_unicode_setting").variable("SELVEDGE_SEED", OsStr::from_bytes(b"\xff"));
    let said = child.says();
    assert!(said.contains("environment variable SELVEDGE_SEED"), "{said}");
}

#[test]
fn the_command_of_a_finding_shows_it_again() {
    let found = Builder::new().explore(|| program(true)).unwrap().finding.expect("a lost update");
    let schedule = found.schedule.to_string();
    let replay = Child::new("command").variable("SELVEDGE_REPLAY", &schedule);
    // The child's test does not fail, but it takes the same way: every decision fits.
    assert_eq!(replay.says(), "1 executions, Replayed");
}
