//! Names of functions as people call them.

use crate::symbols::Frame;

/// The function of a library by which the workspace's own code came to an operation, given the library's calls,
/// innermost first: `parking_lot::Mutex::lock`. None if there are no such calls.
pub(super) fn short_name(inside: &[&Frame]) -> Option<String> {
    // Futures of several crates are polled by one that they share; what is polled is theirs.
    let is_shared = |frame: &&&Frame| {
        let krate = frame.function.as_deref().map_or("", crate_of);
        krate.starts_with("event_listener")
    };
    let entry = inside.iter().rev().find(|frame| !is_shared(frame)).or(inside.last())?;
    let short = shortened(entry.function.as_deref()?);
    // The types that people name are made of those of lock_api by the crate that people depend on.
    let Some(generic) = short.strip_prefix("lock_api::") else { return Some(short) };
    let krate = inside.iter().rev().find_map(|frame| {
        let name = crate_of(frame.function.as_deref()?);
        (name != "lock_api").then(|| name.to_owned())
    });
    Some(format!("{}::{generic}", krate.as_deref().unwrap_or("lock_api")))
}

/// A function by its crate, its type and its name, without modules, parameters and closures.
pub(super) fn shortened(function: &str) -> String {
    let (owner, method) = split(function);
    let plain = without_parameters(owner);
    let mut parts: Vec<&str> = plain.split("::").filter(|part| !part.starts_with("{{")).collect();
    let first = parts.first().copied().unwrap_or_default().to_owned();
    let last = parts.pop().unwrap_or_default();
    let is_type = last.chars().next().is_some_and(char::is_uppercase);
    match is_type && !parts.is_empty() {
        true => format!("{first}::{last}::{method}"),
        false => format!("{first}::{method}"),
    }
}

/// The type or module that a function belongs to, and its name.
pub(super) fn split(function: &str) -> (&str, &str) {
    let function = match function.find("::{{") {
        Some(closure) => &function[..closure],
        None => function,
    };
    // `<A as B>::method` belongs to A.
    if let Some(rest) = function.strip_prefix('<')
        && let Some((inner, method)) = rest.rsplit_once(">::")
    {
        return (inner.split(" as ").next().unwrap_or(inner), method);
    }
    function.rsplit_once("::").unwrap_or(("", function))
}

/// The crate that a function belongs to.
pub(super) fn crate_of(function: &str) -> &str {
    split(function).0.split("::").next().unwrap_or_default()
}

/// A path without the parameters of its types.
fn without_parameters(path: &str) -> String {
    let mut depth = 0_usize;
    let mut plain = String::new();
    for character in path.chars() {
        match character {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            other if depth == 0 => plain.push(other),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Whose;
    use selvedge_model::Source;

    #[test]
    fn functions_are_named_by_crate_type_and_name() {
        let check = |long: &str, short: &str| assert_eq!(shortened(long), short);
        check("crossbeam_channel::channel::Receiver<T>::recv", "crossbeam_channel::Receiver::recv");
        check(
            "<parking_lot::raw_mutex::RawMutex as lock_api::mutex::RawMutex>::lock",
            "parking_lot::RawMutex::lock",
        );
        check("tokio::task::spawn::spawn", "tokio::spawn");
        check("tokio::sync::mutex::Mutex<T>::lock::{{closure}}::{{closure}}", "tokio::Mutex::lock");
        check("main", "::main");
    }

    #[test]
    fn locks_that_are_made_of_lock_api_are_named_by_their_crate() {
        let frame = |function: &str| Frame {
            function: Some(function.to_owned()),
            at: Source { file: "/a.rs".to_owned(), line: 1, column: 1 },
            whose: Whose::Program,
        };
        let raw = frame("parking_lot::raw_mutex::RawMutex::lock_slow");
        let lock = frame("lock_api::mutex::Mutex<R,T>::lock");
        assert_eq!(short_name(&[&raw, &lock]).as_deref(), Some("parking_lot::Mutex::lock"));
        assert_eq!(short_name(&[]), None);
    }
}
