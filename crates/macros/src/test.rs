//! `#[selvedge::test]`: checks its arguments as the library would and hands them over.

use crate::arguments::{Arguments, Threads};
use crate::schedule::Case;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Error, ItemFn, Result};

pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let arguments: Arguments = syn::parse2(arguments)?;
    let function: ItemFn = syn::parse2(item)?;
    check_signature(&function)?;
    let (keys, values): (Vec<_>, Vec<_>) = arguments.settings.into_iter().unzip();
    let settings = quote!(&[#((#keys, #values)),*]);
    Ok(match arguments.cases.as_slice() {
        [] => one(function, |body| quote!(::selvedge::private::run_test(#settings, #body))),
        [case] if case.name.is_none() => {
            let run = scheduled(case, "", arguments.threads, &settings);
            one(function, run)
        }
        cases => several(&function, cases, arguments.threads, &settings),
    })
}

/// A test function in the place of the original one.
fn one(function: ItemFn, run: impl Fn(TokenStream) -> TokenStream) -> TokenStream {
    let ItemFn { attrs, vis, sig, block, .. } = function;
    let (name, output) = (&sig.ident, &sig.output);
    let run = run(quote!(|| ::selvedge::private::TestResult::finish(body())));
    quote! {
        #[::core::prelude::v1::test]
        #(#attrs)*
        #vis fn #name() {
            fn body() #output #block
            #run;
        }
    }
}

/// The function as it was, and a module of the same name with a test for each schedule.
fn several(
    function: &ItemFn,
    cases: &[Case],
    threads: Threads,
    settings: &TokenStream,
) -> TokenStream {
    let is_for_tests = |attribute: &&Attribute| {
        attribute.path().is_ident("should_panic") || attribute.path().is_ident("ignore")
    };
    let for_tests: Vec<_> = function.attrs.iter().filter(is_for_tests).collect();
    let conditions: Vec<_> = function.attrs.iter().filter(|a| a.path().is_ident("cfg")).collect();
    let for_function: Vec<_> = function.attrs.iter().filter(|a| !is_for_tests(a)).collect();
    let ItemFn { sig, block, .. } = function;
    let (name, output) = (&sig.ident, &sig.output);
    let tests = cases.iter().enumerate().map(|(index, case)| {
        let case_name = match &case.name {
            Some(name) => name.clone(),
            None => format_ident!("schedule_{}", index + 1, span = case.span),
        };
        let body = quote!(|| ::selvedge::private::TestResult::finish(super::#name()));
        let run = scheduled(case, &case_name.to_string(), threads, settings)(body);
        quote! {
            #[::core::prelude::v1::test]
            #(#for_tests)*
            fn #case_name() {
                #run;
            }
        }
    });
    quote! {
        #[cfg(test)]
        #(#for_function)*
        fn #name() #output #block

        #[cfg(test)]
        #(#conditions)*
        mod #name {
            #(#tests)*
        }
    }
}

/// Runs a body by a schedule.
fn scheduled(
    case: &Case,
    name: &str,
    threads: Threads,
    settings: &TokenStream,
) -> impl Fn(TokenStream) -> TokenStream {
    let written = case.description(name);
    let run = match threads {
        Threads::Real => quote!(run_written),
        Threads::Controlled => quote!(run_written_controlled),
    };
    move |body| quote!(::selvedge::private::#run(&#written, #settings, #body))
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
