//! Programs by name.

/// A program under test, written once and compiled once for each engine.
pub(crate) struct Program {
    /// The call, as it is written in the source.
    pub(crate) name: &'static str,
    /// Runs it once; only under the engine for which it was compiled.
    pub(crate) run: fn(),
}

/// A program that says what it has seen.
pub(crate) struct Litmus {
    /// What the tables call it.
    pub(crate) name: &'static str,
    /// Runs it once and says what came of it.
    pub(crate) run: fn() -> String,
    /// What the language allows.
    pub(crate) allowed: &'static str,
    /// What is left of that if all operations are sequentially consistent, where that is less.
    pub(crate) consistent: Option<&'static str>,
}

/// A litmus program of which sequential consistency takes nothing away.
pub(crate) const fn litmus(
    name: &'static str,
    run: fn() -> String,
    allowed: &'static str,
) -> Litmus {
    Litmus { name, run, allowed, consistent: None }
}

/// The programs that calls such as `mutex_inc(2, 1)` stand for, named after the calls.
macro_rules! programs {
    ($($function:ident($($argument:literal),*)),* $(,)?) => {
        &[$(Program {
            name: concat!(stringify!($function), "(", stringify!($($argument),*), ")"),
            run: || $function($($argument),*),
        }),*]
    };
}
pub(crate) use programs;

/// The program of that name.
///
/// # Panics
///
/// Panics if there is none: the sections and the programs do not fit together.
pub(crate) fn find(programs: &[Program], name: &str) -> fn() {
    let found = programs.iter().find(|program| program.name == name);
    found.unwrap_or_else(|| panic!("there is no program '{name}'")).run
}
