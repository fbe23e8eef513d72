//! Requirements as rows: what they are made of is kept once.

use crate::key::{key, key_of};
use crate::write::Lines;
use rusqlite::{Connection, OptionalExtension, Row, params};
use rustc_hash::FxHashMap;
use selvedge_model::{
    CodeAddress, Named, NamedObject, NamedThread, ObjectKind, Part, Place, Requirement, Source,
};

/// So many elements are remembered by a writer; nobody has as many.
const MOST: usize = 1 << 18;

/// Elements that were written, so that they are not looked up again.
#[derive(Debug, Default)]
pub(crate) struct Names(FxHashMap<Part, Element>);

/// An element that is in the file.
#[derive(Clone, Copy, Debug)]
struct Element {
    id: i64,
    key: i64,
}

/// The columns of an element, apart from its role.
struct Columns {
    kind: &'static str,
    at: Option<Source>,
    detail: String,
}

impl Names {
    /// The number of a requirement in the file, which it gets if it has none.
    pub(crate) fn requirement(
        &mut self,
        file: &Connection,
        metric: i64,
        requirement: &Requirement,
        lines: &dyn Lines,
    ) -> rusqlite::Result<i64> {
        let elements = requirement.parts.iter().map(|part| self.element(file, part, lines));
        let elements = elements.collect::<rusqlite::Result<Vec<_>>>()?;
        let key = key_of(metric, elements.iter().map(|element| element.key));
        let mut find = file.prepare_cached("SELECT id FROM requirements WHERE key = ?1")?;
        if let Some(id) = find.query_row([key], |row| row.get(0)).optional()? {
            return Ok(id);
        }
        file.prepare_cached("INSERT INTO requirements (key, metric) VALUES (?1, ?2)")?
            .execute([key, metric])?;
        let id = file.last_insert_rowid();
        let mut insert = file.prepare_cached(
            "INSERT INTO parts (requirement, position, element) VALUES (?1, ?2, ?3)",
        )?;
        for (position, element) in elements.iter().enumerate() {
            insert.execute(params![id, position as i64, element.id])?;
        }
        Ok(id)
    }

    fn element(
        &mut self,
        file: &Connection,
        part: &Part,
        lines: &dyn Lines,
    ) -> rusqlite::Result<Element> {
        if let Some(&known) = self.0.get(part) {
            return Ok(known);
        }
        let Columns { kind, at, detail } = self.columns(file, &part.is, lines)?;
        let source = at.as_ref().map(|at| &at.file);
        let place = at.as_ref().map_or(String::new(), |at| format!("{}:{}", at.line, at.column));
        let name = source.map_or("", String::as_str);
        let key = key([part.role.as_str(), kind, name, &place, &detail]);
        let mut find = file.prepare_cached("SELECT id FROM elements WHERE key = ?1")?;
        let id = match find.query_row([key], |row| row.get(0)).optional()? {
            Some(id) => id,
            None => {
                let source = source.map(|name| intern(file, "files", name)).transpose()?;
                let (line, column) = (at.as_ref().map(|at| at.line), at.map(|at| at.column));
                let text = part.is.to_string();
                file.prepare_cached(
                    "INSERT INTO elements (key, role, kind, file, line, column, detail, text) \
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                )?
                .execute(params![key, part.role, kind, source, line, column, detail, text])?;
                file.last_insert_rowid()
            }
        };
        if self.0.len() == MOST {
            self.0.clear();
        }
        let element = Element { id, key };
        self.0.insert(part.clone(), element);
        Ok(element)
    }

    fn columns(
        &mut self,
        file: &Connection,
        named: &Named,
        lines: &dyn Lines,
    ) -> rusqlite::Result<Columns> {
        let of = |kind, at, detail| Columns { kind, at, detail };
        Ok(match named {
            Named::Place(Place::Line(source)) => of("line", Some(source.clone()), String::new()),
            Named::Place(Place::Code(address)) => {
                of("code", lines.line(*address), address.to_string())
            }
            Named::Object(NamedObject { kind, origin, number }) => {
                let (at, code) = match origin {
                    Some(Place::Line(source)) => (Some(source.clone()), None),
                    Some(Place::Code(address)) => (lines.line(*address), Some(*address)),
                    None => (None, None),
                };
                let kind = kind.map(|kind| serde_json::to_string(&kind)).transpose();
                let kind = kind.map_err(as_sql)?.unwrap_or_default();
                let number = number.map(|number| number.to_string()).unwrap_or_default();
                let code = code.map(|code| code.to_string()).unwrap_or_default();
                of("object", at, format!("{kind} {number} {code}"))
            }
            Named::Thread(NamedThread { spawned, mark }) => {
                let mark = mark.map(|mark| format!("{mark:x}")).unwrap_or_default();
                of("thread", spawned.clone(), mark)
            }
            Named::Set(members) => {
                let mut keys = Vec::new();
                for member in members {
                    let part = Part { role: String::new(), is: member.clone() };
                    keys.push(self.element(file, &part, lines)?.key.to_string());
                }
                of("set", None, keys.join(" "))
            }
            Named::State(state) => of("state", None, state.clone()),
            Named::Nothing => of("nothing", None, String::new()),
        })
    }
}

/// The number of a text in a table of texts, which it gets if it has none.
pub(crate) fn intern(file: &Connection, table: &str, text: &str) -> rusqlite::Result<i64> {
    let id = key([text]);
    let insert = format!("INSERT INTO {table} (id, name) VALUES (?1, ?2) ON CONFLICT DO NOTHING");
    file.prepare_cached(&insert)?.execute(params![id, text])?;
    Ok(id)
}

/// How places are named that requirements were seen with as instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// By their lines, as people want to see them, where they are known.
    Lines,
    /// As they were seen, for going on with the same binary.
    AsSeen,
}

/// Sets are no deeper in each other than this: no metric has sets of sets.
const DEEPEST: u32 = 1;

/// A set has no more members than this.
const MEMBERS: usize = 4096;

/// Elements that were read.
pub(crate) struct Elements<'a> {
    file: &'a Connection,
    places: Places,
    known: FxHashMap<i64, Part>,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(file: &'a Connection, places: Places) -> Self {
        Self { file, places, known: FxHashMap::default() }
    }

    /// The element with a number.
    pub(crate) fn get(&mut self, id: i64) -> rusqlite::Result<Part> {
        if let Some(part) = self.known.get(&id) {
            return Ok(part.clone());
        }
        let part = self.look_at(id)?;
        self.known.insert(id, part.clone());
        Ok(part)
    }

    /// The element with a number, which is not remembered.
    pub(crate) fn look_at(&self, id: i64) -> rusqlite::Result<Part> {
        self.read("elements.id", id, DEEPEST)
    }

    fn read(&self, by: &str, value: i64, deep: u32) -> rusqlite::Result<Part> {
        let query = format!(
            "SELECT role, kind, files.name, line, column, detail FROM elements \
             LEFT JOIN files ON files.id = elements.file WHERE {by} = ?1"
        );
        let mut query = self.file.prepare_cached(&query)?;
        query.query_row([value], |row| Ok(Part { role: row.get(0)?, is: self.named(row, deep)? }))
    }

    fn named(&self, row: &Row<'_>, deep: u32) -> rusqlite::Result<Named> {
        let kind: String = row.get(1)?;
        let detail: String = row.get(5)?;
        let at = match row.get::<_, Option<String>>(2)? {
            Some(file) => Some(Source { file, line: row.get(3)?, column: row.get(4)? }),
            None => None,
        };
        let place = |code: &str| -> rusqlite::Result<Option<Place>> {
            let line = at.clone().map(Place::Line);
            match (self.places, line, code) {
                (_, line, "") | (Places::Lines, line @ Some(_), _) => Ok(line),
                (_, _, code) => Ok(Some(Place::Code(address(code)?))),
            }
        };
        Ok(match kind.as_str() {
            "line" | "code" => match place(&detail)? {
                Some(place) => Named::Place(place),
                None => return Err(unknown(&detail)),
            },
            "object" => {
                let mut fields = detail.split(' ');
                let mut field = || fields.next().unwrap_or_default();
                let (kind, number, code) = (field(), field(), field());
                let kind: Option<ObjectKind> = match kind {
                    "" => None,
                    kind => Some(serde_json::from_str(kind).map_err(as_sql)?),
                };
                let number = match number {
                    "" => None,
                    number => Some(number.parse().map_err(|_| unknown(&detail))?),
                };
                Named::Object(NamedObject { kind, origin: place(code)?, number })
            }
            "thread" => {
                let mark = match detail.as_str() {
                    "" => None,
                    mark => Some(u64::from_str_radix(mark, 16).map_err(|_| unknown(mark))?),
                };
                Named::Thread(NamedThread { spawned: at, mark })
            }
            "set" => {
                let keys = detail.split(' ').filter(|key| !key.is_empty());
                // A set may say that it is in itself, or that it has very many members many times.
                let deeper = deep.checked_sub(1).ok_or_else(|| unknown("a set of sets"))?;
                if keys.clone().count() > MEMBERS {
                    return Err(unknown("a large set"));
                }
                let member = |key: &str| {
                    let key = key.parse().map_err(|_| unknown(key))?;
                    Ok(self.read("elements.key", key, deeper)?.is)
                };
                Named::Set(keys.map(member).collect::<rusqlite::Result<_>>()?)
            }
            "state" => Named::State(detail),
            "nothing" => Named::Nothing,
            other => return Err(unknown(other)),
        })
    }
}

/// About how many bytes something takes that a requirement names.
pub(crate) fn size(named: &Named) -> usize {
    let texts = match named {
        Named::Place(Place::Line(source))
        | Named::Object(NamedObject { origin: Some(Place::Line(source)), .. })
        | Named::Thread(NamedThread { spawned: Some(source), .. }) => source.file.len(),
        Named::Set(members) => members.iter().map(size).sum(),
        Named::State(state) => state.len(),
        Named::Place(_) | Named::Object(_) | Named::Thread(_) | Named::Nothing => 0,
    };
    size_of::<Part>() + texts
}

fn address(text: &str) -> rusqlite::Result<CodeAddress> {
    let digits = text.strip_prefix("0x").ok_or_else(|| unknown(text))?;
    Ok(CodeAddress(u64::from_str_radix(digits, 16).map_err(|_| unknown(text))?))
}

/// What stands in the file is nothing that this version writes.
pub(crate) fn unknown(what: &str) -> rusqlite::Error {
    as_sql(std::io::Error::other(format!("'{what}' stands where it means nothing")))
}

/// Another error as one of the file's.
pub(crate) fn as_sql(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
}
