pub fn first(numbers: &[u32]) -> u32 {
    assert!(!numbers.is_empty());
    // SAFETY: there is a first one.
    unsafe { *numbers.get_unchecked(0) }
}

pub fn boxed(count: u32) -> Box<Vec<u32>> {
    Box::new((0..count).collect())
}
