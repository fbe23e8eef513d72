//! What edits do to all sorts of source.

use crate::support::Subject;
use selvedge_migrate::edit::apply;
use selvedge_migrate::instrument::{Tails, instrument};
use selvedge_migrate::rewrite::{Migration, Sleeps};
use selvedge_migrate::source::FileId;

#[test]
fn comments_stay_and_lines_go() {
    let source = "use std::thread;
#[test]
fn comments() {
    let t = thread::spawn(|| {
        first();

        // Give the other one a chance.
        thread::sleep(ms(1)); // It is slow.

        second();
    });
    thread::sleep(ms(9));
}
";
    let log = "
        0 0 call 4
        0 0 thread_start 1
        0 0 return 4
        0 0 call 12
        0 0 sleep_call
        0 1 thread_begin
        0 1 call 5
        0 1 return 5
        0 1 call 8
        0 1 sleep_call
        1 1 sleep_return
        1 1 return 8
        1 1 call 10
        1 1 return 10
        9 0 sleep_return
        9 0 return 12
    ";
    let subject = Subject::new(source);
    // Nothing is inferred from these sleeps, so that they would stay.
    let mut inferred = subject.infer(&[subject.log(log)]);
    inferred.removed = inferred.left.drain(..).filter_map(|(sleep, _)| sleep).collect();
    let migration = Migration::new(&subject.sources, subject.sources.tests()[0].clone(), inferred);
    let expected = "use std::thread;
#[test]
fn comments() {
    let t = thread::spawn(|| {
        first();

        // Give the other one a chance.
        // It is slow.

        second();
    });
}
";
    assert_eq!(subject.text(&migration, Sleeps::Removed), expected);
}

#[test]
fn closures_without_braces_get_them() {
    let source = "use std::thread;
#[test]
fn short() {
    let (s, r) = bounded(0);
    scope(|scope| {
        scope.spawn(|_| r.recv().unwrap());
        thread::sleep(ms(10));
        s.send(1).unwrap();
        thread::sleep(ms(10));
        assert!(s.is_empty());
    });
}
";
    let log = "
        0 0 call 4
        0 0 return 4
        0 0 call 5
        0 0 call 6
        0 0 thread_start 1
        0 0 return 6
        0 0 call 7
        0 0 sleep_call
        1 1 thread_begin
        1 1 call 6.2
        1 1 block_call untimed
        10 0 sleep_return
        10 0 return 7
        10 0 call 8
        10 0 return 8
        10 0 call 9
        10 0 sleep_call
        11 1 block_return
        11 1 return 6.2
        11 1 thread_end
        20 0 sleep_return
        20 0 return 9
        20 0 call 10
        20 0 return 10
        20 0 return 5
    ";
    let subject = Subject::new(source);
    let migration = subject.migrate(&[log]);
    let expected = ["[starting_recv] -> starting_send", "end@recv_thread -> starting_is_empty"];
    assert_eq!(migration.schedule(), expected);
    let text = subject.text(&migration, Sleeps::Removed);
    let expected = "        scope.spawn(|_| { selvedge::name_thread!(\"recv_thread\"); \
                    selvedge::event!(starting_recv); r.recv().unwrap() });
        selvedge::event!(starting_send);
        s.send(1).unwrap();
        selvedge::event!(starting_is_empty);
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn every_statement_of_the_logged_copy_tells_what_it_does() {
    let source = "#[test]
fn told() {
    let x = 1;
    run(|| ask(x).unwrap());
    if x > 0 { return; }
    assert_eq!(x, 0)
}
";
    let subject = Subject::new(source);
    let text = apply(source, &instrument(&subject.sources, FileId(0), Tails::Told));
    let log = "::selvedge::private::log::";
    let expected = format!(
        "#[test]
fn told() {{ let _selvedge_log = {log}begin(\"told\");
    {log}call(0); let x = 1; {log}returned(0);
    {log}call(1); run(|| {{ {log}call(2); match ask(x).unwrap() {{ value => {{ {log}returned(2); value }} }} }}); {log}returned(1);
    {log}call(3); if x > 0 {{ {log}call(4); return; }} {log}returned(3);
    {log}call(5); assert_eq!(x, 0); {log}returned(5);
}}
"
    );
    assert_eq!(text, expected);
}
