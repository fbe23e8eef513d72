//! Events, and the names of events and threads.

use super::{Parser, Read};
use crate::lex::Token;
use crate::{Error, EventName, EventRef, Occurrence, Span, ThreadName, names};
use std::num::NonZeroU32;

impl Parser {
    pub(super) fn event(&mut self) -> Read<EventRef> {
        let start = self.span();
        let name = self.event_name()?;
        let mut thread = None;
        let mut occurrence = None;
        loop {
            let at = self.span();
            match self.token() {
                Token::At => {
                    self.advance();
                    let name = self.thread_name()?;
                    if thread.replace(name).is_some() {
                        let span = self.since(at);
                        self.errors.push(Error::new(span, "an event happens to one thread"));
                    }
                }
                Token::Hash => {
                    self.advance();
                    let which = self.occurrence()?;
                    if occurrence.replace(which).is_some() {
                        let span = self.since(at);
                        self.errors.push(Error::new(span, "an event has one number"));
                    }
                }
                _ => break,
            }
        }
        let occurrence = occurrence.unwrap_or(Occurrence::FIRST);
        Ok(EventRef { name, thread, occurrence, span: self.since(start) })
    }

    fn event_name(&mut self) -> Read<EventName> {
        let span = self.span();
        match self.token().clone() {
            Token::Quoted(name) => {
                self.advance();
                self.not_empty(&name, span);
                if names::implicit(&name).is_some() {
                    let message = format!("`{name}` happens to every thread by itself");
                    let error = Error::new(span, message);
                    self.errors.push(error.help("give the event of yours another name"));
                }
                Ok(EventName::Named(name))
            }
            Token::Word(word) if !word.starts_with(names::begins_word) => {
                let error =
                    Error::new(span, format!("`{word}` is no name: it begins with a digit"));
                Err(self.told(
                    error.help(format!("a name that is no identifier is quoted: `\"{word}\"`")),
                ))
            }
            Token::Word(mut name) => {
                self.advance();
                if *self.token() != Token::Colons
                    && let Some(implicit) = names::implicit(&name)
                {
                    return Ok(implicit);
                }
                while self.eat(&Token::Colons) {
                    match self.token().clone() {
                        Token::Word(word) if word.starts_with(names::begins_word) => {
                            name.push_str("::");
                            name.push_str(&word);
                            self.advance();
                        }
                        _ => return Err(self.expected("the next part of the name")),
                    }
                }
                Ok(EventName::Named(name))
            }
            _ => Err(self.expected("an event")),
        }
    }

    fn not_empty(&mut self, name: &str, span: Span) {
        if name.is_empty() {
            self.errors.push(Error::new(span, "a name is not empty"));
        }
    }

    pub(super) fn thread_name(&mut self) -> Read<ThreadName> {
        let span = self.span();
        match self.token().clone() {
            Token::Quoted(name) => {
                self.advance();
                self.not_empty(&name, span);
                Ok(ThreadName(name))
            }
            Token::Word(mut name) if name.starts_with(names::begins_word) => {
                self.advance();
                loop {
                    let separator = match self.token() {
                        Token::Colons => "::",
                        Token::Minus => "-",
                        _ => return Ok(ThreadName(name)),
                    };
                    self.advance();
                    let Token::Word(word) = self.token().clone() else {
                        return Err(self.expected("the next part of the thread's name"));
                    };
                    name.push_str(separator);
                    name.push_str(&word);
                    self.advance();
                }
            }
            Token::Word(word) => {
                let message = format!("`{word}` is no thread's name: it begins with a digit");
                let error = Error::new(span, message);
                Err(self.told(
                    error.help(format!("a name that is no identifier is quoted: `\"{word}\"`")),
                ))
            }
            _ => Err(self.expected("the name of a thread")),
        }
    }

    fn occurrence(&mut self) -> Read<Occurrence> {
        let span = self.span();
        match self.token().clone() {
            Token::Star => {
                self.advance();
                Ok(Occurrence::Every)
            }
            Token::Word(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.advance();
                let number = word.parse::<u32>().map(NonZeroU32::new);
                let message = match number {
                    Ok(Some(number)) => return Ok(Occurrence::Nth(number)),
                    Ok(None) => "occurrences are counted from 1".to_owned(),
                    Err(_) => format!("nobody can count to {word}"),
                };
                self.errors.push(Error::new(span, message));
                Ok(Occurrence::FIRST)
            }
            _ => Err(self.expected("a number or `*`")),
        }
    }
}
