//! The arguments of `#[selvedge::test]`: settings, and schedules in several forms.

use crate::schedule::{Case, Mode};
use proc_macro2::{Ident, Span};
use selvedge_model::Config;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Lit, MetaNameValue, Result, Token, token};

/// Which threads a test with a schedule runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    /// Those of the operating system, or those of `cargo selvedge test`.
    Real,
    /// Those of the library.
    Controlled,
}

/// All arguments.
pub(crate) struct Arguments {
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) cases: Vec<Case>,
    pub(crate) threads: Threads,
}

/// One argument as it was written.
enum Argument {
    Setting(MetaNameValue),
    Cases(Vec<Result<Case>>),
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mode = match input.fork().parse::<Ident>() {
            Ok(key) if key == "schedule" => Mode::Enforce,
            Ok(key) if key == "check" => Mode::Check,
            _ => return input.parse().map(Self::Setting),
        };
        let key: Ident = input.parse()?;
        if input.peek(token::Brace) {
            let tokens;
            syn::braced!(tokens in input);
            let tokens = tokens.parse()?;
            return Ok(Self::Cases(vec![Case::of_tokens(mode, None, key.span(), tokens)]));
        }
        if input.peek(token::Paren) {
            let named;
            syn::parenthesized!(named in input);
            let named = Punctuated::<Named, Token![,]>::parse_terminated(&named)?;
            return Ok(Self::Cases(named.into_iter().map(|named| named.case(mode)).collect()));
        }
        input.parse::<Token![=]>()?;
        let text = input.parse::<Expr>()?;
        Ok(Self::Cases(vec![Case::of_text(mode, None, key.span(), &text)]))
    }
}

/// `name = "…"` or `name { … }`.
enum Named {
    Text(Ident, Box<Expr>),
    Tokens(Ident, proc_macro2::TokenStream),
}

impl Named {
    fn case(self, mode: Mode) -> Result<Case> {
        match self {
            Self::Text(name, text) => {
                let span = name.span();
                Case::of_text(mode, Some(name), span, &text)
            }
            Self::Tokens(name, tokens) => {
                let span = name.span();
                Case::of_tokens(mode, Some(name), span, tokens)
            }
        }
    }
}

impl Parse for Named {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.parse()?;
        if input.peek(token::Brace) {
            let tokens;
            syn::braced!(tokens in input);
            return Ok(Self::Tokens(name, tokens.parse()?));
        }
        input.parse::<Token![=]>()?;
        Ok(Self::Text(name, input.parse()?))
    }
}

impl Parse for Arguments {
    /// All mistakes at once, each at its place.
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut arguments =
            Self { settings: Vec::new(), cases: Vec::new(), threads: Threads::Real };
        let mut threads = None;
        let mut first_setting = None;
        let mut errors = Errors::default();
        for argument in Punctuated::<Argument, Token![,]>::parse_terminated(input)? {
            match argument {
                Argument::Setting(setting) if setting.path.is_ident("threads") => {
                    threads = errors.take(which_threads(&setting)).or(threads);
                }
                Argument::Setting(argument) => {
                    if let Some(checked) = errors.take(setting(&argument)) {
                        if checked.0 != "executions" {
                            first_setting.get_or_insert(argument.span());
                        }
                        arguments.settings.push(checked);
                    }
                }
                Argument::Cases(cases) => {
                    arguments.cases.extend(cases.into_iter().filter_map(|case| errors.take(case)));
                }
            }
        }
        if let Some((threads, span)) = threads {
            arguments.threads = threads;
            if arguments.cases.is_empty() {
                errors.add(Error::new(span, "`threads` is for tests with a schedule"));
            }
        }
        if let Some(span) = first_setting
            && !arguments.cases.is_empty()
            && arguments.threads == Threads::Real
        {
            errors.add(Error::new(
                span,
                "a test with a schedule runs on real threads, which have no such setting; add \
                 `threads = \"controlled\"` if it uses `selvedge::sync` and `selvedge::thread`",
            ));
        }
        for (index, case) in arguments.cases.iter().enumerate() {
            let same = |other: &Case| other.name.is_some() && other.name == case.name;
            if arguments.cases[..index].iter().any(same) {
                errors.add(Error::new(case.span, "another schedule of this test has this name"));
            }
        }
        errors.none_in(arguments)
    }
}

/// Mistakes so far.
#[derive(Default)]
struct Errors(Option<Error>);

impl Errors {
    fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    fn none_in<T>(self, value: T) -> Result<T> {
        self.0.map_or(Ok(value), Err)
    }
}

fn which_threads(setting: &MetaNameValue) -> Result<(Threads, Span)> {
    let threads = match text(&setting.value)?.as_str() {
        "real" => Threads::Real,
        "controlled" => Threads::Controlled,
        other => {
            let message = format!("unknown threads '{other}': expected \"real\" or \"controlled\"");
            return Err(Error::new(setting.value.span(), message));
        }
    };
    Ok((threads, setting.span()))
}

/// A setting, checked by the same parser as for files and the environment.
fn setting(argument: &MetaNameValue) -> Result<(String, String)> {
    let key = argument.path.get_ident().map(ToString::to_string).unwrap_or_default();
    let value = text(&argument.value)?;
    match Config::default().set(&key, &value) {
        Ok(()) => Ok((key, value)),
        Err(error) => Err(Error::new(argument.span(), error)),
    }
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
