//! Writes an ordinary test for a violation.
//!
//! The test makes the same calls on the same threads, and asserts that what comes back is what some order of the calls
//! returns. It needs nothing but std. Under `cargo test` it fails if the system happens to run the threads in a bad way;
//! under `cargo selvedge test` it is explored.

mod calls;
mod helpers;

use crate::harness::Harness;
use crate::template::{Filling, Literals, Plain};
use calls::{Records, Statement, statement};
use helpers::Helper;
use selvedge_harness::{Access, EndedAs, GeneratedTest, Seen, Stand, Violation, Wrong};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Emitted {
    /// A module with a test.
    Test {
        /// The name of the module, and of the test.
        name: String,
        /// Its source.
        source: String,
    },
    /// Nothing, and why.
    Nothing(String),
}

/// What the parts of the object are called.
fn part_names(harness: &Harness) -> Vec<String> {
    let names = harness.subject.parts.iter().map(|part| {
        let code = part.fill(Filling::Harness);
        let path = code.split('<').next().unwrap_or_default();
        snake(path.rsplit("::").next().unwrap_or_default())
    });
    let mut names: Vec<_> = names.collect();
    if names.len() == 2 && names[0] == names[1] {
        names[1].push_str("_2");
    }
    names
}

/// `RacyMap` becomes `racy_map`. What would be a word of the language gets an underscore.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && at > 0 {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    let snake: String = snake.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    match snake.as_str() {
        "box" | "ref" | "fn" | "mod" | "type" | "loop" | "move" | "match" | "async" | "await" => {
            snake + "_"
        }
        _ => snake,
    }
}

/// Writes a test for a violation.
pub fn emit(harness: &Harness, violation: &Violation, explanation: &[String]) -> Emitted {
    if violation.possible.iter().any(|one| one.ended != EndedAs::Passed) {
        let text =
            "some orders of its calls wait for ever or fail, which a plain test would do as well";
        return Emitted::Nothing(text.to_owned());
    }
    let records = Records::of(harness, violation);
    if violation.wrong == Wrong::Results && records.explain(violation) {
        let text = "it shows only in results of methods that promise little while others run";
        return Emitted::Nothing(text.to_owned());
    }
    let counted =
        matches!(violation.wrong, Wrong::Leak | Wrong::DroppedTwice | Wrong::UsedAfterDrop);
    let writer = Writer {
        harness,
        test: &violation.test,
        parts: part_names(harness),
        values: if counted { Plain::Counted } else { Plain::Numbers },
        records,
    };
    let name = writer.name();
    let source = writer.module(&name, violation, explanation);
    Emitted::Test { name, source }
}

struct Writer<'a> {
    harness: &'a Harness,
    test: &'a GeneratedTest,
    parts: Vec<String>,
    values: Plain,
    records: Records,
}

impl Writer<'_> {
    /// Named after the type and the calls of the threads.
    fn name(&self) -> String {
        let calls = self.harness.calls();
        let threads = self.test.threads.iter().flatten();
        let mut names: Vec<_> =
            threads.map(|one| calls[one.call.index()].method.1.clone()).collect();
        names.dedup();
        names.truncate(4);
        let type_ = self.harness.subject.name.rsplit("::").next().unwrap_or_default();
        snake(&format!("{type_}_{}", names.join("_")))
    }

    fn module(&self, name: &str, violation: &Violation, explanation: &[String]) -> String {
        let mut helpers = BTreeSet::new();
        let body = self.body(violation, &mut helpers);
        if self.values == Plain::Counted {
            helpers.insert(Helper::Counted);
        }
        let mut source = String::new();
        let mut line = |text: &str| writeln!(source, "{text}").expect("a string takes everything");
        line(&format!("mod {name} {{"));
        for path in &self.harness.subject.traits {
            line(&format!("    #[allow(unused_imports)]\n    use {path} as _;"));
        }
        for helper in helpers {
            helper.source().lines().for_each(|text| line(&indent(text, 1)));
        }
        for text in explanation {
            line(
                &format!("    /// {text}")
                    .replace('\t', " ")
                    .trim_end()
                    .replace("[", "\\[")
                    .replace("]", "\\]"),
            );
        }
        if !violation.schedule.is_empty() {
            line("    ///");
            line("    /// The schedule that first showed it, in the harness:");
            line(&format!("    /// `{}`", violation.schedule));
        }
        line("    #[test]");
        line("    #[allow(unused_mut, unused_variables, clippy::all)]");
        line(&format!("    fn {name}() {{"));
        body.iter().for_each(|text| line(&indent(text, 2)));
        line("    }");
        line("}");
        source
    }

    fn filling<'b>(&'b self, arguments: &'b [u64], part: usize) -> Filling<'b> {
        Filling::Literals(Literals { arguments, object: &self.parts[part], values: self.values })
    }

    fn body(&self, violation: &Violation, helpers: &mut BTreeSet<Helper>) -> Vec<String> {
        let mut lines = Vec::new();
        let constructor = &self.test.constructor;
        let row = self.harness.constructors()[constructor.call.index()];
        let filling = self.filling(&constructor.arguments, 0);
        let lets = row.body.lets.iter().map(|one| one.fill(filling));
        lines.extend(lets);
        let object = match &*self.parts {
            [one] => format!("mut {one}"),
            parts => format!(
                "({})",
                parts.iter().map(|one| format!("mut {one}")).collect::<Vec<_>>().join(", ")
            ),
        };
        let types: Vec<_> =
            self.harness.subject.parts.iter().map(|one| one.fill(filling)).collect();
        let type_ =
            if types.len() == 1 { types[0].clone() } else { format!("({})", types.join(", ")) };
        lines.push(format!("let {object}: {type_} = {};", row.body.call.fill(filling)));
        let mut gone = vec![false; self.parts.len()];
        lines.extend(self.calls(Stand::Prefix, &mut gone, helpers));
        lines.extend(self.threads(&mut gone, helpers));
        lines.extend(self.calls(Stand::End, &mut gone, helpers));
        for (part, name) in self.parts.iter().enumerate() {
            if !gone[part] && self.values == Plain::Counted {
                lines.push(format!("drop({name});"));
            }
        }
        lines.extend(self.assertion(violation));
        lines
    }

    /// The calls that stand somewhere, as statements.
    fn calls(
        &self,
        stand: Stand,
        gone: &mut [bool],
        helpers: &mut BTreeSet<Helper>,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        let rows = self.harness.calls();
        for (slot, (at, called)) in self.test.calls().enumerate() {
            let row = rows[called.call.index()];
            if at != stand || gone[row.part] {
                continue;
            }
            let filling = self.filling(&called.arguments, row.part);
            let Statement { code, takes } =
                statement(row, filling, self.records.name(slot), helpers, self.records.catches);
            gone[row.part] |= takes;
            lines.extend(code);
        }
        lines
    }

    fn threads(&self, gone: &mut [bool], helpers: &mut BTreeSet<Helper>) -> Vec<String> {
        let names = ["first", "second", "third", "fourth", "fifth"];
        let mut spawned = Vec::new();
        let (mut bound, mut joins) = (Vec::new(), Vec::new());
        let tuple = |members: &[String]| match members {
            [] => "()".to_owned(),
            [one] => one.clone(),
            members => format!("({})", members.join(", ")),
        };
        for thread in 0..self.test.threads.len() {
            let inner = self.calls(Stand::Thread(thread), gone, helpers);
            let slots =
                self.test.base(thread)..self.test.base(thread) + self.test.threads[thread].len();
            let mut returned: Vec<_> = slots.filter_map(|slot| self.records.name(slot)).collect();
            let mut binds = returned.clone();
            let closure = match self.test.access {
                Access::Shared => "||",
                Access::Owned => "move ||",
            };
            if self.test.access == Access::Owned && !gone[thread] {
                // The thread gives its part back.
                returned.push(self.parts[thread].clone());
                binds.push(format!("mut {}", self.parts[thread]));
            }
            spawned.push(format!("let {} = scope.spawn({closure} {{", names[thread]));
            spawned.extend(inner.iter().map(|text| indent(text, 1)));
            if !returned.is_empty() {
                spawned.push(indent(&tuple(&returned), 1));
            }
            spawned.push("});".to_owned());
            bound.push(tuple(&binds));
            joins.push(format!("{}.join().unwrap()", names[thread]));
        }
        let mut lines = vec![format!("let ({}) = std::thread::scope(|scope| {{", bound.join(", "))];
        lines.extend(spawned.iter().map(|text| indent(text, 1)));
        lines.push(indent(&format!("({})", joins.join(", ")), 1));
        lines.push("});".to_owned());
        lines
    }

    fn assertion(&self, violation: &Violation) -> Vec<String> {
        let mut lines = Vec::new();
        if self.values == Plain::Counted {
            lines
                .push("assert_eq!(Value::alive(), 0, \"every value is dropped once\");".to_owned());
        }
        let slots: Vec<_> =
            (0..self.test.len()).filter(|slot| self.records.name(*slot).is_some()).collect();
        if slots.is_empty() {
            return lines;
        }
        let names: Vec<_> = slots.iter().filter_map(|slot| self.records.name(*slot)).collect();
        let of = |seen: &Seen| {
            let texts = slots.iter().map(|slot| format!("{:?}", self.records.text(seen, *slot)));
            format!("[{}]", texts.collect::<Vec<_>>().join(", "))
        };
        let mut possible: Vec<_> = violation.possible.iter().map(of).collect();
        possible.sort();
        possible.dedup();
        lines.push(format!("let results = [{}];", names.join(", ")));
        lines.push("// What the calls return in each of their orders.".to_owned());
        lines.push("let possible = [".to_owned());
        lines.extend(possible.iter().map(|one| format!("    {one},")));
        lines.push("];".to_owned());
        lines.push("assert!(".to_owned());
        lines.push("    possible.iter().any(|order| results.iter().eq(order)),".to_owned());
        lines.push("    \"no order of the calls returns {results:?}\"".to_owned());
        lines.push(");".to_owned());
        lines
    }
}

fn indent(text: &str, by: usize) -> String {
    format!("{}{text}", "    ".repeat(by))
}

#[cfg(test)]
mod tests {
    use super::snake;

    #[test]
    fn names_of_types_become_names_of_variables() {
        assert_eq!(["RacyMap", "Queue", "Box"].map(snake), ["racy_map", "queue", "box_"]);
    }
}
