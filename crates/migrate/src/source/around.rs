//! Functions of a text, by offsets.

use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// All of it, with its attributes and comments for documentation.
    pub range: Range<usize>,
}

/// The outermost function around an offset. Nothing if there is none, or if the text does not parse.
pub fn function_around(text: &str, offset: usize) -> Option<Function> {
    struct Finder(usize, Option<Function>);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
            let range = item.span().byte_range();
            if range.contains(&self.0) && self.1.is_none() {
                self.1 = Some(Function { name: item.sig.ident.to_string(), range });
            }
            visit::visit_item_fn(self, item);
        }
    }
    let tree = syn::parse_file(text).ok()?;
    let mut finder = Finder(offset, None);
    finder.visit_file(&tree);
    finder.1
}

/// Where the first item of a file begins, behind the attributes of the file itself.
pub fn first_item(text: &str) -> usize {
    let start = |tree: syn::File| tree.items.first().map(|item| item.span().byte_range().start);
    syn::parse_file(text).ok().and_then(start).unwrap_or(text.len())
}
