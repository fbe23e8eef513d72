/// Has unsafe code, so that plain accesses of this package are watched.
pub fn first(bytes: &[u8]) -> u8 {
    assert!(!bytes.is_empty());
    // SAFETY: there is a first one.
    unsafe { *bytes.get_unchecked(0) }
}

#[cfg(test)]
mod tests {
    use std::io::{Write, stderr, stdout};
    use std::thread;

    #[test]
    fn lines_of_standard_output() {
        thread::scope(|scope| {
            for number in 0..2 {
                scope.spawn(move || writeln!(stdout().lock(), "line {number}").unwrap());
            }
        });
    }

    #[test]
    fn lines_of_standard_error() {
        thread::scope(|scope| {
            for number in 0..2 {
                scope.spawn(move || writeln!(stderr().lock(), "line {number}").unwrap());
            }
        });
    }
}
