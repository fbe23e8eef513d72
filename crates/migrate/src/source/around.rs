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

/// All functions of a file, each with the modules, types and functions around it in its name. Nothing if
/// the text does not parse.
pub fn functions(text: &str) -> Vec<Function> {
    struct All<'t> {
        text: &'t str,
        path: Vec<String>,
        found: Vec<Function>,
    }
    impl All<'_> {
        fn inside(&mut self, name: String, range: Option<Range<usize>>, f: impl FnOnce(&mut Self)) {
            self.path.push(name);
            if let Some(range) = range {
                self.found.push(Function { name: self.path.join("::"), range });
            }
            f(self);
            self.path.pop();
        }

        /// The text of a type, without spaces.
        fn of(&self, range: Range<usize>) -> String {
            let text = self.text.get(range).unwrap_or_default();
            text.split_whitespace().collect()
        }
    }
    impl<'ast> Visit<'ast> for All<'_> {
        fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
            self.inside(item.ident.to_string(), None, |all| visit::visit_item_mod(all, item));
        }

        fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
            self.inside(item.ident.to_string(), None, |all| visit::visit_item_trait(all, item));
        }

        fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
            let mut name = self.of(item.self_ty.span().byte_range());
            if let Some((path, _)) = &item.trait_ {
                name = format!("{}<{name}>", self.of(path.span().byte_range()));
            }
            self.inside(name, None, |all| visit::visit_item_impl(all, item));
        }

        fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
            let range = item.span().byte_range();
            self.inside(item.sig.ident.to_string(), Some(range), |all| {
                visit::visit_item_fn(all, item);
            });
        }

        fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
            let range = item.span().byte_range();
            self.inside(item.sig.ident.to_string(), Some(range), |all| {
                visit::visit_impl_item_fn(all, item);
            });
        }

        fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
            let range = item.span().byte_range();
            self.inside(item.sig.ident.to_string(), Some(range), |all| {
                visit::visit_trait_item_fn(all, item);
            });
        }
    }
    let Ok(tree) = syn::parse_file(text) else { return Vec::new() };
    let mut all = All { text, path: Vec::new(), found: Vec::new() };
    all.visit_file(&tree);
    all.found
}

/// Where the first item of a file begins, behind the attributes of the file itself.
pub fn first_item(text: &str) -> usize {
    let start = |tree: syn::File| tree.items.first().map(|item| item.span().byte_range().start);
    syn::parse_file(text).ok().and_then(start).unwrap_or(text.len())
}
