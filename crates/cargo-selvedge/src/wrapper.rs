//! This program as the compiler's wrapper.
//!
//! Cargo calls its wrapper instead of rustc. Ours adds the flags that put the mirrors in the place
//! of the standard library, and calls rustc (or the wrapper that the user has configured). It does
//! so for what runs in tests only: cargo compiles build scripts and procedural macros without
//! `--target`, because we give it one.

use crate::compile::OURS;
use crate::kit::Kit;
use crate::memory_layer::MemoryLayer;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
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
    /// Which crates tell of accesses to memory.
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

    /// The flags for a call of the compiler with these arguments.
    fn flags(&self, arguments: &[OsString]) -> Vec<String> {
        let texts = || arguments.iter().filter_map(|argument| argument.to_str());
        let value_of = |flag: &str| texts().skip_while(|text| *text != flag).nth(1);
        let Some(name) = value_of("--crate-name") else { return Vec::new() };
        if value_of("--target").is_none() || self.untouched.iter().any(|other| other == name) {
            return Vec::new();
        }
        if OURS.contains(&name) {
            return self.flags_of_ours(name);
        }
        let mut flags = self.kit.flags();
        // A lint that is an error must not keep a test from running, and warnings are told of by
        // cargo's own builds. Some would be about the mirrors, which nobody has asked for.
        if !texts().any(|text| text.starts_with("--cap-lints")) {
            flags.push("--cap-lints=allow".to_owned());
        }
        for (from, to) in &self.remap {
            flags.push(format!("--remap-path-prefix={from}={to}"));
        }
        let all: Vec<_> = texts().collect();
        let source = all.iter().copied().find(|text| text.ends_with(".rs"));
        flags.extend(self.memory.flags(&all, source));
        flags
    }
}

impl Orders {
    /// The flags for a crate of ours. They are compiled as they are; but the engine in them runs
    /// nothing here, since the kit's does, and the library passes on to that one what tests say of named
    /// events and schedules.
    fn flags_of_ours(&self, name: &str) -> Vec<String> {
        let Kit { std, dependencies, .. } = &self.kit;
        // What they are made of is compiled against the mirrors, and refers to them.
        let mut flags = vec![
            "--cfg=selvedge_kit".to_owned(),
            "-L".to_owned(),
            format!("dependency={}", dependencies.display()),
        ];
        if name == "selvedge" {
            flags.extend(["--extern".to_owned(), format!("selvedge_kit={}", std.display())]);
        }
        flags
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
    command.args(arguments).args(orders.flags(arguments));
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
    use std::path::PathBuf;

    fn orders() -> Orders {
        let rlib = |name: &str| PathBuf::from(format!("/kit/lib{name}.rlib"));
        Orders {
            kit: Kit {
                std: rlib("std"),
                core: rlib("core"),
                test: rlib("test"),
                dependencies: "/kit/deps".into(),
            },
            inner: None,
            untouched: vec!["plain".to_owned()],
            memory: MemoryLayer::Off,
            remap: vec![("/registry/".to_owned(), String::new())],
        }
    }

    fn flags(arguments: &[&str]) -> Vec<String> {
        let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
        orders().flags(&arguments)
    }

    #[test]
    fn crates_for_the_target_get_the_mirrors() {
        let flags = flags(&["--crate-name", "queue", "--target", "x86_64-unknown-linux-gnu"]);
        assert!(flags.contains(&"std=/kit/libstd.rlib".to_owned()), "{flags:?}");
        assert!(flags.contains(&"--remap-path-prefix=/registry/=".to_owned()), "{flags:?}");
    }

    #[test]
    fn build_scripts_and_crates_that_are_left_alone_do_not() {
        assert_eq!(flags(&["--crate-name", "build_script_build"]), [""; 0]);
        assert_eq!(flags(&["--crate-name", "plain", "--target", "x"]), [""; 0]);
        assert_eq!(flags(&["-vV"]), [""; 0]);
    }

    #[test]
    fn the_library_reaches_the_engine_of_the_kit() {
        let library = flags(&["--crate-name", "selvedge", "--target", "x"]);
        assert!(library.contains(&"selvedge_kit=/kit/libstd.rlib".to_owned()), "{library:?}");
        assert!(!library.iter().any(|flag| flag.starts_with("std=")), "{library:?}");
        let part = flags(&["--crate-name", "selvedge_real", "--target", "x"]);
        assert_eq!(part, ["--cfg=selvedge_kit", "-L", "dependency=/kit/deps"]);
        assert_eq!(flags(&["--crate-name", "selvedge_macros"]), [""; 0]);
    }

    #[test]
    fn lints_are_capped_once() {
        let capped = flags(&["--crate-name", "q", "--target", "x", "--cap-lints", "allow"]);
        assert!(!capped.iter().any(|flag| flag.starts_with("--cap-lints")), "{capped:?}");
    }
}
