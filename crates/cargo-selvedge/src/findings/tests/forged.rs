//! Findings that somebody has made up: no panic, no more memory than a reader may take, and nothing for
//! cargo but features and profiles. `SELVEDGE_FUZZ` says how many; without it there are few.

use super::{kept, kinds};
use crate::findings::{Kept, KnownCode, PlaceNames};
use crate::output::explain;
use peak_alloc::PeakAlloc;
use selvedge_page::{Head, Maker, Tested};
use selvedge_report::{Colour, SourceFiles, headline};
use serde_json::Value;

/// Counts what is allocated, which the memory of the process does not tell: an allocator keeps what was freed.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Nobody may take more bytes, the tests beside this one included.
const LIMIT: usize = 256 << 20;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n
    }
}

/// All values in a value, by the ways to them.
fn ways(value: &Value, way: &mut Vec<String>, all: &mut Vec<String>) {
    all.push(
        way.iter().map(|part| format!("/{}", part.replace('~', "~0").replace('/', "~1"))).collect(),
    );
    let mut inside = |part: String, value: &Value| {
        way.push(part);
        ways(value, way, all);
        way.pop();
    };
    match value {
        Value::Array(values) => {
            values.iter().enumerate().for_each(|(n, value)| inside(n.to_string(), value));
        }
        Value::Object(fields) => fields.iter().for_each(|(key, value)| inside(key.clone(), value)),
        _ => {}
    }
}

fn mutate(value: &mut Value, random: &mut Random) {
    let mut all = Vec::new();
    ways(value, &mut Vec::new(), &mut all);
    let other = value.pointer(&all[random.below(all.len())]).cloned().unwrap_or_default();
    let Some(place) = value.pointer_mut(&all[random.below(all.len())]) else { return };
    match random.below(8) {
        0 => *place = other,
        1 | 2 => match place {
            Value::Array(values) if !values.is_empty() => match random.below(3) {
                0 => drop(values.pop()),
                1 => values.push(other),
                _ => {
                    let many = values[random.below(values.len())].clone();
                    // Now and then more than anybody has.
                    let most = if random.below(100) == 0 { 30_000 } else { 300 };
                    let count = random.below(most);
                    values.extend(std::iter::repeat_n(many, count));
                }
            },
            Value::Object(fields) => {
                if let Some(key) = fields.keys().nth(random.below(fields.len().max(1))).cloned() {
                    fields.remove(&key);
                }
            }
            _ => *place = Value::Null,
        },
        _ => match place {
            Value::Number(_) => {
                let numbers = [0, 1, 7, 255, 4_294_967_295, u64::MAX, u64::MAX >> 1, 1 << 40];
                *place = numbers[random.below(numbers.len())].into();
            }
            Value::String(_) => {
                let texts = [
                    "",
                    "\u{1b}[2J",
                    "a\n::error::b",
                    "-x",
                    "--config=build.rustc-wrapper='/bin/true'",
                    "../../../etc/passwd",
                    "/etc/passwd",
                    "<script>",
                    "\u{202e}",
                    "0.1.2.3.4.5.6",
                    "trace",
                    "selvedge/1",
                    "lock",
                    "src/lib.rs:0:0",
                    "0x7fff",
                    "ü",
                ];
                *place = match random.below(20) {
                    0 => "long ".repeat(10_000).into(),
                    _ => texts[random.below(texts.len())].into(),
                };
            }
            Value::Bool(flag) => *flag = !*flag,
            _ => *place = 3.into(),
        },
    }
}

/// Everything that is ever done with a finding, short of building its test.
fn use_it(kept: &Kept, files: &SourceFiles) {
    let id = kept.id();
    assert!(id.as_str().bytes().all(|byte| byte.is_ascii_hexdigit()));
    if let Ok(flags) = kept.built.flags() {
        for flag in flags {
            let known = [
                "--features=",
                "--profile=",
                "--all-features",
                "--no-default-features",
                "--release",
            ];
            assert!(known.iter().any(|known| flag.starts_with(known)), "{flag}");
        }
    }
    if let Ok(settings) = kept.replay_settings() {
        assert!(settings.iter().all(|(key, _)| key != "trace"));
    }
    let _ = kept.check_names();
    kept.is_shown_by(&kept.finding, &PlaceNames::new(files, None));
    let code = KnownCode { files, code: &kept.code };
    let line = headline(&kept.finding);
    assert!(!line.contains(char::is_control), "{line:?}");
    for colour in [Colour::Plain, Colour::Ansi] {
        let text = explain(&kept.finding, &kept.test, id.as_str(), colour, &code);
        let escape =
            |c: char| c.is_control() && c != '\n' && (c != '\u{1b}' || colour == Colour::Plain);
        assert!(!text.contains(escape), "{text:?}");
        let command = |line: &str| line.trim_start().starts_with("::");
        assert!(!text.lines().any(command), "{text}");
    }
    selvedge_report::trace(&kept.finding);
    let head = Head { selvedge: String::new(), project: String::new(), commit: None, made: 0 };
    let mut maker = Maker::new(head);
    let test = maker.test(Tested::unknown("queue", &kept.test));
    maker.finding(id.as_str(), test, &kept.finding, None, &code);
    let report = maker.finish(files);
    let html = selvedge_page::html(&report).expect("a page");
    assert!(
        !html.contains("<script>\"") && !html.contains("<script>,"),
        "a text ended its element"
    );
    selvedge_page::sarif(&report).expect("it can be written");
}

#[test]
fn forged_findings_are_used_or_refused() {
    let count: usize = std::env::var("SELVEDGE_FUZZ").map_or(600, |n| n.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let files = SourceFiles::new([folder.path().to_owned()]);
    let places = PlaceNames::new(&files, None);
    let whole: Vec<Value> = kinds(3, 4)
        .into_iter()
        .map(|kind| serde_json::to_value(kept(kind, &places)).expect("a value"))
        .collect();
    let mut random = Random(0x5eed);
    let (mut read, mut most) = (0, 0);
    for number in 0..count {
        let mut value = whole[number % whole.len()].clone();
        for _ in 0..=random.below(3) {
            mutate(&mut value, &mut random);
        }
        let text = value.to_string();
        drop(value);
        // What it took to forge it does not count.
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        if let Ok(kept) = Kept::read(&text) {
            read += 1;
            use_it(&kept, &files);
        }
        most = most.max(MEMORY.peak_usage().saturating_sub(before));
        assert!(most <= LIMIT, "after finding {number}: {most} bytes");
    }
    #[expect(clippy::print_stdout, reason = "the figure that the fuzzer is run for")]
    {
        println!("{read} of {count} were used; at most {most} bytes were in use");
    }
    assert!(read * 20 > count, "hardly any made sense: {read} of {count}");
}

#[test]
fn a_text_of_very_many_values_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = SourceFiles::new([folder.path().to_owned()]);
    let kept = kept(kinds(3, 4).remove(0), &PlaceNames::new(&files, None));
    let whole = serde_json::to_string(&kept).expect("it can be written");
    let with = |aspects: &str| {
        let from = whole.find("\"aspects\":").expect("a field") + 10;
        let to = whole.find(",\"finding\":").expect("a field");
        Kept::read(&format!("{}[{aspects}]{}", &whole[..from], &whole[to..]))
    };
    with("").expect("nothing is wrong with it");
    // Commas in texts are no values.
    with(&format!("[\"{}\"]", "\\\",[{".repeat(1 << 20))).expect("it is long, and no more");
    let error = with(&format!("{}[]", "[],".repeat(8 << 20))).expect_err("they take 400 MB");
    assert!(error.to_string().contains("values"), "{error}");
}
