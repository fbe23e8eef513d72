//! What stands in parentheses and in square brackets, and how to go on if it is wrong.

use super::{Lost, Parser, Read};
use crate::lex::{Lexed, Token};
use crate::{Error, Formula, FormulaKind, Span, ThreadName};

impl Parser {
    /// `( … )`.
    pub(super) fn group(&mut self) -> Read<Formula> {
        let open = self.span();
        self.advance();
        let inside = self.group_inside(open);
        self.close(&Token::Close, open, inside)
    }

    fn group_inside(&mut self, open: Span) -> Read<Formula> {
        if *self.token() == Token::Close {
            let span = Span { start: open.start, end: self.span().end };
            return Err(self.told(Error::new(span, "nothing stands in these parentheses")));
        }
        let mut first = self.formula()?;
        while *self.token() == Token::Comma && !self.is_before_ordering() {
            let error = Error::new(self.span(), "`,` stands between orderings only");
            self.errors.push(error.help("write `&&` for all of these, `||` for one of them"));
            self.advance();
            first = self.formula()?;
        }
        if !self.eat(&Token::Arrow) {
            return Ok(first);
        }
        let second = self.formula()?;
        if *self.token() == Token::Arrow {
            let error = Error::new(self.span(), "an ordering has one `->`");
            let help = "put the inner ordering in parentheses: `((a -> b) -> c)`";
            return Err(self.told(error.help(help)));
        }
        let span = self.since(open);
        Ok(Formula { kind: FormulaKind::Ordered(Box::new(first), Box::new(second)), span })
    }

    /// `[ … ]`.
    pub(super) fn block(&mut self) -> Read<Formula> {
        let open = self.span();
        self.advance();
        let inside = self.block_inside();
        self.close(&Token::CloseBracket, open, inside)
    }

    fn block_inside(&mut self) -> Read<Formula> {
        let is_thread = match self.token() {
            Token::At => {
                self.advance();
                true
            }
            // Only threads have such names.
            Token::Word(_) => *self.following() == Token::Minus,
            _ => false,
        };
        let kind = match is_thread {
            true => FormulaKind::Blocked(self.thread_name()?),
            false => {
                let from = self.at;
                let event = self.event()?;
                let is_tag = |lexed: &Lexed| matches!(lexed.token, Token::At | Token::Hash);
                if !self.tokens[from..self.at].iter().any(is_tag) {
                    self.bare.push(event.span.start);
                }
                FormulaKind::BlockEvent(event)
            }
        };
        if matches!(self.token(), Token::And | Token::Or | Token::Arrow) {
            let error = Error::new(self.span(), "one event or one thread stands in `[ ]`");
            return Err(self.told(error.help("write `[a] && [b]` for two")));
        }
        Ok(Formula { kind, span: self.last_span() })
    }

    /// The end of what was opened. If something is wrong inside of it, what comes after the
    /// closing bracket can still be read.
    fn close(&mut self, close: &Token, open: Span, inside: Read<Formula>) -> Read<Formula> {
        match inside {
            Ok(mut formula) => {
                if self.eat(close) {
                    formula.span = self.since(open);
                    return Ok(formula);
                }
                let is_open_end = match self.token() {
                    Token::Comma => self.is_before_ordering(),
                    token => matches!(token, Token::End | Token::Arrow),
                };
                let lost = match is_open_end {
                    true => {
                        let error = Error::new(open, "this bracket is not closed");
                        let close = close.describe();
                        let error = error.and(self.span(), format!("{close} is missing here"));
                        self.told(error)
                    }
                    false if *close == Token::Close => self.expected("`&&`, `||` or `)`"),
                    false => self.expected("`]`"),
                };
                self.skip_to_close(close, lost, open)
            }
            Err(lost) => self.skip_to_close(close, lost, open),
        }
    }

    /// Skips to behind the bracket that closes this part. What is returned stands for the part,
    /// which is never used, because its mistake has been told.
    fn skip_to_close(&mut self, close: &Token, lost: Lost, open: Span) -> Read<Formula> {
        let from = self.at;
        let mut opened = Vec::new();
        loop {
            match self.token() {
                Token::Open => opened.push(Token::Close),
                Token::OpenBracket => opened.push(Token::CloseBracket),
                Token::End => break,
                Token::Comma if self.is_before_ordering() => break,
                token @ (Token::Close | Token::CloseBracket) => match opened.pop() {
                    Some(expected) if *token == expected => {}
                    None if token == close => {
                        self.advance();
                        let kind = FormulaKind::Blocked(ThreadName("…".to_owned()));
                        return Ok(Formula { kind, span: self.since(open) });
                    }
                    _ => break,
                },
                _ => {}
            }
            self.advance();
        }
        self.at = from;
        Err(lost)
    }

    /// Whether an ordering begins behind this comma: an arrow comes before what closes a bracket
    /// that is open here.
    pub(super) fn is_before_ordering(&self) -> bool {
        let mut open = 0_usize;
        for lexed in &self.tokens[self.at + 1..] {
            match lexed.token {
                Token::Open | Token::OpenBracket => open += 1,
                Token::Close | Token::CloseBracket if open == 0 => return false,
                Token::Close | Token::CloseBracket => open -= 1,
                Token::Arrow if open == 0 => return true,
                Token::Comma if open == 0 => return false,
                _ => {}
            }
        }
        true
    }
}
