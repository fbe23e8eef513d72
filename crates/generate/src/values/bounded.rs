//! Values of types that are known by what they implement.

use super::{Inside, Reason, Values};
use crate::template::{Piece, Template};
use crate::types::{associated_type, last, trait_name, trait_of, type_arguments};
use rustdoc_types::{GenericArgs, GenericBound, Path, Type};
use selvedge_harness::Role;
use std::collections::BTreeSet;

impl<'a> Values<'a> {
    /// A value of a type that is known by its bounds only.
    pub(super) fn bounded(
        &mut self,
        bounds: &[&'a GenericBound],
        inside: Inside,
    ) -> Result<Template, Reason> {
        for bound in bounds {
            let Some(trait_) = trait_of(bound) else { continue };
            match last(&trait_.path) {
                "Fn" | "FnMut" | "FnOnce" | "AsyncFn" | "AsyncFnMut" | "AsyncFnOnce" => {
                    let (inputs, output) = match trait_.args.as_deref() {
                        Some(GenericArgs::Parenthesized { inputs, output }) => {
                            (inputs.len(), output.as_ref())
                        }
                        _ => (0, None),
                    };
                    return self.closure(inputs, output);
                }
                "IntoIterator" => return self.elements(trait_, ""),
                "Iterator" => return self.elements(trait_, ".into_iter()"),
                "RangeBounds" => return Ok(Template::text("..")),
                "Into" | "From" => {
                    if let Some(first) = type_arguments(trait_).first() {
                        return self.value(first, inside);
                    }
                }
                "AsRef" | "ToString" => return Ok(Template::text("\"a\"")),
                "Future" => return Ok(Template::text("async {}")),
                "Guard" => return self.produced_by_name("guard"),
                _ => {}
            }
        }
        const HARMLESS: [&str; 12] = [
            "Clone",
            "Default",
            "Send",
            "Sync",
            "Sized",
            "Debug",
            "PartialEq",
            "Display",
            "Unpin",
            "Copy",
            "UnwindSafe",
            "RefUnwindSafe",
        ];
        const LOOKED_UP: [&str; 8] =
            ["Borrow", "Hash", "Equivalent", "Comparable", "Ord", "Eq", "Key", "PartialOrd"];
        let names: BTreeSet<_> = bounds.iter().filter_map(|bound| trait_name(bound)).collect();
        if LOOKED_UP.iter().any(|name| names.contains(name)) {
            return Ok(self.value_of(Role::Key, inside));
        }
        if names.iter().all(|name| HARMLESS.contains(name)) {
            return Ok(self.value_of(Role::Value, inside));
        }
        let names: Vec<_> = names.into_iter().collect();
        Err(format!("needs a value that implements {}", names.join(" + ")))
    }

    fn elements(&mut self, trait_: &'a Path, then: &str) -> Result<Template, Reason> {
        let element = match associated_type(trait_) {
            Some(item) => self.value(item, Inside::Call)?,
            None => self.value_of(Role::Value, Inside::Call),
        };
        Ok(Template::text("vec![").and(element).then("]").then(then))
    }

    pub(super) fn closure(
        &mut self,
        inputs: usize,
        output: Option<&'a Type>,
    ) -> Result<Template, Reason> {
        let body = match output {
            Some(output) => self.value(output, Inside::Closure)?,
            None => Template::text("()"),
        };
        let inputs = vec!["_"; inputs].join(", ");
        let open = Template::text(format!("move |{inputs}| {{ ")).and(Template(vec![Piece::Step]));
        Ok(open.then(" ").and(body).then(" }"))
    }
}
