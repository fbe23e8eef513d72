//! The finding in words, as this process can show it.

use selvedge_model::{Finding, Warning};
use selvedge_report::{Colour, Context, SourceFiles, Style};
use std::env;
use std::io::IsTerminal;
use std::path::PathBuf;

/// The whole story, for the terminal or the log that standard error is.
pub(crate) fn explanation(finding: &Finding) -> String {
    let thread = std::thread::current();
    // The thread that runs the process' main function has no test's name.
    let test = thread.name().filter(|&name| name != "main");
    selvedge_report::explain(
        finding,
        Context { test, kept: None },
        style(),
        &SourceFiles::new(folders()),
    )
}

/// What looks wrong, likewise.
pub(crate) fn warning(warning: &Warning) -> String {
    selvedge_report::warning(warning, style(), &SourceFiles::new(folders()))
}

/// Colour where people would see it: on a terminal, unless they have said otherwise.
fn style() -> Style {
    let wanted = match env::var("CARGO_TERM_COLOR").as_deref() {
        Ok("always") => true,
        Ok("never") => false,
        _ => env::var_os("NO_COLOR").is_none() && std::io::stderr().is_terminal(),
    };
    let colour = if wanted { Colour::Ansi } else { Colour::Plain };
    let width = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    Style { colour, width: width.unwrap_or(Style::default().width) }
}

/// Where the compiler's relative file names may begin: the package under test and its workspace.
fn folders() -> Vec<PathBuf> {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = package.or_else(|| env::current_dir().ok()).unwrap_or_default();
    package.ancestors().take(4).map(PathBuf::from).collect()
}
