//! A schedule that was written as tokens, as text for the one parser there is, with the way
//! back from a place in the text to the tokens.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use selvedge_spec as spec;
use std::ops::Range;
use syn::Error;

/// The text of some tokens.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    pieces: Vec<(Range<usize>, Span)>,
}

impl Written {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        let mut written = Self::default();
        written.add(tokens);
        written
    }

    fn add(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::None => ("", ""),
                    };
                    self.piece(open, group.span_open());
                    self.add(group.stream());
                    self.piece(close, group.span_close());
                }
                TokenTree::Punct(punct) => {
                    self.piece(&punct.as_char().to_string(), punct.span());
                    // `->` and `&&` stay together.
                    if punct.spacing() == proc_macro2::Spacing::Joint {
                        continue;
                    }
                }
                TokenTree::Ident(ident) => self.piece(&ident.to_string(), ident.span()),
                TokenTree::Literal(literal) => self.piece(&literal.to_string(), literal.span()),
            }
            self.text.push(' ');
        }
    }

    fn piece(&mut self, text: &str, span: Span) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push((start..self.text.len(), span));
    }

    /// A mistake in the text, at the tokens that it is about.
    pub(crate) fn error(&self, span: spec::Span, message: impl std::fmt::Display) -> Error {
        let touched = |piece: &Range<usize>| {
            piece.start < span.end.max(span.start + 1) && span.start < piece.end
        };
        let mut spans =
            self.pieces.iter().filter(|(piece, _)| touched(piece)).map(|(_, span)| *span);
        let first = spans.next().or_else(|| self.pieces.last().map(|(_, span)| *span));
        let first = first.unwrap_or_else(Span::call_site);
        let last = spans.next_back().unwrap_or(first);
        // The compiler joins the spans of the first and the last token.
        let mut marked = TokenStream::new();
        for span in [first, last] {
            marked.extend([TokenTree::Ident(proc_macro2::Ident::new("marked", span))]);
        }
        Error::new_spanned(marked, message)
    }
}
