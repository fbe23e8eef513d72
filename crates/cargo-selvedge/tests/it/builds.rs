//! How projects are compiled: as their owners have set them up, plus the mirrors.

use crate::support::{Project, Ran};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

#[test]
fn what_does_not_compile_is_shown_in_the_compilers_words() {
    let project =
        Project::new("builds-broken", &[("src/lib.rs", "#[test] fn one() { nonsense() }\n")]);
    let ran = project.run(["test"]);
    ran.left_with(3).says(&["cannot find function `nonsense`"]).says(&["src/lib.rs:1"]);
    ran.says(&["error: the tests do not compile"]);
    ran.is_silent_about("uninstrumented");
    let manifest = Project::new("builds-manifest", &[("Cargo.toml", "[package\n")]);
    manifest.run(["test"]).left_with(3).says(&["Cargo.toml"]);
}

#[test]
fn what_only_the_mirrors_lack_is_named_and_a_way_out_is_shown() {
    // The mirrors have what is stable; what is not stands for what they lack.
    let source = "#![feature(lock_value_accessors)]\n\
                  #[test] fn one() { assert_eq!(std::sync::Mutex::new(7).get_cloned().unwrap(), 7); }\n";
    let project = Project::new("builds-lacking", &[("src/lib.rs", source)]);
    let run = || {
        let mut command = project.command(["test"]);
        command.env("RUSTC_BOOTSTRAP", "1");
        Ran::of(command)
    };
    let ran = run();
    ran.left_with(3).says(&["`cargo test` builds these tests, but they do not build against"]);
    ran.says(&["  no method named `get_cloned`", "(src/lib.rs:2)"]);
    ran.says(&["uninstrumented = [\"builds_lacking\"]"]);
    project.write("selvedge.toml", "[cargo]\nuninstrumented = [\"builds-lacking\"]\n");
    let ran = run();
    fs::remove_file(project.folder.join("selvedge.toml")).unwrap();
    ran.left_with(4).says(&["builds-lacking was not run: it is listed as uninstrumented"]);
}

#[test]
fn flags_and_wrappers_of_the_user_are_honoured() {
    let source = "#[test] fn flag() { assert!(cfg!(from_the_file)) }\n\
                  #[test] fn variable() { assert!(cfg!(from_the_environment)) }\n";
    let config =
        "[build]\nrustflags = [\"--cfg=from_the_file\"]\nrustc-wrapper = \"./wrapper.sh\"\n";
    let wrapper = "#!/bin/sh\necho \"$@\" >> \"$(dirname \"$0\")/called\"\nexec \"$@\"\n";
    let files = [("src/lib.rs", source), (".cargo/config.toml", config), ("wrapper.sh", wrapper)];
    let project = Project::new("builds-flags", &files);
    let script = project.folder.join("wrapper.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    // So that something is compiled each time.
    let _ = fs::remove_dir_all(project.folder.join("target"));
    let ran = project.run(["test", "flag"]);
    ran.left_with(0);
    assert!(project.read("called").contains("--crate-name builds_flags"), "{ran}");
    fs::remove_file(project.folder.join("called")).unwrap();
    let mut command = project.command(["test", "variable"]);
    command.env("RUSTFLAGS", "--cfg from_the_environment");
    Ran::of(command).left_with(0);
}

#[test]
fn profiles_and_features_are_those_that_were_asked_for() {
    let manifest = "[package]\nname = \"builds-profiles\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                    [features]\ndefault = [\"usual\"]\nusual = []\nextra = []\n\
                    [profile.odd]\ninherits = \"dev\"\ndebug-assertions = false\n[workspace]\n";
    let source = "#[test] fn usual() { assert!(cfg!(feature = \"usual\")) }\n\
                  #[test] fn extra() { assert!(cfg!(feature = \"extra\")) }\n\
                  #[test] fn lean() { assert!(!cfg!(debug_assertions)) }\n";
    let project =
        Project::new("builds-profiles", &[("Cargo.toml", manifest), ("src/lib.rs", source)]);
    project.run(["test", "usual"]).left_with(0);
    project.run(["test", "extra", "--features", "extra"]).left_with(0);
    project.run(["test", "extra", "--all-features"]).left_with(0);
    project.run(["test", "usual", "--no-default-features"]).left_with(1);
    project.run(["test", "lean", "--release"]).left_with(0);
    project.run(["test", "lean", "--profile", "odd"]).left_with(0);
    project.run(["test", "--features", "none"]).left_with(3).says(&["none"]);
}

#[test]
fn tests_can_be_built_without_being_run() {
    let source = "#[test] fn writes() { std::fs::write(\"was_run\", \"\").unwrap(); }\n\
                  #[test] #[ignore] fn slow() { panic!() }\n";
    let project = Project::new("builds-only", &[("src/lib.rs", source)]);
    let ran = project.run(["test", "--no-run", "--no-fail-fast"]);
    ran.left_with(0).says(&["Built builds-only ("]);
    assert!(!project.folder.join("was_run").exists());
    project.run(["test", "--no-run", "--target", "wasm32-wasip1"]).left_with(2).says(&["--target"]);
    // As cargo-nextest calls them.
    let binary = ran.line("Built builds-only (").split(['(', ')']).nth(1).unwrap().to_owned();
    let call = |arguments: &[&str]| {
        let mut command = Command::new(&binary);
        command.args(arguments).current_dir(&project.folder);
        Ran::of(command)
    };
    assert_eq!(call(&["--list", "--format", "terse"]).stdout, "slow: test\nwrites: test\n");
    let ignored = call(&["--list", "--format", "terse", "--ignored"]);
    assert_eq!(ignored.stdout, "slow: test\n");
    call(&["writes", "--exact", "--nocapture"]).left_with(0);
    assert!(project.folder.join("was_run").exists());
    fs::remove_file(project.folder.join("was_run")).unwrap();
    call(&["slow", "--exact", "--nocapture", "--ignored"]).left_with(101);
}

#[test]
fn flags_of_code_generation_are_those_of_the_user() {
    let source = "\
pub fn first(all: &[u8]) -> u8 { unsafe { *all.get_unchecked(0) } }
#[test]
fn two_threads() {
    let all = std::sync::Arc::new([7]);
    let other = all.clone();
    let thread = std::thread::spawn(move || first(&*other));
    assert_eq!(first(&*all) - thread.join().unwrap(), 0);
    assert!(!cfg!(debug_assertions));
}
";
    let files = [("src/lib.rs", source), ("src/main.rs", "fn main() {}\n")];
    let project = Project::new("builds-codegen", &files);
    let mut command = project.command(["test"]);
    let flags =
        ["-Cinstrument-coverage", "-Ctarget-cpu=native", "-Ccodegen-units=3", "-Copt-level=3"];
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    command.env("LLVM_PROFILE_FILE", "/dev/null");
    Ran::of(command).left_with(0).says(&["Exploring 1 test"]);
}

#[test]
fn doc_tests_are_named_wherever_cargo_would_run_them() {
    let source = "/// ```\n/// assert_eq!(documented::one(), 1);\n/// ```\n\
                  pub fn one() -> u32 { 1 }\n#[test] fn is_one() { assert_eq!(one(), 1) }\n";
    let project = Project::new("documented", &[("src/lib.rs", source)]);
    let ran = project.run(["test", "--json", "out.json", "--junit", "out.xml"]);
    ran.left_with(0)
        .says(&["documented::doc/tests was not run", "`cargo test --doc --package documented`"]);
    let json = project.read("out.json");
    assert!(
        json.contains(r#"{"binary":"documented::doc/tests","result":"not-run","message":"rustdoc"#)
    );
    let junit = project.read("out.xml");
    assert!(junit.contains("documented::doc/tests") && junit.contains("<skipped"), "{junit}");
    project.run(["test", "--lib"]).left_with(0).is_silent_about("doc/tests");
    project.run(["test", "is_one"]).left_with(0).is_silent_about("doc/tests");
}

#[test]
fn what_only_we_can_not_link_is_our_fault_too() {
    // A function that the mirrors define, too.
    let source = "#[unsafe(no_mangle)] pub extern \"C\" fn __tsan_init() {}\n#[test] fn one() {}\n";
    let project = Project::new("builds-twice", &[("src/lib.rs", source)]);
    let ran = project.run(["test", "--memory"]);
    ran.left_with(3).says(&["`cargo test` builds these tests"]);
    ran.says(&["__tsan_init"]).says(&["--memory=off"]);
}

#[test]
fn strict_crates_compile_and_are_not_nagged() {
    let source = "#![deny(warnings)]\n#![warn(unused_crate_dependencies, missing_docs)]\n//! Strict.\n\n\
                  #[test] fn one() {}\n";
    let project = Project::new("builds-strict", &[("src/lib.rs", source)]);
    let ran = project.run(["test"]);
    ran.left_with(0).is_silent_about("warning");
}

#[test]
fn touching_one_file_does_not_build_the_rest() {
    let manifest = "[workspace]\nmembers = [\"one\", \"two\"]\nresolver = \"3\"\n";
    let package = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{rest}")
    };
    let (one, two) =
        (package("one", ""), package("two", "[dependencies]\none = { path = \"../one\" }\n"));
    let files = [
        ("Cargo.toml", manifest),
        ("one/Cargo.toml", &one),
        ("two/Cargo.toml", &two),
        ("one/src/lib.rs", "pub const ONE: u32 = 1;\n"),
    ];
    let project = Project::new("builds-incremental", &files);
    let source = |n: u32| format!("#[test] fn sum() {{ assert_eq!(one::ONE + {n}, 1 + {n}); }}\n");
    project.write("two/src/lib.rs", &source(1));
    project.run(["test", "--workspace"]).left_with(0);
    project.run(["test", "--workspace"]).left_with(0).is_silent_about("Compiling");
    project.write("two/src/lib.rs", &source(2));
    let ran = project.run(["test", "--workspace"]);
    project.write("two/src/lib.rs", &source(1));
    ran.left_with(0).says(&["Compiling two v0.1.0"]).is_silent_about("Compiling one");
}

#[test]
fn mirrors_that_need_the_network_and_have_none_say_what_to_do() {
    let project = Project::new("builds-offline", &[("src/lib.rs", "#[test] fn one() {}\n")]);
    let cache = project.folder.join("cache");
    let _ = fs::remove_dir_all(&cache);
    let mut command = project.command(["test", "--offline"]);
    command.env("SELVEDGE_CACHE", &cache).env("CARGO_HOME", project.folder.join("home"));
    let ran = Ran::of(command);
    ran.left_with(3).says(&["error", "need a few crates from crates.io"]);
    ran.says(&["without --offline"]).says(&["SELVEDGE_CACHE"]);
}
