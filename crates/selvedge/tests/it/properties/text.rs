//! Schedules and settings as text: what is printed reads back, and nothing brings the parser down.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use selvedge::{Choice, Config, Decision, OperationKind, Schedule};
use selvedge_model::{Point, Source, ThreadPath, ValueName};

fn thread() -> impl Strategy<Value = ThreadPath> {
    let ordinals = vec(1..=u32::MAX, 0..4);
    ordinals.prop_map(|path| path.into_iter().fold(ThreadPath::main(), |p, n| p.child(n)))
}

/// Names of files with everything in them that the format uses itself, that separates words, or
/// that is more than one byte long.
fn file() -> impl Strategy<Value = String> {
    let special = "[ %#>=@:./\\\\\t\n\r\u{b}\u{c}\u{85}\u{a0}\u{2028}a-z0-9äλ中🧵\"']{0,12}";
    prop_oneof![special, "[a-z]{1,8}/[a-z]{1,8}\\.rs", ".{0,20}"]
}

fn point() -> impl Strategy<Value = Point> {
    let source = (file(), 1..=u32::MAX, 1..=u32::MAX).prop_map(|(file, line, column)| Source {
        file,
        line,
        column,
    });
    (thread(), select(OperationKind::ALL), option::of(source), 1..=u32::MAX)
        .prop_map(|(thread, kind, source, occurrence)| Point { thread, kind, source, occurrence })
}

fn value() -> impl Strategy<Value = ValueName> {
    prop_oneof![Just(ValueName::Initial), point().prop_map(ValueName::By)]
}

fn choice() -> impl Strategy<Value = Choice> {
    prop_oneof![
        thread().prop_map(Choice::Switch),
        (1..=u32::MAX).prop_map(Choice::Wake),
        (1..=u32::MAX).prop_map(Choice::RandomBytes),
        value().prop_map(Choice::Sees),
        value().prop_map(Choice::Below),
        (1..=u32::MAX).prop_map(Choice::Delay),
        Just(Choice::Timeout),
        Just(Choice::Spurious),
        Just(Choice::WeakFailure),
        Just(Choice::PolledAgain),
        Just(Choice::OtherWaker),
        Just(Choice::EarlyDrop),
        Just(Choice::SpinOn),
    ]
}

fn schedule() -> impl Strategy<Value = Schedule> {
    let decision = (point(), choice()).prop_map(|(at, choice)| Decision { at, choice });
    vec(decision, 0..6).prop_map(|decisions| Schedule { decisions })
}

/// A text that is nearly a schedule: printed, then damaged at one place.
fn damaged() -> impl Strategy<Value = String> {
    (schedule(), any::<prop::sample::Index>(), ".{0,3}", 0..4usize).prop_map(
        |(schedule, place, insert, remove)| {
            let mut text: Vec<char> = schedule.to_string().chars().collect();
            let start = place.index(text.len());
            let end = (start + remove).min(text.len());
            text.splice(start..end, insert.chars());
            text.into_iter().collect()
        },
    )
}

/// Reads a text; if that is refused, the place of the mistake must lie in the text.
fn read(text: &str) -> Result<Option<Schedule>, TestCaseError> {
    match text.parse::<Schedule>() {
        Ok(schedule) => Ok(Some(schedule)),
        Err(error) => {
            prop_assert!(text.get(error.span.clone()).is_some(), "{:?} in {text:?}", error.span);
            prop_assert!(!error.to_string().is_empty());
            Ok(None)
        }
    }
}

proptest! {
    #![proptest_config(super::repeatable())]

    #[test]
    fn a_schedule_reads_back_as_it_was_printed(schedule in schedule()) {
        let text = schedule.to_string();
        prop_assert!(!text.contains('\n'), "a schedule is one line");
        prop_assert_eq!(read(&text)?, Some(schedule), "{}", text);
    }

    #[test]
    fn any_text_is_a_schedule_or_a_mistake_with_its_place(text in "(selvedge/1 )?\\PC*") {
        if let Some(schedule) = read(&text)? {
            prop_assert_eq!(read(&schedule.to_string())?, Some(schedule));
        }
    }

    #[test]
    fn a_damaged_schedule_is_read_or_refused(text in damaged()) {
        if let Some(schedule) = read(&text)? {
            prop_assert_eq!(read(&schedule.to_string())?, Some(schedule));
        }
    }

    #[test]
    fn any_setting_is_taken_or_refused(
        key in prop_oneof![
            select(Config::SETTINGS).prop_map(|setting| setting.key.to_owned()),
            "\\PC*",
        ],
        value in prop_oneof!["\\PC*", "[0-9_]{0,24}(k|K|M|ms|s|m|h|)", "(pct|surw)\\(?\\PC{0,3}\\)?"],
    ) {
        let mut config = Config::default();
        if let Err(error) = config.set(&key, &value) {
            prop_assert!(!error.to_string().is_empty());
            prop_assert_eq!(config, Config::default(), "a refused value changes nothing");
        }
    }

    #[test]
    fn any_file_is_taken_or_refused_line_by_line(
        text in "(([a-z_]{1,12}|\\PC{0,5}) ?(= ?)?\"?\\PC{0,8}\"?\n){0,5}",
    ) {
        let lines = text.lines().count();
        if let Err(errors) = Config::default().apply_file("selvedge.toml", &text) {
            prop_assert!(errors.len() <= lines);
            for error in errors {
                let place = error.place.strip_prefix("selvedge.toml:").expect("the file is named");
                prop_assert!((1..=lines).contains(&place.parse().expect("a line number")));
            }
        }
    }

    #[test]
    fn a_size_is_what_it_says_or_refused(
        number in any::<u64>(),
        shift in 0..64u32,
        unit in select(&["", "k", "M"]),
    ) {
        let number = number >> shift;
        let bytes = u128::from(number) << match unit { "k" => 10, "M" => 20, _ => 0 };
        let mut config = Config::default();
        if config.set("stack_size", &format!("{number}{unit}")).is_ok() {
            prop_assert_eq!(config.stack_size as u128, bytes);
        }
    }
}

#[test]
fn a_form_feed_in_the_name_of_a_file_reads_back() {
    let source = Source { file: "form\u{c}feed.rs".to_owned(), line: 1, column: 1 };
    let kind = OperationKind::AtomicLoad;
    let at = Point { thread: ThreadPath::main(), kind, source: Some(source), occurrence: 1 };
    let decision = Decision { at, choice: Choice::Switch(ThreadPath::main().child(1)) };
    let schedule = Schedule { decisions: vec![decision] };
    assert_eq!(schedule.to_string().parse(), Ok(schedule));
}

#[test]
fn a_size_that_is_too_large_for_the_machine_is_refused() {
    // 2^64 + 16384 bytes.
    assert!(Config::default().set("stack_size", "18014398509482000k").is_err());
}
