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
            return self.flags_of_ours();
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
    /// The flags for a crate of ours. They are compiled as they are; but what they are made of is
    /// compiled against the mirrors, and refers to them.
    fn flags_of_ours(&self) -> Vec<String> {
        let dependencies = format!("dependency={}", self.kit.dependencies.display());
        vec!["--cfg=selvedge_kit".to_owned(), "-L".to_owned(), dependencies]
    }

    /// The arguments with which the compiler is called.
    ///
    /// The library of test authors gets the parts of the kit for its own. What tests say to it then
    /// reaches the engine that runs them, and there is only one: two would not link. The copies of
    /// these parts that cargo wants to make for the library are made empty.
    fn arguments(&self, arguments: &[OsString]) -> Vec<OsString> {
        let value_of = |flag: &str| {
            let mut pairs = arguments.windows(2);
            pairs.find(|pair| pair[0] == flag).and_then(|pair| pair[1].to_str())
        };
        // The compiler's own copies, for the macros, are no part of a test.
        let ours = value_of("--crate-name")
            .filter(|name| OURS.contains(name) && value_of("--target").is_some());
        let is_part = ours.is_some_and(|name| self.kit.parts.contains_key(name));
        let part = |library: &str| {
            let (name, _) = library.split_once('=')?;
            Some(format!("{name}={}", self.kit.parts.get(name)?.display()).into())
        };
        let mut given = arguments.to_vec();
        for index in 0..arguments.len() {
            let Some(argument) = arguments[index].to_str() else { continue };
            let replaced = match index.checked_sub(1).map(|before| &arguments[before]) {
                Some(flag) if flag == "--extern" && ours.is_some() => part(argument),
                _ if is_part && argument.ends_with(".rs") => Some(self.kit.empty.clone().into()),
                _ => None,
            };
            given[index] = replaced.unwrap_or_else(|| arguments[index].clone());
        }
        given.extend(self.flags(arguments).into_iter().map(OsString::from));
        given
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
    command.args(orders.arguments(arguments));
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
                parts: [("selvedge_std".to_owned(), rlib("selvedge_std"))].into(),
                empty: "/kit/empty.rs".into(),
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
    fn the_library_is_made_of_parts_of_the_kit() {
        let arguments = ["--crate-name", "selvedge", "--target", "x", "--extern"];
        let libraries =
            ["selvedge_std=/project/libselvedge_std.rmeta", "--extern", "rand=rand.rmeta"];
        let given: Vec<_> = arguments.iter().chain(&libraries).map(OsString::from).collect();
        let arguments = orders().arguments(&given);
        assert!(arguments.contains(&"selvedge_std=/kit/libselvedge_std.rlib".into()));
        assert!(arguments.contains(&"rand=rand.rmeta".into()), "{arguments:?}");
        assert!(arguments.contains(&"--cfg=selvedge_kit".into()), "{arguments:?}");
        assert!(!arguments.contains(&"std=/kit/libstd.rlib".into()), "{arguments:?}");

        let given = ["--crate-name", "selvedge_std", "src/lib.rs", "--target", "x"];
        let arguments = orders().arguments(&given.map(OsString::from));
        assert!(arguments.contains(&"/kit/empty.rs".into()), "{arguments:?}");
    }

    #[test]
    fn lints_are_capped_once() {
        let capped = flags(&["--crate-name", "q", "--target", "x", "--cap-lints", "allow"]);
        assert!(!capped.iter().any(|flag| flag.starts_with("--cap-lints")), "{capped:?}");
    }
}
