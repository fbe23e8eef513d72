//! Makes something else of a file: bytes that SQLite takes for others, and rows that say what no
//! campaign does.

use rusqlite::Connection;
use std::path::Path;

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

/// The whole file, with a few bytes changed.
pub(crate) fn bytes(whole: &[u8], random: &mut Random) -> Vec<u8> {
    let mut changed = whole.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(changed.len());
        match random.below(6) {
            0 => changed[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            1 => changed[at] ^= 1 << random.below(8),
            2 => {
                let length = random.below(64).min(changed.len() - at);
                let from = random.below(changed.len() - length);
                changed.copy_within(from..from + length, at);
            }
            // The pointers to cells, at the beginning of a page.
            3 => {
                let at = at / 4096 * 4096 + random.below(64);
                if let Some(byte) = changed.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
            // Text, at the end of a page.
            4 => {
                if let Some(byte) = changed[at..].iter_mut().find(|b| b.is_ascii_alphanumeric()) {
                    *byte = b"0aZ\"{[-9\x1b\xff"[random.below(10)];
                }
            }
            _ => {
                let away = random.below(changed.len().min(9000));
                changed.truncate(changed.len() - away);
            }
        }
        if changed.is_empty() {
            changed.push(0);
        }
    }
    changed
}

/// Tables with their columns.
const TABLES: [(&str, &[&str]); 15] = [
    (
        "campaigns",
        &[
            "id",
            "family",
            "shard",
            "began",
            "ended",
            "revision",
            "commit_id",
            "tree",
            "selvedge",
            "toolchain",
        ],
    ),
    ("tests", &["id", "package", "target", "kind", "name"]),
    (
        "runs",
        &[
            "id",
            "campaign",
            "test",
            "revision",
            "build",
            "settings",
            "strategy",
            "seed",
            "threads",
            "ending",
            "message",
            "warnings",
            "conditions",
        ],
    ),
    ("slices", &["run", "number", "seed", "began", "executions", "steps", "milliseconds"]),
    ("metrics", &["id", "name"]),
    ("files", &["id", "name"]),
    ("elements", &["id", "key", "role", "kind", "file", "line", "column", "detail", "text"]),
    ("requirements", &["id", "key", "metric"]),
    ("parts", &["requirement", "position", "element"]),
    ("covered", &["run", "requirement", "frequency", "first"]),
    ("uncovered", &["run", "requirement"]),
    ("growth", &["run", "metric", "execution", "covered"]),
    (
        "measured",
        &["weight", "average", "aimed", "covered", "unseen", "next", "saturated", "metric"],
    ),
    ("findings", &["id", "kind", "headline", "found", "json", "explanation"]),
    ("found", &["run", "finding", "execution"]),
];

/// What a column may be set to. Those that do not fit its type are refused by SQLite.
const VALUES: [&str; 36] = [
    "NULL",
    "0",
    "-1",
    "1",
    "2",
    "4294967295",
    "1 << 40",
    "9223372036854775807",
    "-9223372036854775807 - 1",
    "9e999",
    "-0.5",
    "random()",
    "''",
    "'/'",
    "'2/3'",
    "'9/1'",
    "'1/4294967295'",
    "CAST(x'ff' AS TEXT)",
    "CAST(x'61c3' AS TEXT)",
    "CAST(x'610062' AS TEXT)",
    "char(27) || '[2J'",
    "'a' || char(10) || '::error::b'",
    "'../../x'",
    "'set'",
    "'line'",
    "'code'",
    "'thread'",
    "'object'",
    "'misfit'",
    "'0x10'",
    "'{}'",
    "'[]'",
    "'[[\"a\",\"b\"]]'",
    "hex(zeroblob(1500))",
    "hex(zeroblob(60000))",
    "(SELECT group_concat(key, ' ') FROM elements)",
];

/// Changes rows of a file.
pub(crate) fn rows(file: &Path, random: &mut Random) {
    let connection = Connection::open(file).expect("it is whole");
    for (pragma, value) in [("foreign_keys", "off"), ("synchronous", "off")] {
        connection.pragma_update(None, pragma, value).expect("a setting");
    }
    connection.pragma_update(None, "journal_mode", "memory").expect("a setting");
    for _ in 0..=random.below(3) {
        let (table, columns) = TABLES[random.below(TABLES.len())];
        let column = random.of(columns);
        let some = ["true", "random() % 3 = 0"][random.below(2)];
        let sql = match random.below(8) {
            0 => format!("DELETE FROM {table} WHERE {some}"),
            // A row more, as one is.
            1 => {
                let copied: Vec<_> = columns
                    .iter()
                    .map(|&one| if one == column { random.of(&VALUES) } else { one })
                    .collect();
                format!(
                    "INSERT OR IGNORE INTO {table} ({}) SELECT {} FROM {table}",
                    columns.join(", "),
                    copied.join(", ")
                )
            }
            2 => {
                let (other, columns) = TABLES[random.below(TABLES.len())];
                let from = random.of(columns);
                format!("UPDATE OR IGNORE {table} SET {column} = (SELECT {from} FROM {other})")
            }
            _ => {
                let value = random.of(&VALUES);
                format!("UPDATE OR IGNORE {table} SET {column} = {value} WHERE {some}")
            }
        };
        // What the tables do not allow is not done.
        let _ = connection.execute(&sql, []);
    }
}
