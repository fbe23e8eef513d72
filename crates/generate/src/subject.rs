//! Which types there are to be tested, and how objects of them are made.

use crate::documented::Documented;
use crate::manner::manner;
use crate::methods::{receiver, rows};
use crate::results::handle;
use crate::row::{Body, Held, Needs, Row, Runs, Shown, Skipped, Way};
use crate::template::Template;
use crate::types::{Local, last};
use crate::values::Values;
use rustdoc_types::{Function, ItemEnum, Type};
use std::collections::BTreeSet;

/// A type, or the two ends that one function returns.
#[derive(Clone, Debug)]
pub struct Subject {
    /// How people name it.
    pub name: String,
    /// The types of its parts.
    pub parts: Vec<Template>,
    /// How it is made; the body's call is an expression of the type, or of a pair of both types.
    pub constructors: Vec<Row>,
    /// What can be called.
    pub calls: Vec<Row>,
    /// Traits that have to be in scope.
    pub traits: BTreeSet<String>,
    /// What is not called.
    pub skipped: Vec<Skipped>,
}

/// All types of a crate that threads may share or have the ends of, and reasons for those that can not be made.
pub fn subjects(crate_: &Documented) -> (Vec<Subject>, Vec<Skipped>) {
    let mut found = Vec::new();
    let mut skipped = Vec::new();
    let functions: Vec<_> = crate_
        .public()
        .filter_map(|(id, path)| match &crate_.item(id)?.inner {
            ItemEnum::Function(function) => Some((path, function)),
            _ => None,
        })
        .collect();
    let mut ends = BTreeSet::new();
    for (path, function) in &functions {
        if let Some((subject, parts)) = pair(crate_, path, function) {
            ends.extend(parts);
            merge(&mut found, subject);
        }
    }
    for (id, path) in crate_.public() {
        let Some(local) = Local::new(crate_, id).filter(|_| crate_.is_own(id)) else { continue };
        if local.implements("Error") || !local.implements("Send") && !local.implements("Sync") {
            continue;
        }
        let rows = rows(local, 0);
        let concurrent =
            rows.rows.iter().any(|row| row.needs == Needs::Shared && row.name != "clone");
        if !local.implements("Sync") || !concurrent {
            continue;
        }
        let mut constructors = constructors(local);
        constructors
            .extend(functions.iter().filter_map(|(path, function)| free(local, path, function)));
        if constructors.is_empty() {
            if !ends.contains(&id.0) {
                let reason = "no function makes one of what can be had".to_owned();
                skipped.push(Skipped { method: (path, "(constructor)".to_owned()), reason });
            }
            continue;
        }
        let Some(concrete) = local.concrete() else { continue };
        found.push(Subject {
            name: path,
            parts: vec![concrete],
            constructors,
            calls: rows.rows,
            traits: rows.traits,
            skipped: rows.skipped,
        });
    }
    (found, skipped)
}

/// Functions that return the same two ends are constructors of one subject.
fn merge(found: &mut Vec<Subject>, subject: Subject) {
    match found.iter_mut().find(|one| one.parts == subject.parts) {
        Some(known) => known.constructors.extend(subject.constructors),
        None => found.push(subject),
    }
}

fn constructor(name: &str, method: (String, String), values: Values<'_>, call: Template) -> Row {
    let body = Body {
        lets: values.lets,
        call,
        runs: Runs::Plainly,
        shown: Shown::Nothing,
        held: Held::No,
        handle: None,
    };
    let (name, roles) = (name.to_owned(), values.roles);
    Row { name, method, part: 0, needs: Needs::Nothing, roles, body, manner: manner("") }
}

/// What stands around the object that a function returns, if it returns one.
fn makes(local: Local<'_>, output: Option<&Type>) -> Option<&'static str> {
    let (made, way) = handle(local.crate_, output, local)?;
    (made.id == local.id).then_some(match way {
        Way::Plain => "",
        Way::Option => ".unwrap()",
        Way::Result => ".ok().unwrap()",
    })
}

fn constructors(local: Local<'_>) -> Vec<Row> {
    let Some(path) = local.path() else { return Vec::new() };
    let Some(concrete) = local.concrete() else { return Vec::new() };
    let mut rows = Vec::new();
    for method in local.methods() {
        let name = method.item.name.as_deref().unwrap_or_default();
        let default = method.impl_.trait_.as_ref().is_some_and(|one| last(&one.path) == "Default");
        let sig = &method.function.sig;
        if receiver(&method) != Ok(None)
            || method.impl_.trait_.is_some() && !default
            || method.function.header.is_unsafe
        {
            continue;
        }
        let Some(unwrap) = makes(local, sig.output.as_ref()) else { continue };
        let generics = &method.function.generics;
        let mut values = Values::new(local.crate_, Some(local), generics, "a", &[]);
        let Ok(arguments) = values.arguments(&sig.inputs, true) else { continue };
        let call = Template::text("<").and(concrete.clone()).then(&format!(">::{name}("));
        let call = call.and(Template::join(arguments)).then(")").then(unwrap);
        let method = (path.clone(), name.to_owned());
        rows.push(constructor(name, method, values, call));
    }
    rows
}

/// A free function that returns the type.
fn free(local: Local<'_>, path: &str, function: &Function) -> Option<Row> {
    let unwrap = makes(local, function.sig.output.as_ref())?;
    if function.header.is_unsafe {
        return None;
    }
    let mut values = Values::new(local.crate_, Some(local), &function.generics, "a", &[]);
    let arguments = values.arguments(&function.sig.inputs, true).ok()?;
    let call =
        Template::text(format!("{path}(")).and(Template::join(arguments)).then(")").then(unwrap);
    Some(constructor(last(path), (path.to_owned(), String::new()), values, call))
}

/// A function that returns two ends, and the numbers of their types.
fn pair(crate_: &Documented, path: &str, function: &Function) -> Option<(Subject, [u32; 2])> {
    let Some(Type::Tuple(types)) = &function.sig.output else { return None };
    let [Type::ResolvedPath(first), Type::ResolvedPath(second)] = types.as_slice() else {
        return None;
    };
    let locals = [Local::new(crate_, first.id)?, Local::new(crate_, second.id)?];
    if function.header.is_unsafe {
        return None;
    }
    let mut values = Values::new(crate_, Some(locals[0]), &function.generics, "a", &[]);
    let arguments = values.arguments(&function.sig.inputs, true).ok()?;
    let call = Template::text(format!("{path}(")).and(Template::join(arguments)).then(")");
    let mut subject = Subject {
        name: path.to_owned(),
        parts: vec![locals[0].concrete()?, locals[1].concrete()?],
        constructors: vec![constructor(last(path), (path.to_owned(), String::new()), values, call)],
        calls: Vec::new(),
        traits: BTreeSet::new(),
        skipped: Vec::new(),
    };
    for (part, local) in locals.into_iter().enumerate() {
        let mut found = rows(local, part);
        for row in &mut found.rows {
            row.name = format!("{}::{}", local.name(), row.name);
        }
        subject.calls.extend(found.rows);
        subject.traits.extend(found.traits);
        subject.skipped.extend(found.skipped);
    }
    if locals[0].id == locals[1].id {
        subject.skipped.dedup();
    }
    Some((subject, locals.map(|local| local.id.0)))
}
