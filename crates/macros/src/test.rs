//! `#[selvedge::test]`: checks its arguments as the library would and hands them over.

use proc_macro2::TokenStream;
use quote::quote;
use selvedge_model::Config;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, ItemFn, Lit, MetaNameValue, Result, Token};

pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let settings = settings(arguments)?;
    let function: ItemFn = syn::parse2(item)?;
    check_signature(&function)?;
    let ItemFn { attrs, vis, sig, block, .. } = function;
    let (name, output) = (&sig.ident, &sig.output);
    let (keys, values): (Vec<_>, Vec<_>) = settings.into_iter().unzip();
    Ok(quote! {
        #[::core::prelude::v1::test]
        #(#attrs)*
        #vis fn #name() {
            fn body() #output #block
            ::selvedge::private::run_test(
                &[#((#keys, #values)),*],
                || ::selvedge::private::TestResult::finish(body()),
            );
        }
    })
}

/// The settings that the attribute names. All mistakes at once, each at its place.
fn settings(arguments: TokenStream) -> Result<Vec<(String, String)>> {
    let parser = Punctuated::<MetaNameValue, Token![,]>::parse_terminated;
    let mut settings = Vec::new();
    let mut errors: Option<Error> = None;
    for argument in parser.parse2(arguments)? {
        let key = argument.path.get_ident().map(ToString::to_string).unwrap_or_default();
        let checked = text(&argument.value).and_then(|value| {
            // The same parser as for files and the environment.
            match Config::default().set(&key, &value) {
                Ok(()) => Ok((key, value)),
                Err(error) => Err(Error::new(argument.span(), error)),
            }
        });
        match (checked, &mut errors) {
            (Ok(setting), _) => settings.push(setting),
            (Err(error), Some(errors)) => errors.combine(error),
            (Err(error), None) => errors = Some(error),
        }
    }
    errors.map_or(Ok(settings), Err)
}

/// The text of a literal.
fn text(value: &Expr) -> Result<String> {
    let Expr::Lit(ExprLit { lit, .. }) = value else {
        return Err(Error::new(value.span(), "expected a literal such as 1000, \"5s\" or true"));
    };
    match lit {
        Lit::Str(text) => Ok(text.value()),
        Lit::Int(number) => Ok(number.base10_digits().to_owned()),
        Lit::Bool(toggle) => Ok(toggle.value.to_string()),
        _ => Err(Error::new(lit.span(), "expected a number, a string, true or false")),
    }
}

fn check_signature(function: &ItemFn) -> Result<()> {
    let signature = &function.sig;
    if let Some(asyncness) = &signature.asyncness {
        return Err(Error::new(
            asyncness.span(),
            "selvedge::test runs ordinary functions; call your executor's block_on inside",
        ));
    }
    if !signature.inputs.is_empty() || !signature.generics.params.is_empty() {
        return Err(Error::new(
            signature.span(),
            "a test takes no arguments and no type parameters",
        ));
    }
    Ok(())
}
