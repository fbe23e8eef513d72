//! Whatever cargo links, we link: the memory layer's functions are in every program.

use crate::support::Project;

/// A workspace with unsafe code in some members, and with every kind of target beside it.
const FILES: [(&str, &str); 22] = [
    (
        "Cargo.toml",
        "[workspace]\nresolver = \"2\"\n\
         members = [\"raw\", \"for-c\", \"app\", \"bare\", \"derive\", \"old\"]\n\
         [profile.dev]\nlto = \"fat\"\npanic = \"abort\"\nstrip = true\ndebug = 0\n\
         [profile.release]\nlto = true\npanic = \"abort\"\ncodegen-units = 1\n",
    ),
    ("raw/Cargo.toml", "[package]\nname = \"raw\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
    ("raw/src/lib.rs", RAW),
    // A library that is also made for C.
    (
        "for-c/Cargo.toml",
        "[package]\nname = \"for-c\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [lib]\ncrate-type = [\"rlib\", \"cdylib\", \"staticlib\"]\n\
         [dependencies]\nraw = { path = \"../raw\" }\n",
    ),
    ("for-c/src/lib.rs", FOR_C),
    ("for-c/tests/linked.rs", "#[test] fn links() { assert_eq!(for_c::for_c_first(&7), 7) }\n"),
    // All kinds of targets, without unsafe code.
    (
        "app/Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
         [dependencies]\nraw = { path = \"../raw\" }\nbare = { path = \"../bare\" }\n\
         derive = { path = \"../derive\" }\nold = { path = \"../old\" }\n\
         [[test]]\nname = \"own\"\nharness = false\n\
         [[bench]]\nname = \"fast\"\nharness = false\n",
    ),
    ("app/build.rs", "fn main() { println!(\"cargo::rerun-if-changed=build.rs\") }\n"),
    (
        "app/src/lib.rs",
        "pub fn sum(all: &[u32]) -> u32 { all.iter().sum::<u32>() + raw::first(all) }\n",
    ),
    ("app/src/main.rs", "fn main() { println!(\"sum {}\", app::sum(&[1, 2])) }\n"),
    ("app/examples/shown.rs", "fn main() { println!(\"{}\", raw::first(&[7])) }\n"),
    ("app/benches/fast.rs", "fn main() { raw::first(&[7]); }\n"),
    ("app/tests/own.rs", "fn main() { assert_eq!(raw::first(&[7]), 7) }\n"),
    ("app/tests/together.rs", TOGETHER),
    // Neither std nor its unit tests' std are the same.
    ("bare/Cargo.toml", "[package]\nname = \"bare\"\nversion = \"0.1.0\"\nedition = \"2018\"\n"),
    ("bare/src/lib.rs", BARE),
    ("bare/examples/cell.rs", "fn main() { bare::Flag::new().raise(); }\n"),
    // For the compiler, not for tests.
    (
        "derive/Cargo.toml",
        "[package]\nname = \"derive\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
         [lib]\nproc-macro = true\n[dependencies]\nraw = { path = \"../raw\" }\n",
    ),
    ("derive/src/lib.rs", DERIVE),
    ("derive/tests/derived.rs", "#[test] fn is_seven() { assert_eq!(derive::seven!(), 7) }\n"),
    (
        "old/Cargo.toml",
        "[package]\nname = \"old\"\nversion = \"0.1.0\"\n[lib]\ncrate-type = [\"lib\"]\n",
    ),
    (
        "old/src/lib.rs",
        "extern crate core;\npub fn id(x: u32) -> u32 { unsafe { ::core::ptr::read(&x) } }\n",
    ),
];

const FOR_C: &str = "\
#[unsafe(no_mangle)]
pub extern \"C\" fn for_c_first(all: *const u32) -> u32 {
    raw::first(unsafe { std::slice::from_raw_parts(all, 1) })
}
";

const RAW: &str = "\
pub fn first(all: &[u32]) -> u32 {
    unsafe { *all.get_unchecked(0) }
}

pub fn shared(value: u32) -> std::sync::Arc<u32> {
    std::sync::Arc::new(value)
}

#[cfg(target_arch = \"x86_64\")]
#[target_feature(enable = \"cmpxchg16b\")]
pub unsafe fn take_two(pair: *mut u128) -> u128 {
    use std::sync::atomic::Ordering::SeqCst;
    unsafe { std::arch::x86_64::cmpxchg16b(pair, 7, 0, SeqCst, SeqCst) }
}

#[cfg(target_arch = \"x86_64\")]
#[test]
fn sixteen_bytes_are_exchanged_at_once() {
    if std::arch::is_x86_feature_detected!(\"cmpxchg16b\") {
        let mut pair = 7;
        assert_eq!(unsafe { (take_two(&mut pair), take_two(&mut pair)) }, (7, 0));
    }
}

/// As without us, whatever the level of optimisation.
#[cfg(debug_assertions)]
#[test]
#[should_panic = \"overflow\"]
fn overflow_is_noticed() {
    let most = std::hint::black_box(u32::MAX);
    std::hint::black_box(most + 1);
}
";

const TOGETHER: &str = "\
#[test]
fn two_threads() {
    let value = raw::shared(old::id(2));
    let other = value.clone();
    let thread = std::thread::spawn(move || bare::Flag::new().raise() as u32 + *other);
    assert_eq!(thread.join().unwrap() + derive::seven!(), 10);
    assert_eq!(app::sum(&[*value]), 4);
}

#[test]
fn the_binary_runs() {
    let output = std::process::Command::new(env!(\"CARGO_BIN_EXE_app\")).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), \"sum 4\\n\");
}
";

const BARE: &str = "\
#![no_std]
extern crate alloc;
#[cfg(test)]
extern crate std;

use alloc::boxed::Box;
use core::sync::atomic::{AtomicBool, Ordering};

pub struct Flag(*mut AtomicBool);

impl Flag {
    pub fn new() -> Self {
        Flag(Box::into_raw(Box::new(AtomicBool::new(false))))
    }

    pub fn raise(&self) -> bool {
        unsafe { !(*self.0).swap(true, Ordering::SeqCst) }
    }
}

impl Drop for Flag {
    fn drop(&mut self) {
        drop(unsafe { Box::from_raw(self.0) });
    }
}

unsafe impl Sync for Flag {}

#[test]
fn one_of_two_raises_it() {
    let flag = Flag::new();
    let raised = std::thread::scope(|scope| {
        let other = scope.spawn(|| flag.raise());
        flag.raise() as u32 + other.join().unwrap() as u32
    });
    assert_eq!(raised, 1);
}
";

const DERIVE: &str = "\
#[proc_macro]
pub fn seven(_: proc_macro::TokenStream) -> proc_macro::TokenStream {
    raw::first(&[7]).to_string().parse().unwrap()
}

#[test]
fn parses() {}
";

#[test]
fn every_kind_of_target_links_beside_unsafe_code() {
    let project = Project::new("links", &FILES);
    let ran = project.run(["test", "--workspace"]);
    ran.left_with(0).says(&["Exploring 7 tests"]).says(&["app::test/own was not run"]);
    ran.says(&["derive was not run", "a procedural macro"]);
    let ran = project.run(["test", "--workspace", "--all-targets", "--release", "--no-run"]);
    ran.left_with(0);
}
