//! Which documented items make up std's interface.

use std::collections::BTreeMap;

use super::MODULES;
use super::brackets::{split_commas, split_once, take_group};
use super::docs::Docs;
use super::html::Code;
use super::item::{Collection, Item, Shape, Variant};
use super::page::{Entry, Page, Region, Role, Section, index};
use super::signature::{Declaration, Generics, ImplHeader, Signature};
use crate::Result;

/// The auto traits that decide whether a program compiles; others follow from them or never matter.
const AUTO_TRAITS: &[&str] = &["RefUnwindSafe", "Send", "Sync", "UnwindSafe"];

/// Reads all pages that [`MODULES`] lead to.
pub(super) fn collect(docs: &Docs) -> Result<Collection> {
    let mut collector = Collector { docs, collection: Collection::default() };
    for &module in MODULES {
        collector.module(module)?;
    }
    // The one macro at the root of std that is part of a mirrored family.
    let thread_local = Entry { kind: "macro".into(), name: "thread_local".into(), unstable: false };
    collector.entry("", &thread_local)?;

    let mut collection = collector.collection;
    collection.items = without_twins(collection.items);
    collection.items.sort_by_key(Item::name);
    if let Some(twins) = collection.items.windows(2).find(|pair| pair[0].name() == pair[1].name()) {
        return Err(format!("two items are called `{}`", twins[0].name()).into());
    }
    Ok(collection)
}

/// Rustdoc shows `impl Add<Duration> for Instant` on the pages of both types; keep one of them.
fn without_twins(items: Vec<Item>) -> Vec<Item> {
    let mut others = Vec::new();
    let mut implementations: BTreeMap<String, Item> = BTreeMap::new();
    for item in items {
        let Shape::Impl { header, .. } = &item.shape else {
            others.push(item);
            continue;
        };
        let key = header.to_string();
        let at_home = header.self_type.contains(&item.path);
        if at_home || !implementations.contains_key(&key) {
            implementations.insert(key, item);
        }
    }
    others.extend(implementations.into_values());
    others
}

struct Collector<'a> {
    docs: &'a Docs,
    collection: Collection,
}

impl Collector<'_> {
    fn module(&mut self, module: &str) -> Result<()> {
        let html = self.docs.page(&format!("{}/index.html", module.replace("::", "/")))?;
        let page = Page::parse(&html);
        self.add(module.to_owned(), "mod".to_owned(), page.since.as_deref(), Shape::Module);
        for entry in index(&html) {
            self.entry(module, &entry)?;
        }
        Ok(())
    }

    fn entry(&mut self, module: &str, entry: &Entry) -> Result<()> {
        let Entry { kind, name, unstable } = entry;
        let path = join(module, name);
        if *unstable {
            self.collection.left_out.unstable += 1;
            return Ok(());
        }
        if kind == "mod" {
            let listed = MODULES.contains(&path.as_str());
            return if listed {
                Ok(())
            } else {
                Err(format!("std has a new module `{path}`; list it").into())
            };
        }
        let page_name = format!("{}/{kind}.{name}.html", module.replace("::", "/"));
        let page = Page::parse(&self.docs.page(page_name.trim_start_matches('/'))?);
        let since = page.since.clone();
        let declared = &page.declaration.qualified;
        let declaration = || {
            Declaration::parse(declared, name).ok_or_else(|| format!("odd declaration: {declared}"))
        };
        let shape = match kind.as_str() {
            "macro" => Shape::Macro,
            "struct" => Shape::Struct(declaration()?),
            "enum" => Shape::Enum { declaration: declaration()?, variants: variants(&page) },
            "type" => Shape::Alias(declaration()?),
            "constant" => Shape::Constant {
                ty: declaration()?.rest.trim_start_matches(':').trim().to_owned(),
            },
            "trait" => Shape::Trait,
            "fn" => {
                let signature = signature(&page.declaration)?;
                let what = signature.kind().to_owned();
                self.add(path, what, since.as_deref(), Shape::Function(signature));
                return Ok(());
            }
            other => return Err(format!("`{path}` is of the unknown kind `{other}`").into()),
        };
        let (owner, has_members) = match &shape {
            Shape::Struct(declaration) | Shape::Enum { declaration, .. } => {
                (declaration.clone(), true)
            }
            // The page of an alias repeats the variants of its target.
            _ => (
                Declaration {
                    non_exhaustive: false,
                    generics: Generics::default(),
                    rest: String::new(),
                },
                kind == "trait",
            ),
        };
        self.add(path.clone(), kind.clone(), since.as_deref(), shape);
        if has_members {
            self.fields(&path, &owner, since.as_deref());
            self.members(&path, &owner, &page)?;
        }
        Ok(())
    }

    /// The public fields of a tuple struct; rustdoc shows them in the declaration.
    fn fields(&mut self, path: &str, owner: &Declaration, since: Option<&str>) {
        let Some((fields, _)) = take_group(&owner.rest).filter(|_| owner.rest.starts_with('('))
        else {
            return;
        };
        for (index, field) in split_commas(fields).into_iter().enumerate() {
            if let Some(ty) = field.strip_prefix("pub ") {
                let shape =
                    Shape::Field { owner: owner.generics.clone(), index, ty: ty.to_owned() };
                self.add(format!("{path}::{index}"), "field".to_owned(), since, shape);
            }
        }
    }

    /// Variants, methods, constants and implementations, in the order of the page.
    fn members(&mut self, path: &str, owner: &Declaration, page: &Page) -> Result<()> {
        let mut sections = page.sections.iter().peekable();
        let mut block: Option<(ImplHeader, String, bool)> = None;
        while let Some(section) = sections.next() {
            let since = section.since.as_deref().or(page.since.as_deref());
            match (section.region, section.role) {
                (Region::Other, _) => {}
                (Region::Variants, Role::Variant) => {
                    let variant = variant(&section.code.qualified);
                    let (owner, owner_path) = (owner.generics.clone(), path.to_owned());
                    let member = format!("{path}::{}", variant.name);
                    self.add(
                        member,
                        "variant".to_owned(),
                        since,
                        Shape::Variant { owner, owner_path, variant },
                    );
                }
                (Region::TraitMethods, Role::Method) => {
                    if !self.skip_unstable(section) {
                        let signature = signature(&section.code)?;
                        let (member, what) =
                            (format!("{path}::{}", signature.name), signature.kind().to_owned());
                        self.add(
                            member,
                            what,
                            since,
                            Shape::TraitMethod { of_trait: path.to_owned(), signature },
                        );
                    }
                }
                (Region::Inherent, Role::Impl) => {
                    let header = header(&section.code.qualified)?;
                    let shown = header_path(path, &section.code.shown)?;
                    block = Some((header, shown, self.names_unstable(&section.code)?));
                }
                (Region::Inherent, role) => {
                    let (owner, owner_path, unspeakable) =
                        block.as_ref().ok_or("a method outside of any impl")?;
                    if !self.skip_unstable(section) {
                        let unspeakable = *unspeakable || self.names_unstable(&section.code)?;
                        self.inherent(
                            owner.clone(),
                            owner_path,
                            unspeakable,
                            role,
                            section,
                            since,
                        )?;
                    }
                }
                (Region::Trait | Region::Auto, Role::Impl) => {
                    let mut associated = Vec::new();
                    while let Some(inner) = sections
                        .next_if(|next| next.region == section.region && next.role != Role::Impl)
                    {
                        if inner.role == Role::AssociatedType && !inner.unstable {
                            associated.push(
                                inner
                                    .code
                                    .qualified
                                    .trim_start_matches("type ")
                                    .replace(", A>", ">"),
                            );
                        }
                    }
                    self.implementation(path, section, associated)?;
                }
                (region, role) => {
                    return Err(format!("{path}: unexpected {role:?} in {region:?}").into());
                }
            }
        }
        Ok(())
    }

    fn inherent(
        &mut self,
        owner: ImplHeader,
        owner_path: &str,
        unspeakable: bool,
        role: Role,
        section: &Section,
        since: Option<&str>,
    ) -> Result<()> {
        let code = &section.code.qualified;
        let (name, what, shape) = match role {
            Role::Method => {
                let signature = signature(&section.code)?;
                (signature.name.clone(), signature.kind(), Shape::Method { owner, signature })
            }
            Role::AssociatedConstant => {
                let (name, ty) = code
                    .trim_start_matches("pub const ")
                    .split_once(": ")
                    .ok_or("a constant without type")?;
                let ty = split_once(ty, " = ").map_or(ty, |(ty, _)| ty).to_owned();
                (
                    name.to_owned(),
                    "const",
                    Shape::AssociatedConstant { owner, name: name.to_owned(), ty },
                )
            }
            other => return Err(format!("{owner_path}: unexpected {other:?} `{code}`").into()),
        };
        let shape = if unspeakable { Shape::Unspeakable } else { shape };
        self.add(format!("{owner_path}::{name}"), what.to_owned(), since, shape);
        Ok(())
    }

    fn implementation(
        &mut self,
        path: &str,
        section: &Section,
        associated: Vec<String>,
    ) -> Result<()> {
        let left_out = &mut self.collection.left_out;
        let (shown, header) = (header(&section.code.shown)?, header(&section.code.qualified)?);
        let auto = AUTO_TRAITS.contains(&header.trait_name());
        if section.code.mentions_folder("os/windows") {
            left_out.other_platforms += 1;
        } else if matches!(header.trait_name(), "Drop" | "Unpin")
            || (section.region == Region::Auto && !auto)
        {
            left_out.markers += 1;
        } else if (section.region == Region::Trait && section.since.is_none())
            || self.trait_is_unstable(section, &header)?
        {
            // An implementation that nobody marked as stable is unstable, even if the page does not
            // say so.
            self.collection.left_out.unstable += 1;
        } else {
            // What the compiler derives has no version of its own.
            let since = section.since.as_deref().or(Some("auto"));
            self.add(path.to_owned(), shown.to_string(), since, Shape::Impl { header, associated });
        }
        Ok(())
    }

    fn trait_is_unstable(&self, section: &Section, header: &ImplHeader) -> Result<bool> {
        let page = format!("/trait.{}.html", header.trait_name());
        match section.code.mentions.iter().find(|mention| mention.ends_with(&page)) {
            Some(mention) => self.docs.is_unstable(mention),
            None => Ok(false),
        }
    }

    /// Whether the code can not be repeated on stable; the allocator is never repeated.
    fn names_unstable(&self, code: &Code) -> Result<bool> {
        for mention in &code.mentions {
            if !mention.starts_with("alloc/") && self.docs.is_unstable(mention)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn skip_unstable(&mut self, section: &Section) -> bool {
        self.collection.left_out.unstable += usize::from(section.unstable);
        section.unstable
    }

    fn add(&mut self, path: String, what: String, since: Option<&str>, shape: Shape) {
        let since = since.unwrap_or("unknown").to_owned();
        self.collection.items.push(Item { path, what, since, shape });
    }
}

fn join(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

fn header(text: &str) -> Result<ImplHeader> {
    ImplHeader::parse(text).ok_or_else(|| format!("odd header: {text}").into())
}

fn signature(code: &Code) -> Result<Signature> {
    Signature::parse(&code.qualified)
        .ok_or_else(|| format!("odd signature: {}", code.qualified).into())
}

fn variants(page: &Page) -> Vec<Variant> {
    let sections = page.sections.iter().filter(|section| section.role == Role::Variant);
    sections.map(|section| variant(&section.code.qualified)).collect()
}

fn variant(text: &str) -> Variant {
    let (name, fields) = text.split_once('(').unwrap_or((text, ""));
    let fields = fields.trim_end_matches(')');
    Variant {
        name: name.to_owned(),
        fields: split_commas(fields).into_iter().map(str::to_owned).collect(),
    }
}

/// The path of a type in front of a method: with arguments if the methods are those of a special
/// case.
fn header_path(path: &str, shown: &str) -> Result<String> {
    let header = header(shown)?;
    let arguments = header.self_type.find('<').map_or("", |at| &header.self_type[at..]);
    let is_parameter = |argument: &&str| {
        header.generics.parameters.iter().any(|parameter| parameter.name == **argument)
    };
    let inside = take_group(arguments).map_or("", |(inside, _)| inside);
    let general = split_commas(inside).iter().all(is_parameter);
    Ok(if general { path.to_owned() } else { format!("{path}{arguments}") })
}
