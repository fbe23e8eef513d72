// Items of the inventory whose probes can not be generated: a macro's patterns are not documented,
// and the bound of `make_mut` is an unstable trait that stands for the three cases below.

probes! {
    "sync::Arc::make_mut  fn" {
        fn sized<T: Clone>(this: &mut sync::Arc<T>) -> &mut T {
            sync::Arc::make_mut(this)
        }
        fn slice<T: Clone>(this: &mut sync::Arc<[T]>) -> &mut [T] {
            sync::Arc::make_mut(this)
        }
        fn text(this: &mut sync::Arc<str>) -> &mut str {
            sync::Arc::make_mut(this)
        }
    }
    "thread_local  macro" {
        thread_local! {}
        thread_local!(static LAZY: std::cell::RefCell<Vec<u8>> = std::cell::RefCell::new(vec![1]));
        thread_local! {
            /// Documentation and other attributes are kept.
            #[allow(dead_code, reason = "the probe is that an attribute is taken")]
            pub static PUBLIC: std::cell::Cell<u32> = std::cell::Cell::new(1);
            pub(crate) static CONST: std::cell::Cell<u32> = const { std::cell::Cell::new(2) };
            static BLOCK: u32 = const { let one = 1; one + 1 };
            static LAST: String = String::from("no semicolon")
        }
        fn probe() -> &'static thread::LocalKey<std::cell::RefCell<Vec<u8>>> {
            PUBLIC.set(CONST.get() + BLOCK.with(|block| *block));
            LAST.with(|last| assert!(!last.is_empty()));
            &LAZY
        }
    }
}
