//! The written schedules of a test, each of which becomes a test case.

use crate::tokens::Written;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use selvedge_spec::{Errors, Spec};
use std::path::PathBuf;
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Lit, LitStr, Result};

/// What is done with a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Threads wait until it permits what they are about to do.
    Enforce,
    /// What happens is compared with it.
    Check,
}

/// A schedule of a test.
pub(crate) struct Case {
    pub(crate) mode: Mode,
    pub(crate) name: Option<Ident>,
    /// Where it is named, or its keyword stands.
    pub(crate) span: Span,
    /// An expression of the text, which has been checked.
    pub(crate) text: TokenStream,
}

impl Case {
    /// A schedule in braces.
    pub(crate) fn of_tokens(
        mode: Mode,
        name: Option<Ident>,
        span: Span,
        tokens: TokenStream,
    ) -> Result<Self> {
        let written = Written::new(tokens);
        let checked = parse(mode, &written.text);
        checked.map_err(|errors| {
            let each = errors.0.iter().map(|error| written.error(error.span, full(error)));
            all(each).unwrap_or_else(|| Error::new(span, "the schedule has a mistake"))
        })?;
        Ok(Self { mode, name, span, text: written.text.trim_end().to_token_stream() })
    }

    /// A schedule in a string, or in a file that is named by `include_str!`.
    pub(crate) fn of_text(
        mode: Mode,
        name: Option<Ident>,
        span: Span,
        value: &Expr,
    ) -> Result<Self> {
        let (text, file) = match value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => (text.value(), None),
            Expr::Macro(included) if included.mac.path.is_ident("include_str") => {
                let name: LitStr = included.mac.parse_body()?;
                (read(&name)?, Some(name.value()))
            }
            _ => {
                let expected =
                    "expected a schedule: \"a -> b\", include_str!(\"file\") or { a -> b }";
                return Err(Error::new(value.span(), expected));
            }
        };
        parse(mode, &text).map_err(|errors| {
            let name = file.as_deref().unwrap_or("schedule");
            Error::new(
                value.span(),
                format!("mistakes in the schedule\n{}", errors.render(&text, name)),
            )
        })?;
        Ok(Self { mode, name, span, text: value.to_token_stream() })
    }

    /// What the library is told.
    pub(crate) fn description(&self, name: &str) -> TokenStream {
        let text = &self.text;
        let mode = match self.mode {
            Mode::Enforce => quote!(Enforce),
            Mode::Check => quote!(Check),
        };
        quote! {
            ::selvedge::private::Written {
                name: #name,
                text: #text,
                mode: ::selvedge::private::Mode::#mode,
            }
        }
    }
}

fn parse(mode: Mode, text: &str) -> std::result::Result<(), Errors> {
    let spec = Spec::parse(text)?;
    spec.feasible()?;
    match mode {
        Mode::Enforce => spec.enforceable(),
        Mode::Check => Ok(()),
    }
}

/// All that is to be said about a mistake whose place the compiler shows.
fn full(error: &selvedge_spec::Error) -> String {
    let label = error.label.iter().map(|label| format!(": {label}"));
    let help = error.help.iter().map(|help| format!("\nhelp: {help}"));
    label.chain(help).fold(error.message.clone(), |text, more| text + &more)
}

/// Several mistakes as one.
fn all(mut errors: impl Iterator<Item = Error>) -> Option<Error> {
    let mut first = errors.next()?;
    errors.for_each(|error| first.combine(error));
    Some(first)
}

/// The file that is named, as seen from the file that names it.
fn read(name: &LitStr) -> Result<String> {
    let here = name.span().unwrap().local_file().unwrap_or_default();
    let path: PathBuf = here.parent().map(|folder| folder.join(name.value())).unwrap_or_default();
    std::fs::read_to_string(&path).map_err(|error| {
        Error::new(name.span(), format!("can not read {}: {error}", path.display()))
    })
}
