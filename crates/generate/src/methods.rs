//! From the methods of a type to rows.

use crate::manner::{Manner, manner};
use crate::results::{future_output, handle, is_future, is_iterator, shown};
use crate::row::{Body, Handle, Held, Needs, Row, Runs, Shown, Skipped, Way};
use crate::template::{Piece, Template};
use crate::types::{Local, Method, last};
use crate::values::{Reason, Values};
use rustdoc_types::Type;
use selvedge_harness::{Results, Role};
use std::collections::BTreeSet;

/// Traits whose functions are no calls of their own: the language, formatting, conversion, or pseudo-calls stand for
/// them.
const NOT_CALLED: [&str; 44] = [
    "Drop",
    "Clone",
    "Debug",
    "Display",
    "PartialEq",
    "Eq",
    "Hash",
    "IntoIterator",
    "Deref",
    "DerefMut",
    "Serialize",
    "Deserialize",
    "Error",
    "Index",
    "IndexMut",
    "AsRef",
    "AsMut",
    "Borrow",
    "BorrowMut",
    "PartialOrd",
    "Ord",
    "From",
    "Into",
    "TryFrom",
    "TryInto",
    "FromIterator",
    "ParallelExtend",
    "Default",
    "Iterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "FusedIterator",
    "Future",
    "FusedFuture",
    "Stream",
    "FusedStream",
    "Sink",
    "UnwindSafe",
    "RefUnwindSafe",
    "Unpin",
    "Pointer",
    "FromStr",
    "Any",
    "ToOwned",
];

/// The rows of a type, and what is not called.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) rows: Vec<Row>,
    pub(crate) skipped: Vec<Skipped>,
    /// Traits that have to be in scope.
    pub(crate) traits: BTreeSet<String>,
}

/// A call of a method, before it is known what is done with its result.
struct Prepared {
    name: String,
    needs: Needs,
    lets: Vec<Template>,
    call: Template,
    roles: Vec<Role>,
}

/// Whether a trait's functions are left alone.
pub(crate) fn is_not_called(method: &Method<'_>) -> bool {
    method.impl_.trait_.as_ref().is_some_and(|one| NOT_CALLED.contains(&last(&one.path)))
}

/// What a method needs of its receiver. Nothing if it has none.
pub(crate) fn receiver(method: &Method<'_>) -> Result<Option<Needs>, Reason> {
    let Some((name, type_)) = method.function.sig.inputs.first() else { return Ok(None) };
    if name != "self" {
        return Ok(None);
    }
    let is_self = |one: &Type| matches!(one, Type::Generic(name) if name == "Self");
    match type_ {
        one if is_self(one) => Ok(Some(Needs::Owned)),
        Type::BorrowedRef { is_mutable, type_, .. } if is_self(type_) => {
            Ok(Some(if *is_mutable { Needs::Exclusive } else { Needs::Shared }))
        }
        Type::ResolvedPath(path) => Err(format!("its receiver is {}<Self>", last(&path.path))),
        _ => Err("its receiver is of an unusual type".to_owned()),
    }
}

/// All rows of a part of the object.
pub(crate) fn rows<'a>(owner: Local<'a>, part: usize) -> Found {
    let producers = producers(owner);
    let mut found = Found::default();
    let type_name = owner.path().unwrap_or_else(|| owner.name().to_owned());
    for method in owner.methods() {
        let name = method.item.name.clone().unwrap_or_default();
        if is_not_called(&method) {
            continue;
        }
        let called = (type_name.clone(), name.clone());
        let needs = match receiver(&method) {
            Ok(Some(needs)) => needs,
            Ok(None) => continue,
            Err(reason) => {
                found.skipped.push(Skipped { method: called, reason });
                continue;
            }
        };
        match prepare(owner, &method, needs, "a", &producers) {
            Ok(prepared) => {
                if let Some(trait_) = &method.impl_.trait_ {
                    found.traits.extend(owner.crate_.path(trait_.id));
                }
                add(&mut found, owner, &method, prepared, part, called);
            }
            Err(reason) => found.skipped.push(Skipped { method: called, reason }),
        }
    }
    pseudo(&mut found, owner, part, &type_name);
    found
}

/// Methods without arguments that return a value of another type of the crate.
fn producers(owner: Local<'_>) -> Vec<(u32, String)> {
    let methods = owner.methods().filter(|method| method.impl_.trait_.is_none());
    let producers = methods.filter_map(|method| {
        let alone = method.function.sig.inputs.len() == 1;
        let shared = receiver(&method) == Ok(Some(Needs::Shared));
        let output = method.function.sig.output.as_ref();
        match handle(owner.crate_, output, owner)? {
            (local, Way::Plain) if alone && shared && local.id != owner.id => {
                Some((local.id.0, method.item.name.clone()?))
            }
            _ => None,
        }
    });
    producers.collect()
}

fn prepare<'a>(
    owner: Local<'a>,
    method: &Method<'a>,
    needs: Needs,
    prefix: &'static str,
    producers: &'a [(u32, String)],
) -> Result<Prepared, Reason> {
    if method.function.header.is_unsafe {
        return Err("it is unsafe".to_owned());
    }
    if let Some(trait_) = &method.impl_.trait_
        && owner.crate_.path(trait_.id).is_none()
    {
        return Err(format!("its trait {} can not be named", trait_.path));
    }
    let name = method.item.name.clone().unwrap_or_default();
    let receiver = if prefix == "a" { Template(vec![Piece::Object]) } else { Template::text("h") };
    let mut values =
        Values::new(owner.crate_, Some(owner), &method.function.generics, prefix, producers);
    let arguments = values.arguments(&method.function.sig.inputs[1..], false)?;
    let call = receiver.then(&format!(".{name}(")).and(Template::join(arguments)).then(")");
    Ok(Prepared { name, needs, lets: values.lets, call, roles: values.roles })
}

/// The rows of one method: what it returns, and what can be done with that.
fn add<'a>(
    found: &mut Found,
    owner: Local<'a>,
    method: &Method<'a>,
    prepared: Prepared,
    part: usize,
    called: (String, String),
) {
    let crate_ = owner.crate_;
    let output = method.function.sig.output.as_ref();
    let future = method.function.header.is_async || is_future(crate_, output);
    let iterator = is_iterator(crate_, output);
    let local = handle(crate_, output, owner);
    let manner = manner(&prepared.name);
    let row = |name: String, body: Body, roles: Vec<Role>, manner: Manner| Row {
        name,
        method: called.clone(),
        part,
        needs: prepared.needs,
        roles,
        body,
        manner,
    };
    let body = |runs: Runs, shown: Shown| Body {
        lets: prepared.lets.clone(),
        call: prepared.call.clone(),
        runs,
        shown,
        held: if local.is_some() || future { Held::Yes } else { Held::No },
        handle: None,
    };
    let result = match method.function.header.is_async {
        false if future => {
            future_output(crate_, output).map_or(Shown::Nothing, |one| shown(crate_, Some(one)))
        }
        _ => shown(crate_, output),
    };
    if future {
        found.rows.push(row(
            prepared.name.clone(),
            body(Runs::Awaited, result),
            prepared.roles.clone(),
            manner,
        ));
        let name = format!("{}, polled once", prepared.name);
        let tries = Manner { tries: true, ..manner };
        found.rows.push(row(name, body(Runs::PolledOnce, result), prepared.roles.clone(), tries));
        return;
    }
    if iterator {
        let weak = Manner { results: Results::Weak, ..manner };
        let body = body(Runs::Plainly, Shown::Elements);
        found.rows.push(row(prepared.name.clone(), body, prepared.roles.clone(), weak));
        return;
    }
    found.rows.push(row(
        prepared.name.clone(),
        body(Runs::Plainly, result),
        prepared.roles.clone(),
        manner,
    ));
    let Some((local, way)) = local else { return };
    if local.implements("Error") || local.id == owner.id {
        return;
    }
    for HandleCall { name, handle, roles, method } in handle_calls(local, way) {
        let mut body = body(Runs::Plainly, result);
        let shift = prepared.roles.len();
        body.handle = Some(Handle {
            lets: handle.lets.iter().map(|one| one.shifted(shift)).collect(),
            call: handle.call.shifted(shift),
            ..handle
        });
        let mut all = prepared.roles.clone();
        all.extend(roles);
        let mut row = row(
            format!("{}.{name}", prepared.name),
            body,
            all,
            manner.and(crate::manner::manner(&name)),
        );
        row.method = method;
        found.rows.push(row);
    }
}

/// Something that can be done with a handle.
struct HandleCall {
    name: String,
    handle: Handle,
    roles: Vec<Role>,
    method: (String, String),
}

/// What can be done with a handle, each in the same breath as the call that returns it.
fn handle_calls(local: Local<'_>, way: Way) -> Vec<HandleCall> {
    let type_name = local.path().unwrap_or_else(|| local.name().to_owned());
    let mut calls = Vec::new();
    for method in local.methods().filter(|method| !is_not_called(method)) {
        let name = method.item.name.clone().unwrap_or_default();
        // These panic by design.
        if name.starts_with("unwrap") || name.starts_with("expect") {
            continue;
        }
        let Ok(Some(needs)) = receiver(&method) else { continue };
        let Ok(prepared) = prepare(local, &method, needs, "b", &[]) else { continue };
        let output = method.function.sig.output.as_ref();
        let runs = match method.function.header.is_async || is_future(local.crate_, output) {
            true => Runs::Awaited,
            false => Runs::Plainly,
        };
        let shown = match runs {
            Runs::Awaited => Shown::Nothing,
            Runs::Plainly | Runs::PolledOnce => shown(local.crate_, output),
        };
        let held = match handle(local.crate_, output, local) {
            Some(_) => Held::Yes,
            None => Held::No,
        };
        let handle = Handle { way, lets: prepared.lets, call: prepared.call, runs, shown, held };
        let (roles, method) = (prepared.roles, (type_name.clone(), name.clone()));
        calls.push(HandleCall { name, handle, roles, method });
    }
    let plainly = |call: Template, shown| {
        let (lets, runs, held) = (Vec::new(), Runs::Plainly, Held::No);
        Handle { way, lets, call, runs, shown, held }
    };
    if local.implements("Deref") {
        let read = plainly(Template::text("&*h"), Shown::Value);
        let method = (type_name.clone(), "deref".to_owned());
        calls.push(HandleCall { name: "read".to_owned(), handle: read, roles: Vec::new(), method });
    }
    if local.implements("DerefMut") {
        let value = Template(vec![Piece::Value(0)]);
        let write = plainly(Template::text("{ *h = ").and(value).then(" }"), Shown::Value);
        let (roles, method) = (vec![Role::Value], (type_name, "deref_mut".to_owned()));
        calls.push(HandleCall { name: "write".to_owned(), handle: write, roles, method });
    }
    calls
}

/// What is no method: to drop a part, to poll it, to clone it.
fn pseudo(found: &mut Found, owner: Local<'_>, part: usize, type_name: &str) {
    let exact = manner("");
    let mut add = |name: &str, needs, runs, call: [&str; 2], shown, tries| {
        let [open, close] = call;
        let body = Body {
            lets: Vec::new(),
            call: Template::text(open).and(Template(vec![Piece::Object])).then(close),
            runs,
            shown,
            held: if name == "clone" { Held::Yes } else { Held::No },
            handle: None,
        };
        let method = (type_name.to_owned(), name.to_owned());
        let manner = Manner { tries, ..exact };
        let name = name.to_owned();
        found.rows.push(Row { name, method, part, needs, roles: Vec::new(), body, manner });
    };
    add("drop", Needs::Owned, Runs::Plainly, ["drop(", ")"], Shown::Value, false);
    if owner.implements("Future") {
        add("await", Needs::Exclusive, Runs::Awaited, ["&mut *", ""], Shown::Value, false);
        add("poll", Needs::Exclusive, Runs::PolledOnce, ["&mut *", ""], Shown::Value, true);
    }
    if owner.implements("Clone") {
        add("clone", Needs::Shared, Runs::Plainly, ["", ".clone()"], Shown::Nothing, false);
    }
}
