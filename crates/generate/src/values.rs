//! Arguments: from the type of a parameter to code that makes a value of it.

mod bounded;

use crate::documented::Documented;
use crate::template::{Piece, Template};
use crate::types::{Local, bounds, filled, last, type_arguments};
use rustdoc_types::{GenericArgs, Generics, ItemEnum, Path, Type, VariantKind};
use selvedge_harness::Role;

/// Why there is no value of a type.
pub(crate) type Reason = String;

/// Values are made of values of other types, so deep at most.
const DEPTH: usize = 4;

/// Whether code stands where it runs once, or in a closure that may run often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    Call,
    Closure,
}

/// Makes the arguments of one call.
pub(crate) struct Values<'a> {
    pub(crate) crate_: &'a Documented,
    /// The type whose call it is.
    pub(crate) owner: Option<Local<'a>>,
    /// The parameters of the function itself.
    generics: &'a Generics,
    /// Statements that go before the call.
    pub(crate) lets: Vec<Template>,
    pub(crate) roles: Vec<Role>,
    prefix: &'static str,
    depth: usize,
    /// Methods of the owner that return a value of another type: papaya's guards.
    producers: &'a [(u32, String)],
}

impl<'a> Values<'a> {
    pub(crate) fn new(
        crate_: &'a Documented,
        owner: Option<Local<'a>>,
        generics: &'a Generics,
        prefix: &'static str,
        producers: &'a [(u32, String)],
    ) -> Self {
        Self {
            crate_,
            owner,
            generics,
            lets: Vec::new(),
            roles: Vec::new(),
            prefix,
            depth: 0,
            producers,
        }
    }

    fn argument(&mut self, role: Role) -> usize {
        self.roles.push(role);
        self.roles.len() - 1
    }

    fn value_of(&mut self, role: Role, inside: Inside) -> Template {
        Template(vec![match inside {
            Inside::Call => Piece::Value(self.argument(role)),
            Inside::Closure => Piece::Fixed(9),
        }])
    }

    /// Arguments for parameters, each bound to a name before the call.
    pub(crate) fn arguments(
        &mut self,
        parameters: &'a [(String, Type)],
        constructs: bool,
    ) -> Result<Vec<Template>, Reason> {
        let mut arguments = Vec::new();
        for (name, type_) in parameters {
            let value = match type_ {
                Type::Primitive(kind) if constructs && is_count(kind) => match is_capacity(name) {
                    true => self.capacity(kind),
                    false => self.count(kind),
                },
                _ => self.value(type_, Inside::Call)?,
            };
            arguments.push(value);
        }
        Ok(arguments)
    }

    /// How much something holds: little, so that it gets full; or much, if it may throw things away.
    fn capacity(&mut self, kind: &str) -> Template {
        match self.owner.is_some_and(|owner| owner.name().contains("Cache")) {
            true => Template::text("1000"),
            false => self.count(kind),
        }
    }

    /// A number that is not 0, which many constructors refuse.
    fn count(&mut self, kind: &str) -> Template {
        let at = self.argument(Role::Capacity);
        Template(vec![Piece::Number(at, kind.to_owned())])
    }

    pub(crate) fn value(&mut self, type_: &'a Type, inside: Inside) -> Result<Template, Reason> {
        if self.depth > DEPTH {
            return Err("its arguments are made of one another".to_owned());
        }
        self.depth += 1;
        let value = self.value_here(type_, inside);
        self.depth -= 1;
        value
    }

    fn value_here(&mut self, type_: &'a Type, inside: Inside) -> Result<Template, Reason> {
        match type_ {
            Type::Primitive(kind) => self.primitive(kind, inside),
            Type::Generic(name) => self.generic(name, inside),
            Type::ImplTrait(bounds) => self.bounded(&bounds.iter().collect::<Vec<_>>(), inside),
            Type::BorrowedRef { is_mutable, type_, .. } => {
                self.borrowed(*is_mutable, type_, inside)
            }
            Type::Tuple(types) => {
                let mut tuple = Template::text("(");
                for one in types {
                    tuple = tuple.and(self.value(one, inside)?).then(", ");
                }
                Ok(tuple.then(")"))
            }
            Type::Array { type_, len } => {
                Ok(Template::text("[").and(self.value(type_, inside)?).then(&format!("; {len}]")))
            }
            Type::FunctionPointer(pointer) => {
                let output = pointer.sig.output.as_ref();
                self.closure(pointer.sig.inputs.len(), output)
            }
            Type::ResolvedPath(path) => self.named(path, inside),
            Type::DynTrait(_) => Err("needs a trait object".to_owned()),
            Type::Slice(_) | Type::Pat { .. } | Type::Infer => {
                Err("needs a type that has no size".to_owned())
            }
            Type::RawPointer { .. } => Err("needs a raw pointer".to_owned()),
            Type::QualifiedPath { name, .. } => Err(format!("needs an associated type, {name}")),
        }
    }

    fn primitive(&mut self, kind: &str, inside: Inside) -> Result<Template, Reason> {
        match (kind, inside) {
            ("bool", Inside::Closure) => Ok(Template::text("true")),
            ("char", _) => Ok(Template::text("'a'")),
            ("unit", _) => Ok(Template::text("()")),
            ("str" | "never" | "slice", _) => Err(format!("needs a value of type {kind}")),
            (kind, Inside::Closure) => Ok(Template::text(format!("1 as {kind}"))),
            (kind, Inside::Call) => {
                let at = self.argument(Role::Number);
                Ok(Template(vec![Piece::Number(at, kind.to_owned())]))
            }
        }
    }

    fn generic(&mut self, name: &str, inside: Inside) -> Result<Template, Reason> {
        if name == "Self" {
            return self
                .owner
                .map_or_else(|| Err("needs Self".to_owned()), |owner| self.construct(owner));
        }
        if self.generics.params.iter().any(|one| one.name == name) {
            let bounds = bounds(self.generics, name);
            return self.bounded(&bounds, inside);
        }
        let Some(owner) = self.owner else { return Ok(self.value_of(Role::Value, inside)) };
        let names = owner.bounds(name);
        if ["Fn", "FnMut", "FnOnce"].iter().any(|name| names.contains(name)) || name == "F" {
            let function = Template(vec![Piece::Fixed(7)]);
            return Ok(Template::text("((|| ")
                .and(function)
                .then(") as ")
                .and(filled(&names))
                .then(")"));
        }
        let role = if owner.is_key(name) { Role::Key } else { Role::Value };
        let value = self.value_of(role, inside);
        Ok(match names.contains("RefCnt") {
            true => Template::text("std::sync::Arc::new(").and(value).then(")"),
            false => value,
        })
    }

    fn borrowed(
        &mut self,
        mutable: bool,
        inner: &'a Type,
        inside: Inside,
    ) -> Result<Template, Reason> {
        let reference = if mutable { "&mut " } else { "&" };
        if let Type::Primitive(kind) = inner
            && kind == "str"
        {
            return Ok(Template::text("\"a\""));
        }
        if inside == Inside::Closure {
            return Err("needs a closure that returns a reference".to_owned());
        }
        if let Type::Slice(element) = inner {
            let element = self.value(element, inside)?;
            return Ok(self
                .bound(Template::text("[").and(element).then("]"), reference)
                .then("[..]"));
        }
        let value = self.value(inner, inside)?;
        Ok(self.bound(value, reference))
    }

    /// A reference to a value that is bound to a name of its own, so that it lives long enough.
    fn bound(&mut self, value: Template, reference: &str) -> Template {
        let name = format!("{}{}", self.prefix, self.lets.len());
        let mutable = if reference == "&mut " { "mut " } else { "" };
        self.lets.push(Template::text(format!("let {mutable}{name} = ")).and(value).then(";"));
        Template::text(format!("{reference}{name}"))
    }

    fn named(&mut self, path: &'a Path, inside: Inside) -> Result<Template, Reason> {
        let arguments = type_arguments(path);
        let wrap = |open: &str, inner: Template| Ok(Template::text(open).and(inner).then(")"));
        match (last(&path.path), arguments.first()) {
            ("Option", Some(inner)) => wrap("Some(", self.value(inner, inside)?),
            ("Result", Some(inner)) => wrap("Ok::<_, ()>(", self.value(inner, inside)?),
            ("Arc", Some(inner)) => wrap("std::sync::Arc::new(", self.value(inner, inside)?),
            ("Box", Some(Type::DynTrait(object))) => {
                let Some(one) = object.traits.first() else {
                    return Err("needs a trait object".to_owned());
                };
                match (last(&one.trait_.path), one.trait_.args.as_deref()) {
                    (
                        "Fn" | "FnMut" | "FnOnce",
                        Some(GenericArgs::Parenthesized { inputs, output }),
                    ) => wrap("Box::new(", self.closure(inputs.len(), output.as_ref())?),
                    (name, _) => Err(format!("needs a trait object, dyn {name}")),
                }
            }
            ("Box", Some(inner)) => wrap("Box::new(", self.value(inner, inside)?),
            ("Vec" | "VecDeque", Some(inner)) => {
                let element = self.value(inner, inside)?;
                Ok(Template::text("vec![").and(element).then("].into()"))
            }
            ("Wrapping", Some(inner)) => wrap("std::num::Wrapping(", self.value(inner, inside)?),
            ("Cow", _) => Ok(Template::text("\"a\".into()")),
            ("String", _) => Ok(Template::text("String::from(\"a\")")),
            ("Duration", _) => Ok(Template::text("std::time::Duration::from_millis(1)")),
            ("Instant", _) => Ok(Template::text(
                "(std::time::Instant::now() + std::time::Duration::from_millis(1))",
            )),
            ("Ordering", _)
                if self.crate_.path(path.id).is_some_and(|path| path.contains("atomic")) =>
            {
                Ok(Template::text("std::sync::atomic::Ordering::SeqCst"))
            }
            ("Context", _) => Err("needs a task context; futures are polled instead".to_owned()),
            (name, _) if name.starts_with("NonZero") => {
                Ok(Template::text("std::num::NonZero::new(1).unwrap()"))
            }
            _ => self.local(path),
        }
    }

    fn local(&mut self, path: &'a Path) -> Result<Template, Reason> {
        if let Some((_, producer)) = self.producers.iter().find(|(id, _)| *id == path.id.0) {
            let name = format!("{}{}", self.prefix, self.lets.len());
            self.produce(&name, producer);
            return Ok(Template::text(name));
        }
        match Local::new(self.crate_, path.id) {
            Some(local) => self.construct(local),
            None => Err(format!("needs a value of type {}", path.path)),
        }
    }

    /// Binds what a method of the object returns to a name.
    fn produce(&mut self, name: &str, producer: &str) {
        let object = Template(vec![Piece::Object]);
        let code =
            Template::text(format!("let {name} = ")).and(object).then(&format!(".{producer}();"));
        self.lets.push(code);
    }

    fn produced_by_name(&mut self, producer: &str) -> Result<Template, Reason> {
        let Some((_, producer)) = self.producers.iter().find(|(_, name)| name == producer) else {
            return Err(format!("needs a {producer}"));
        };
        let name = format!("{}{}", self.prefix, self.lets.len());
        self.produce(&name, producer);
        Ok(Template::text(name))
    }

    /// A value of a type of the crate under test, by its simplest constructor.
    fn construct(&mut self, local: Local<'a>) -> Result<Template, Reason> {
        let path = local
            .path()
            .ok_or_else(|| format!("needs a {}, which has no public path", local.name()))?;
        if let Some(ItemEnum::Enum(one)) = self.crate_.item(local.id).map(|item| &item.inner) {
            for variant in &one.variants {
                let Some(item) = self.crate_.item(*variant) else { continue };
                if let ItemEnum::Variant(inner) = &item.inner
                    && inner.kind == VariantKind::Plain
                {
                    return Ok(Template::text(format!(
                        "{path}::{}",
                        item.name.as_deref().unwrap_or_default()
                    )));
                }
            }
        }
        if local.implements("Default") {
            return Ok(Template::text(format!("{path}::default()")));
        }
        for method in local.methods().filter(|method| method.impl_.trait_.is_none()) {
            let name = method.item.name.as_deref().unwrap_or_default();
            let inputs = &method.function.sig.inputs;
            let makes = matches!(&method.function.sig.output, Some(Type::Generic(output)) if output == "Self");
            let simple =
                inputs.iter().all(|(_, one)| matches!(one, Type::Primitive(_) | Type::Generic(_)));
            if makes
                && simple
                && inputs.first().is_none_or(|(first, _)| first != "self")
                && !method.function.header.is_unsafe
            {
                let mut arguments = Vec::new();
                for (_, one) in inputs {
                    let outer = self.owner.replace(local);
                    let value = self.value(one, Inside::Call);
                    self.owner = outer;
                    arguments.push(value?);
                }
                let call =
                    Template::text(format!("{path}::{name}(")).and(Template::join(arguments));
                return Ok(call.then(")"));
            }
        }
        Err(format!("needs a value of type {path}, which has no simple constructor"))
    }
}

fn is_count(kind: &str) -> bool {
    !matches!(kind, "bool" | "char" | "str" | "unit" | "never" | "f32" | "f64")
}

fn is_capacity(parameter: &str) -> bool {
    ["cap", "capacity", "bound", "size", "max", "limit", "max_capacity", "permits", "slots"]
        .contains(&parameter)
}
