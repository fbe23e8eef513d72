//! A text as a schedule.
//!
//! ```text
//! spec     := ordering ("," ordering)* [","]
//! ordering := formula "->" event
//! formula  := and ("||" and)*
//! and      := unary ("&&" unary)*
//! unary    := "!" unary | "(" formula ["->" formula] ")" | "[" event "]" | "[" "@" thread "]" | event
//! event    := name ("@" thread | "#" (number | "*"))*, each at most once
//! name     := ident ("::" ident)* | string
//! thread   := ident (("::" | "-") word)* | string
//! ```
//!
//! By recursive descent. After a mistake the reading goes on behind the bracket or the comma that
//! ends the part it is in, so that all mistakes are told at once.

mod brackets;
mod events;

use crate::lex::{Lexed, Token, lex};
use crate::{Error, EventRef, Formula, FormulaKind, Ordering, Span};

/// So deep may parentheses and negations be nested: reading them takes the stack.
const DEEPEST: usize = 100;

/// What a text says, as far as it can be read.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// The orderings without mistakes.
    pub(crate) orderings: Vec<Ordering>,
    /// Where `x` is in each `[x]` with nothing but a name in it: an event or a thread.
    pub(crate) bare: Vec<usize>,
    pub(crate) errors: Vec<Error>,
}

pub(crate) fn parse(text: &str) -> Parsed {
    let mut errors = Vec::new();
    let tokens = lex(text, &mut errors);
    let mut parser = Parser { tokens, at: 0, depth: 0, bare: Vec::new(), errors };
    let orderings = parser.orderings();
    Parsed { orderings, bare: parser.bare, errors: parser.errors }
}

/// A mistake was told, and where the reading can go on has yet to be found.
#[derive(Debug)]
struct Lost;

type Read<T> = Result<T, Lost>;

struct Parser {
    tokens: Vec<Lexed>,
    at: usize,
    depth: usize,
    bare: Vec<usize>,
    errors: Vec<Error>,
}

impl Parser {
    fn token(&self) -> &Token {
        &self.tokens[self.at].token
    }

    fn following(&self) -> &Token {
        let next = (self.at + 1).min(self.tokens.len() - 1);
        &self.tokens[next].token
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The span of the token before this one.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.last_span().end.max(start.end) }
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn eat(&mut self, token: &Token) -> bool {
        let is_it = self.token() == token;
        if is_it {
            self.advance();
        }
        is_it
    }

    fn told(&mut self, error: Error) -> Lost {
        self.errors.push(error);
        Lost
    }

    /// Something else should stand here.
    fn expected(&mut self, what: &str) -> Lost {
        if *self.token() == Token::Bad {
            return Lost;
        }
        let found = self.token().describe();
        let error = Error::new(self.span(), format!("expected {what}, found {found}"));
        let error = match self.token() {
            Token::Word(word) => match word.as_str() {
                "and" | "AND" => error.help("write `&&`"),
                "or" | "OR" => error.help("write `||`"),
                "not" | "NOT" => error.help("write `!`"),
                "before" => error.help("write `->`"),
                _ => error,
            },
            Token::Minus => error.help("the arrow is `->`; a name with `-` stands between quotes"),
            _ => error,
        };
        self.told(error)
    }

    fn orderings(&mut self) -> Vec<Ordering> {
        let mut orderings = Vec::new();
        let mut known = self.errors.len();
        if *self.token() == Token::End && known == 0 {
            let error = Error::new(self.span(), "a schedule has at least one ordering");
            self.errors.push(error.help("such as `first -> second`"));
        }
        while *self.token() != Token::End {
            match self.ordering() {
                Ok(ordering) if self.errors.len() == known => orderings.push(ordering),
                Ok(_) => {}
                Err(Lost) => self.skip_to_comma(),
            }
            known = self.errors.len();
            self.eat(&Token::Comma);
        }
        orderings
    }

    fn ordering(&mut self) -> Read<Ordering> {
        let start = self.span();
        if *self.token() == Token::Comma {
            let error = Error::new(start, "expected an ordering before this `,`");
            return Err(self.told(error));
        }
        let condition = self.formula()?;
        self.arrow(&condition)?;
        let event = self.right_side(&condition)?;
        let span = self.since(start);
        match self.token() {
            Token::Comma | Token::End => Ok(Ordering { condition, event, span }),
            Token::Arrow => {
                let error = Error::new(self.span(), "an ordering has one `->`");
                let error = error.help(format!(
                    "write `{condition} -> {event}, {event} -> …` for a chain, or \
                     `({condition} -> {event}) -> …` for an ordering inside of a condition"
                ));
                Err(self.told(error))
            }
            Token::And | Token::Or => {
                let found = self.token().describe();
                let error = Error::new(
                    self.span(),
                    format!("the right side of `->` is one event, but {found} follows"),
                );
                let error = error
                    .help(format!("write `{condition} -> {event}, {condition} -> …` for each"));
                Err(self.told(error))
            }
            _ => Err(self.expected("`,` or the end")),
        }
    }

    fn arrow(&mut self, condition: &Formula) -> Read<()> {
        match self.token() {
            Token::Arrow => {
                self.advance();
                Ok(())
            }
            Token::Comma | Token::End => {
                let error = Error::new(condition.span, "this orders nothing: `->` is missing");
                let error = error.help(format!("write `{condition} -> event`"));
                Err(self.told(error))
            }
            _ => Err(self.expected("`->`, `&&` or `||`")),
        }
    }

    /// What stands behind a top-level `->`.
    fn right_side(&mut self, condition: &Formula) -> Read<EventRef> {
        match self.token() {
            Token::Word(_) | Token::Quoted(_) => self.event(),
            Token::Open | Token::OpenBracket | Token::Not => {
                let known = self.errors.len();
                let formula = self.formula()?;
                if self.errors.len() > known {
                    return Err(Lost);
                }
                let error = Error::new(formula.span, "the right side of `->` is one event");
                let help = match &formula.kind {
                    // One event in parentheses.
                    FormulaKind::Event(event) => return Ok(event.clone()),
                    FormulaKind::All(parts) => {
                        let each: Vec<_> =
                            parts.iter().map(|part| format!("{condition} -> {part}")).collect();
                        format!("write `{}`", each.join(", "))
                    }
                    FormulaKind::BlockEvent(_) | FormulaKind::Blocked(_) => {
                        "what blocks can only be a condition; the event of becoming blocked is \
                         `block@thread`"
                            .to_owned()
                    }
                    _ => "what is more than an event can only be a condition".to_owned(),
                };
                Err(self.told(error.help(help)))
            }
            _ => Err(self.expected("an event")),
        }
    }

    /// Skips to the comma or the end that ends an ordering.
    fn skip_to_comma(&mut self) {
        let mut open = 0_usize;
        loop {
            match self.token() {
                Token::Open | Token::OpenBracket => open += 1,
                Token::Close | Token::CloseBracket => open = open.saturating_sub(1),
                Token::Comma if open == 0 => return,
                Token::End => return,
                // A new ordering has begun, whatever was not closed.
                Token::Comma if self.is_before_ordering() => return,
                _ => {}
            }
            self.advance();
        }
    }

    fn formula(&mut self) -> Read<Formula> {
        self.operands(Token::Or, Self::conjunction, FormulaKind::Any)
    }

    fn conjunction(&mut self) -> Read<Formula> {
        self.operands(Token::And, Self::unary, FormulaKind::All)
    }

    fn operands(
        &mut self,
        operator: Token,
        operand: fn(&mut Self) -> Read<Formula>,
        combine: fn(Vec<Formula>) -> FormulaKind,
    ) -> Read<Formula> {
        let start = self.span();
        let first = operand(self)?;
        if *self.token() != operator {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(&operator) {
            parts.push(operand(self)?);
        }
        Ok(Formula { kind: combine(parts), span: self.since(start) })
    }

    fn unary(&mut self) -> Read<Formula> {
        if self.depth == DEEPEST {
            let message = format!("parentheses and negations are nested more than {DEEPEST} deep");
            let error = Error::new(self.span(), message);
            return Err(self.told(error));
        }
        self.depth += 1;
        let formula = self.unary_inside();
        self.depth -= 1;
        formula
    }

    fn unary_inside(&mut self) -> Read<Formula> {
        let start = self.span();
        match self.token() {
            Token::Not => {
                self.advance();
                let formula = self.unary()?;
                let kind = FormulaKind::Not(Box::new(formula));
                Ok(Formula { kind, span: self.since(start) })
            }
            Token::Open => self.group(),
            Token::OpenBracket => self.block(),
            Token::Word(_) | Token::Quoted(_) => {
                let event = self.event()?;
                Ok(Formula { span: event.span, kind: FormulaKind::Event(event) })
            }
            _ => Err(self.expected("an event, `[`, `(` or `!`")),
        }
    }
}
