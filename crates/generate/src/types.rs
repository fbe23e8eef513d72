//! Types of the crate under test, and what is implemented for them.

use crate::documented::Documented;
use crate::template::{Piece, Template};
use rustdoc_types::{
    AssocItemConstraintKind, Function, GenericArg, GenericArgs, GenericBound, GenericParamDefKind,
    Generics, Id, Impl, Item, ItemEnum, Path, Term, Type, Visibility, WherePredicate,
};
use std::collections::BTreeSet;

/// A struct or enum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local<'a> {
    pub(crate) crate_: &'a Documented,
    pub(crate) id: Id,
    generics: &'a Generics,
    impls: &'a [Id],
}

/// A function of a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method<'a> {
    pub(crate) item: &'a Item,
    pub(crate) function: &'a Function,
    pub(crate) impl_: &'a Impl,
}

impl<'a> Local<'a> {
    /// The struct or enum of this number, if it is one.
    pub(crate) fn new(crate_: &'a Documented, id: Id) -> Option<Self> {
        let (generics, impls) = match &crate_.item(id)?.inner {
            ItemEnum::Struct(one) => (&one.generics, &one.impls),
            ItemEnum::Enum(one) => (&one.generics, &one.impls),
            _ => return None,
        };
        Some(Self { crate_, id, generics, impls })
    }

    /// Its path from outside. Nothing if it can not be named.
    pub(crate) fn path(&self) -> Option<String> {
        self.crate_.path(self.id)
    }

    /// Its name.
    pub(crate) fn name(&self) -> &'a str {
        self.crate_.item(self.id).and_then(|item| item.name.as_deref()).unwrap_or_default()
    }

    fn impls(&self) -> impl Iterator<Item = &'a Impl> + use<'a> {
        let crate_ = self.crate_;
        self.impls.iter().filter_map(move |id| match &crate_.item(*id)?.inner {
            ItemEnum::Impl(one) => Some(one),
            _ => None,
        })
    }

    /// Whether it implements a trait, by the trait's name.
    pub(crate) fn implements(&self, name: &str) -> bool {
        self.impls().any(|one| {
            let trait_ = one.trait_.as_ref().is_some_and(|trait_| last(&trait_.path) == name);
            trait_ && one.blanket_impl.is_none() && !one.is_negative
        })
    }

    /// An associated type of a trait that it implements.
    pub(crate) fn associated(&self, trait_name: &str, name: &str) -> Option<&'a Type> {
        let is = |one: &&Impl| {
            one.trait_.as_ref().is_some_and(|trait_| last(&trait_.path) == trait_name)
        };
        let items = &self.impls().find(is)?.items;
        items.iter().find_map(|id| {
            let item = self.crate_.item(*id)?;
            match &item.inner {
                ItemEnum::AssocType { type_, .. } if item.name.as_deref() == Some(name) => {
                    type_.as_ref()
                }
                _ => None,
            }
        })
    }

    /// Its public functions, and those of traits that it implements itself.
    pub(crate) fn methods(&self) -> impl Iterator<Item = Method<'a>> + use<'a> {
        let crate_ = self.crate_;
        let own = self.impls().filter(|one| !one.is_synthetic && one.blanket_impl.is_none());
        own.flat_map(move |impl_| {
            impl_.items.iter().filter_map(move |id| {
                let item = crate_.item(*id)?;
                let ItemEnum::Function(function) = &item.inner else { return None };
                let public = impl_.trait_.is_some() || item.visibility == Visibility::Public;
                public.then_some(Method { item, function, impl_ })
            })
        })
    }

    /// Bounds of a parameter of the type or of one of its impls, by the traits' names.
    pub(crate) fn bounds(&self, parameter: &str) -> BTreeSet<&'a str> {
        let impls = self.impls().filter(|one| one.trait_.is_none()).map(|one| &one.generics);
        let mut names = BTreeSet::new();
        for generics in std::iter::once(self.generics).chain(impls) {
            names.extend(bounds(generics, parameter).into_iter().filter_map(trait_name));
        }
        names
    }

    /// Whether values of this parameter are looked up.
    pub(crate) fn is_key(&self, parameter: &str) -> bool {
        const LOOKED_UP: [&str; 6] = ["Hash", "Eq", "Ord", "Equivalent", "Key", "Comparable"];
        let bounds = self.bounds(parameter);
        LOOKED_UP.iter().any(|name| bounds.contains(name))
    }

    /// The type with values for its parameters; parameters with defaults are left to these.
    pub(crate) fn concrete(&self) -> Option<Template> {
        let mut arguments = Vec::new();
        for parameter in &self.generics.params {
            match &parameter.kind {
                GenericParamDefKind::Lifetime { .. } => arguments.push(Template::text("'static")),
                GenericParamDefKind::Type { default: Some(_), .. } => {}
                GenericParamDefKind::Type { .. } => {
                    arguments.push(filled(&self.bounds(&parameter.name)));
                }
                GenericParamDefKind::Const { default: Some(_), .. } => {}
                GenericParamDefKind::Const { .. } => arguments.push(Template::text("4")),
            }
        }
        let path = Template::text(self.path()?);
        Some(match arguments.is_empty() {
            true => path,
            false => path.then("<").and(Template::join(arguments)).then(">"),
        })
    }
}

/// What a parameter with these bounds is filled with.
pub(crate) fn filled(bounds: &BTreeSet<&str>) -> Template {
    let value = Template(vec![Piece::ValueType]);
    if bounds.contains("RefCnt") {
        return Template::text("std::sync::Arc<").and(value).then(">");
    }
    if ["Fn", "FnMut", "FnOnce"].iter().any(|name| bounds.contains(name)) {
        return Template::text("fn() -> ").and(value);
    }
    value
}

/// The last part of a path.
pub(crate) fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// Bounds of a parameter, where it is declared and in where clauses.
pub(crate) fn bounds<'a>(generics: &'a Generics, parameter: &str) -> Vec<&'a GenericBound> {
    let mut found = Vec::new();
    for one in generics.params.iter().filter(|one| one.name == parameter) {
        if let GenericParamDefKind::Type { bounds, .. } = &one.kind {
            found.extend(bounds);
        }
    }
    for predicate in &generics.where_predicates {
        if let WherePredicate::BoundPredicate { type_: Type::Generic(name), bounds, .. } = predicate
            && name == parameter
        {
            found.extend(bounds);
        }
    }
    found
}

/// The trait of a bound.
pub(crate) fn trait_of(bound: &GenericBound) -> Option<&Path> {
    match bound {
        GenericBound::TraitBound { trait_, .. } => Some(trait_),
        GenericBound::Outlives(_) | GenericBound::Use(_) => None,
    }
}

/// Its name.
pub(crate) fn trait_name(bound: &GenericBound) -> Option<&str> {
    trait_of(bound).map(|trait_| last(&trait_.path))
}

/// The type arguments of a path.
pub(crate) fn type_arguments(path: &Path) -> Vec<&Type> {
    let Some(GenericArgs::AngleBracketed { args, .. }) = path.args.as_deref() else {
        return Vec::new();
    };
    let types = args.iter().filter_map(|argument| match argument {
        GenericArg::Type(one) => Some(one),
        GenericArg::Lifetime(_) | GenericArg::Const(_) | GenericArg::Infer => None,
    });
    types.collect()
}

/// What a bound says that an associated type is: `Iterator<Item = T>`.
pub(crate) fn associated_type(trait_: &Path) -> Option<&Type> {
    let Some(GenericArgs::AngleBracketed { constraints, .. }) = trait_.args.as_deref() else {
        return None;
    };
    constraints.iter().find_map(|one| match &one.binding {
        AssocItemConstraintKind::Equality(Term::Type(type_)) => Some(type_),
        AssocItemConstraintKind::Equality(Term::Constant(_))
        | AssocItemConstraintKind::Constraint(_) => None,
    })
}
