//! Which statements are sleeps.

use selvedge_migrate::source::{Kind, Scope, Sources};

fn sleeps(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    sources.add("a.rs", text, &[], Scope::All).expect("it parses");
    let sleeps = sources.statements().filter(|(_, s)| s.kind == Kind::Sleep);
    sleeps.map(|(id, _)| sources.text(id).to_owned()).collect()
}

#[test]
fn sleeps_are_known_under_every_name() {
    let text = "
        use std::thread;
        use std::thread as t;
        use std::thread::{self as again, sleep, sleep as nap};
        fn f() {
            thread::sleep(d);
            t::sleep(d);
            again::sleep(d);
            sleep(d);
            nap(d);
            std::thread::sleep(d);
            ::std::thread::sleep(d);
            thread::sleep_ms(5);
            other::sleep(d);
            tokio::time::sleep(d).await;
        }
        mod tests {
            use super::*;
            fn g() { sleep(d); }
        }
        mod apart {
            fn h() { sleep(d); }
        }
        mod inner {
            fn i() { use std::thread::sleep; sleep(d); }
        }
    ";
    assert_eq!(sleeps(text).len(), 10, "{:?}", sleeps(text));
}

#[test]
fn a_function_that_only_sleeps_is_a_sleep() {
    let text = "
        fn ms(n: u64) { std::thread::sleep(Duration::from_millis(n)); }
        fn f() { ms(5); work(); }
    ";
    assert_eq!(sleeps(text), ["std::thread::sleep(Duration::from_millis(n));", "ms(5);"]);
}

#[test]
fn a_module_of_the_test_may_pass_the_sleep_on() {
    let text = "
        mod thread { pub use std::thread::{sleep, spawn}; }
        fn f() { thread::sleep(d); }
    ";
    assert_eq!(sleeps(text), ["thread::sleep(d);"]);
}

#[test]
fn another_function_of_that_name_is_none() {
    assert_eq!(sleeps("fn sleep() { work(); } fn f() { sleep(); }"), [""; 0]);
}

#[test]
fn source_that_does_not_parse_is_an_error_with_its_place() {
    let mut sources = Sources::default();
    let error =
        sources.add("tests/a.rs", "fn f() {\n    let = ;\n}\n", &[], Scope::All).unwrap_err();
    assert_eq!((error.line, error.to_string().starts_with("tests/a.rs:2:")), (2, true), "{error}");
    assert_eq!(sources.files().count(), 0);
}

#[test]
fn in_libraries_only_tests_are_test_code() {
    let mut sources = Sources::default();
    let text = "
        fn helper() { std::thread::sleep(d); }
        #[test] fn own() { std::thread::sleep(d); }
        #[cfg(test)] mod tests { fn f() { std::thread::sleep(d); } #[test] fn r#t() {} }
        #[cfg(test)] mod elsewhere;
    ";
    let outlines = sources.add("src/lib.rs", text, &[], Scope::Tests).expect("it parses");
    assert_eq!(sources.statements().count(), 2);
    let names: Vec<_> = sources.tests().iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names, ["own", "tests::t"]);
    assert_eq!((outlines[0].name.as_str(), outlines[0].scope), ("elsewhere", Scope::All));
}
