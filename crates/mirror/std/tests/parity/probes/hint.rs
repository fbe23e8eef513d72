// Generated: cargo run -p xtask -- probes

probes! {
    "hint  mod" {
        use hint as _;
    }
    "hint::assert_unchecked  const unsafe fn" {
        const unsafe fn probe(cond: bool) {
            // SAFETY: The contract is passed on to the caller.
            unsafe { hint::assert_unchecked(cond) }
        }
    }
    "hint::black_box  const fn" {
        const fn probe<T>(dummy: T) -> T {
            hint::black_box(dummy)
        }
    }
    "hint::cold_path  const fn" {
        const fn probe() {
            hint::cold_path()
        }
    }
    "hint::select_unpredictable  fn" {
        fn probe<T>(condition: bool, true_val: T, false_val: T) -> T {
            hint::select_unpredictable(condition, true_val, false_val)
        }
    }
    "hint::spin_loop  fn" {
        fn probe() {
            hint::spin_loop()
        }
    }
    "hint::unreachable_unchecked  const unsafe fn" {
        const unsafe fn probe() -> ! {
            // SAFETY: The contract is passed on to the caller.
            unsafe { hint::unreachable_unchecked() }
        }
    }
}
