//! Opens a trace.

use super::format::{
    CHUNK_HEAD, END, EXECUTION, HEADER, Input, MAGIC, Nonsense, OBJECT_KINDS, VERSION, checksum,
};
use super::player::Player;
use super::{Header, TraceError};
use selvedge_model::{ObjectKind, OperationKind};

/// A trace that is whole.
pub struct Trace<'a> {
    header: Header,
    left_out: u64,
    /// What each execution says.
    pub(super) executions: Vec<&'a [u8]>,
    pub(super) kinds: Vec<OperationKind>,
    pub(super) object_kinds: Vec<ObjectKind>,
}

/// A chunk whose checksum is right.
struct Chunk<'a> {
    kind: u8,
    body: &'a [u8],
}

impl<'a> Trace<'a> {
    /// Opens a trace and checks that nothing of it is missing or was changed.
    pub fn read(bytes: &'a [u8]) -> Result<Self, TraceError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(TraceError::Foreign)?;
        let (&version, mut rest) = rest.split_first().ok_or(TraceError::CutOff { whole: 0 })?;
        if version != VERSION {
            return Err(TraceError::Version(version));
        }
        let header = next(&mut rest, 0)?;
        let mut trace = match header.kind {
            HEADER => read_header(Input(header.body)),
            _ => Err(Nonsense("it comes later than it should")),
        }
        .map_err(|nonsense| nonsense.in_chunk("its header"))?;
        loop {
            let whole = trace.executions.len();
            let Chunk { kind, body } = next(&mut rest, whole)?;
            match kind {
                EXECUTION => trace.executions.push(body),
                END => {
                    trace.left_out = read_end(Input(body), whole, rest)
                        .map_err(|nonsense| nonsense.in_chunk("its end"))?;
                    return Ok(trace);
                }
                _ => return Err(Nonsense("nobody knows what it is").in_chunk("a part of it")),
            }
        }
    }

    /// What it is of.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many executions are in it.
    pub fn executions(&self) -> usize {
        self.executions.len()
    }

    /// How many executions there was no room for.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Shows the executions, one after the other.
    pub fn player(&self) -> Player<'_> {
        Player::new(self)
    }
}

/// The next chunk, after so many whole executions.
fn next<'a>(rest: &mut &'a [u8], whole: usize) -> Result<Chunk<'a>, TraceError> {
    let cut_off = TraceError::CutOff { whole };
    let (head, after) = rest.split_at_checked(CHUNK_HEAD).ok_or(cut_off.clone())?;
    let word = |at: usize| {
        let bytes: [u8; 8] = std::array::from_fn(|index| head[at + index]);
        u64::from_le_bytes(bytes)
    };
    let length = usize::try_from(word(1)).ok();
    let (body, after) = length.and_then(|length| after.split_at_checked(length)).ok_or(cut_off)?;
    if checksum(body) != word(9) {
        let chunk = format!("what comes after {whole} executions");
        return Err(Nonsense("its checksum is another one").in_chunk(&chunk));
    }
    *rest = after;
    Ok(Chunk { kind: head[0], body })
}

fn read_header<'a>(mut input: Input<'_>) -> Result<Trace<'a>, Nonsense> {
    let test = input.text()?.to_owned();
    let program = input.text()?.to_owned();
    let settings = input.texts()?;
    let settings = settings.chunks_exact(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned()));
    let settings = settings.collect();
    let unknown = Nonsense("it names a kind that this program does not know");
    let kinds = input
        .texts()?
        .into_iter()
        .map(|name| name.parse().map_err(|()| unknown))
        .collect::<Result<_, _>>()?;
    let known: Vec<_> = OBJECT_KINDS.iter().map(ToString::to_string).collect();
    let object_kind = |name: &str| known.iter().position(|other| other == name);
    let object_kinds = input
        .texts()?
        .into_iter()
        .map(|name| object_kind(name).map(|index| OBJECT_KINDS[index]).ok_or(unknown))
        .collect::<Result<_, _>>()?;
    let header = Header { test, program, settings };
    Ok(Trace { header, left_out: 0, executions: Vec::new(), kinds, object_kinds })
}

/// How many executions were left out.
fn read_end(mut input: Input<'_>, whole: usize, after: &[u8]) -> Result<u64, Nonsense> {
    if input.size()? != whole {
        return Err(Nonsense("executions are missing"));
    }
    if !after.is_empty() {
        return Err(Nonsense("there is more after it"));
    }
    input.number()
}
