//! `#[global_allocator]`, as an instrumented build has it.
//!
//! A program has one allocator for all of its code, and so the engine's own data would come from the test's: a test
//! that counts what is allocated would count that as well. So the program's allocator is
//! `selvedge_memory::Behind`, which hands on to the test's what the test asks for, and nothing else. The static of the test
//! stays as it is.
#![forbid(unsafe_code)]

use proc_macro::{TokenStream, TokenTree};

/// Stands for the attribute of the standard library.
#[proc_macro_attribute]
pub fn global_allocator(_: TokenStream, item: TokenStream) -> TokenStream {
    let Some((name, kind)) = name_and_type(item.clone()) else {
        // The compiler says what is wrong with it.
        let mut refused: TokenStream = parsed("#[::std::__selvedge_allocator::global_allocator]");
        refused.extend(item);
        return refused;
    };
    let mut all = item;
    all.extend(parsed(&format!(
        "const _: () = {{
            #[::std::__selvedge_allocator::global_allocator]
            static BEHIND: ::std::__selvedge_allocator::Behind<{kind}> =
                ::std::__selvedge_allocator::Behind::new(&{name});
        }};"
    )));
    all
}

fn parsed(text: &str) -> TokenStream {
    text.parse().expect("it is Rust")
}

/// The name and the type of a static, as text.
fn name_and_type(item: TokenStream) -> Option<(String, String)> {
    let mut tokens = item.into_iter();
    tokens.find(|token| matches!(token, TokenTree::Ident(word) if word.to_string() == "static"))?;
    let TokenTree::Ident(name) = tokens.next()? else { return None };
    if !matches!(tokens.next()?, TokenTree::Punct(mark) if mark.as_char() == ':') {
        return None;
    }
    let mut kind = TokenStream::new();
    for token in tokens {
        if matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '=') {
            return Some((name.to_string(), kind.to_string()));
        }
        kind.extend([token]);
    }
    None
}
