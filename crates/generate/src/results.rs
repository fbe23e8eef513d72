//! What is kept of a result: values only.
//!
//! What a guard or a handle prints is the state of the object at that moment, so of these only the shape counts.

use crate::documented::Documented;
use crate::row::{Shown, Way};
use crate::types::{Local, associated_type, last, trait_name, trait_of, type_arguments};
use rustdoc_types::Type;

/// A type of the crate under test that a result consists of, and what stands around it.
pub(crate) fn handle<'a>(
    crate_: &'a Documented,
    type_: Option<&'a Type>,
    owner: Local<'a>,
) -> Option<(Local<'a>, Way)> {
    match type_? {
        Type::Generic(name) if name == "Self" => Some((owner, Way::Plain)),
        Type::ResolvedPath(path) => match last(&path.path) {
            name @ ("Option" | "Result") => {
                let first = type_arguments(path).into_iter().next();
                let (local, way) = handle(crate_, first, owner)?;
                let around = if name == "Option" { Way::Option } else { Way::Result };
                (way == Way::Plain).then_some((local, around))
            }
            _ => Some((Local::new(crate_, path.id)?, Way::Plain)),
        },
        _ => None,
    }
}

/// Whether a result is an iterator.
pub(crate) fn is_iterator(crate_: &Documented, type_: Option<&Type>) -> bool {
    implements(crate_, type_, "Iterator")
}

/// Whether a result is a future.
pub(crate) fn is_future(crate_: &Documented, type_: Option<&Type>) -> bool {
    implements(crate_, type_, "Future")
}

fn implements(crate_: &Documented, type_: Option<&Type>, name: &str) -> bool {
    match type_ {
        Some(Type::ImplTrait(bounds)) => {
            bounds.iter().any(|bound| trait_name(bound).is_some_and(|one| one == name))
        }
        Some(Type::ResolvedPath(path)) => {
            Local::new(crate_, path.id).is_some_and(|local| local.implements(name))
        }
        _ => false,
    }
}

/// What a future returns, as far as its type says.
pub(crate) fn future_output<'a>(
    crate_: &'a Documented,
    type_: Option<&'a Type>,
) -> Option<&'a Type> {
    match type_? {
        Type::ImplTrait(bounds) => {
            let trait_ =
                bounds.iter().filter_map(trait_of).find(|one| last(&one.path) == "Future")?;
            associated_type(trait_)
        }
        Type::ResolvedPath(path) => Local::new(crate_, path.id)?.associated("Future", "Output"),
        _ => None,
    }
}

/// What is kept of a result of this type.
pub(crate) fn shown(crate_: &Documented, type_: Option<&Type>) -> Shown {
    let Some(type_) = type_ else { return Shown::Value };
    if is_value(crate_, type_) {
        return Shown::Value;
    }
    match type_ {
        Type::ResolvedPath(path) => match last(&path.path) {
            "Option" => Shown::Shape(Way::Option),
            "Result" | "LockResult" | "TryLockResult" => Shown::Shape(Way::Result),
            _ => Shown::Nothing,
        },
        _ => Shown::Nothing,
    }
}

/// Whether what a value of this type prints is the value, and nothing else.
fn is_value(crate_: &Documented, type_: &Type) -> bool {
    const VALUES: [&str; 13] = [
        "Option", "Result", "Vec", "VecDeque", "String", "Box", "Arc", "Duration", "Ordering",
        "Cow", "BTreeMap", "BTreeSet", "Poll",
    ];
    match type_ {
        Type::Primitive(_) => true,
        Type::Generic(name) => name != "Self",
        Type::Tuple(types) => types.iter().all(|one| is_value(crate_, one)),
        Type::Slice(inner)
        | Type::Array { type_: inner, .. }
        | Type::BorrowedRef { type_: inner, .. } => is_value(crate_, inner),
        Type::ResolvedPath(path) => match Local::new(crate_, path.id) {
            Some(local) => local.implements("PartialEq") || local.implements("Error"),
            None => {
                VALUES.contains(&last(&path.path))
                    && type_arguments(path).iter().all(|one| is_value(crate_, one))
            }
        },
        Type::DynTrait(_)
        | Type::FunctionPointer(_)
        | Type::Pat { .. }
        | Type::ImplTrait(_)
        | Type::Infer
        | Type::RawPointer { .. }
        | Type::QualifiedPath { .. } => false,
    }
}
