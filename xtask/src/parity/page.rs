//! A page of rustdoc, cut into the sections that stand for items.

use super::html::{Code, attribute, between, strip_tags};

/// The part of a page that a section lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// Inherent implementations.
    Inherent,
    /// Implementations of traits that somebody wrote.
    Trait,
    /// Implementations of auto traits that the compiler worked out.
    Auto,
    /// The variants of an enum.
    Variants,
    /// The methods that a trait declares.
    TraitMethods,
    /// Text, blanket implementations, lists of implementors.
    Other,
}

impl Region {
    fn of_heading(id: &str) -> Region {
        match id {
            "implementations" => Region::Inherent,
            "trait-implementations" => Region::Trait,
            "synthetic-implementations" => Region::Auto,
            "variants" => Region::Variants,
            "required-methods" | "provided-methods" => Region::TraitMethods,
            _ => Region::Other,
        }
    }
}

/// What a section stands for, by its CSS class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Impl,
    Method,
    AssociatedConstant,
    AssociatedType,
    Variant,
}

impl Role {
    fn of_class(class: &str) -> Option<Role> {
        match class.split(' ').next()? {
            "impl" => Some(Role::Impl),
            "method" => Some(Role::Method),
            "associatedconstant" => Some(Role::AssociatedConstant),
            "associatedtype" => Some(Role::AssociatedType),
            "variant" => Some(Role::Variant),
            _ => None,
        }
    }
}

/// One method, implementation, variant or the like.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) region: Region,
    pub(super) role: Role,
    /// The version that stabilised it, where the page says so.
    pub(super) since: Option<String>,
    pub(super) unstable: bool,
    pub(super) code: Code,
}

/// The page of one item.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) since: Option<String>,
    /// The declaration at the top; empty for modules.
    pub(super) declaration: Code,
    pub(super) sections: Vec<Section>,
}

impl Page {
    pub(super) fn parse(html: &str) -> Page {
        let main = html.find("id=\"main-content\"").map_or(html, |at| &html[at..]);
        let head = main
            .find("</div><pre")
            .or_else(|| main.find("<details"))
            .map_or(main, |end| &main[..end]);
        let declaration = between(main, "item-decl\"><code>", "</code></pre>").unwrap_or_default();
        Page {
            since: since(head),
            declaration: Code::from_html(declaration),
            sections: sections(main),
        }
    }
}

fn sections(main: &str) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut region = Region::Other;
    let mut rest = main;
    while let Some(at) = next_of(rest, &["<h2 ", "<section "]) {
        let tag_end = rest[at..].find('>').map_or(rest.len(), |end| at + end + 1);
        let tag = &rest[at..tag_end];
        let (id, class) =
            (attribute(tag, "id").unwrap_or_default(), attribute(tag, "class").unwrap_or_default());
        rest = &rest[tag_end..];
        if tag.starts_with("<h2") {
            region = Region::of_heading(id);
            continue;
        }
        let Some(role) = Role::of_class(class) else { continue };
        // The marks of an item come before its description, inside or right after the section.
        let head = next_of(rest, &["class=\"docblock", "<h2 ", "<section ", "<details"])
            .map_or(rest, |end| &rest[..end]);
        let header = between(head, "class=\"code-header\">", "</h").unwrap_or_default();
        sections.push(Section {
            region,
            role,
            since: since(head),
            unstable: head.contains("stab unstable"),
            code: Code::from_html(header),
        });
    }
    sections
}

/// Where the first of several patterns begins.
fn next_of(text: &str, patterns: &[&str]) -> Option<usize> {
    patterns.iter().filter_map(|pattern| text.find(pattern)).min()
}

/// The version in text such as `1.0.0 (const: 1.63.0)`.
fn since(html: &str) -> Option<String> {
    let at = html.find("class=\"since")?;
    let label = strip_tags(between(&html[at..], ">", "</span>")?);
    label.split_whitespace().next().map(str::to_owned)
}

/// One line of a module's index.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) unstable: bool,
}

/// The items that a module's index lists.
pub(super) fn index(html: &str) -> Vec<Entry> {
    html.split("<dt").skip(1).filter_map(entry).collect()
}

fn entry(html: &str) -> Option<Entry> {
    let html = html.split("</dt>").next()?;
    let tag = between(html, "<a ", ">").map(|inside| format!("<a {inside}>"))?;
    let name = strip_tags(between(html, ">", "</a>")?);
    Some(Entry {
        kind: attribute(&tag, "class")?.to_owned(),
        name: name.trim_start_matches('>').to_owned(),
        unstable: html.contains("stab unstable"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_reads_names_kinds_and_marks() {
        let html = "<dl><dt><a class=\"struct\" href=\"x\" title=\"y\">Once<wbr>Lock</a></dt><dd>text</dd>\
            <dt class=\"deprecated\"><a class=\"fn\" href=\"x\">map</a><span class=\"stab unstable\">E</span></dt></dl>";
        let entry = |kind: &str, name: &str, unstable| Entry {
            kind: kind.into(),
            name: name.into(),
            unstable,
        };
        assert_eq!(index(html), [entry("struct", "OnceLock", false), entry("fn", "map", true)]);
    }

    #[test]
    fn sections_carry_region_version_and_mark() {
        let html = "id=\"main-content\"<h2 id=\"implementations\" class=\"section-header\">I</h2>\
            <section id=\"impl-M\" class=\"impl\"><h3 class=\"code-header\">impl M</h3></section>\
            <section id=\"method.new\" class=\"method\"><span class=\"since\" title=\"t\">1.0.0 (const: 1.63.0)</span>\
            <h4 class=\"code-header\">pub const fn new() -&gt; M</h4></section><div class=\"docblock\">text</div>\
            <section id=\"method.old\" class=\"method\"><h4 class=\"code-header\">pub fn old()</h4></section>\
            <span class=\"item-info\"><div class=\"stab unstable\">no</div></span><div class=\"docblock\">text</div>";
        let sections = Page::parse(html).sections;
        let found: Vec<_> = sections
            .iter()
            .map(|section| {
                (
                    section.role,
                    section.since.as_deref(),
                    section.unstable,
                    section.code.shown.as_str(),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (Role::Impl, None, false, "impl M"),
                (Role::Method, Some("1.0.0"), false, "pub const fn new() -> M"),
                (Role::Method, None, true, "pub fn old()"),
            ]
        );
        assert!(sections.iter().all(|section| section.region == Region::Inherent));
    }
}
