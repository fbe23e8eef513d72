//! Code that uses every item of the inventory.
//!
//! A probe of a function is a function of the same signature that calls it, `const` if the original
//! is. A probe of an implementation is a function with the implementation's own generics and bounds
//! that returns the type as `impl Trait`. So the bounds are compared too, not only the names.

use std::fmt::Write;

use super::brackets::{replace_word, split_commas};
use super::item::{Item, Shape, Variant};
use super::signature::{Declaration, Generics, ImplHeader, Signature};

/// A generated file, and the modules whose items it probes.
pub(super) struct File {
    pub(super) name: &'static str,
    modules: &'static [&'static str],
}

/// All generated files; what lies in a deeper module belongs to the file of that module.
pub(super) const FILES: &[File] = &[
    File { name: "atomic.rs", modules: &["sync::atomic"] },
    File { name: "hint.rs", modules: &["hint"] },
    File { name: "mpsc.rs", modules: &["sync::mpsc"] },
    File { name: "os.rs", modules: &["os"] },
    File { name: "sync.rs", modules: &["sync"] },
    File { name: "thread.rs", modules: &["thread"] },
    File { name: "time.rs", modules: &["time"] },
];

/// The longest line, as in rustfmt's default.
const WIDTH: usize = 100;

/// The text of one file.
pub(super) fn render(file: &File, items: &[Item]) -> String {
    let mut text = String::from("// Generated: cargo run -p xtask -- probes\n\nprobes! {\n");
    for item in items.iter().filter(|item| belongs(file, &item.path)) {
        if let Some(probe) = probe(item) {
            let probe: String = probe.lines().map(|line| format!("        {line}\n")).collect();
            // Writing to a string does not fail.
            let _ = write!(text, "    {:?} {{\n{probe}    }}\n", item.name());
        }
    }
    text + "}\n"
}

fn belongs(file: &File, path: &str) -> bool {
    let below = |module: &str| {
        path == module || path.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"))
    };
    let deepest = FILES
        .iter()
        .flat_map(|file| file.modules)
        .filter(|module| below(module))
        .max_by_key(|module| module.len());
    deepest.is_some_and(|module| file.modules.contains(module))
}

/// The items that use one thing, or `None` if they have to be written by hand.
fn probe(item: &Item) -> Option<String> {
    let path = item.path.as_str();
    Some(match &item.shape {
        Shape::Macro | Shape::Unspeakable => return None,
        Shape::Module => format!("use {path} as _;"),
        Shape::Struct(declaration) => structure(path, declaration),
        Shape::Field { owner, index, ty } => {
            let owner_path = path.rsplit_once("::")?.0;
            let parameters = [format!("value: {owner_path}{}", owner.arguments())];
            function("", owner, &parameters, Some(ty), &format!("value.{index}"))
        }
        Shape::Enum { declaration, variants } => enumeration(path, declaration, variants),
        Shape::Variant { owner, owner_path, variant } => {
            let (parameters, arguments) = fields(&variant.fields);
            let returns = format!("{owner_path}{}", owner.arguments());
            function("const ", owner, &parameters, Some(&returns), &format!("{path}{arguments}"))
        }
        Shape::Alias(declaration) => {
            let arguments = declaration.generics.arguments();
            let parameters = [format!("value: {path}{arguments}")];
            let target = declaration.rest.trim_start_matches('=').trim();
            function("", &declaration.generics, &parameters, Some(target), "value")
        }
        Shape::Constant { ty } => function("const ", &Generics::default(), &[], Some(ty), path),
        Shape::AssociatedConstant { owner, name, ty } => {
            let value = format!("<{}>::{name}", owner.self_type);
            function("const ", &owner.generics, &[], Some(ty), &value)
        }
        Shape::Trait => format!("fn probe<S: {path}>(value: S) -> S {{\n    value\n}}"),
        Shape::TraitMethod { of_trait, signature } => {
            let implementor = ImplHeader::parse(&format!("impl<S: {of_trait}> S"))?;
            call(
                &implementor.generics,
                signature,
                "S",
                &format!("<S as {of_trait}>::{}", signature.name),
            )
        }
        Shape::Function(signature) => call(&Generics::default(), signature, "Self", path),
        Shape::Method { owner, signature } => {
            let callee = format!("<{}>::{}", owner.self_type, signature.name);
            call(&owner.generics, signature, &owner.self_type, &callee)
        }
        Shape::Impl { header, .. } if header.negative => refusal(header, &[]),
        Shape::Impl { header, associated } => implementation(header, associated),
    })
}

/// A function that passes its parameters on to `callee`.
fn call(outer: &Generics, signature: &Signature, self_type: &str, callee: &str) -> String {
    let freed = signature.freed(self_type);
    let names: Vec<&str> = freed.parameters.iter().filter_map(|it| it.split(':').next()).collect();
    let mut body = format!("{callee}({})", names.join(", "));
    if signature.is_unsafe {
        body = format!("// SAFETY: The contract is passed on to the caller.\nunsafe {{ {body} }}");
    }
    let qualifiers = signature.kind().trim_end_matches("fn");
    let generics = outer.with(&freed.generics);
    function(qualifiers, &generics, &freed.parameters, freed.returns.as_deref(), &body)
}

/// A type is named with all its parameters, and built if everybody may build it.
fn structure(path: &str, declaration: &Declaration) -> String {
    let Declaration { generics, rest, non_exhaustive } = declaration;
    let itself = format!("{path}{}", generics.arguments());
    let public = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).map(split_commas);
    let open = public.filter(|fields| fields.iter().all(|field| field.starts_with("pub ")));
    let mut text = if let Some(open) = open {
        let types: Vec<String> = open.iter().map(|field| field.replacen("pub ", "", 1)).collect();
        let (parameters, arguments) = fields(&types);
        function("const ", generics, &parameters, Some(&itself), &format!("{path}{arguments}"))
    } else if rest.is_empty() && !non_exhaustive {
        function("const ", generics, &[], Some(&itself), path)
    } else {
        function("", generics, &[format!("value: &{itself}")], None, "let _ = value;")
    };
    if let Some(default) =
        generics.parameters.iter().find_map(|parameter| parameter.default.as_deref())
    {
        let mut fewer = generics.clone();
        fewer.parameters.retain(|parameter| parameter.default.is_none());
        let short = format!("value: {path}{}", fewer.arguments());
        let long = format!(
            "{path}<{}, {default}>",
            fewer.parameters.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ")
        );
        let defaults =
            function("", &fewer, &[short], Some(&long), "value").replacen("probe", "default", 1);
        let _ = write!(text, "\n{defaults}");
    }
    text
}

/// An enum is matched as exhaustively as it allows.
fn enumeration(path: &str, declaration: &Declaration, variants: &[Variant]) -> String {
    let mut arms: Vec<String> = variants
        .iter()
        .map(|variant| {
            format!(
                "{path}::{}{}",
                variant.name,
                if variant.fields.is_empty() { "" } else { "(..)" }
            )
        })
        .collect();
    if declaration.non_exhaustive {
        arms.push("_".to_owned());
    }
    let arms: String = arms.iter().map(|arm| format!("    {arm} => {{}}\n")).collect();
    let parameters = [format!("value: {path}{}", declaration.generics.arguments())];
    function("", &declaration.generics, &parameters, None, &format!("match value {{\n{arms}}}"))
}

/// A type that the implementation is for, returned as nothing but an implementor of the trait.
fn implementation(header: &ImplHeader, associated: &[String]) -> String {
    let header = &header.with_named_lifetimes();
    let of_trait = with_associated(header.of_trait.as_deref().unwrap_or_default(), associated);
    let parameters = [format!("value: &'v {}", header.self_type)];
    let returns = format!("&'v (impl {of_trait} + ?Sized)");
    let generics = Generics::of_lifetime("'v").with(&implied_bounds(header));
    let mut text = function("", &generics, &parameters, Some(&returns), "value");
    for (parameter, witness) in witnesses(header) {
        let _ = write!(text, "\n{}", refusal(header, &[(parameter, witness)]));
    }
    text
}

/// The generics of a header, with the bounds that the trait's arguments imply: whoever writes
/// `From<Cow<'a, B>>` may rely on `B: 'a`, but a function that only returns such a type may not.
fn implied_bounds(header: &ImplHeader) -> Generics {
    let mut generics = header.generics.clone();
    let of_trait = header.of_trait.as_deref().unwrap_or_default();
    let named = |name: &str| replace_word(of_trait, name, "") != of_trait;
    let used: Vec<_> = header.generics.parameters.iter().filter(|it| named(&it.name)).collect();
    let (lifetimes, types): (Vec<_>, Vec<_>) = used.into_iter().partition(|it| it.is_lifetime());
    for lifetime in &lifetimes {
        generics
            .predicates
            .extend(types.iter().map(|ty| format!("{}: {}", ty.name, lifetime.name)));
    }
    generics
}

fn with_associated(of_trait: &str, associated: &[String]) -> String {
    match (of_trait.strip_suffix('>'), associated) {
        (_, []) => of_trait.to_owned(),
        (Some(open), _) => format!("{open}, {}>", associated.join(", ")),
        (None, _) => format!("{of_trait}<{}>", associated.join(", ")),
    }
}

/// For each bound of an auto trait's implementation: a parameter and a type that breaks just this
/// bound.
fn witnesses(header: &ImplHeader) -> Vec<(&str, &'static str)> {
    if !matches!(header.trait_name(), "Send" | "Sync" | "UnwindSafe" | "RefUnwindSafe") {
        return Vec::new();
    }
    let parameters = header.generics.parameters.iter().map(|parameter| parameter.name.as_str());
    let bounds = parameters
        .flat_map(|name| header.generics.bounds(name).into_iter().map(move |bound| (name, bound)));
    let witnesses = bounds.filter_map(|(name, bound)| match bound.rsplit("::").next() {
        Some("Send") => Some((name, "NotSend")),
        Some("Sync") => Some((name, "NotSync")),
        Some("UnwindSafe") => Some((name, "NotUnwindSafe")),
        Some("RefUnwindSafe") => Some((name, "NotRefUnwindSafe")),
        _ => None,
    });
    witnesses.collect()
}

/// A check that a type does *not* implement a trait. It needs concrete types: `u8` unless told
/// otherwise.
fn refusal(header: &ImplHeader, witnesses: &[(&str, &str)]) -> String {
    let mut ty = header.self_type.replace("'_", "'static");
    for parameter in &header.generics.parameters {
        let witness =
            witnesses.iter().find(|(name, _)| *name == parameter.name).map(|(_, witness)| *witness);
        let by = if parameter.is_lifetime() { "'static" } else { witness.unwrap_or("u8") };
        ty = replace_word(&ty, &parameter.name, by);
    }
    format!("refuses!({ty}: {});", header.of_trait.as_deref().unwrap_or_default())
}

/// Parameters for the fields of a tuple, and the parenthesised list that passes them on.
fn fields(types: &[String]) -> (Vec<String>, String) {
    let names: Vec<String> = (0..types.len()).map(|index| format!("field{index}")).collect();
    let parameters = names.iter().zip(types).map(|(name, ty)| format!("{name}: {ty}")).collect();
    let arguments =
        if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
    (parameters, arguments)
}

/// Lays out a function; nothing else formats the inside of a macro call.
fn function(
    qualifiers: &str,
    generics: &Generics,
    parameters: &[String],
    returns: Option<&str>,
    body: &str,
) -> String {
    let returns = returns.map(|returns| format!(" -> {returns}")).unwrap_or_default();
    let head = format!("{qualifiers}fn probe{}", generics.list());
    let mut text = format!("{head}({}){returns}", parameters.join(", "));
    // The line is indented by two levels and followed by a brace.
    if text.len() + 10 > WIDTH {
        let list: String =
            parameters.iter().map(|parameter| format!("    {parameter},\n")).collect();
        text = format!("{head}(\n{list}){returns}");
    }
    if generics.predicates.is_empty() {
        text.push_str(" {\n");
    } else {
        let list: String =
            generics.predicates.iter().map(|predicate| format!("    {predicate},\n")).collect();
        let _ = write!(text, "\nwhere\n{list}{{\n");
    }
    for line in body.lines() {
        let _ = writeln!(text, "    {line}");
    }
    text + "}"
}
