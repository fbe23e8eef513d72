// Generated: cargo run -p xtask -- probes

probes! {
    "os::unix::thread  mod" {
        use os::unix::thread as _;
    }
    "os::unix::thread::JoinHandleExt  trait" {
        fn probe<S: os::unix::thread::JoinHandleExt>(value: S) -> S {
            value
        }
    }
    "os::unix::thread::JoinHandleExt::as_pthread_t  fn" {
        fn probe<S: os::unix::thread::JoinHandleExt>(this: &S) -> os::unix::thread::RawPthread {
            <S as os::unix::thread::JoinHandleExt>::as_pthread_t(this)
        }
    }
    "os::unix::thread::JoinHandleExt::into_pthread_t  fn" {
        fn probe<S: os::unix::thread::JoinHandleExt>(this: S) -> os::unix::thread::RawPthread {
            <S as os::unix::thread::JoinHandleExt>::into_pthread_t(this)
        }
    }
    "os::unix::thread::RawPthread  type" {
        fn probe(value: os::unix::thread::RawPthread) -> std::os::unix::raw::pthread_t {
            value
        }
    }
}
