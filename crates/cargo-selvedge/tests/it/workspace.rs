//! A workspace with a bit of everything.

use crate::support::{Project, Ran};
use std::sync::LazyLock;

/// Packages of all editions; the folder, the edition and more of the manifest.
const PACKAGES: [(&str, &str, &str); 7] = [
    ("old", "2015", ""),
    ("middle", "2018", ""),
    ("later", "2021", ""),
    ("bare", "2024", ""),
    ("derive", "2021", "[lib]\nproc-macro = true\n"),
    (
        "app",
        "2021",
        "[dependencies]\nlater = { path = \"../later\" }\nderive = { path = \"../derive\" }\n\
         [[test]]\nname = \"own\"\nharness = false\n",
    ),
    ("left-out", "2024", ""),
];

const FILES: [(&str, &str); 15] = [
    (
        "Cargo.toml",
        "[workspace]\nmembers = [\"*\"]\nexclude = [\"target\", \"src\"]\nresolver = \"2\"\n",
    ),
    (
        "old/src/lib.rs",
        "use std::sync::Mutex;\npub fn answer() -> u32 { *::std::sync::Mutex::new(42).lock().unwrap() }\n\
         #[test] fn in_2015() { let _: Mutex<u32>; assert_eq!(answer(), 42); }\n",
    ),
    (
        "middle/src/lib.rs",
        "thread_local!(static N: u8 = 3);\n#[test] fn in_2018() { N.with(|n| println!(\"{}\", n)); }\n",
    ),
    (
        "later/src/lib.rs",
        "pub fn shared() -> std::sync::Arc<std::sync::Mutex<u32>> { Default::default() }\n\
         #[test] fn in_2021() { let n: u8 = 300u32.try_into().unwrap_or(7); assert_eq!(n, 7); }\n",
    ),
    (
        "bare/src/lib.rs",
        "#![no_std]\nuse core::sync::atomic::{AtomicBool, Ordering};\n\
         pub fn take(flag: &AtomicBool) -> bool { let free = !flag.load(Ordering::SeqCst);\n\
         if free { flag.store(true, Ordering::SeqCst) } free }\n\
         #[cfg(test)] extern crate std;\n\
         #[test] fn only_one_takes() {\n    let flag = AtomicBool::new(false);\n\
         let both = std::thread::scope(|s| { let other = s.spawn(|| take(&flag)); take(&flag) & other.join().unwrap() });\n\
         assert!(!both);\n}\n",
    ),
    (
        "derive/src/lib.rs",
        "use proc_macro::TokenStream;\n#[proc_macro]\npub fn two(_: TokenStream) -> TokenStream {\n\
         // A thread of the compiler's, not of a test's.\n\
         std::thread::spawn(|| \"2\").join().unwrap().parse().unwrap()\n}\n\
         #[test] fn of_the_macro() {}\n",
    ),
    (
        "app/build.rs",
        "use std::sync::Mutex;\nfn main() {\n    let name = Mutex::new(\"built\");\n\
         std::thread::scope(|s| { s.spawn(|| println!(\"cargo::rustc-env=BUILT={}\", name.lock().unwrap())); });\n}\n",
    ),
    (
        "app/src/lib.rs",
        "pub fn two() -> u32 { derive::two!() }\n#[test] fn macros() { assert_eq!(two(), 2); }\n",
    ),
    (
        "app/src/main.rs",
        "fn main() { println!(\"{}\", app::two()) }\n#[test] fn of_the_binary() { assert_eq!(env!(\"BUILT\"), \"built\"); }\n",
    ),
    ("app/examples/show.rs", "fn main() {}\n#[test] fn of_the_example() {}\n"),
    (
        "app/tests/shared.rs",
        "#[test] fn sums() {\n    let n = later::shared();\n    std::thread::scope(|s| { s.spawn(|| *n.lock().unwrap() += 1); *n.lock().unwrap() += 1; });\n\
         assert_eq!(*n.lock().unwrap(), 2);\n}\n\
         #[test] fn binary_runs() {\n    let out = std::process::Command::new(env!(\"CARGO_BIN_EXE_app\")).output().unwrap();\n\
         assert_eq!(out.stdout, b\"2\\n\");\n}\n",
    ),
    ("app/tests/own.rs", "fn main() { std::fs::write(\"was_run\", \"\").unwrap(); }\n"),
    ("left-out/src/lib.rs", "#[test] fn fails() { panic!() }\n"),
    ("left-out/selvedge.toml", "executions = 3\n"),
    (".gitignore", "target\n"),
];

static PROJECT: LazyLock<Project> = LazyLock::new(|| {
    let project = Project::new("workspace", &FILES);
    for (name, edition, rest) in PACKAGES {
        let text = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n{rest}"
        );
        project.write(&format!("{name}/Cargo.toml"), &text);
    }
    project
});

fn run(arguments: &[&str]) -> Ran {
    PROJECT.run(["test", "--executions", "200"].iter().chain(arguments))
}

#[test]
fn all_packages_are_tested_and_the_bug_among_them_is_found() {
    let ran = run(&["--workspace", "--exclude", "left-out"]);
    ran.left_with(1).says(&["FOUND bare only_one_takes"]);
    // sums; in_2015, in_2018, in_2021, macros, of_the_binary, binary_runs.
    ran.says(&["Finished 1 finding, 1 explored and passed, 6 sequential and passed"]);
}

#[test]
fn what_can_not_be_under_control_is_named_and_not_run() {
    let ran = run(&["-p", "app", "-p", "derive"]);
    ran.left_with(0).says(&["Note", "app::test/own was not run", "`harness = false`"]);
    ran.says(&["Note", "derive was not run: a procedural macro"]);
    assert!(!PROJECT.folder.join("app/was_run").exists());
    let ran = run(&["-p", "app", "--test", "own"]);
    ran.left_with(4).says(&["there are no tests"]).says(&["app::test/own was not run"]);
}

#[test]
fn packages_and_targets_can_be_chosen() {
    run(&["-p", "old"]).left_with(0).says(&["Finished 1 sequential and passed"]);
    run(&["-p", "left-out"]).left_with(1).says(&["FOUND left-out fails"]);
    run(&["-p", "app", "--lib"]).left_with(0).says(&["Finished 1 sequential and passed"]);
    run(&["-p", "app", "--bins"]).left_with(0).says(&["Finished 1 sequential and passed"]);
    run(&["-p", "app", "--example", "show"]).left_with(0).says(&["Finished 1 sequential"]);
    let ran = run(&["-p", "app", "--test", "shared", "sums"]);
    ran.left_with(0).says(&["passed app::test/shared sums: "]);
    run(&["-p", "nobody"]).left_with(3).says(&["nobody"]);
}

#[test]
fn doctor_names_what_runs_while_compiling() {
    let ran = PROJECT.run(["doctor"]);
    ran.left_with(0);
    assert!(ran.stdout.contains("runs while compiling") && ran.stdout.contains("derive"), "{ran}");
}

#[test]
fn the_folder_or_the_manifest_says_which_package_is_meant() {
    let mut command = PROJECT.command(["test"]);
    command.current_dir(PROJECT.folder.join("old"));
    Ran::of(command).left_with(0).says(&["Finished 1 sequential and passed; 1 execution"]);
    let mut command = PROJECT.command(["test", "--manifest-path", "middle/Cargo.toml"]);
    command.args(["--", "--nocapture"]);
    let ran = Ran::of(command);
    assert_eq!(ran.left_with(0).stdout, "3\n");
}
