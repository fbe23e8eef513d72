//! Properties of texts. The cases are the same in every run; `PROPTEST_RNG_SEED` and `PROPTEST_CASES`
//! choose others.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed};
use selvedge_spec::{
    Errors, EventName, EventRef, Formula, FormulaKind, Occurrence, Ordering, Span, Spec, ThreadName,
};
use std::num::NonZeroU32;

/// As the environment says, and repeatable if it says nothing.
fn repeatable() -> Config {
    let config = Config::default();
    let rng_seed = match config.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed => fixed,
    };
    Config { rng_seed, failure_persistence: None, ..config }
}

const IMPLICIT: [&str; 4] = ["start", "end", "block", "unblock"];

/// Names, those included that need quotes.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,2}",
        1 => "[a-z_]{1,4}(::[a-zA-Z0-9_]{1,3}){0,2}(-[a-z0-9]{1,2}){0,2}",
        1 => select(&["::", "a::", "-", "a-", "1", "é", "#", "a b", "\"", "\\", "//", "[a]"][..])
            .prop_map(str::to_owned),
        1 => any::<String>().prop_filter("names are not empty", |name| !name.is_empty()),
    ]
}

fn event_name() -> impl Strategy<Value = EventName> {
    prop_oneof![
        5 => name()
            .prop_filter("these have other names", |name| !IMPLICIT.contains(&name.as_str()))
            .prop_map(EventName::Named),
        1 => select(&[EventName::Start, EventName::End, EventName::Block, EventName::Unblock][..]),
    ]
}

fn thread() -> impl Strategy<Value = ThreadName> {
    prop_oneof![name(), select(&IMPLICIT[..]).prop_map(str::to_owned)].prop_map(ThreadName)
}

fn event() -> impl Strategy<Value = EventRef> {
    let occurrence = prop_oneof![
        3 => Just(Occurrence::FIRST),
        1 => (1_u32..).prop_map(|n| Occurrence::Nth(NonZeroU32::new(n).expect("from 1"))),
        1 => Just(Occurrence::Every),
    ];
    (event_name(), option::of(thread()), occurrence).prop_map(|(name, thread, occurrence)| {
        EventRef { name, thread, occurrence, span: Span::default() }
    })
}

fn formula() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        event().prop_map(FormulaKind::Event),
        event().prop_map(FormulaKind::BlockEvent),
        thread().prop_map(FormulaKind::Blocked),
    ];
    let with_span = |kind| Formula { kind, span: Span::default() };
    leaf.prop_map(with_span).prop_recursive(4, 16, 3, move |inner| {
        let kind = prop_oneof![
            inner.clone().prop_map(|formula| FormulaKind::Not(Box::new(formula))),
            vec(inner.clone(), 2..4).prop_map(FormulaKind::All),
            vec(inner.clone(), 2..4).prop_map(FormulaKind::Any),
            (inner.clone(), inner)
                .prop_map(|(a, b)| FormulaKind::Ordered(Box::new(a), Box::new(b))),
        ];
        kind.prop_map(with_span)
    })
}

fn spec() -> impl Strategy<Value = Spec> {
    let ordering = (formula(), event()).prop_map(|(condition, event)| Ordering {
        condition,
        event,
        span: Span::default(),
    });
    vec(ordering, 1..4).prop_map(|orderings| Spec { orderings })
}

/// A text in which a few characters were removed, doubled or replaced.
fn damaged() -> impl Strategy<Value = String> {
    let damage =
        select(&["", "(", ")", "[", "]", ",", "->", "&&", "#", "@", "\"", "é", "\n", "*", "!"][..]);
    (spec(), vec((any::<Index>(), 0_usize..3, damage), 1..4)).prop_map(|(spec, damages)| {
        let mut text: Vec<char> = spec.to_string().chars().collect();
        for (index, removed, inserted) in damages {
            let at = index.index(text.len() + 1);
            let end = (at + removed).min(text.len());
            text.splice(at..end, inserted.chars());
        }
        text.into_iter().collect()
    })
}

/// What is told can be shown: all places are in the text.
fn shown(text: &str, errors: &Errors) -> Result<(), TestCaseError> {
    prop_assert!(!errors.0.is_empty());
    for error in &errors.0 {
        let spans = error.labels.iter().map(|label| label.span).chain([error.span]);
        for Span { start, end } in spans {
            prop_assert!(text.get(start..end).is_some(), "{start}..{end} in {text:?}: {error}");
        }
        prop_assert!(!error.message.is_empty());
    }
    let shown = errors.render(text, "schedule");
    prop_assert_eq!(shown.matches("error: ").count() >= errors.0.len(), true, "{}", shown);
    Ok(())
}

/// Reads a text in both ways.
fn read(text: &str) -> Result<Option<Spec>, TestCaseError> {
    let syntax = Spec::parse_syntax(text);
    if let Err(errors) = &syntax {
        shown(text, errors)?;
    }
    match Spec::parse(text) {
        Ok(spec) => {
            prop_assert!(syntax.is_ok());
            if let Err(errors) = spec.enforceable() {
                shown(text, &errors)?;
            }
            prop_assert_eq!(&Spec::parse(&spec.to_string()).expect("it was read before"), &spec);
        }
        Err(errors) => shown(text, &errors)?,
    }
    Ok(syntax.ok())
}

proptest! {
    #![proptest_config(repeatable())]

    #[test]
    fn a_schedule_reads_back_as_it_was_printed(spec in spec()) {
        let text = spec.to_string();
        prop_assert_eq!(read(&text)?, Some(spec), "{}", text);
    }

    #[test]
    fn any_text_is_a_schedule_or_mistakes_with_their_places(text in any::<String>()) {
        read(&text)?;
    }

    #[test]
    fn any_text_of_the_right_characters_is_a_schedule_or_mistakes_with_their_places(
        text in "([ab]|->|,|&&|\\|\\||!|\\(|\\)|\\[|\\]|@t|#1|#\\*|\"| |\n|start@t|::|-|//|é|\t){0,24}",
    ) {
        if let Some(spec) = read(&text)? {
            prop_assert_eq!(read(&spec.to_string())?, Some(spec));
        }
    }

    #[test]
    fn a_damaged_schedule_is_a_schedule_or_mistakes_with_their_places(text in damaged()) {
        if let Some(spec) = read(&text)? {
            prop_assert_eq!(read(&spec.to_string())?, Some(spec));
        }
    }
}

#[test]
fn very_deep_and_very_long_texts_are_read_or_refused() {
    for text in [
        "(".repeat(100_000),
        "!".repeat(100_000),
        "[".repeat(100_000),
        "a->".repeat(2_000),
        "(a, ".repeat(300),
        "((((a -> b), ".repeat(100),
        "#".repeat(2_000),
        "\"\\".repeat(1_000),
        format!("{}a{} -> b", "(".repeat(1_000), ")".repeat(1_000)),
    ] {
        let errors = Spec::parse(&text).expect_err("it is no schedule");
        assert!(!errors.render(&text, "long").is_empty());
    }
    let many = (0..300).map(|n| format!("a{n} -> a{}", n + 1)).collect::<Vec<_>>().join(", ");
    assert_eq!(Spec::parse(&many).expect("it is a schedule").orderings.len(), 300);
}
