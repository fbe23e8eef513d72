//! Writes the page of a made-up campaign, for looking at and for measuring:
//! `cargo run -p selvedge-page --example sample -- page.html 50 1000 300` (tests, findings, steps).

use selvedge_page::sample::{Size, report};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("which file?")?;
    let mut number = |usual: usize| match arguments.next() {
        Some(text) => text.parse::<usize>(),
        None => Ok(usual),
    };
    let size = Size { tests: number(50)?, findings: number(1000)?, steps: number(300)? };
    std::fs::write(file, selvedge_page::html(&report(size))?)?;
    Ok(())
}
