//! The local variables of a function, and which of them have to do with each other: those that one `let`
//! names on both sides.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

/// Variables that belong together, a list for each `let`.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// All that are bound.
    pub bound: Vec<String>,
    /// Those that one statement connects.
    pub connected: Vec<Vec<String>>,
}

/// Reads a function.
pub(super) fn of(signature: Option<&syn::Signature>, block: &syn::Block) -> Variables {
    let mut reader = Reader::default();
    if let Some(signature) = signature {
        reader.visit_signature(signature);
    }
    reader.visit_block(block);
    reader.0
}

#[derive(Default)]
struct Reader(Variables);

impl<'ast> Visit<'ast> for Reader {
    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.0.bound.push(pattern.ident.to_string());
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let mut names = Mentioned::default();
        visit::visit_local(&mut names, local);
        self.0.connected.push(names.0);
        visit::visit_local(self, local);
    }
}

/// Names that are mentioned.
#[derive(Default)]
struct Mentioned(Vec<String>);

impl<'ast> Visit<'ast> for Mentioned {
    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.0.push(pattern.ident.to_string());
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.0.extend(path.path.get_ident().map(ToString::to_string));
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.0.extend(in_tokens(mac.tokens.clone()));
    }
}

/// Names in tokens that may be variables: no fields, no methods, no types.
pub(super) fn in_tokens(tokens: TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    let mut after_dot = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(ident) if !after_dot => names.push(ident.to_string()),
            TokenTree::Group(group) => names.extend(in_tokens(group.stream())),
            _ => {}
        }
        after_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
    }
    names
}
