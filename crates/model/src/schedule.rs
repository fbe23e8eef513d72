//! Schedules as data and as one line of text.
//!
//! A schedule lists where an execution left the undisturbed course (see [`View::undisturbed`]),
//! each place named by the operation that a thread was about to carry out: which thread, what
//! kind, where in the source, for the how-manieth time. It holds no step numbers and no seeds, so
//! it survives edits that do not touch the operations that it names.
//!
//! ```text
//! selvedge/1 1:lock@src/bank.rs:14:30>2 2:wait@src/bank.rs:21:19#2=spurious 2:end>1
//! ```
//!
//! [`View::undisturbed`]: crate::View::undisturbed

use crate::{Fault, OperationKind, Source, ThreadPath};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The format that [`Schedule`] prints and reads.
const HEADER: &str = "selvedge/1";
/// What stands before the name of a value.
const SEES: &str = "sees:";
const BELOW: &str = "below:";

/// The place of a decision: a thread is about to carry out an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// The thread that was running.
    pub thread: ThreadPath,
    /// What it is about to do.
    pub kind: OperationKind,
    /// Where that stands in the source; nowhere for the beginning and the end of a thread.
    pub source: Option<Source>,
    /// For the how-manieth time this thread does this at this place, from 1.
    pub occurrence: u32,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.thread, self.kind)?;
        if let Some(Source { file, line, column }) = &self.source {
            f.write_str("@")?;
            for character in file.chars() {
                match character {
                    // Whatever ends a word or has a meaning of its own.
                    '%' | '#' | '>' | '=' | '\0'..=' ' | '\x7f' => {
                        write!(f, "%{:02x}", character as u32)?;
                    }
                    _ => write!(f, "{character}")?,
                }
            }
            write!(f, ":{line}:{column}")?;
        }
        match self.occurrence {
            1 => Ok(()),
            n => write!(f, "#{n}"),
        }
    }
}

/// A value of an atomic, by who wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ValueName {
    /// It was there before any operation.
    Initial,
    /// This operation wrote it.
    By(Point),
}

impl fmt::Display for ValueName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Initial => f.write_str(INITIAL),
            Self::By(point) => write!(f, "{point}"),
        }
    }
}

/// How a value is called that no operation wrote.
const INITIAL: &str = "initial";

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Another thread goes next.
    Switch(ThreadPath),
    /// `notify_one` wakes the waiter that has this many waiters before it (never 0).
    Wake(u32),
    /// The execution sees this stream of random bytes (never 0).
    RandomBytes(u32),
    /// The operation sees this value of its atomic, which is not the newest.
    Sees(ValueName),
    /// What is stored comes right below this value of the atomic, instead of above all.
    Below(ValueName),
    /// The thread gets to run so many milliseconds after its deadline (never 0).
    Delay(u32),
    /// The timed wait may reach its deadline while others can run.
    Timeout,
    /// The wait ends for no reason.
    Spurious,
    /// The weak compare-exchange fails for no reason.
    WeakFailure,
    /// The future is polled again if it is pending, although nobody woke it.
    PolledAgain,
    /// The future is polled with another waker first.
    OtherWaker,
    /// The future is dropped before it is ready.
    EarlyDrop,
    /// The thread goes on spinning, alone, until it leaves its loop or has done so for long.
    SpinOn,
}

impl Choice {
    /// The value of an atomic that it names, if it names one.
    pub fn value(&self) -> Option<&ValueName> {
        match self {
            Self::Sees(value) | Self::Below(value) => Some(value),
            Self::Switch(_)
            | Self::Wake(_)
            | Self::RandomBytes(_)
            | Self::Delay(_)
            | Self::Timeout
            | Self::Spurious
            | Self::WeakFailure
            | Self::PolledAgain
            | Self::OtherWaker
            | Self::EarlyDrop
            | Self::SpinOn => None,
        }
    }
}

impl From<Fault> for Choice {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Timeout => Self::Timeout,
            Fault::Spurious => Self::Spurious,
            Fault::WeakFailure => Self::WeakFailure,
            Fault::PolledAgain => Self::PolledAgain,
            Fault::OtherWaker => Self::OtherWaker,
            Fault::EarlyDrop => Self::EarlyDrop,
            Fault::SpinOn => Self::SpinOn,
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch(thread) => write!(f, ">{thread}"),
            Self::Wake(n) => write!(f, "=wake{n}"),
            Self::RandomBytes(n) => write!(f, "=random{n}"),
            Self::Sees(value) => write!(f, "={SEES}{value}"),
            Self::Below(value) => write!(f, "={BELOW}{value}"),
            Self::Delay(n) => write!(f, "=delay{n}"),
            Self::Timeout => f.write_str("=timeout"),
            Self::Spurious => f.write_str("=spurious"),
            Self::WeakFailure => f.write_str("=fail"),
            Self::PolledAgain => f.write_str("=again"),
            Self::OtherWaker => f.write_str("=waker"),
            Self::EarlyDrop => f.write_str("=drop"),
            Self::SpinOn => f.write_str("=spin"),
        }
    }
}

/// One recorded choice that differs from the undisturbed course.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// Where.
    pub at: Point,
    /// What.
    pub choice: Choice,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.at, self.choice)
    }
}

/// The decisions of one execution, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Schedule {
    /// The decisions, in the order in which they were taken.
    pub decisions: Vec<Decision>,
}

impl Schedule {
    /// How many of the decisions hand over to another thread.
    pub fn switches(&self) -> usize {
        self.decisions.iter().filter(|d| matches!(d.choice, Choice::Switch(_))).count()
    }

    /// How many of the decisions let an operation see, or store, another value of an atomic than the newest.
    pub fn old_values(&self) -> usize {
        self.decisions.iter().filter(|decision| decision.choice.value().is_some()).count()
    }

    /// How many milliseconds threads are late, all together.
    pub fn delay(&self) -> u64 {
        let delays = self.decisions.iter().map(|decision| &decision.choice);
        delays
            .map(|choice| if let Choice::Delay(late) = choice { u64::from(*late) } else { 0 })
            .sum()
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEADER)?;
        self.decisions.iter().try_for_each(|decision| write!(f, " {decision}"))
    }
}

/// A text is no schedule; says where and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad schedule at column {}: {kind}", span.start + 1)]
pub struct ScheduleError {
    /// The part of the text that is wrong, in bytes.
    pub span: Range<usize>,
    /// What is wrong with it.
    pub kind: ScheduleErrorKind,
}

/// What can be wrong with the text of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleErrorKind {
    /// There is nothing.
    #[error("it is empty; a schedule begins with '{HEADER}'")]
    Empty,
    /// Another program's, or a broken line.
    #[error("'{0}' is not how a schedule begins; expected '{HEADER}'")]
    Foreign(String),
    /// A later version's.
    #[error("format '{0}' is not known to this version, which reads '{HEADER}'")]
    Version(String),
    /// A decision without its parts.
    #[error(
        "'{0}' is no decision; expected THREAD:OPERATION@FILE:LINE:COLUMN followed by >THREAD or =CHOICE"
    )]
    Shape(String),
    /// No such thread.
    #[error(transparent)]
    Thread(#[from] crate::ThreadPathError),
    /// No such kind of operation.
    #[error("unknown operation '{name}'{}", suggestion.map(|s| format!("; did you mean '{s}'?")).unwrap_or_default())]
    Operation {
        /// What was written.
        name: String,
        /// What may have been meant.
        suggestion: Option<&'static str>,
    },
    /// No such choice.
    #[error(
        "unknown choice '{0}'; expected wakeN, randomN, delayN, sees:VALUE, below:VALUE, timeout, spurious, fail, again, waker, drop or spin"
    )]
    Choice(String),
    /// A value without the parts of its name.
    #[error(
        "'{0}' is no value; expected '{INITIAL}', or the operation that wrote it as THREAD:OPERATION@FILE:LINE:COLUMN"
    )]
    Value(String),
    /// Line, column or occurrence is no number from 1.
    #[error("'{0}' is no number from 1 up")]
    Number(String),
}

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(text: &str) -> Result<Self, ScheduleError> {
        let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        let error = |part: &str, kind| ScheduleError {
            span: offset(part)..offset(part) + part.len(),
            kind,
        };
        let mut words = text.split_ascii_whitespace();
        let Some(header) = words.next() else {
            return Err(ScheduleError { span: 0..0, kind: ScheduleErrorKind::Empty });
        };
        if header != HEADER {
            let kind = match header.starts_with("selvedge/") {
                true => ScheduleErrorKind::Version(header.to_owned()),
                false => ScheduleErrorKind::Foreign(header.chars().take(40).collect()),
            };
            return Err(error(header, kind));
        }
        let decisions = words
            .map(|word| parse_decision(word).map_err(|(part, kind)| error(part, kind)))
            .collect::<Result<_, _>>()?;
        Ok(Self { decisions })
    }
}

/// A part of the text and what is wrong with it.
type Wrong<'a> = (&'a str, ScheduleErrorKind);

fn parse_decision(word: &str) -> Result<Decision, Wrong<'_>> {
    let shape = || (word, ScheduleErrorKind::Shape(word.to_owned()));
    let split = word.find(['>', '=']).ok_or_else(shape)?;
    let (at, choice) = word.split_at(split);
    Ok(Decision { at: parse_point(at).ok_or_else(shape)??, choice: parse_choice(choice)? })
}

/// Nothing if the parts are not there.
fn parse_point(text: &str) -> Option<Result<Point, Wrong<'_>>> {
    let (thread, rest) = text.split_once(':')?;
    let (rest, number) = match rest.split_once('#') {
        Some((rest, number)) => (rest, Some(number)),
        None => (rest, None),
    };
    let (kind, source) = match rest.split_once('@') {
        Some((kind, source)) => (kind, Some(parse_source(source)?)),
        None => (rest, None),
    };
    let read = || {
        Ok(Point {
            thread: parse_thread(thread)?,
            kind: parse_kind(kind)?,
            source: source.transpose()?,
            occurrence: number.map_or(Ok(1), parse_number)?,
        })
    };
    Some(read())
}

fn parse_value(text: &str) -> Result<ValueName, Wrong<'_>> {
    let shape = || (text, ScheduleErrorKind::Value(text.to_owned()));
    match text {
        INITIAL => Ok(ValueName::Initial),
        _ => Ok(ValueName::By(parse_point(text).ok_or_else(shape)??)),
    }
}

/// Nothing if the parts are not there.
fn parse_source(text: &str) -> Option<Result<Source, Wrong<'_>>> {
    let mut parts = text.rsplitn(3, ':');
    let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    let file = unescape(file)?;
    let read = || Ok(Source { file, line: parse_number(line)?, column: parse_number(column)? });
    Some(read())
}

fn parse_thread(text: &str) -> Result<ThreadPath, Wrong<'_>> {
    text.parse().map_err(|error| (text, ScheduleErrorKind::Thread(error)))
}

fn parse_kind(text: &str) -> Result<OperationKind, Wrong<'_>> {
    text.parse().map_err(|()| {
        let suggestion = crate::closest(text, OperationKind::ALL.iter().map(|kind| kind.name()));
        (text, ScheduleErrorKind::Operation { name: text.to_owned(), suggestion })
    })
}

fn parse_number(text: &str) -> Result<u32, Wrong<'_>> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err((text, ScheduleErrorKind::Number(text.to_owned()))),
    }
}

fn parse_choice(text: &str) -> Result<Choice, Wrong<'_>> {
    if let Some(thread) = text.strip_prefix('>') {
        return Ok(Choice::Switch(parse_thread(thread)?));
    }
    let name = &text[1..];
    if let Some(value) = name.strip_prefix(SEES) {
        return Ok(Choice::Sees(parse_value(value)?));
    }
    if let Some(value) = name.strip_prefix(BELOW) {
        return Ok(Choice::Below(parse_value(value)?));
    }
    match name {
        "timeout" => Ok(Choice::Timeout),
        "spurious" => Ok(Choice::Spurious),
        "fail" => Ok(Choice::WeakFailure),
        "again" => Ok(Choice::PolledAgain),
        "waker" => Ok(Choice::OtherWaker),
        "drop" => Ok(Choice::EarlyDrop),
        "spin" => Ok(Choice::SpinOn),
        _ => parse_numbered(name),
    }
}

/// A choice among several, by its number.
fn parse_numbered(name: &str) -> Result<Choice, Wrong<'_>> {
    let number = |prefix| name.strip_prefix(prefix).map(parse_number);
    let numbered = [
        number("wake").map(|n| n.map(Choice::Wake)),
        number("random").map(|n| n.map(Choice::RandomBytes)),
        number("delay").map(|n| n.map(Choice::Delay)),
    ];
    let unknown = Err((name, ScheduleErrorKind::Choice(name.to_owned())));
    numbered.into_iter().flatten().next().unwrap_or(unknown)
}

/// Undoes the `%xx` of [`Point`]'s printing.
fn unescape(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut plain = parts.next()?.to_owned();
    for part in parts {
        let code = u8::from_str_radix(part.get(..2)?, 16).ok()?;
        plain.push(char::from(code));
        plain.push_str(&part[2..]);
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn fails(text: &str, span: Range<usize>, message: &str) {
        let error = text.parse::<Schedule>().unwrap_err();
        assert_eq!(error.span, span, "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }

    #[test]
    fn a_schedule_reads_back_as_it_was_printed() {
        let text = "selvedge/1 1:lock@src/my%20bank.rs:14:30#3>2.1 1:end#2>2 \
                    2.1:wait@C:/a.rs:1:2=spurious 0:notify_one@a.rs:9:9=wake2 0:cas@a.rs:1:1=fail \
                    0:poll@a.rs:2:2=again 0:poll@a.rs:2:2#2=waker 0:poll@a.rs:2:2#3=drop \
                    1:load@a.rs:3:3#4=sees:initial 1:load@a.rs:3:3#5=sees:2:store@my%20a.rs:7:7#2 \
                    2:store@a.rs:4:4=below:1:store@a.rs:5:5 1:sleep@a.rs:3:3=delay12";
        let schedule: Schedule = text.parse().unwrap();
        assert_eq!(schedule.to_string(), text);
        let file = |n: usize| schedule.decisions[n].at.source.as_ref().map(|s| &*s.file);
        assert_eq!(file(0), Some("src/my bank.rs"));
        assert_eq!(file(1), None);
        assert_eq!(file(2), Some("C:/a.rs"));
        assert_eq!(schedule.switches(), 2);
    }

    #[test]
    fn the_empty_schedule_is_the_undisturbed_course() {
        assert_eq!("selvedge/1".parse(), Ok(Schedule::default()));
    }

    #[test]
    fn every_mistake_is_named_at_its_place() {
        fails("", 0..0, "empty");
        fails("910102ccdb", 0..10, "not how a schedule begins");
        fails("selvedge/9 1:lock", 0..10, "not known to this version");
        fails("selvedge/1 lock", 11..15, "no decision");
        fails("selvedge/1 x:lock@a.rs:1:1>2", 11..12, "no thread");
        fails("selvedge/1 1:lokc@a.rs:1:1>2", 13..17, "did you mean 'lock'?");
        fails("selvedge/1 1:lock@a.rs:0:1>2", 23..24, "no number");
        fails("selvedge/1 1:lock@a.rs:1:1=nap", 27..30, "unknown choice 'nap'");
        fails("selvedge/1 1:load@a.rs:1:1=sees:old", 32..35, "is no value");
        fails("selvedge/1 1:load@a.rs:1:1=sees:2:stor@a.rs:1:1", 34..38, "did you mean 'store'?");
    }
}
