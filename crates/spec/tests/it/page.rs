//! The reference page of the book shows schedules, and what is told of mistakes.

use selvedge_spec::Spec;
use std::fs;
use std::path::Path;

/// The blocks of code of the page, each with what stands behind its opening fence.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```") else { continue };
        let inside = lines.by_ref().take_while(|line| *line != "```");
        blocks.push((kind, inside.map(|line| format!("{line}\n")).collect()));
    }
    blocks
}

#[test]
fn the_reference_page_shows_what_is_so() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/schedule-language.md");
    let page = fs::read_to_string(path).expect("the book has the page");
    let blocks = blocks(&page);
    let (mut schedules, mut mistakes) = (0, 0);
    for (index, (kind, text)) in blocks.iter().enumerate() {
        match *kind {
            "schedule" => {
                crate::parse(text);
                schedules += 1;
            }
            "schedule,mistake" => {
                let errors = Spec::parse(text).expect_err("it is shown as a mistake");
                let (_, shown) = &blocks[index + 1];
                assert_eq!(errors.render(text, "schedule"), *shown);
                mistakes += 1;
            }
            _ => {}
        }
    }
    assert!(schedules >= 4, "{schedules} schedules");
    assert!(mistakes >= 2, "{mistakes} mistakes");
}
