//! This program as the compiler's wrapper.
//!
//! Cargo calls its wrapper instead of rustc. Ours adds the flags that put the mirrors in the place
//! of the standard library, and calls rustc (or the wrapper that the user has configured). It does
//! so for what runs in tests only: cargo compiles build scripts and procedural macros without
//! `--target`, because we give it one.

use crate::compile::OURS;
use crate::kit::Kit;
use crate::memory_layer::MemoryLayer;
use crate::unit::{Treatment, Unit, treatment};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The environment variable that tells this program that it is a wrapper, and what to do.
const ORDERS: &str = "CARGO_SELVEDGE_WRAPPER";

/// What the wrapper has to know.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// The mirrors.
    pub(crate) kit: Kit,
    /// The wrapper that the user has configured, if any.
    pub(crate) inner: Option<String>,
    /// Crates that are compiled as they are.
    pub(crate) untouched: Vec<String>,
    /// The root of the workspace.
    pub(crate) root: PathBuf,
    /// Which packages tell of accesses to memory.
    pub(crate) memory: MemoryLayer,
    /// Parts of file names that say where this machine keeps things, and what to write instead.
    pub(crate) remap: Vec<(String, String)>,
}

impl Orders {
    /// Makes this program the wrapper of a cargo command.
    pub(crate) fn give(&self, cargo: &mut Command) -> anyhow::Result<()> {
        cargo.env(ORDERS, serde_json::to_string(self)?);
        cargo.env("RUSTC_WRAPPER", std::env::current_exe()?);
        Ok(())
    }

    /// What a call of the compiler makes.
    fn unit(&self, call: Call<'_>) -> Unit {
        let Some(name) = call.value_of("--crate-name") else { return Unit::Question };
        if call.value_of("--target").is_none() {
            Unit::Host
        } else if self.untouched.iter().any(|other| other == name) {
            Unit::Uninstrumented
        } else if OURS.contains(&name) {
            Unit::Ours
        } else if call.has("--test") {
            Unit::Tests
        } else {
            Unit::Code
        }
    }

    /// The arguments with which the compiler is called for a package in this folder.
    fn arguments(&self, arguments: &[OsString], package: Option<&Path>) -> Vec<OsString> {
        let call = Call(arguments);
        let unit = self.unit(call);
        let folder = package.and_then(|package| package.strip_prefix(&self.root).ok());
        let treatment = treatment(unit, self.memory.tells(folder));
        let mut given = call.without(treatment.without);
        if unit == Unit::Ours {
            self.use_parts(&mut given, call.value_of("--crate-name").unwrap_or_default());
        }
        given.extend(self.flags(call, unit, &treatment).into_iter().map(OsString::from));
        given
    }

    /// The flags that a unit gets.
    fn flags(&self, call: Call<'_>, unit: Unit, treatment: &Treatment) -> Vec<String> {
        let mut flags = self.kit.flags(treatment.mirrors, |name| call.has_library(name));
        match unit {
            Unit::Question | Unit::Host | Unit::Ours | Unit::Uninstrumented => {}
            Unit::Code | Unit::Tests => {
                // A lint that is an error must not keep a test from running, and warnings are told
                // of by cargo's own builds. Some would be about the mirrors, which nobody has asked
                // for.
                if !call.texts().any(|text| text.starts_with("--cap-lints")) {
                    flags.push("--cap-lints=allow".to_owned());
                }
                for (from, to) in &self.remap {
                    flags.push(format!("--remap-path-prefix={from}={to}"));
                }
            }
        }
        flags.extend(treatment.flags.iter().map(|&flag| flag.to_owned()));
        let defaults = treatment.defaults.iter().filter(|default| !call.decides(default.unless));
        flags.extend(defaults.map(|default| default.flag.to_owned()));
        flags
    }

    /// Gives a crate of the library of test authors the parts of the kit for its own. What tests say
    /// to it then reaches the engine that runs them, and there is only one: two would not link. The
    /// copies of these parts that cargo wants to make for the library are made empty.
    fn use_parts(&self, arguments: &mut [OsString], name: &str) {
        let is_part = self.kit.parts.contains_key(name);
        let part = |library: &str| {
            let (name, _) = library.split_once('=')?;
            Some(format!("{name}={}", self.kit.parts.get(name)?.display()))
        };
        let mut names_library = false;
        for argument in arguments {
            let replaced = match argument.to_str() {
                Some(library) if names_library => part(library),
                Some(source) if is_part && source.ends_with(".rs") => {
                    Some(self.kit.empty.display().to_string())
                }
                _ => None,
            };
            names_library = argument == "--extern";
            if let Some(replaced) = replaced {
                *argument = replaced.into();
            }
        }
    }
}

/// The arguments of a call of the compiler.
#[derive(Clone, Copy)]
struct Call<'a>(&'a [OsString]);

impl<'a> Call<'a> {
    fn texts(self) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter_map(|argument| argument.to_str())
    }

    fn has(self, argument: &str) -> bool {
        self.texts().any(|text| text == argument)
    }

    fn value_of(self, flag: &str) -> Option<&'a str> {
        self.texts().skip_while(|text| *text != flag).nth(1)
    }

    /// Whether a library of this name is among the arguments.
    fn has_library(self, name: &str) -> bool {
        let mut pairs = self.0.windows(2).filter(|pair| pair[0] == "--extern");
        pairs.any(|pair| {
            let library = pair[1].to_str().and_then(|text| text.split('=').next());
            // Cargo may write options before the name.
            library.and_then(|library| library.rsplit(':').next()) == Some(name)
        })
    }

    /// Whether an argument begins with one of these, or is an option of code generation that does.
    fn decides(self, beginnings: &[&str]) -> bool {
        self.texts().any(|text| {
            let option = text.strip_prefix("-C").or_else(|| text.strip_prefix("--codegen="));
            let is = |text: &str| beginnings.iter().any(|beginning| text.starts_with(beginning));
            is(text) || option.is_some_and(is)
        })
    }

    /// The arguments without these options of code generation.
    fn without(self, options: &[&str]) -> Vec<OsString> {
        let is_out = |option: &str| options.contains(&option.split('=').next().unwrap_or(option));
        let mut left = Vec::with_capacity(self.0.len());
        let mut arguments = self.0.iter().peekable();
        while let Some(argument) = arguments.next() {
            let text = argument.to_str().unwrap_or_default();
            let separate = matches!(text, "-C" | "--codegen");
            if separate && arguments.peek().and_then(|next| next.to_str()).is_some_and(is_out) {
                arguments.next();
                continue;
            }
            let joined = text.strip_prefix("-C").or_else(|| text.strip_prefix("--codegen="));
            if !separate && joined.is_some_and(is_out) {
                continue;
            }
            left.push(argument.clone());
        }
        left
    }
}

/// Calls the compiler if this process was started as a wrapper.
pub(crate) fn run_if_asked() -> Option<ExitCode> {
    let orders = std::env::var(ORDERS).ok()?;
    let mut arguments = std::env::args_os().skip(1);
    // Cargo itself, called from a build script of the user's, is no compiler.
    let compiler = arguments.next().filter(|first| first != "selvedge")?;
    let arguments: Vec<_> = arguments.collect();
    Some(match serde_json::from_str(&orders) {
        Ok(orders) => compile(&orders, compiler, &arguments),
        Err(error) => {
            anstream::eprintln!("cargo-selvedge: {ORDERS} is not what it should be: {error}");
            ExitCode::FAILURE
        }
    })
}

fn compile(orders: &Orders, compiler: OsString, arguments: &[OsString]) -> ExitCode {
    let mut command = match &orders.inner {
        Some(inner) => {
            let mut command = Command::new(inner);
            command.arg(&compiler);
            command
        }
        None => Command::new(&compiler),
    };
    // Cargo says so to the compiler as it does to the code.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    command.args(orders.arguments(arguments, package.as_deref()));
    match command.status() {
        Ok(status) => {
            ExitCode::from(status.code().and_then(|code| code.try_into().ok()).unwrap_or(1))
        }
        Err(error) => {
            anstream::eprintln!("cargo-selvedge: can not run {}: {error}", compiler.display());
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders() -> Orders {
        let rlib = |name: &str| PathBuf::from(format!("/kit/lib{name}.rlib"));
        Orders {
            kit: Kit {
                std: rlib("std"),
                core: rlib("core"),
                test: rlib("test"),
                dependencies: "/kit/deps".into(),
                parts: [("selvedge_std".to_owned(), rlib("selvedge_std"))].into(),
                empty: "/kit/empty.rs".into(),
            },
            inner: None,
            untouched: vec!["plain".to_owned()],
            root: "/project".into(),
            memory: MemoryLayer::Packages(vec!["queue".to_owned()]),
            remap: vec![("/registry/".to_owned(), String::new())],
        }
    }

    /// The arguments that come of those of a package.
    fn arguments_of(package: &str, arguments: &str) -> Vec<String> {
        let arguments: Vec<_> = arguments.split(' ').map(OsString::from).collect();
        let given = orders().arguments(&arguments, Some(Path::new(package)));
        given.into_iter().map(|text| text.into_string().expect("these are texts")).collect()
    }

    fn arguments(arguments: &str) -> Vec<String> {
        arguments_of("/registry/other-1.0", arguments)
    }

    #[track_caller]
    fn assert_has(arguments: &[String], argument: &str) {
        assert!(arguments.iter().any(|one| one == argument), "{argument}: {arguments:?}");
    }

    #[track_caller]
    fn assert_has_not(arguments: &[String], part: &str) {
        assert!(!arguments.iter().any(|one| one.contains(part)), "{part}: {arguments:?}");
    }

    #[test]
    fn crates_for_the_target_get_the_mirrors() {
        let code = arguments("--crate-name queue --target x");
        assert_has(&code, "std=/kit/libstd.rlib");
        assert_has(&code, "core=/kit/libcore.rlib");
        assert_has(&code, "--remap-path-prefix=/registry/=");
        assert_has_not(&code, "test=");
        assert_has(&arguments("--crate-name queue --test --target x"), "test=/kit/libtest.rlib");
    }

    #[test]
    fn build_scripts_and_questions_are_left_alone() {
        for call in ["--crate-name build_script_build -C lto", "-vV"] {
            assert_eq!(arguments(call).join(" "), call);
        }
    }

    #[test]
    fn crates_that_are_left_alone_find_the_mirrors_of_others() {
        let plain = arguments("--crate-name plain --target x");
        assert_has(&plain, "dependency=/kit/deps");
        assert_has_not(&plain, "std=");
        assert_has_not(&plain, "tsan");
    }

    #[test]
    fn packages_of_the_workspace_are_known_by_their_folders() {
        let pass = "-Cllvm-args=-force-attribute=sanitize_thread";
        let call = "--crate-name q --target x";
        assert_has(&arguments_of("/project/queue", call), pass);
        for other in ["/project/app", "/project", "/project/queue/fuzz", "/registry/queue"] {
            assert_has_not(&arguments_of(other, call), pass);
            assert_has(&arguments_of(other, call), "-Cpasses=tsan");
        }
    }

    #[test]
    fn levels_that_the_user_has_set_stay() {
        let queue = |more: &str| {
            arguments_of("/project/queue", &format!("--crate-name q --target x{more}"))
        };
        assert_has(&queue(""), "-Cdebuginfo=line-tables-only");
        for given in [" -C debuginfo=2", " -g", " --codegen=debuginfo=0"] {
            assert_has_not(&queue(given), "line-tables");
        }
        assert_has_not(&queue(" -C opt-level=3"), "opt-level=1");
    }

    #[test]
    fn what_tests_do_not_need_is_taken_away() {
        let call = "--crate-name q -C lto -Clto=thin --codegen strip=symbols -Clinker-plugin-lto \
                    -C opt-level=3 --target x";
        let left = arguments(call);
        assert_has_not(&left, "lto");
        assert_has_not(&left, "strip");
        assert_eq!(left[2..4], ["-C", "opt-level=3"]);
    }

    #[test]
    fn a_package_may_have_the_name_of_one_of_ours() {
        let given = arguments("--crate-name q --test --target x --extern noprelude:test=a.rmeta");
        assert_has_not(&given, "test=/kit");
        assert_has(&given, "std=/kit/libstd.rlib");
    }

    #[test]
    fn the_library_is_made_of_parts_of_the_kit() {
        let given = arguments(
            "--crate-name selvedge --target x --extern selvedge_std=/project/libselvedge_std.rmeta \
             --extern rand=rand.rmeta",
        );
        assert_has(&given, "selvedge_std=/kit/libselvedge_std.rlib");
        assert_has(&given, "rand=rand.rmeta");
        assert_has(&given, "--cfg=selvedge_kit");
        assert_has_not(&given, "/kit/libstd.rlib");
        let given = arguments("--crate-name selvedge_std src/lib.rs --target x");
        assert_has(&given, "/kit/empty.rs");
    }

    #[test]
    fn lints_are_capped_once() {
        let capped = arguments("--crate-name q --target x --cap-lints allow");
        assert_has_not(&capped, "--cap-lints=");
    }
}
