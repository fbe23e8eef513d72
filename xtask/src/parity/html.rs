//! Rust text out of rustdoc's HTML.
//!
//! Rustdoc prints `Mutex` and hides in the link's title that it means `std::sync::Mutex`. Both are
//! kept: the printed name for people, the full path for code that has to compile.

use super::MODULES;

/// A piece of Rust that rustdoc printed.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    /// The text as a reader of the page sees it, on one line.
    pub(super) shown: String,
    /// The same text with paths that compile: relative for mirrored modules, absolute otherwise.
    pub(super) qualified: String,
    /// The pages of all linked items, relative to the folder of std's documentation.
    pub(super) mentions: Vec<String>,
}

impl Code {
    /// Reads what lies inside a `code-header` or an `item-decl`.
    pub(super) fn from_html(html: &str) -> Code {
        let mut code = Code::default();
        let mut rest = html;
        while let Some(start) = rest.find('<') {
            code.push(&unescape(&rest[..start]));
            let end = rest[start..].find('>').map_or(rest.len(), |at| start + at + 1);
            let tag = &rest[start..end];
            rest = &rest[end..];
            if tag.starts_with("<a ") {
                let close = rest.find("</a>").unwrap_or(rest.len());
                code.push_link(tag, &strip_tags(&rest[..close]));
                rest = rest.get(close + "</a>".len()..).unwrap_or_default();
            } else if tag.starts_with("<div") || tag == "</div>" {
                // A line of its own on the page must not be glued to its neighbours.
                code.push(" ");
            }
        }
        code.push(&unescape(rest));
        code.shown = one_line(&code.shown);
        code.qualified = one_line(&code.qualified);
        code
    }

    /// Whether the text links to the page of an item below `folder`.
    pub(super) fn mentions_folder(&self, folder: &str) -> bool {
        self.mentions.iter().any(|page| page.starts_with(folder))
    }

    fn push(&mut self, text: &str) {
        self.shown.push_str(text);
        self.qualified.push_str(text);
    }

    fn push_link(&mut self, tag: &str, text: &str) {
        let class = attribute(tag, "class").unwrap_or_default();
        if class == "tooltip" {
            return;
        }
        self.shown.push_str(text);
        let titled = attribute(tag, "title").and_then(|title| title.split_once(" std::"));
        match titled {
            Some((kind, path))
                if matches!(kind, "struct" | "enum" | "union" | "trait" | "type")
                    && class == kind =>
            {
                self.qualified.push_str(&usable_path(path));
                let (folder, name) = path.rsplit_once("::").unwrap_or(("", path));
                self.mentions.push(format!("{}/{kind}.{name}.html", folder.replace("::", "/")));
            }
            _ => self.qualified.push_str(text),
        }
    }
}

/// The spelling of `std::<path>` in a probe.
fn usable_path(path: &str) -> String {
    let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
    let in_prelude = matches!(
        (module, name),
        ("boxed", "Box")
            | ("clone", "Clone")
            | ("cmp", "Eq" | "Ord" | "PartialEq" | "PartialOrd")
            | ("convert", "AsMut" | "AsRef" | "From" | "Into" | "TryFrom" | "TryInto")
            | ("default", "Default")
            | ("iter", "FromIterator" | "IntoIterator" | "Iterator")
            | ("marker", "Copy" | "Send" | "Sized" | "Sync" | "Unpin")
            | ("ops", "Drop" | "Fn" | "FnMut" | "FnOnce")
            | ("option", "Option")
            | ("result", "Result")
            | ("string", "String")
            | ("vec", "Vec")
    );
    if in_prelude {
        name.to_owned()
    } else if MODULES.contains(&module) {
        path.to_owned()
    } else {
        format!("std::{path}")
    }
}

/// The value of an attribute in the text of one tag.
pub(super) fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    let length = tag[start..].find('"')?;
    Some(&tag[start..start + length])
}

/// The text between `open` and the next `close`.
pub(super) fn between<'a>(html: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let start = html.find(open)? + open.len();
    let length = html[start..].find(close)?;
    Some(&html[start..start + length])
}

/// The text without tags, with entities resolved.
pub(super) fn strip_tags(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        text.push_str(&rest[..start]);
        rest = rest[start..].find('>').map_or("", |at| &rest[start + at + 1..]);
    }
    text.push_str(rest);
    unescape(&text)
}

fn unescape(text: &str) -> String {
    // `&amp;` comes last, otherwise `&amp;lt;` would turn into a bracket.
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(").replace(", )", ")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_paths() {
        let html = "pub fn <a href=\"#method.lock\" class=\"fn\">lock</a>(&amp;self) -&gt; \
            <a class=\"type\" href=\"x\" title=\"type std::sync::LockResult\">LockResult</a>&lt;\
            <a class=\"enum\" href=\"x\" title=\"enum std::option::Option\">Option</a>&lt;\
            <a class=\"struct\" href=\"x\" title=\"struct std::cell::Cell\">Cell</a>&gt;&gt;";
        let code = Code::from_html(html);
        assert_eq!(code.shown, "pub fn lock(&self) -> LockResult<Option<Cell>>");
        assert_eq!(
            code.qualified,
            "pub fn lock(&self) -> sync::LockResult<Option<std::cell::Cell>>"
        );
        assert_eq!(
            code.mentions,
            ["sync/type.LockResult.html", "option/enum.Option.html", "cell/struct.Cell.html"]
        );
    }

    #[test]
    fn where_clauses_and_tooltips_are_told_apart_from_the_text() {
        let html = "fn f() -&gt; T <a href=\"#\" class=\"tooltip\">!</a><div class=\"where\">where\n    T: Copy,</div>";
        assert_eq!(Code::from_html(html).shown, "fn f() -> T where T: Copy,");
    }
}
