//! Annotations of sources, as GitHub Actions takes them from the output of a step.

use crate::findings::{Id, Kept};
use selvedge_model::Source;
use selvedge_report::{headline, place, plain_lines};

/// Prints an annotation at the place of the finding.
pub(crate) fn annotate(id: &Id, kept: &Kept) {
    let place = match place(&kept.finding) {
        Some(Source { file, line, column }) => {
            format!(" file={},line={line},col={column},", property(file))
        }
        None => " ".to_owned(),
    };
    let title = property(&format!("selvedge: {}", kept.test));
    let text = format!(
        "{}\n\nSee it again: cargo selvedge replay {}\n{}",
        headline(&kept.finding),
        id,
        kept.finding.schedule
    );
    anstream::println!("::error{place}title={title}::{}", data(&text));
}

fn data(text: &str) -> String {
    plain_lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn what_has_a_meaning_in_annotations_is_escaped() {
        assert_eq!(data("50%\nleft"), "50%25%0Aleft");
        assert_eq!(property("a::b, c"), "a%3A%3Ab%2C c");
    }
}
