//! A line of text as cells, so that things can be put at columns and over each other.

use crate::Colour;
use crate::plain::{Tamed, tame, visible};

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    /// Titles.
    Strong,
    /// What is there for those who look for it: places, source text, lifelines.
    Faint,
    /// What went wrong.
    Bad,
    /// What the thread of this column does.
    Thread(usize),
}

impl Tone {
    /// The parameters of the escape sequence that switches to this tone.
    fn ansi(self) -> &'static str {
        const THREADS: [&str; 6] = ["36", "33", "35", "32", "34", "96"];
        match self {
            Self::Plain => "",
            Self::Strong => "1",
            Self::Faint => "2",
            Self::Bad => "1;31",
            Self::Thread(column) => THREADS[column % THREADS.len()],
        }
    }
}

/// One line.
#[derive(Default)]
pub(crate) struct Line {
    cells: Vec<(char, Tone)>,
}

impl Line {
    /// A line with text at a column.
    pub(crate) fn with(column: usize, text: &str, tone: Tone) -> Self {
        let mut line = Self::default();
        line.put(column, text, tone);
        line
    }

    /// Writes text at a column, over whatever is there. Control characters, which a message or a
    /// name may contain, must not reach a terminal and become visible instead.
    pub(crate) fn put(&mut self, column: usize, text: &str, tone: Tone) {
        for (offset, character) in text.chars().enumerate() {
            let place = column + offset;
            if self.cells.len() <= place {
                self.cells.resize(place + 1, (' ', Tone::Plain));
            }
            self.cells[place] = (visible(character), tone);
        }
    }

    /// The column after the last one that was written to.
    pub(crate) fn end(&self) -> usize {
        self.cells.len()
    }

    /// Appends the line to a text, without blanks at its end.
    pub(crate) fn write(&self, colour: Colour, text: &mut String) {
        let len = self.cells.iter().rposition(|&(c, _)| c != ' ').map_or(0, |last| last + 1);
        let mut current = Tone::Plain;
        let whole: Vec<char> = self.cells[..len].iter().map(|&(character, _)| character).collect();
        let Tamed { before, breaks } = tame(&whole);
        text.push_str(before);
        let mut breaks = breaks.into_iter().peekable();
        for (at, &(character, tone)) in self.cells[..len].iter().enumerate() {
            // Blanks look the same in every tone; not switching for them keeps the text short.
            if colour == Colour::Ansi && tone.ansi() != current.ansi() && character != ' ' {
                Self::switch(current, tone, text);
                current = tone;
            }
            text.push(character);
            if breaks.next_if_eq(&at).is_some() {
                text.push(' ');
            }
        }
        Self::switch(current, Tone::Plain, text);
        text.push('\n');
    }

    fn switch(from: Tone, to: Tone, text: &mut String) {
        if from != Tone::Plain {
            text.push_str("\x1b[0m");
        }
        if to != Tone::Plain {
            text.push_str("\x1b[");
            text.push_str(to.ansi());
            text.push('m');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(line: &Line, colour: Colour) -> String {
        let mut text = String::new();
        line.write(colour, &mut text);
        text
    }

    #[test]
    fn text_is_put_at_its_column_and_over_what_was_there() {
        let mut line = Line::with(2, "────", Tone::Faint);
        line.put(4, "┼", Tone::Faint);
        line.put(9, "x  ", Tone::Plain);
        assert_eq!(written(&line, Colour::Plain), "  ──┼─   x\n");
    }

    #[test]
    fn a_tone_is_switched_on_and_off_once() {
        let mut line = Line::with(0, "deadlock", Tone::Bad);
        line.put(8, ": a b", Tone::Plain);
        assert_eq!(written(&line, Colour::Ansi), "\x1b[1;31mdeadlock\x1b[0m: a b\n");
        let line = Line::with(1, "a b", Tone::Thread(0));
        assert_eq!(written(&line, Colour::Ansi), " \x1b[36ma b\x1b[0m\n");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let line = Line::with(0, "a\x1b[2Jb", Tone::Plain);
        assert_eq!(written(&line, Colour::Plain), "a\u{fffd}[2Jb\n");
    }
}
