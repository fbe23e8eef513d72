//! The attribute macros of Selvedge; documented where they are re-exported.
#![forbid(unsafe_code)]

mod arguments;
mod schedule;
mod test;
mod tokens;

use proc_macro::TokenStream;

/// Turns a test function into one that is run under control; see `selvedge::test`.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    test::expand(arguments.into(), item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
