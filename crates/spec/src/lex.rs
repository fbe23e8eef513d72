//! A text as tokens. What is no token is told and stands for what was most likely meant, so that
//! one slip is one mistake.

use crate::names::{begins_word, is_in_word};
use crate::{Error, Span};
use std::fmt::Write;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// Letters, digits and underscores; also a number.
    Word(String),
    /// What stands between quotes.
    Quoted(String),
    Arrow,
    Comma,
    And,
    Or,
    Not,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    At,
    Hash,
    Star,
    Colons,
    Minus,
    /// Something that has been told already.
    Bad,
    /// The end of the text.
    End,
}

impl Token {
    /// How a message names it.
    pub(crate) fn describe(&self) -> String {
        let text = match self {
            Self::Word(word) => return format!("`{word}`"),
            Self::Quoted(text) => return format!("`\"{}\"`", text.escape_debug()),
            Self::End => return "the end".to_owned(),
            Self::Arrow => "->",
            Self::Comma => ",",
            Self::And => "&&",
            Self::Or => "||",
            Self::Not => "!",
            Self::Open => "(",
            Self::Close => ")",
            Self::OpenBracket => "[",
            Self::CloseBracket => "]",
            Self::At => "@",
            Self::Hash => "#",
            Self::Star => "*",
            Self::Colons => "::",
            Self::Minus => "-",
            Self::Bad => "this",
        };
        format!("`{text}`")
    }
}

/// A token and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Lexed {
    pub(crate) token: Token,
    pub(crate) span: Span,
}

/// The tokens of a text, the last of which is [`Token::End`].
pub(crate) fn lex(text: &str, errors: &mut Vec<Error>) -> Vec<Lexed> {
    let mut lexer = Lexer { text, at: 0, errors };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank();
        let start = lexer.at;
        let token = lexer.token();
        let is_last = token == Token::End;
        tokens.push(Lexed { token, span: Span { start, end: lexer.at } });
        if is_last {
            return tokens;
        }
    }
}

/// Writes a text with quotes, as the lexer reads it.
pub(crate) fn quote(out: &mut impl Write, text: &str) -> std::fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(out, "\\{c}")?,
            c if c.is_control() => write!(out, "{}", c.escape_unicode())?,
            c => out.write_char(c)?,
        }
    }
    out.write_char('"')
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    errors: &'a mut Vec<Error>,
}

/// What is written with fixed characters. Longer ones first.
const FIXED: [(&str, Token); 14] = [
    ("->", Token::Arrow),
    ("&&", Token::And),
    ("||", Token::Or),
    ("::", Token::Colons),
    (",", Token::Comma),
    ("!", Token::Not),
    ("(", Token::Open),
    (")", Token::Close),
    ("[", Token::OpenBracket),
    ("]", Token::CloseBracket),
    ("@", Token::At),
    ("#", Token::Hash),
    ("*", Token::Star),
    ("-", Token::Minus),
];

/// What is written elsewhere, and what it is here. Longer ones first.
const ELSEWHERE: [(&str, &str, Token); 15] = [
    ("=>", "->", Token::Arrow),
    ("→", "->", Token::Arrow),
    ("<", "->", Token::Arrow),
    (">", "->", Token::Arrow),
    ("&", "&&", Token::And),
    ("∧", "&&", Token::And),
    ("|", "||", Token::Or),
    ("∨", "||", Token::Or),
    ("~", "!", Token::Not),
    ("¬", "!", Token::Not),
    (";", ",", Token::Comma),
    ("{", "(", Token::Open),
    ("}", ")", Token::Close),
    (":", "::", Token::Colons),
    (".", "::", Token::Colons),
];

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span_from(&self, start: usize) -> Span {
        Span { start, end: self.at }
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            let comment = match rest[blank..].starts_with("//") {
                true => rest[blank..].find('\n').unwrap_or(rest.len() - blank),
                false => 0,
            };
            if blank + comment == 0 {
                return;
            }
            self.at += blank + comment;
        }
    }

    fn token(&mut self) -> Token {
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return Token::End };
        if begins_word(first) || is_in_word(first) {
            let rest = self.rest();
            let end = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len());
            let word = rest[..end].to_owned();
            self.at += end;
            return Token::Word(word);
        }
        if first == '"' {
            return self.quoted();
        }
        if let Some((text, token)) = FIXED.iter().find(|(text, _)| self.rest().starts_with(text)) {
            self.at += text.len();
            return token.clone();
        }
        let elsewhere = ELSEWHERE.iter().find(|(text, ..)| self.rest().starts_with(text));
        if let Some((text, here, token)) = elsewhere {
            self.at += text.len();
            let error = Error::new(self.span_from(start), format!("`{text}` means nothing here"));
            self.errors.push(error.help(format!("write `{here}`")));
            return token.clone();
        }
        self.at += first.len_utf8();
        let shown = first.escape_debug();
        let error = Error::new(self.span_from(start), format!("`{shown}` means nothing here"));
        self.errors.push(match first {
            '\'' => error.help("names that are no identifiers stand between `\"` and `\"`"),
            _ => error.help("a name with such characters stands between `\"` and `\"`"),
        });
        Token::Bad
    }

    /// What stands between quotes, with the escapes of Rust's string literals.
    fn quoted(&mut self) -> Token {
        let start = self.at;
        self.at += 1;
        let mut value = String::new();
        loop {
            let at = self.at;
            let Some(c) = self.rest().chars().next() else {
                let span = Span { start, end: start + 1 };
                let error = Error::new(span, "this quote is not closed");
                self.errors.push(error.here("opened here"));
                return Token::Bad;
            };
            self.at += c.len_utf8();
            match c {
                '"' => return Token::Quoted(value),
                '\\' => match self.escape() {
                    Some(c) => value.push(c),
                    None => {
                        let error = Error::new(self.span_from(at), "an unknown escape sequence");
                        self.errors.push(error.help(
                            "known are `\\\"`, `\\\\`, `\\n`, `\\r`, `\\t`, `\\0` and `\\u{…}`",
                        ));
                    }
                },
                c => value.push(c),
            }
        }
    }

    /// The character that is meant by what follows a backslash.
    fn escape(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        match c {
            '"' | '\\' | '\'' => Some(c),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            '0' => Some('\0'),
            'u' => {
                let digits = self.rest().strip_prefix('{')?;
                let (digits, _) = digits.split_once('}')?;
                let code = u32::from_str_radix(digits, 16).ok()?;
                let length = digits.len() + 2;
                self.at += length;
                char::from_u32(code)
            }
            _ => None,
        }
    }
}
