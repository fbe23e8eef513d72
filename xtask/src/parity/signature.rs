//! The headers that rustdoc prints, taken apart.
//!
//! Types that take an allocator (`Arc<T, A>`) are read as if they had the default one: the
//! parameter can not be named on stable.

use super::brackets::{replace_word, split_bounds, split_commas, split_once, take_group};

/// The generic parameters of an item and the bounds on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Generics {
    pub(super) parameters: Vec<Parameter>,
    /// The predicates of the where clause.
    pub(super) predicates: Vec<String>,
}

/// One generic parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// The parameter with its bounds, without its default.
    pub(super) declaration: String,
    pub(super) default: Option<String>,
}

impl Parameter {
    fn parse(text: &str) -> Parameter {
        let (declaration, default) = match split_once(text, " = ") {
            Some((declaration, default)) => (declaration, Some(default.to_owned())),
            None => (text, None),
        };
        let name = declaration
            .split(':')
            .next()
            .unwrap_or(declaration)
            .trim_start_matches("const ")
            .trim();
        Parameter { name: name.to_owned(), declaration: declaration.to_owned(), default }
    }

    pub(super) fn is_lifetime(&self) -> bool {
        self.name.starts_with('\'')
    }
}

impl Generics {
    fn parse(parameters: &str, predicates: &str) -> Generics {
        let mut generics = Generics {
            parameters: split_commas(parameters).into_iter().map(Parameter::parse).collect(),
            predicates: split_commas(predicates).into_iter().map(str::to_owned).collect(),
        };
        generics.parameters.retain(|parameter| parameter.name != "A");
        generics.predicates.retain(|predicate| !predicate.starts_with("A:"));
        generics
    }

    /// A single lifetime.
    pub(super) fn of_lifetime(name: &str) -> Generics {
        Generics::parse(name, "")
    }

    /// The bounds of a parameter, wherever they are written.
    pub(super) fn bounds(&self, name: &str) -> Vec<&str> {
        let inline = self
            .parameters
            .iter()
            .filter(|parameter| parameter.name == name)
            .map(|it| it.declaration.as_str());
        let clauses = self
            .predicates
            .iter()
            .map(String::as_str)
            .filter(|it| it.split(':').next() == Some(name));
        inline
            .chain(clauses)
            .filter_map(|text| text.split_once(':'))
            .flat_map(|(_, bounds)| split_bounds(bounds))
            .collect()
    }

    /// These generics followed by those of something inside, in an order that compiles.
    pub(super) fn with(&self, inner: &Generics) -> Generics {
        let (mut outer, mut all) = (self.clone(), inner.clone());
        outer.parameters.append(&mut all.parameters);
        outer.predicates.append(&mut all.predicates);
        outer.parameters.sort_by_key(|parameter| !parameter.is_lifetime());
        outer
    }

    /// `<'a, T: Send>`, or nothing.
    pub(super) fn list(&self) -> String {
        bracketed(self.parameters.iter().map(|parameter| parameter.declaration.as_str()))
    }

    /// `<'a, T>`, or nothing.
    pub(super) fn arguments(&self) -> String {
        bracketed(self.parameters.iter().map(|parameter| parameter.name.as_str()))
    }

    /// ` where T: Send`, or nothing.
    pub(super) fn clause(&self) -> String {
        if self.predicates.is_empty() {
            String::new()
        } else {
            format!(" where {}", self.predicates.join(", "))
        }
    }
}

fn bracketed<'a>(items: impl Iterator<Item = &'a str>) -> String {
    let items: Vec<&str> = items.collect();
    if items.is_empty() { String::new() } else { format!("<{}>", items.join(", ")) }
}

/// The header of an implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ImplHeader {
    pub(super) generics: Generics,
    /// The trait with its arguments; `None` for an inherent implementation.
    pub(super) of_trait: Option<String>,
    /// Whether the implementation says that the trait is *not* implemented.
    pub(super) negative: bool,
    pub(super) self_type: String,
}

impl ImplHeader {
    /// Reads `impl<T> Trait for Type where T: Bound`.
    pub(super) fn parse(text: &str) -> Option<ImplHeader> {
        let text = without_allocator(text);
        let rest = text.strip_prefix("impl")?;
        let (parameters, rest) = take_group(rest).unwrap_or(("", rest.trim()));
        let (head, predicates) = split_once(rest, "where ").unwrap_or((rest, ""));
        let (of_trait, self_type) = match split_once(head, " for ") {
            Some((of_trait, self_type)) => (Some(of_trait), self_type),
            None => (None, head),
        };
        Some(ImplHeader {
            generics: Generics::parse(parameters, predicates),
            negative: of_trait.is_some_and(|name| name.starts_with('!')),
            of_trait: of_trait.map(|name| name.trim_start_matches('!').to_owned()),
            self_type: self_type.to_owned(),
        })
    }

    /// The same header with a name for the lifetime that `From<&str>` leaves out.
    pub(super) fn with_named_lifetimes(&self) -> ImplHeader {
        let mut header = self.clone();
        let named = self.of_trait.as_deref().map(|of_trait| name_elided(of_trait, "'r"));
        if named != self.of_trait {
            header.of_trait = named;
            header.generics = Generics::of_lifetime("'r").with(&self.generics);
        }
        header
    }

    /// The trait's name without path and arguments.
    pub(super) fn trait_name(&self) -> &str {
        let name = self.of_trait.as_deref().unwrap_or_default();
        let name = name.split('<').next().unwrap_or(name);
        name.rsplit("::").next().unwrap_or(name)
    }
}

impl std::fmt::Display for ImplHeader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bang = if self.negative { "!" } else { "" };
        let of_trait =
            self.of_trait.as_deref().map(|name| format!("{bang}{name} for ")).unwrap_or_default();
        write!(
            f,
            "impl{} {of_trait}{}{}",
            self.generics.list(),
            self.self_type,
            self.generics.clause()
        )
    }
}

/// The header of a function or method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signature {
    pub(super) is_const: bool,
    pub(super) is_unsafe: bool,
    pub(super) name: String,
    pub(super) generics: Generics,
    /// The parameters, `&self` included, as written.
    pub(super) parameters: Vec<String>,
    pub(super) returns: Option<String>,
}

impl Signature {
    /// Reads `pub const unsafe fn name<T>(a: T) -> T where T: Copy`.
    pub(super) fn parse(text: &str) -> Option<Signature> {
        let text = without_allocator(text);
        let (qualifiers, rest) = split_once(&text, "fn ")?;
        let name_end = rest.find(['<', '('])?;
        let (name, rest) = rest.split_at(name_end);
        let (generics, rest) = if rest.starts_with('<') { take_group(rest)? } else { ("", rest) };
        let (parameters, rest) = take_group(rest)?;
        let (head, predicates) = split_once(rest, "where ").unwrap_or((rest, ""));
        Some(Signature {
            is_const: qualifiers.contains("const"),
            is_unsafe: qualifiers.contains("unsafe"),
            name: name.to_owned(),
            generics: Generics::parse(generics, predicates),
            parameters: split_commas(parameters).into_iter().map(str::to_owned).collect(),
            returns: head.strip_prefix("->").map(|returns| returns.trim().to_owned()),
        })
    }

    /// `const unsafe fn`, as far as it applies.
    pub(super) fn kind(&self) -> &'static str {
        match (self.is_const, self.is_unsafe) {
            (true, true) => "const unsafe fn",
            (true, false) => "const fn",
            (false, true) => "unsafe fn",
            (false, false) => "fn",
        }
    }

    /// The same signature as a free function that takes `self` as a parameter named `this`.
    ///
    /// What a method returns borrows from `&self` unless it says otherwise. In a free function this
    /// has to be spelled out if there are other lifetimes to choose from.
    pub(super) fn freed(&self, self_type: &str) -> Signature {
        let expand = |text: &str| replace_word(text, "Self", self_type);
        let mut freed = self.clone();
        let borrows = |text: &str| text.contains('&') || text.contains('\'');
        let ambiguous = borrows(self_type) || self.parameters.iter().skip(1).any(|it| borrows(it));
        let elided = self.returns.as_deref().is_some_and(|it| name_elided(it, "") != it);
        if let Some(receiver @ ("&self" | "&mut self")) =
            self.parameters.first().map(String::as_str)
            && ambiguous
            && elided
        {
            freed.parameters[0] = name_elided(receiver, "'this");
            freed.returns = self.returns.as_deref().map(|it| name_elided(it, "'this"));
            freed.generics = Generics::of_lifetime("'this").with(&freed.generics);
        }
        for parameter in &mut freed.parameters {
            *parameter = match parameter.strip_suffix("self") {
                Some(reference) => format!("this: {reference}{self_type}"),
                None => expand(parameter),
            };
        }
        freed.returns = freed.returns.as_deref().map(expand);
        for predicate in &mut freed.generics.predicates {
            *predicate = expand(predicate);
        }
        freed
    }
}

/// What an item's declaration says: `pub struct Name<T: Bound> …`, `pub type Name<T> = …;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declaration {
    pub(super) non_exhaustive: bool,
    pub(super) generics: Generics,
    /// Whatever follows the name and the generics: fields, an alias' target, a constant's type.
    pub(super) rest: String,
}

impl Declaration {
    pub(super) fn parse(text: &str, name: &str) -> Option<Declaration> {
        let text = without_allocator(text);
        let at = text.find(&format!(" {name}"))? + 1;
        let rest = text[at..].split_once(name)?.1;
        let (parameters, rest) = if rest.starts_with('<') { take_group(rest)? } else { ("", rest) };
        // A where clause stands before the braces of a struct.
        let (rest, predicates) = match rest.trim().strip_prefix("where ") {
            Some(clause) => clause.split_once('{').map(|(predicates, _)| ("{", predicates))?,
            None => (rest, ""),
        };
        Some(Declaration {
            non_exhaustive: text.starts_with("#[non_exhaustive]"),
            generics: Generics::parse(parameters, predicates),
            rest: rest.trim().trim_end_matches(';').trim().to_owned(),
        })
    }
}

/// Gives a name to the lifetimes that `&T` and `Guard<'_, T>` leave out.
fn name_elided(text: &str, lifetime: &str) -> String {
    let mut named = String::new();
    for (at, character) in text.char_indices() {
        named.push(character);
        if character == '&' && !text[at + 1..].starts_with('\'') {
            named.push_str(lifetime);
            named.push(' ');
        }
    }
    named.replace("'_", lifetime)
}

fn without_allocator(text: &str) -> String {
    text.replace(", A>", ">").replace("<A>", "").replace(", A, ", ", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impl_header_is_printed_as_it_was_read() {
        for text in [
            "impl<T: ?Sized + Send> Sync for Mutex<T>",
            "impl<T: ?Sized> !Send for MutexGuard<'_, T>",
            "impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F>",
            "impl<W> From<Arc<W>> for Waker where W: Wake + Send + 'static",
            "impl Barrier",
        ] {
            assert_eq!(ImplHeader::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_allocator_is_left_out() {
        let header = ImplHeader::parse(
            "impl<T, A> Clone for Arc<T, A> where A: Allocator + Clone, T: ?Sized,",
        )
        .unwrap();
        assert_eq!(header.to_string(), "impl<T> Clone for Arc<T> where T: ?Sized");
        let header =
            ImplHeader::parse("impl<A> Arc<dyn Any + Send, A> where A: Allocator,").unwrap();
        assert_eq!(header.to_string(), "impl Arc<dyn Any + Send>");
        let header =
            ImplHeader::parse("impl<T, A, const N: usize> TryFrom<Arc<[T], A>> for Arc<[T; N], A>")
                .unwrap();
        assert_eq!(header.to_string(), "impl<T, const N: usize> TryFrom<Arc<[T]>> for Arc<[T; N]>");
    }

    #[test]
    fn bounds_are_found_in_both_places() {
        let header =
            ImplHeader::parse("impl<T: Send> Sync for X<T> where T: Sync + ?Sized, U: Send")
                .unwrap();
        assert_eq!(header.generics.bounds("T"), ["Send", "Sync", "?Sized"]);
    }

    #[test]
    fn a_method_becomes_a_free_function() {
        let text = "pub fn wait<'a, T>(&self, guard: Guard<'a, T>) -> Result<Self, T> where T: Fn(u8) -> u8,";
        let signature = Signature::parse(text).unwrap().freed("sync::Condvar");
        assert_eq!(signature.parameters, ["this: &sync::Condvar", "guard: Guard<'a, T>"]);
        assert_eq!(signature.returns.as_deref(), Some("Result<sync::Condvar, T>"));
        assert_eq!(signature.generics.predicates, ["T: Fn(u8) -> u8"]);
        assert_eq!(signature.kind(), "fn");
    }

    #[test]
    fn a_returned_borrow_is_named_where_it_would_be_ambiguous() {
        let signature = Signature::parse("pub fn thread(&self) -> &Thread").unwrap();
        let freed = signature.freed("Handle<'scope>");
        assert_eq!(freed.parameters, ["this: &'this Handle<'scope>"]);
        assert_eq!(freed.returns.as_deref(), Some("&'this Thread"));
        assert_eq!(freed.generics.list(), "<'this>");
        assert_eq!(signature.freed("Handle").returns.as_deref(), Some("&Thread"));
    }

    #[test]
    fn declarations_keep_defaults_apart() {
        let declaration = Declaration::parse(
            "pub struct LazyLock<T, F = fn() -> T> { /* private */ }",
            "LazyLock",
        )
        .unwrap();
        assert_eq!(declaration.generics.list(), "<T, F>");
        assert_eq!(declaration.generics.parameters[1].default.as_deref(), Some("fn() -> T"));
        let declaration =
            Declaration::parse("pub type LockResult<T> = Result<T, PoisonError<T>>;", "LockResult")
                .unwrap();
        assert_eq!(declaration.rest, "= Result<T, PoisonError<T>>");
    }
}
