//! Whether there are colours: as `--color` says, else as cargo is configured, else as the
//! environment (`NO_COLOR` and the like) and the terminal say.

use crate::cli::When;
use anstream::{AutoStream, ColorChoice};
use cargo_config2::Color;
use selvedge_report::Colour;

/// Decides for the whole process.
pub(crate) fn choose(asked: Option<When>) {
    let configured = || cargo_config2::Config::load().ok()?.term.color;
    let when = asked.or_else(|| {
        configured().map(|color| match color {
            Color::Always => When::Always,
            Color::Never => When::Never,
            _ => When::Auto,
        })
    });
    match when.unwrap_or(When::Auto) {
        When::Auto => ColorChoice::Auto,
        When::Always => ColorChoice::Always,
        When::Never => ColorChoice::Never,
    }
    .write_global();
}

/// What cargo is to be told, if somebody has said something.
pub(crate) fn for_cargo() -> Option<&'static str> {
    match ColorChoice::global() {
        ColorChoice::Auto => None,
        ColorChoice::Never => Some("never"),
        _ => Some("always"),
    }
}

/// Whether the standard error has colours.
pub(crate) fn of_stderr() -> Colour {
    of_choice(AutoStream::choice(&std::io::stderr()))
}

/// Whether the standard output has colours.
pub(crate) fn of_stdout() -> Colour {
    of_choice(AutoStream::choice(&std::io::stdout()))
}

fn of_choice(choice: ColorChoice) -> Colour {
    match choice {
        ColorChoice::Never => Colour::Plain,
        _ => Colour::Ansi,
    }
}
