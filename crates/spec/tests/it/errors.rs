//! What is told of texts that are no schedules: all mistakes, each at its place.

use selvedge_spec::Spec;

/// What is told of the text: for each mistake what it is about, and the message.
fn mistakes(text: &str) -> Vec<(&str, String)> {
    let errors = Spec::parse(text).expect_err("there are mistakes in it");
    let place = |span: selvedge_spec::Span| &text[span.start..span.end];
    errors.into_iter().map(|error| (place(error.span), error.message)).collect()
}

#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let mistakes = mistakes(text);
    let mistakes: Vec<_> =
        mistakes.iter().map(|(place, message)| (*place, message.as_str())).collect();
    assert_eq!(mistakes, expected, "{text}");
}

fn help(text: &str) -> String {
    let errors = Spec::parse(text).expect_err("there are mistakes in it");
    let helps = errors.into_iter().filter_map(|error| error.help);
    helps.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_mistake_is_told() {
    check(
        "a b -> c, (a && ) -> d, x -> [y], e -> f, g -> , [h -> i, z",
        &[
            ("b", "expected `->`, `&&` or `||`, found `b`"),
            (")", "expected an event, `[`, `(` or `!`, found `)`"),
            ("[y]", "the right side of `->` is one event"),
            (",", "expected an event, found `,`"),
            ("->", "one event or one thread stands in `[ ]`"),
            ("z", "this orders nothing: `->` is missing"),
        ],
    );
}

#[test]
fn after_a_mistake_in_brackets_the_rest_of_the_ordering_is_read() {
    check(
        "(a &&) || [b,] -> c -> d",
        &[
            (")", "expected an event, `[`, `(` or `!`, found `)`"),
            (",", "expected `]`, found `,`"),
            ("->", "an ordering has one `->`"),
        ],
    );
}

#[test]
fn orderings_without_mistakes_are_checked_beside_those_with_mistakes() {
    check(
        "a -> b, b -> a, c d",
        &[
            ("a", "no execution can be like this: `a -> b -> a`"),
            ("d", "expected `->`, `&&` or `||`, found `d`"),
        ],
    );
}

#[test]
fn nothing_is_no_schedule() {
    check("", &[("", "a schedule has at least one ordering")]);
    check(" // nothing", &[("", "a schedule has at least one ordering")]);
    check(",", &[(",", "expected an ordering before this `,`")]);
}

#[test]
fn what_other_languages_write_is_known() {
    check("a & b => c", &[("&", "`&` means nothing here"), ("=>", "`=>` means nothing here")]);
    assert_eq!(help("a & b => c"), "write `&&`\nwrite `->`");
    check("a and b -> c", &[("and", "expected `->`, `&&` or `||`, found `and`")]);
    assert_eq!(help("a and b -> c"), "write `&&`");
    check(
        "a → b; b ∧ ¬d -> c",
        &[
            ("→", "`→` means nothing here"),
            (";", "`;` means nothing here"),
            ("∧", "`∧` means nothing here"),
            ("¬", "`¬` means nothing here"),
        ],
    );
    check("Queue.add -> b", &[(".", "`.` means nothing here")]);
    assert_eq!(help("Queue.add -> b"), "write `::`");
}

#[test]
fn the_right_side_is_one_event() {
    let message = "the right side of `->` is one event";
    check("a -> (b && c)", &[("(b && c)", message)]);
    assert_eq!(help("a -> (b && c)"), "write `a -> b, a -> c`");
    check("a -> b && c", &[("&&", "the right side of `->` is one event, but `&&` follows")]);
    check("a -> [t]", &[("[t]", message)]);
    check("a -> !b", &[("!b", message)]);
    assert!(Spec::parse("a -> (b)").is_ok());
}

#[test]
fn a_chain_is_written_as_orderings() {
    check("a -> b -> c", &[("->", "an ordering has one `->`")]);
    assert!(help("a -> b -> c").starts_with("write `a -> b, b -> …` for a chain"));
}

#[test]
fn brackets_are_closed() {
    check("(a -> b, c -> d", &[("(", "this bracket is not closed")]);
    check("(a && b -> c) -> d, [e -> f", &[("->", "one event or one thread stands in `[ ]`")]);
    check("[e, f -> g", &[("[", "this bracket is not closed")]);
    check("a) -> b", &[(")", "expected `->`, `&&` or `||`, found `)`")]);
    check("() -> b", &[("()", "nothing stands in these parentheses")]);
    check("(a, b) -> c", &[(",", "`,` stands between orderings only")]);
    check("\"a -> b", &[("\"", "this quote is not closed")]);
}

#[test]
fn names_are_names() {
    check("1a -> b", &[("1a", "`1a` is no name: it begins with a digit")]);
    check("a@1 -> b", &[("1", "`1` is no thread's name: it begins with a digit")]);
    check("\"\" -> b", &[("\"\"", "a name is not empty")]);
    check("\"a\\q\" -> b", &[("\\q", "an unknown escape sequence")]);
    check("\"start\"@t -> b", &[("\"start\"", "`start` happens to every thread by itself")]);
    check("a@t@u -> b", &[("@u", "an event happens to one thread")]);
    check("a $ b -> c", &[("$", "`$` means nothing here")]);
    check("a:: -> c", &[("->", "expected the next part of the name, found `->`")]);
}

#[test]
fn occurrences_are_numbers() {
    check("a#0 -> b", &[("0", "occurrences are counted from 1")]);
    check("a#x -> b", &[("x", "expected a number or `*`, found `x`")]);
    check("a#1#2 -> b", &[("#2", "an event has one number")]);
    check("a#99999999999 -> b", &[("99999999999", "nobody can count to 99999999999")]);
}

#[test]
fn nesting_has_a_limit() {
    let text = format!("{}a{} -> b", "!".repeat(101), "");
    check(&text, &[("!", "parentheses and negations are nested more than 100 deep")]);
    let text = format!("{}a -> b", "!".repeat(98));
    assert!(Spec::parse(&text).is_ok());
}

#[test]
fn all_ways_to_write_an_event_are_read() {
    let spec = Spec::parse(
        "take#2@t -> a, take@t#2 -> b, // the same\n\"take\" @ \"t\" # 2 -> c, queue::add@worker-1 -> d#1,",
    )
    .expect("it is a schedule");
    assert_eq!(
        spec.to_string(),
        "take@t#2 -> a, take@t#2 -> b, take@t#2 -> c, queue::add@worker-1 -> d"
    );
}

#[test]
fn mistakes_are_shown_in_their_lines() {
    let text = "finished_add1 -> starting_take1,\n[starting_take2 && x] -> starting_add2,\nstarting_take1 -> finished_add1";
    let errors = Spec::parse(text).expect_err("there are mistakes in it");
    assert_eq!(
        errors.render(text, "tests/queue.rs schedule"),
        "\
error: no execution can be like this: `finished_add1 -> starting_take1 -> finished_add1`
 --> tests/queue.rs schedule:1:1
  |
1 | finished_add1 -> starting_take1,
  | ^^^^^^^^^^^^^ `finished_add1` comes before `starting_take1`
...
3 | starting_take1 -> finished_add1
  | -------------- `starting_take1` comes before `finished_add1`

error: one event or one thread stands in `[ ]`
 --> tests/queue.rs schedule:2:17
  |
2 | [starting_take2 && x] -> starting_add2,
  |                 ^^
  |
  = help: write `[a] && [b]` for two
"
    );
}

#[test]
fn carets_stand_below_what_they_are_about() {
    let text = "\t\"a\u{301}\" && 待つ && \"x\u{7}\" ß -> b";
    let errors = Spec::parse(text).expect_err("there is a mistake in it");
    assert_eq!(
        errors.render(text, "schedule"),
        "\
error: expected `->`, `&&` or `||`, found `ß`
 --> schedule:1:21
  |
1 |     \"a\u{301}\" && 待つ && \"x\u{fffd}\" ß -> b
  |                         ^
"
    );
}

#[test]
fn marks_go_over_several_lines() {
    let text = "a &&\n  b &&\r\n  [@t] -> c";
    let errors = Spec::parse(text).expect_err("there is a mistake in it");
    assert_eq!(
        errors.render(text, "schedule"),
        "\
error: `[@t]` at which moment?
 --> schedule:1:1
  |
1 | a &&
  | ^^^^
  | - this has a moment of its own
2 |   b &&
  |   ^^^^
  |   - this has a moment of its own
3 |   [@t] -> c
  |   ^^^^
  |   ---- this holds over a time
  |
  = help: say so with parentheses: `(a && [@t]) && b` is the moment of `a`, `a && (b && [@t])` that of `b`
"
    );
}
