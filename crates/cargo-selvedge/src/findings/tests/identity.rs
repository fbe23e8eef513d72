//! Different problems have different names, and a problem keeps its name when lines move.

use super::{kept, kinds};
use crate::findings::{Added, Kept, PlaceNames, Store};
use selvedge_model::Problem;
use selvedge_report::SourceFiles;
use std::collections::BTreeMap;
use std::path::Path;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n
    }
}

/// A line of a program, with its number in the program before it was edited.
#[derive(Clone)]
struct Line {
    text: String,
    was: Option<usize>,
}

/// Functions with lines of which many are equal.
fn program(random: &mut Random) -> Vec<Line> {
    let mut texts = vec!["use std::thread;".to_owned()];
    for function in 0..2 + random.below(4) {
        texts.push(format!("fn f{function}(x: &mut u32) {{"));
        for _ in 0..3 + random.below(8) {
            texts.push(format!("    *x += {};", random.below(3)));
        }
        texts.push("}".to_owned());
    }
    let lines = texts.into_iter().enumerate();
    lines.map(|(number, text)| Line { text, was: Some(number + 1) }).collect()
}

/// Adds or removes something that is not looked at.
fn edit(lines: &mut Vec<Line>, random: &mut Random) {
    let new = |text: &str| Line { text: text.to_owned(), was: None };
    let between: Vec<_> =
        (0..lines.len()).filter(|&at| lines[at].text.starts_with("fn f")).collect();
    match random.below(6) {
        0 => lines.insert(random.below(lines.len()), new("")),
        1 => lines.insert(random.below(lines.len()), new("    // *x += 1;")),
        2 => {
            let at = between[random.below(between.len())];
            let name = format!("fn g{}(x: &mut u32) {{", random.below(1000));
            let function = [new(&name), new("    *x += 1;"), new("    *x += 2;"), new("}")];
            lines.splice(at..at, function);
        }
        3 => {
            let at = between[random.below(between.len())];
            lines.insert(at + 1, new("    let unused = 7;"));
        }
        4 => {
            let mut added = (0..lines.len()).filter(|&at| lines[at].was.is_none());
            // Of what was added, only what can go alone.
            if let Some(at) =
                added.find(|&at| lines[at].text.contains("//") || lines[at].text.is_empty())
            {
                lines.remove(at);
            }
        }
        _ => {
            let at = random.below(lines.len());
            if lines[at].was.is_some() && lines[at].text.contains("+=") {
                lines[at].text.push_str(" // why");
            }
        }
    }
}

/// What findings at these lines are called; `now` says where the lines are.
fn ids(folder: &Path, lines: &[Line], pairs: &[(usize, usize)]) -> Vec<Kept> {
    let text: String = lines.iter().map(|line| format!("{}\n", line.text)).collect();
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    std::fs::write(folder.join("src/lib.rs"), text).expect("it can be written");
    let files = SourceFiles::new([folder.to_owned()]);
    let places = PlaceNames::new(&files, None);
    let now = |was: usize| {
        lines.iter().position(|line| line.was == Some(was)).expect("it stays") as u32 + 1
    };
    let all = pairs.iter().flat_map(|&(line, other)| kinds(now(line), now(other)));
    all.map(|kind| kept(kind, &places)).collect()
}

#[test]
fn in_300_random_programs_no_name_is_shared_and_names_stay_over_20_edits() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(0x5eed);
    for program_number in 0..300 {
        let mut lines = program(&mut random);
        let code: Vec<_> =
            (1..=lines.len()).filter(|&n| lines[n - 1].text.contains("+=")).collect();
        let mut pairs = Vec::new();
        for _ in 0..4 {
            pairs.push((code[random.below(code.len())], code[random.below(code.len())]));
        }
        let before = ids(folder.path(), &lines, &pairs);
        let mut problems: BTreeMap<String, Problem> = BTreeMap::new();
        for kept in &before {
            let problem = Problem::of(&kept.finding.kind);
            let known = problems.insert(kept.id().to_string(), problem.clone());
            let same = known.is_none_or(|known| known == problem);
            assert!(same, "program {program_number}: two problems are {}", kept.id());
        }
        let different: std::collections::BTreeSet<_> =
            before.iter().map(|kept| Problem::of(&kept.finding.kind)).collect();
        assert_eq!(problems.len(), different.len());
        (0..20).for_each(|_| edit(&mut lines, &mut random));
        let after = ids(folder.path(), &lines, &pairs);
        for (before, after) in before.iter().zip(&after) {
            // Instructions without debug information have no other name than their address.
            if Problem::of(&before.finding.kind)
                .places()
                .any(|p| matches!(p, selvedge_model::Place::Code(_)))
            {
                continue;
            }
            assert_eq!(
                before.id(),
                after.id(),
                "program {program_number}: {:?}",
                before.finding.kind
            );
        }
    }
}

#[test]
fn names_do_not_change_from_version_to_version() {
    let files = SourceFiles::new([]);
    let places = PlaceNames::new(&files, None);
    let panic = kept(kinds(3, 4).remove(0), &places);
    assert_eq!(panic.id().as_str(), "1250142ac4f0");
}

#[test]
fn a_finding_reads_back_under_its_name_and_without_the_sources() {
    let files = SourceFiles::new([]);
    let places = PlaceNames::new(&files, None);
    for kind in kinds(3, 4) {
        let one = kept(kind, &places);
        let read = Kept::read(&one.text().expect("a text")).expect("it reads back");
        assert_eq!(read.id(), one.id());
        assert!(read.is_same(&one) && read.is_shown_by(&one.finding, &places));
    }
}

#[test]
fn nothing_is_written_over_another_problem_and_what_is_missing_is_restored() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = SourceFiles::new([]);
    let places = PlaceNames::new(&files, None);
    let store = Store::at(folder.path().to_owned());
    let (one, other) = (kept(kinds(3, 4).remove(0), &places), kept(kinds(5, 6).remove(0), &places));
    // Somebody has put another finding there.
    store.keep(&one.id(), &other, "other").expect("it can be kept");
    let id = store.id(&one);
    assert_eq!(id.as_str(), format!("{}-2", one.id()));
    store.keep(&id, &one, "one").expect("it can be kept");
    assert_eq!(store.id(&one), id);
    assert_eq!(store.all().expect("they are there").len(), 2);
    assert_eq!(store.restore(&one, "one").expect("it is there"), Added::No);
    for missing in ["finding.json", "schedule.txt", "explanation.txt"] {
        std::fs::remove_file(folder.path().join(id.as_str()).join(missing)).expect("it was there");
        assert_eq!(store.restore(&one, "one").expect("it can be kept"), Added::Yes, "{missing}");
        assert!(folder.path().join(id.as_str()).join(missing).is_file());
    }
}

#[test]
fn nothing_is_written_through_a_link() {
    let (folder, elsewhere) =
        (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let files = SourceFiles::new([]);
    let one = kept(kinds(3, 4).remove(0), &PlaceNames::new(&files, None));
    let store = Store::at(folder.path().to_owned());
    let link = folder.path().join(one.id().as_str());
    std::os::unix::fs::symlink(elsewhere.path(), link).expect("a link");
    store.restore(&one, "one").expect("it can be kept");
    assert_eq!(std::fs::read_dir(elsewhere.path()).expect("a folder").count(), 0);
    assert!(store.find(one.id().as_str()).is_ok());
}
