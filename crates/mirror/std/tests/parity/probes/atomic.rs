// Generated: cargo run -p xtask -- probes

probes! {
    "sync::atomic  mod" {
        use sync::atomic as _;
    }
    "sync::atomic::ATOMIC_BOOL_INIT  constant" {
        const fn probe() -> sync::atomic::AtomicBool {
            sync::atomic::ATOMIC_BOOL_INIT
        }
    }
    "sync::atomic::ATOMIC_ISIZE_INIT  constant" {
        const fn probe() -> sync::atomic::AtomicIsize {
            sync::atomic::ATOMIC_ISIZE_INIT
        }
    }
    "sync::atomic::ATOMIC_USIZE_INIT  constant" {
        const fn probe() -> sync::atomic::AtomicUsize {
            sync::atomic::ATOMIC_USIZE_INIT
        }
    }
    "sync::atomic::AtomicBool  impl Debug for AtomicBool" {
        fn probe<'v>(value: &'v sync::atomic::AtomicBool) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicBool  impl Default for AtomicBool" {
        fn probe<'v>(value: &'v sync::atomic::AtomicBool) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicBool  impl From<bool> for AtomicBool" {
        fn probe<'v>(value: &'v sync::atomic::AtomicBool) -> &'v (impl From<bool> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicBool  impl RefUnwindSafe for AtomicBool" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicBool,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicBool  impl Send for AtomicBool" {
        fn probe<'v>(value: &'v sync::atomic::AtomicBool) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicBool  impl Sync for AtomicBool" {
        fn probe<'v>(value: &'v sync::atomic::AtomicBool) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicBool  impl UnwindSafe for AtomicBool" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicBool,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicBool  struct" {
        fn probe(value: &sync::atomic::AtomicBool) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicBool::as_ptr  const fn" {
        const fn probe(this: &sync::atomic::AtomicBool) -> *mut bool {
            <sync::atomic::AtomicBool>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicBool::compare_and_swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicBool,
            current: bool,
            new: bool,
            order: sync::atomic::Ordering,
        ) -> bool {
            <sync::atomic::AtomicBool>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicBool::compare_exchange  fn" {
        fn probe(
            this: &sync::atomic::AtomicBool,
            current: bool,
            new: bool,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<bool, bool> {
            <sync::atomic::AtomicBool>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicBool::compare_exchange_weak  fn" {
        fn probe(
            this: &sync::atomic::AtomicBool,
            current: bool,
            new: bool,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<bool, bool> {
            <sync::atomic::AtomicBool>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicBool::fetch_and  fn" {
        fn probe(
            this: &sync::atomic::AtomicBool,
            val: bool,
            order: sync::atomic::Ordering,
        ) -> bool {
            <sync::atomic::AtomicBool>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicBool::fetch_nand  fn" {
        fn probe(
            this: &sync::atomic::AtomicBool,
            val: bool,
            order: sync::atomic::Ordering,
        ) -> bool {
            <sync::atomic::AtomicBool>::fetch_nand(this, val, order)
        }
    }
    "sync::atomic::AtomicBool::fetch_not  fn" {
        fn probe(this: &sync::atomic::AtomicBool, order: sync::atomic::Ordering) -> bool {
            <sync::atomic::AtomicBool>::fetch_not(this, order)
        }
    }
    "sync::atomic::AtomicBool::fetch_or  fn" {
        fn probe(
            this: &sync::atomic::AtomicBool,
            val: bool,
            order: sync::atomic::Ordering,
        ) -> bool {
            <sync::atomic::AtomicBool>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicBool::fetch_update  fn" {
        fn probe<F>(
            this: &sync::atomic::AtomicBool,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<bool, bool>
        where
            F: FnMut(bool) -> Option<bool>,
        {
            <sync::atomic::AtomicBool>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicBool::fetch_xor  fn" {
        fn probe(
            this: &sync::atomic::AtomicBool,
            val: bool,
            order: sync::atomic::Ordering,
        ) -> bool {
            <sync::atomic::AtomicBool>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicBool::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a>(ptr: *mut bool) -> &'a sync::atomic::AtomicBool {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicBool>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicBool::get_mut  fn" {
        fn probe(this: &mut sync::atomic::AtomicBool) -> &mut bool {
            <sync::atomic::AtomicBool>::get_mut(this)
        }
    }
    "sync::atomic::AtomicBool::into_inner  const fn" {
        const fn probe(this: sync::atomic::AtomicBool) -> bool {
            <sync::atomic::AtomicBool>::into_inner(this)
        }
    }
    "sync::atomic::AtomicBool::load  fn" {
        fn probe(this: &sync::atomic::AtomicBool, order: sync::atomic::Ordering) -> bool {
            <sync::atomic::AtomicBool>::load(this, order)
        }
    }
    "sync::atomic::AtomicBool::new  const fn" {
        const fn probe(v: bool) -> sync::atomic::AtomicBool {
            <sync::atomic::AtomicBool>::new(v)
        }
    }
    "sync::atomic::AtomicBool::store  fn" {
        fn probe(this: &sync::atomic::AtomicBool, val: bool, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicBool>::store(this, val, order)
        }
    }
    "sync::atomic::AtomicBool::swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicBool,
            val: bool,
            order: sync::atomic::Ordering,
        ) -> bool {
            <sync::atomic::AtomicBool>::swap(this, val, order)
        }
    }
    "sync::atomic::AtomicBool::try_update  fn" {
        fn probe(
            this: &sync::atomic::AtomicBool,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(bool) -> Option<bool>,
        ) -> Result<bool, bool> {
            <sync::atomic::AtomicBool>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicBool::update  fn" {
        fn probe(
            this: &sync::atomic::AtomicBool,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(bool) -> bool,
        ) -> bool {
            <sync::atomic::AtomicBool>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI16  impl Debug for AtomicI16" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI16) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI16  impl Default for AtomicI16" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI16) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI16  impl From<i16> for AtomicI16" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI16) -> &'v (impl From<i16> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI16  impl RefUnwindSafe for AtomicI16" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicI16,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI16  impl Send for AtomicI16" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI16) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI16  impl Sync for AtomicI16" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI16) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI16  impl UnwindSafe for AtomicI16" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicI16,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI16  struct" {
        fn probe(value: &sync::atomic::AtomicI16) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicI16::as_ptr  const fn" {
        const fn probe(this: &sync::atomic::AtomicI16) -> *mut i16 {
            <sync::atomic::AtomicI16>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicI16::compare_and_swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicI16,
            current: i16,
            new: i16,
            order: sync::atomic::Ordering,
        ) -> i16 {
            <sync::atomic::AtomicI16>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicI16::compare_exchange  fn" {
        fn probe(
            this: &sync::atomic::AtomicI16,
            current: i16,
            new: i16,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<i16, i16> {
            <sync::atomic::AtomicI16>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicI16::compare_exchange_weak  fn" {
        fn probe(
            this: &sync::atomic::AtomicI16,
            current: i16,
            new: i16,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<i16, i16> {
            <sync::atomic::AtomicI16>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicI16::fetch_add  fn" {
        fn probe(this: &sync::atomic::AtomicI16, val: i16, order: sync::atomic::Ordering) -> i16 {
            <sync::atomic::AtomicI16>::fetch_add(this, val, order)
        }
    }
    "sync::atomic::AtomicI16::fetch_and  fn" {
        fn probe(this: &sync::atomic::AtomicI16, val: i16, order: sync::atomic::Ordering) -> i16 {
            <sync::atomic::AtomicI16>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicI16::fetch_max  fn" {
        fn probe(this: &sync::atomic::AtomicI16, val: i16, order: sync::atomic::Ordering) -> i16 {
            <sync::atomic::AtomicI16>::fetch_max(this, val, order)
        }
    }
    "sync::atomic::AtomicI16::fetch_min  fn" {
        fn probe(this: &sync::atomic::AtomicI16, val: i16, order: sync::atomic::Ordering) -> i16 {
            <sync::atomic::AtomicI16>::fetch_min(this, val, order)
        }
    }
    "sync::atomic::AtomicI16::fetch_nand  fn" {
        fn probe(this: &sync::atomic::AtomicI16, val: i16, order: sync::atomic::Ordering) -> i16 {
            <sync::atomic::AtomicI16>::fetch_nand(this, val, order)
        }
    }
    "sync::atomic::AtomicI16::fetch_or  fn" {
        fn probe(this: &sync::atomic::AtomicI16, val: i16, order: sync::atomic::Ordering) -> i16 {
            <sync::atomic::AtomicI16>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicI16::fetch_sub  fn" {
        fn probe(this: &sync::atomic::AtomicI16, val: i16, order: sync::atomic::Ordering) -> i16 {
            <sync::atomic::AtomicI16>::fetch_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicI16::fetch_update  fn" {
        fn probe<F>(
            this: &sync::atomic::AtomicI16,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<i16, i16>
        where
            F: FnMut(i16) -> Option<i16>,
        {
            <sync::atomic::AtomicI16>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI16::fetch_xor  fn" {
        fn probe(this: &sync::atomic::AtomicI16, val: i16, order: sync::atomic::Ordering) -> i16 {
            <sync::atomic::AtomicI16>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicI16::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a>(ptr: *mut i16) -> &'a sync::atomic::AtomicI16 {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicI16>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicI16::get_mut  fn" {
        fn probe(this: &mut sync::atomic::AtomicI16) -> &mut i16 {
            <sync::atomic::AtomicI16>::get_mut(this)
        }
    }
    "sync::atomic::AtomicI16::into_inner  const fn" {
        const fn probe(this: sync::atomic::AtomicI16) -> i16 {
            <sync::atomic::AtomicI16>::into_inner(this)
        }
    }
    "sync::atomic::AtomicI16::load  fn" {
        fn probe(this: &sync::atomic::AtomicI16, order: sync::atomic::Ordering) -> i16 {
            <sync::atomic::AtomicI16>::load(this, order)
        }
    }
    "sync::atomic::AtomicI16::new  const fn" {
        const fn probe(v: i16) -> sync::atomic::AtomicI16 {
            <sync::atomic::AtomicI16>::new(v)
        }
    }
    "sync::atomic::AtomicI16::store  fn" {
        fn probe(this: &sync::atomic::AtomicI16, val: i16, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicI16>::store(this, val, order)
        }
    }
    "sync::atomic::AtomicI16::swap  fn" {
        fn probe(this: &sync::atomic::AtomicI16, val: i16, order: sync::atomic::Ordering) -> i16 {
            <sync::atomic::AtomicI16>::swap(this, val, order)
        }
    }
    "sync::atomic::AtomicI16::try_update  fn" {
        fn probe(
            this: &sync::atomic::AtomicI16,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(i16) -> Option<i16>,
        ) -> Result<i16, i16> {
            <sync::atomic::AtomicI16>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI16::update  fn" {
        fn probe(
            this: &sync::atomic::AtomicI16,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(i16) -> i16,
        ) -> i16 {
            <sync::atomic::AtomicI16>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI32  impl Debug for AtomicI32" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI32) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI32  impl Default for AtomicI32" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI32) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI32  impl From<i32> for AtomicI32" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI32) -> &'v (impl From<i32> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI32  impl RefUnwindSafe for AtomicI32" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicI32,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI32  impl Send for AtomicI32" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI32) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI32  impl Sync for AtomicI32" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI32) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI32  impl UnwindSafe for AtomicI32" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicI32,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI32  struct" {
        fn probe(value: &sync::atomic::AtomicI32) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicI32::as_ptr  const fn" {
        const fn probe(this: &sync::atomic::AtomicI32) -> *mut i32 {
            <sync::atomic::AtomicI32>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicI32::compare_and_swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicI32,
            current: i32,
            new: i32,
            order: sync::atomic::Ordering,
        ) -> i32 {
            <sync::atomic::AtomicI32>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicI32::compare_exchange  fn" {
        fn probe(
            this: &sync::atomic::AtomicI32,
            current: i32,
            new: i32,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<i32, i32> {
            <sync::atomic::AtomicI32>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicI32::compare_exchange_weak  fn" {
        fn probe(
            this: &sync::atomic::AtomicI32,
            current: i32,
            new: i32,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<i32, i32> {
            <sync::atomic::AtomicI32>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicI32::fetch_add  fn" {
        fn probe(this: &sync::atomic::AtomicI32, val: i32, order: sync::atomic::Ordering) -> i32 {
            <sync::atomic::AtomicI32>::fetch_add(this, val, order)
        }
    }
    "sync::atomic::AtomicI32::fetch_and  fn" {
        fn probe(this: &sync::atomic::AtomicI32, val: i32, order: sync::atomic::Ordering) -> i32 {
            <sync::atomic::AtomicI32>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicI32::fetch_max  fn" {
        fn probe(this: &sync::atomic::AtomicI32, val: i32, order: sync::atomic::Ordering) -> i32 {
            <sync::atomic::AtomicI32>::fetch_max(this, val, order)
        }
    }
    "sync::atomic::AtomicI32::fetch_min  fn" {
        fn probe(this: &sync::atomic::AtomicI32, val: i32, order: sync::atomic::Ordering) -> i32 {
            <sync::atomic::AtomicI32>::fetch_min(this, val, order)
        }
    }
    "sync::atomic::AtomicI32::fetch_nand  fn" {
        fn probe(this: &sync::atomic::AtomicI32, val: i32, order: sync::atomic::Ordering) -> i32 {
            <sync::atomic::AtomicI32>::fetch_nand(this, val, order)
        }
    }
    "sync::atomic::AtomicI32::fetch_or  fn" {
        fn probe(this: &sync::atomic::AtomicI32, val: i32, order: sync::atomic::Ordering) -> i32 {
            <sync::atomic::AtomicI32>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicI32::fetch_sub  fn" {
        fn probe(this: &sync::atomic::AtomicI32, val: i32, order: sync::atomic::Ordering) -> i32 {
            <sync::atomic::AtomicI32>::fetch_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicI32::fetch_update  fn" {
        fn probe<F>(
            this: &sync::atomic::AtomicI32,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<i32, i32>
        where
            F: FnMut(i32) -> Option<i32>,
        {
            <sync::atomic::AtomicI32>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI32::fetch_xor  fn" {
        fn probe(this: &sync::atomic::AtomicI32, val: i32, order: sync::atomic::Ordering) -> i32 {
            <sync::atomic::AtomicI32>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicI32::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a>(ptr: *mut i32) -> &'a sync::atomic::AtomicI32 {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicI32>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicI32::get_mut  fn" {
        fn probe(this: &mut sync::atomic::AtomicI32) -> &mut i32 {
            <sync::atomic::AtomicI32>::get_mut(this)
        }
    }
    "sync::atomic::AtomicI32::into_inner  const fn" {
        const fn probe(this: sync::atomic::AtomicI32) -> i32 {
            <sync::atomic::AtomicI32>::into_inner(this)
        }
    }
    "sync::atomic::AtomicI32::load  fn" {
        fn probe(this: &sync::atomic::AtomicI32, order: sync::atomic::Ordering) -> i32 {
            <sync::atomic::AtomicI32>::load(this, order)
        }
    }
    "sync::atomic::AtomicI32::new  const fn" {
        const fn probe(v: i32) -> sync::atomic::AtomicI32 {
            <sync::atomic::AtomicI32>::new(v)
        }
    }
    "sync::atomic::AtomicI32::store  fn" {
        fn probe(this: &sync::atomic::AtomicI32, val: i32, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicI32>::store(this, val, order)
        }
    }
    "sync::atomic::AtomicI32::swap  fn" {
        fn probe(this: &sync::atomic::AtomicI32, val: i32, order: sync::atomic::Ordering) -> i32 {
            <sync::atomic::AtomicI32>::swap(this, val, order)
        }
    }
    "sync::atomic::AtomicI32::try_update  fn" {
        fn probe(
            this: &sync::atomic::AtomicI32,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(i32) -> Option<i32>,
        ) -> Result<i32, i32> {
            <sync::atomic::AtomicI32>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI32::update  fn" {
        fn probe(
            this: &sync::atomic::AtomicI32,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(i32) -> i32,
        ) -> i32 {
            <sync::atomic::AtomicI32>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI64  impl Debug for AtomicI64" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI64) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI64  impl Default for AtomicI64" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI64) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI64  impl From<i64> for AtomicI64" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI64) -> &'v (impl From<i64> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI64  impl RefUnwindSafe for AtomicI64" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicI64,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI64  impl Send for AtomicI64" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI64) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI64  impl Sync for AtomicI64" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI64) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI64  impl UnwindSafe for AtomicI64" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicI64,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI64  struct" {
        fn probe(value: &sync::atomic::AtomicI64) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicI64::as_ptr  const fn" {
        const fn probe(this: &sync::atomic::AtomicI64) -> *mut i64 {
            <sync::atomic::AtomicI64>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicI64::compare_and_swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicI64,
            current: i64,
            new: i64,
            order: sync::atomic::Ordering,
        ) -> i64 {
            <sync::atomic::AtomicI64>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicI64::compare_exchange  fn" {
        fn probe(
            this: &sync::atomic::AtomicI64,
            current: i64,
            new: i64,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<i64, i64> {
            <sync::atomic::AtomicI64>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicI64::compare_exchange_weak  fn" {
        fn probe(
            this: &sync::atomic::AtomicI64,
            current: i64,
            new: i64,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<i64, i64> {
            <sync::atomic::AtomicI64>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicI64::fetch_add  fn" {
        fn probe(this: &sync::atomic::AtomicI64, val: i64, order: sync::atomic::Ordering) -> i64 {
            <sync::atomic::AtomicI64>::fetch_add(this, val, order)
        }
    }
    "sync::atomic::AtomicI64::fetch_and  fn" {
        fn probe(this: &sync::atomic::AtomicI64, val: i64, order: sync::atomic::Ordering) -> i64 {
            <sync::atomic::AtomicI64>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicI64::fetch_max  fn" {
        fn probe(this: &sync::atomic::AtomicI64, val: i64, order: sync::atomic::Ordering) -> i64 {
            <sync::atomic::AtomicI64>::fetch_max(this, val, order)
        }
    }
    "sync::atomic::AtomicI64::fetch_min  fn" {
        fn probe(this: &sync::atomic::AtomicI64, val: i64, order: sync::atomic::Ordering) -> i64 {
            <sync::atomic::AtomicI64>::fetch_min(this, val, order)
        }
    }
    "sync::atomic::AtomicI64::fetch_nand  fn" {
        fn probe(this: &sync::atomic::AtomicI64, val: i64, order: sync::atomic::Ordering) -> i64 {
            <sync::atomic::AtomicI64>::fetch_nand(this, val, order)
        }
    }
    "sync::atomic::AtomicI64::fetch_or  fn" {
        fn probe(this: &sync::atomic::AtomicI64, val: i64, order: sync::atomic::Ordering) -> i64 {
            <sync::atomic::AtomicI64>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicI64::fetch_sub  fn" {
        fn probe(this: &sync::atomic::AtomicI64, val: i64, order: sync::atomic::Ordering) -> i64 {
            <sync::atomic::AtomicI64>::fetch_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicI64::fetch_update  fn" {
        fn probe<F>(
            this: &sync::atomic::AtomicI64,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<i64, i64>
        where
            F: FnMut(i64) -> Option<i64>,
        {
            <sync::atomic::AtomicI64>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI64::fetch_xor  fn" {
        fn probe(this: &sync::atomic::AtomicI64, val: i64, order: sync::atomic::Ordering) -> i64 {
            <sync::atomic::AtomicI64>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicI64::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a>(ptr: *mut i64) -> &'a sync::atomic::AtomicI64 {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicI64>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicI64::get_mut  fn" {
        fn probe(this: &mut sync::atomic::AtomicI64) -> &mut i64 {
            <sync::atomic::AtomicI64>::get_mut(this)
        }
    }
    "sync::atomic::AtomicI64::into_inner  const fn" {
        const fn probe(this: sync::atomic::AtomicI64) -> i64 {
            <sync::atomic::AtomicI64>::into_inner(this)
        }
    }
    "sync::atomic::AtomicI64::load  fn" {
        fn probe(this: &sync::atomic::AtomicI64, order: sync::atomic::Ordering) -> i64 {
            <sync::atomic::AtomicI64>::load(this, order)
        }
    }
    "sync::atomic::AtomicI64::new  const fn" {
        const fn probe(v: i64) -> sync::atomic::AtomicI64 {
            <sync::atomic::AtomicI64>::new(v)
        }
    }
    "sync::atomic::AtomicI64::store  fn" {
        fn probe(this: &sync::atomic::AtomicI64, val: i64, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicI64>::store(this, val, order)
        }
    }
    "sync::atomic::AtomicI64::swap  fn" {
        fn probe(this: &sync::atomic::AtomicI64, val: i64, order: sync::atomic::Ordering) -> i64 {
            <sync::atomic::AtomicI64>::swap(this, val, order)
        }
    }
    "sync::atomic::AtomicI64::try_update  fn" {
        fn probe(
            this: &sync::atomic::AtomicI64,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(i64) -> Option<i64>,
        ) -> Result<i64, i64> {
            <sync::atomic::AtomicI64>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI64::update  fn" {
        fn probe(
            this: &sync::atomic::AtomicI64,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(i64) -> i64,
        ) -> i64 {
            <sync::atomic::AtomicI64>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI8  impl Debug for AtomicI8" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI8) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI8  impl Default for AtomicI8" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI8) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI8  impl From<i8> for AtomicI8" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI8) -> &'v (impl From<i8> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI8  impl RefUnwindSafe for AtomicI8" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicI8,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI8  impl Send for AtomicI8" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI8) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI8  impl Sync for AtomicI8" {
        fn probe<'v>(value: &'v sync::atomic::AtomicI8) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI8  impl UnwindSafe for AtomicI8" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicI8,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicI8  struct" {
        fn probe(value: &sync::atomic::AtomicI8) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicI8::as_ptr  const fn" {
        const fn probe(this: &sync::atomic::AtomicI8) -> *mut i8 {
            <sync::atomic::AtomicI8>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicI8::compare_and_swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicI8,
            current: i8,
            new: i8,
            order: sync::atomic::Ordering,
        ) -> i8 {
            <sync::atomic::AtomicI8>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicI8::compare_exchange  fn" {
        fn probe(
            this: &sync::atomic::AtomicI8,
            current: i8,
            new: i8,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<i8, i8> {
            <sync::atomic::AtomicI8>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicI8::compare_exchange_weak  fn" {
        fn probe(
            this: &sync::atomic::AtomicI8,
            current: i8,
            new: i8,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<i8, i8> {
            <sync::atomic::AtomicI8>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicI8::fetch_add  fn" {
        fn probe(this: &sync::atomic::AtomicI8, val: i8, order: sync::atomic::Ordering) -> i8 {
            <sync::atomic::AtomicI8>::fetch_add(this, val, order)
        }
    }
    "sync::atomic::AtomicI8::fetch_and  fn" {
        fn probe(this: &sync::atomic::AtomicI8, val: i8, order: sync::atomic::Ordering) -> i8 {
            <sync::atomic::AtomicI8>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicI8::fetch_max  fn" {
        fn probe(this: &sync::atomic::AtomicI8, val: i8, order: sync::atomic::Ordering) -> i8 {
            <sync::atomic::AtomicI8>::fetch_max(this, val, order)
        }
    }
    "sync::atomic::AtomicI8::fetch_min  fn" {
        fn probe(this: &sync::atomic::AtomicI8, val: i8, order: sync::atomic::Ordering) -> i8 {
            <sync::atomic::AtomicI8>::fetch_min(this, val, order)
        }
    }
    "sync::atomic::AtomicI8::fetch_nand  fn" {
        fn probe(this: &sync::atomic::AtomicI8, val: i8, order: sync::atomic::Ordering) -> i8 {
            <sync::atomic::AtomicI8>::fetch_nand(this, val, order)
        }
    }
    "sync::atomic::AtomicI8::fetch_or  fn" {
        fn probe(this: &sync::atomic::AtomicI8, val: i8, order: sync::atomic::Ordering) -> i8 {
            <sync::atomic::AtomicI8>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicI8::fetch_sub  fn" {
        fn probe(this: &sync::atomic::AtomicI8, val: i8, order: sync::atomic::Ordering) -> i8 {
            <sync::atomic::AtomicI8>::fetch_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicI8::fetch_update  fn" {
        fn probe<F>(
            this: &sync::atomic::AtomicI8,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<i8, i8>
        where
            F: FnMut(i8) -> Option<i8>,
        {
            <sync::atomic::AtomicI8>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI8::fetch_xor  fn" {
        fn probe(this: &sync::atomic::AtomicI8, val: i8, order: sync::atomic::Ordering) -> i8 {
            <sync::atomic::AtomicI8>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicI8::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a>(ptr: *mut i8) -> &'a sync::atomic::AtomicI8 {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicI8>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicI8::get_mut  fn" {
        fn probe(this: &mut sync::atomic::AtomicI8) -> &mut i8 {
            <sync::atomic::AtomicI8>::get_mut(this)
        }
    }
    "sync::atomic::AtomicI8::into_inner  const fn" {
        const fn probe(this: sync::atomic::AtomicI8) -> i8 {
            <sync::atomic::AtomicI8>::into_inner(this)
        }
    }
    "sync::atomic::AtomicI8::load  fn" {
        fn probe(this: &sync::atomic::AtomicI8, order: sync::atomic::Ordering) -> i8 {
            <sync::atomic::AtomicI8>::load(this, order)
        }
    }
    "sync::atomic::AtomicI8::new  const fn" {
        const fn probe(v: i8) -> sync::atomic::AtomicI8 {
            <sync::atomic::AtomicI8>::new(v)
        }
    }
    "sync::atomic::AtomicI8::store  fn" {
        fn probe(this: &sync::atomic::AtomicI8, val: i8, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicI8>::store(this, val, order)
        }
    }
    "sync::atomic::AtomicI8::swap  fn" {
        fn probe(this: &sync::atomic::AtomicI8, val: i8, order: sync::atomic::Ordering) -> i8 {
            <sync::atomic::AtomicI8>::swap(this, val, order)
        }
    }
    "sync::atomic::AtomicI8::try_update  fn" {
        fn probe(
            this: &sync::atomic::AtomicI8,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(i8) -> Option<i8>,
        ) -> Result<i8, i8> {
            <sync::atomic::AtomicI8>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicI8::update  fn" {
        fn probe(
            this: &sync::atomic::AtomicI8,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(i8) -> i8,
        ) -> i8 {
            <sync::atomic::AtomicI8>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicIsize  impl Debug for AtomicIsize" {
        fn probe<'v>(value: &'v sync::atomic::AtomicIsize) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicIsize  impl Default for AtomicIsize" {
        fn probe<'v>(value: &'v sync::atomic::AtomicIsize) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicIsize  impl From<isize> for AtomicIsize" {
        fn probe<'v>(value: &'v sync::atomic::AtomicIsize) -> &'v (impl From<isize> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicIsize  impl RefUnwindSafe for AtomicIsize" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicIsize,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicIsize  impl Send for AtomicIsize" {
        fn probe<'v>(value: &'v sync::atomic::AtomicIsize) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicIsize  impl Sync for AtomicIsize" {
        fn probe<'v>(value: &'v sync::atomic::AtomicIsize) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicIsize  impl UnwindSafe for AtomicIsize" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicIsize,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicIsize  struct" {
        fn probe(value: &sync::atomic::AtomicIsize) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicIsize::as_ptr  const fn" {
        const fn probe(this: &sync::atomic::AtomicIsize) -> *mut isize {
            <sync::atomic::AtomicIsize>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicIsize::compare_and_swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            current: isize,
            new: isize,
            order: sync::atomic::Ordering,
        ) -> isize {
            <sync::atomic::AtomicIsize>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicIsize::compare_exchange  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            current: isize,
            new: isize,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<isize, isize> {
            <sync::atomic::AtomicIsize>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicIsize::compare_exchange_weak  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            current: isize,
            new: isize,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<isize, isize> {
            <sync::atomic::AtomicIsize>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicIsize::fetch_add  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            val: isize,
            order: sync::atomic::Ordering,
        ) -> isize {
            <sync::atomic::AtomicIsize>::fetch_add(this, val, order)
        }
    }
    "sync::atomic::AtomicIsize::fetch_and  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            val: isize,
            order: sync::atomic::Ordering,
        ) -> isize {
            <sync::atomic::AtomicIsize>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicIsize::fetch_max  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            val: isize,
            order: sync::atomic::Ordering,
        ) -> isize {
            <sync::atomic::AtomicIsize>::fetch_max(this, val, order)
        }
    }
    "sync::atomic::AtomicIsize::fetch_min  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            val: isize,
            order: sync::atomic::Ordering,
        ) -> isize {
            <sync::atomic::AtomicIsize>::fetch_min(this, val, order)
        }
    }
    "sync::atomic::AtomicIsize::fetch_nand  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            val: isize,
            order: sync::atomic::Ordering,
        ) -> isize {
            <sync::atomic::AtomicIsize>::fetch_nand(this, val, order)
        }
    }
    "sync::atomic::AtomicIsize::fetch_or  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            val: isize,
            order: sync::atomic::Ordering,
        ) -> isize {
            <sync::atomic::AtomicIsize>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicIsize::fetch_sub  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            val: isize,
            order: sync::atomic::Ordering,
        ) -> isize {
            <sync::atomic::AtomicIsize>::fetch_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicIsize::fetch_update  fn" {
        fn probe<F>(
            this: &sync::atomic::AtomicIsize,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<isize, isize>
        where
            F: FnMut(isize) -> Option<isize>,
        {
            <sync::atomic::AtomicIsize>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicIsize::fetch_xor  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            val: isize,
            order: sync::atomic::Ordering,
        ) -> isize {
            <sync::atomic::AtomicIsize>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicIsize::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a>(ptr: *mut isize) -> &'a sync::atomic::AtomicIsize {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicIsize>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicIsize::get_mut  fn" {
        fn probe(this: &mut sync::atomic::AtomicIsize) -> &mut isize {
            <sync::atomic::AtomicIsize>::get_mut(this)
        }
    }
    "sync::atomic::AtomicIsize::into_inner  const fn" {
        const fn probe(this: sync::atomic::AtomicIsize) -> isize {
            <sync::atomic::AtomicIsize>::into_inner(this)
        }
    }
    "sync::atomic::AtomicIsize::load  fn" {
        fn probe(this: &sync::atomic::AtomicIsize, order: sync::atomic::Ordering) -> isize {
            <sync::atomic::AtomicIsize>::load(this, order)
        }
    }
    "sync::atomic::AtomicIsize::new  const fn" {
        const fn probe(v: isize) -> sync::atomic::AtomicIsize {
            <sync::atomic::AtomicIsize>::new(v)
        }
    }
    "sync::atomic::AtomicIsize::store  fn" {
        fn probe(this: &sync::atomic::AtomicIsize, val: isize, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicIsize>::store(this, val, order)
        }
    }
    "sync::atomic::AtomicIsize::swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            val: isize,
            order: sync::atomic::Ordering,
        ) -> isize {
            <sync::atomic::AtomicIsize>::swap(this, val, order)
        }
    }
    "sync::atomic::AtomicIsize::try_update  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(isize) -> Option<isize>,
        ) -> Result<isize, isize> {
            <sync::atomic::AtomicIsize>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicIsize::update  fn" {
        fn probe(
            this: &sync::atomic::AtomicIsize,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(isize) -> isize,
        ) -> isize {
            <sync::atomic::AtomicIsize>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicPtr  impl<T> Debug for AtomicPtr<T>" {
        fn probe<'v, T>(
            value: &'v sync::atomic::AtomicPtr<T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicPtr  impl<T> Default for AtomicPtr<T>" {
        fn probe<'v, T>(value: &'v sync::atomic::AtomicPtr<T>) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicPtr  impl<T> From<*mut T> for AtomicPtr<T>" {
        fn probe<'v, T>(value: &'v sync::atomic::AtomicPtr<T>) -> &'v (impl From<*mut T> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicPtr  impl<T> Pointer for AtomicPtr<T>" {
        fn probe<'v, T>(
            value: &'v sync::atomic::AtomicPtr<T>,
        ) -> &'v (impl std::fmt::Pointer + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicPtr  impl<T> RefUnwindSafe for AtomicPtr<T>" {
        fn probe<'v, T>(
            value: &'v sync::atomic::AtomicPtr<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicPtr  impl<T> Send for AtomicPtr<T>" {
        fn probe<'v, T>(value: &'v sync::atomic::AtomicPtr<T>) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicPtr  impl<T> Sync for AtomicPtr<T>" {
        fn probe<'v, T>(value: &'v sync::atomic::AtomicPtr<T>) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicPtr  impl<T> UnwindSafe for AtomicPtr<T> where T: RefUnwindSafe" {
        fn probe<'v, T>(
            value: &'v sync::atomic::AtomicPtr<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized)
        where
            T: std::panic::RefUnwindSafe,
        {
            value
        }
        refuses!(sync::atomic::AtomicPtr<NotRefUnwindSafe>: std::panic::UnwindSafe);
    }
    "sync::atomic::AtomicPtr  struct" {
        fn probe<T>(value: &sync::atomic::AtomicPtr<T>) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicPtr::as_ptr  const fn" {
        const fn probe<T>(this: &sync::atomic::AtomicPtr<T>) -> *mut *mut T {
            <sync::atomic::AtomicPtr<T>>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicPtr::compare_and_swap  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            current: *mut T,
            new: *mut T,
            order: sync::atomic::Ordering,
        ) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicPtr::compare_exchange  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            current: *mut T,
            new: *mut T,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<*mut T, *mut T> {
            <sync::atomic::AtomicPtr<T>>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicPtr::compare_exchange_weak  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            current: *mut T,
            new: *mut T,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<*mut T, *mut T> {
            <sync::atomic::AtomicPtr<T>>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicPtr::fetch_and  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicPtr::fetch_byte_add  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::fetch_byte_add(this, val, order)
        }
    }
    "sync::atomic::AtomicPtr::fetch_byte_sub  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::fetch_byte_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicPtr::fetch_or  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicPtr::fetch_ptr_add  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::fetch_ptr_add(this, val, order)
        }
    }
    "sync::atomic::AtomicPtr::fetch_ptr_sub  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::fetch_ptr_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicPtr::fetch_update  fn" {
        fn probe<T, F>(
            this: &sync::atomic::AtomicPtr<T>,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<*mut T, *mut T>
        where
            F: FnMut(*mut T) -> Option<*mut T>,
        {
            <sync::atomic::AtomicPtr<T>>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicPtr::fetch_xor  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicPtr::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a, T>(ptr: *mut *mut T) -> &'a sync::atomic::AtomicPtr<T> {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicPtr<T>>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicPtr::get_mut  fn" {
        fn probe<T>(this: &mut sync::atomic::AtomicPtr<T>) -> &mut *mut T {
            <sync::atomic::AtomicPtr<T>>::get_mut(this)
        }
    }
    "sync::atomic::AtomicPtr::into_inner  const fn" {
        const fn probe<T>(this: sync::atomic::AtomicPtr<T>) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::into_inner(this)
        }
    }
    "sync::atomic::AtomicPtr::load  fn" {
        fn probe<T>(this: &sync::atomic::AtomicPtr<T>, order: sync::atomic::Ordering) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::load(this, order)
        }
    }
    "sync::atomic::AtomicPtr::new  const fn" {
        const fn probe<T>(p: *mut T) -> sync::atomic::AtomicPtr<T> {
            <sync::atomic::AtomicPtr<T>>::new(p)
        }
    }
    "sync::atomic::AtomicPtr::store  fn" {
        fn probe<T>(this: &sync::atomic::AtomicPtr<T>, ptr: *mut T, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicPtr<T>>::store(this, ptr, order)
        }
    }
    "sync::atomic::AtomicPtr::swap  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            ptr: *mut T,
            order: sync::atomic::Ordering,
        ) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::swap(this, ptr, order)
        }
    }
    "sync::atomic::AtomicPtr::try_update  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(*mut T) -> Option<*mut T>,
        ) -> Result<*mut T, *mut T> {
            <sync::atomic::AtomicPtr<T>>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicPtr::update  fn" {
        fn probe<T>(
            this: &sync::atomic::AtomicPtr<T>,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(*mut T) -> *mut T,
        ) -> *mut T {
            <sync::atomic::AtomicPtr<T>>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU16  impl Debug for AtomicU16" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU16) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU16  impl Default for AtomicU16" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU16) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU16  impl From<u16> for AtomicU16" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU16) -> &'v (impl From<u16> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU16  impl RefUnwindSafe for AtomicU16" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicU16,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU16  impl Send for AtomicU16" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU16) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU16  impl Sync for AtomicU16" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU16) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU16  impl UnwindSafe for AtomicU16" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicU16,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU16  struct" {
        fn probe(value: &sync::atomic::AtomicU16) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicU16::as_ptr  const fn" {
        const fn probe(this: &sync::atomic::AtomicU16) -> *mut u16 {
            <sync::atomic::AtomicU16>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicU16::compare_and_swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicU16,
            current: u16,
            new: u16,
            order: sync::atomic::Ordering,
        ) -> u16 {
            <sync::atomic::AtomicU16>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicU16::compare_exchange  fn" {
        fn probe(
            this: &sync::atomic::AtomicU16,
            current: u16,
            new: u16,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<u16, u16> {
            <sync::atomic::AtomicU16>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicU16::compare_exchange_weak  fn" {
        fn probe(
            this: &sync::atomic::AtomicU16,
            current: u16,
            new: u16,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<u16, u16> {
            <sync::atomic::AtomicU16>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicU16::fetch_add  fn" {
        fn probe(this: &sync::atomic::AtomicU16, val: u16, order: sync::atomic::Ordering) -> u16 {
            <sync::atomic::AtomicU16>::fetch_add(this, val, order)
        }
    }
    "sync::atomic::AtomicU16::fetch_and  fn" {
        fn probe(this: &sync::atomic::AtomicU16, val: u16, order: sync::atomic::Ordering) -> u16 {
            <sync::atomic::AtomicU16>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicU16::fetch_max  fn" {
        fn probe(this: &sync::atomic::AtomicU16, val: u16, order: sync::atomic::Ordering) -> u16 {
            <sync::atomic::AtomicU16>::fetch_max(this, val, order)
        }
    }
    "sync::atomic::AtomicU16::fetch_min  fn" {
        fn probe(this: &sync::atomic::AtomicU16, val: u16, order: sync::atomic::Ordering) -> u16 {
            <sync::atomic::AtomicU16>::fetch_min(this, val, order)
        }
    }
    "sync::atomic::AtomicU16::fetch_nand  fn" {
        fn probe(this: &sync::atomic::AtomicU16, val: u16, order: sync::atomic::Ordering) -> u16 {
            <sync::atomic::AtomicU16>::fetch_nand(this, val, order)
        }
    }
    "sync::atomic::AtomicU16::fetch_or  fn" {
        fn probe(this: &sync::atomic::AtomicU16, val: u16, order: sync::atomic::Ordering) -> u16 {
            <sync::atomic::AtomicU16>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicU16::fetch_sub  fn" {
        fn probe(this: &sync::atomic::AtomicU16, val: u16, order: sync::atomic::Ordering) -> u16 {
            <sync::atomic::AtomicU16>::fetch_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicU16::fetch_update  fn" {
        fn probe<F>(
            this: &sync::atomic::AtomicU16,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<u16, u16>
        where
            F: FnMut(u16) -> Option<u16>,
        {
            <sync::atomic::AtomicU16>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU16::fetch_xor  fn" {
        fn probe(this: &sync::atomic::AtomicU16, val: u16, order: sync::atomic::Ordering) -> u16 {
            <sync::atomic::AtomicU16>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicU16::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a>(ptr: *mut u16) -> &'a sync::atomic::AtomicU16 {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicU16>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicU16::get_mut  fn" {
        fn probe(this: &mut sync::atomic::AtomicU16) -> &mut u16 {
            <sync::atomic::AtomicU16>::get_mut(this)
        }
    }
    "sync::atomic::AtomicU16::into_inner  const fn" {
        const fn probe(this: sync::atomic::AtomicU16) -> u16 {
            <sync::atomic::AtomicU16>::into_inner(this)
        }
    }
    "sync::atomic::AtomicU16::load  fn" {
        fn probe(this: &sync::atomic::AtomicU16, order: sync::atomic::Ordering) -> u16 {
            <sync::atomic::AtomicU16>::load(this, order)
        }
    }
    "sync::atomic::AtomicU16::new  const fn" {
        const fn probe(v: u16) -> sync::atomic::AtomicU16 {
            <sync::atomic::AtomicU16>::new(v)
        }
    }
    "sync::atomic::AtomicU16::store  fn" {
        fn probe(this: &sync::atomic::AtomicU16, val: u16, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicU16>::store(this, val, order)
        }
    }
    "sync::atomic::AtomicU16::swap  fn" {
        fn probe(this: &sync::atomic::AtomicU16, val: u16, order: sync::atomic::Ordering) -> u16 {
            <sync::atomic::AtomicU16>::swap(this, val, order)
        }
    }
    "sync::atomic::AtomicU16::try_update  fn" {
        fn probe(
            this: &sync::atomic::AtomicU16,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(u16) -> Option<u16>,
        ) -> Result<u16, u16> {
            <sync::atomic::AtomicU16>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU16::update  fn" {
        fn probe(
            this: &sync::atomic::AtomicU16,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(u16) -> u16,
        ) -> u16 {
            <sync::atomic::AtomicU16>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU32  impl Debug for AtomicU32" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU32) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU32  impl Default for AtomicU32" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU32) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU32  impl From<u32> for AtomicU32" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU32) -> &'v (impl From<u32> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU32  impl RefUnwindSafe for AtomicU32" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicU32,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU32  impl Send for AtomicU32" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU32) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU32  impl Sync for AtomicU32" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU32) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU32  impl UnwindSafe for AtomicU32" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicU32,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU32  struct" {
        fn probe(value: &sync::atomic::AtomicU32) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicU32::as_ptr  const fn" {
        const fn probe(this: &sync::atomic::AtomicU32) -> *mut u32 {
            <sync::atomic::AtomicU32>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicU32::compare_and_swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicU32,
            current: u32,
            new: u32,
            order: sync::atomic::Ordering,
        ) -> u32 {
            <sync::atomic::AtomicU32>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicU32::compare_exchange  fn" {
        fn probe(
            this: &sync::atomic::AtomicU32,
            current: u32,
            new: u32,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<u32, u32> {
            <sync::atomic::AtomicU32>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicU32::compare_exchange_weak  fn" {
        fn probe(
            this: &sync::atomic::AtomicU32,
            current: u32,
            new: u32,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<u32, u32> {
            <sync::atomic::AtomicU32>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicU32::fetch_add  fn" {
        fn probe(this: &sync::atomic::AtomicU32, val: u32, order: sync::atomic::Ordering) -> u32 {
            <sync::atomic::AtomicU32>::fetch_add(this, val, order)
        }
    }
    "sync::atomic::AtomicU32::fetch_and  fn" {
        fn probe(this: &sync::atomic::AtomicU32, val: u32, order: sync::atomic::Ordering) -> u32 {
            <sync::atomic::AtomicU32>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicU32::fetch_max  fn" {
        fn probe(this: &sync::atomic::AtomicU32, val: u32, order: sync::atomic::Ordering) -> u32 {
            <sync::atomic::AtomicU32>::fetch_max(this, val, order)
        }
    }
    "sync::atomic::AtomicU32::fetch_min  fn" {
        fn probe(this: &sync::atomic::AtomicU32, val: u32, order: sync::atomic::Ordering) -> u32 {
            <sync::atomic::AtomicU32>::fetch_min(this, val, order)
        }
    }
    "sync::atomic::AtomicU32::fetch_nand  fn" {
        fn probe(this: &sync::atomic::AtomicU32, val: u32, order: sync::atomic::Ordering) -> u32 {
            <sync::atomic::AtomicU32>::fetch_nand(this, val, order)
        }
    }
    "sync::atomic::AtomicU32::fetch_or  fn" {
        fn probe(this: &sync::atomic::AtomicU32, val: u32, order: sync::atomic::Ordering) -> u32 {
            <sync::atomic::AtomicU32>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicU32::fetch_sub  fn" {
        fn probe(this: &sync::atomic::AtomicU32, val: u32, order: sync::atomic::Ordering) -> u32 {
            <sync::atomic::AtomicU32>::fetch_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicU32::fetch_update  fn" {
        fn probe<F>(
            this: &sync::atomic::AtomicU32,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<u32, u32>
        where
            F: FnMut(u32) -> Option<u32>,
        {
            <sync::atomic::AtomicU32>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU32::fetch_xor  fn" {
        fn probe(this: &sync::atomic::AtomicU32, val: u32, order: sync::atomic::Ordering) -> u32 {
            <sync::atomic::AtomicU32>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicU32::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a>(ptr: *mut u32) -> &'a sync::atomic::AtomicU32 {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicU32>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicU32::get_mut  fn" {
        fn probe(this: &mut sync::atomic::AtomicU32) -> &mut u32 {
            <sync::atomic::AtomicU32>::get_mut(this)
        }
    }
    "sync::atomic::AtomicU32::into_inner  const fn" {
        const fn probe(this: sync::atomic::AtomicU32) -> u32 {
            <sync::atomic::AtomicU32>::into_inner(this)
        }
    }
    "sync::atomic::AtomicU32::load  fn" {
        fn probe(this: &sync::atomic::AtomicU32, order: sync::atomic::Ordering) -> u32 {
            <sync::atomic::AtomicU32>::load(this, order)
        }
    }
    "sync::atomic::AtomicU32::new  const fn" {
        const fn probe(v: u32) -> sync::atomic::AtomicU32 {
            <sync::atomic::AtomicU32>::new(v)
        }
    }
    "sync::atomic::AtomicU32::store  fn" {
        fn probe(this: &sync::atomic::AtomicU32, val: u32, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicU32>::store(this, val, order)
        }
    }
    "sync::atomic::AtomicU32::swap  fn" {
        fn probe(this: &sync::atomic::AtomicU32, val: u32, order: sync::atomic::Ordering) -> u32 {
            <sync::atomic::AtomicU32>::swap(this, val, order)
        }
    }
    "sync::atomic::AtomicU32::try_update  fn" {
        fn probe(
            this: &sync::atomic::AtomicU32,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(u32) -> Option<u32>,
        ) -> Result<u32, u32> {
            <sync::atomic::AtomicU32>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU32::update  fn" {
        fn probe(
            this: &sync::atomic::AtomicU32,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(u32) -> u32,
        ) -> u32 {
            <sync::atomic::AtomicU32>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU64  impl Debug for AtomicU64" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU64) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU64  impl Default for AtomicU64" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU64) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU64  impl From<u64> for AtomicU64" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU64) -> &'v (impl From<u64> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU64  impl RefUnwindSafe for AtomicU64" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicU64,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU64  impl Send for AtomicU64" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU64) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU64  impl Sync for AtomicU64" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU64) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU64  impl UnwindSafe for AtomicU64" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicU64,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU64  struct" {
        fn probe(value: &sync::atomic::AtomicU64) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicU64::as_ptr  const fn" {
        const fn probe(this: &sync::atomic::AtomicU64) -> *mut u64 {
            <sync::atomic::AtomicU64>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicU64::compare_and_swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicU64,
            current: u64,
            new: u64,
            order: sync::atomic::Ordering,
        ) -> u64 {
            <sync::atomic::AtomicU64>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicU64::compare_exchange  fn" {
        fn probe(
            this: &sync::atomic::AtomicU64,
            current: u64,
            new: u64,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<u64, u64> {
            <sync::atomic::AtomicU64>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicU64::compare_exchange_weak  fn" {
        fn probe(
            this: &sync::atomic::AtomicU64,
            current: u64,
            new: u64,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<u64, u64> {
            <sync::atomic::AtomicU64>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicU64::fetch_add  fn" {
        fn probe(this: &sync::atomic::AtomicU64, val: u64, order: sync::atomic::Ordering) -> u64 {
            <sync::atomic::AtomicU64>::fetch_add(this, val, order)
        }
    }
    "sync::atomic::AtomicU64::fetch_and  fn" {
        fn probe(this: &sync::atomic::AtomicU64, val: u64, order: sync::atomic::Ordering) -> u64 {
            <sync::atomic::AtomicU64>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicU64::fetch_max  fn" {
        fn probe(this: &sync::atomic::AtomicU64, val: u64, order: sync::atomic::Ordering) -> u64 {
            <sync::atomic::AtomicU64>::fetch_max(this, val, order)
        }
    }
    "sync::atomic::AtomicU64::fetch_min  fn" {
        fn probe(this: &sync::atomic::AtomicU64, val: u64, order: sync::atomic::Ordering) -> u64 {
            <sync::atomic::AtomicU64>::fetch_min(this, val, order)
        }
    }
    "sync::atomic::AtomicU64::fetch_nand  fn" {
        fn probe(this: &sync::atomic::AtomicU64, val: u64, order: sync::atomic::Ordering) -> u64 {
            <sync::atomic::AtomicU64>::fetch_nand(this, val, order)
        }
    }
    "sync::atomic::AtomicU64::fetch_or  fn" {
        fn probe(this: &sync::atomic::AtomicU64, val: u64, order: sync::atomic::Ordering) -> u64 {
            <sync::atomic::AtomicU64>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicU64::fetch_sub  fn" {
        fn probe(this: &sync::atomic::AtomicU64, val: u64, order: sync::atomic::Ordering) -> u64 {
            <sync::atomic::AtomicU64>::fetch_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicU64::fetch_update  fn" {
        fn probe<F>(
            this: &sync::atomic::AtomicU64,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<u64, u64>
        where
            F: FnMut(u64) -> Option<u64>,
        {
            <sync::atomic::AtomicU64>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU64::fetch_xor  fn" {
        fn probe(this: &sync::atomic::AtomicU64, val: u64, order: sync::atomic::Ordering) -> u64 {
            <sync::atomic::AtomicU64>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicU64::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a>(ptr: *mut u64) -> &'a sync::atomic::AtomicU64 {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicU64>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicU64::get_mut  fn" {
        fn probe(this: &mut sync::atomic::AtomicU64) -> &mut u64 {
            <sync::atomic::AtomicU64>::get_mut(this)
        }
    }
    "sync::atomic::AtomicU64::into_inner  const fn" {
        const fn probe(this: sync::atomic::AtomicU64) -> u64 {
            <sync::atomic::AtomicU64>::into_inner(this)
        }
    }
    "sync::atomic::AtomicU64::load  fn" {
        fn probe(this: &sync::atomic::AtomicU64, order: sync::atomic::Ordering) -> u64 {
            <sync::atomic::AtomicU64>::load(this, order)
        }
    }
    "sync::atomic::AtomicU64::new  const fn" {
        const fn probe(v: u64) -> sync::atomic::AtomicU64 {
            <sync::atomic::AtomicU64>::new(v)
        }
    }
    "sync::atomic::AtomicU64::store  fn" {
        fn probe(this: &sync::atomic::AtomicU64, val: u64, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicU64>::store(this, val, order)
        }
    }
    "sync::atomic::AtomicU64::swap  fn" {
        fn probe(this: &sync::atomic::AtomicU64, val: u64, order: sync::atomic::Ordering) -> u64 {
            <sync::atomic::AtomicU64>::swap(this, val, order)
        }
    }
    "sync::atomic::AtomicU64::try_update  fn" {
        fn probe(
            this: &sync::atomic::AtomicU64,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(u64) -> Option<u64>,
        ) -> Result<u64, u64> {
            <sync::atomic::AtomicU64>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU64::update  fn" {
        fn probe(
            this: &sync::atomic::AtomicU64,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(u64) -> u64,
        ) -> u64 {
            <sync::atomic::AtomicU64>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU8  impl Debug for AtomicU8" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU8) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU8  impl Default for AtomicU8" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU8) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU8  impl From<u8> for AtomicU8" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU8) -> &'v (impl From<u8> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU8  impl RefUnwindSafe for AtomicU8" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicU8,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU8  impl Send for AtomicU8" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU8) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU8  impl Sync for AtomicU8" {
        fn probe<'v>(value: &'v sync::atomic::AtomicU8) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU8  impl UnwindSafe for AtomicU8" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicU8,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicU8  struct" {
        fn probe(value: &sync::atomic::AtomicU8) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicU8::as_ptr  const fn" {
        const fn probe(this: &sync::atomic::AtomicU8) -> *mut u8 {
            <sync::atomic::AtomicU8>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicU8::compare_and_swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicU8,
            current: u8,
            new: u8,
            order: sync::atomic::Ordering,
        ) -> u8 {
            <sync::atomic::AtomicU8>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicU8::compare_exchange  fn" {
        fn probe(
            this: &sync::atomic::AtomicU8,
            current: u8,
            new: u8,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<u8, u8> {
            <sync::atomic::AtomicU8>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicU8::compare_exchange_weak  fn" {
        fn probe(
            this: &sync::atomic::AtomicU8,
            current: u8,
            new: u8,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<u8, u8> {
            <sync::atomic::AtomicU8>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicU8::fetch_add  fn" {
        fn probe(this: &sync::atomic::AtomicU8, val: u8, order: sync::atomic::Ordering) -> u8 {
            <sync::atomic::AtomicU8>::fetch_add(this, val, order)
        }
    }
    "sync::atomic::AtomicU8::fetch_and  fn" {
        fn probe(this: &sync::atomic::AtomicU8, val: u8, order: sync::atomic::Ordering) -> u8 {
            <sync::atomic::AtomicU8>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicU8::fetch_max  fn" {
        fn probe(this: &sync::atomic::AtomicU8, val: u8, order: sync::atomic::Ordering) -> u8 {
            <sync::atomic::AtomicU8>::fetch_max(this, val, order)
        }
    }
    "sync::atomic::AtomicU8::fetch_min  fn" {
        fn probe(this: &sync::atomic::AtomicU8, val: u8, order: sync::atomic::Ordering) -> u8 {
            <sync::atomic::AtomicU8>::fetch_min(this, val, order)
        }
    }
    "sync::atomic::AtomicU8::fetch_nand  fn" {
        fn probe(this: &sync::atomic::AtomicU8, val: u8, order: sync::atomic::Ordering) -> u8 {
            <sync::atomic::AtomicU8>::fetch_nand(this, val, order)
        }
    }
    "sync::atomic::AtomicU8::fetch_or  fn" {
        fn probe(this: &sync::atomic::AtomicU8, val: u8, order: sync::atomic::Ordering) -> u8 {
            <sync::atomic::AtomicU8>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicU8::fetch_sub  fn" {
        fn probe(this: &sync::atomic::AtomicU8, val: u8, order: sync::atomic::Ordering) -> u8 {
            <sync::atomic::AtomicU8>::fetch_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicU8::fetch_update  fn" {
        fn probe<F>(
            this: &sync::atomic::AtomicU8,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<u8, u8>
        where
            F: FnMut(u8) -> Option<u8>,
        {
            <sync::atomic::AtomicU8>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU8::fetch_xor  fn" {
        fn probe(this: &sync::atomic::AtomicU8, val: u8, order: sync::atomic::Ordering) -> u8 {
            <sync::atomic::AtomicU8>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicU8::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a>(ptr: *mut u8) -> &'a sync::atomic::AtomicU8 {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicU8>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicU8::get_mut  fn" {
        fn probe(this: &mut sync::atomic::AtomicU8) -> &mut u8 {
            <sync::atomic::AtomicU8>::get_mut(this)
        }
    }
    "sync::atomic::AtomicU8::into_inner  const fn" {
        const fn probe(this: sync::atomic::AtomicU8) -> u8 {
            <sync::atomic::AtomicU8>::into_inner(this)
        }
    }
    "sync::atomic::AtomicU8::load  fn" {
        fn probe(this: &sync::atomic::AtomicU8, order: sync::atomic::Ordering) -> u8 {
            <sync::atomic::AtomicU8>::load(this, order)
        }
    }
    "sync::atomic::AtomicU8::new  const fn" {
        const fn probe(v: u8) -> sync::atomic::AtomicU8 {
            <sync::atomic::AtomicU8>::new(v)
        }
    }
    "sync::atomic::AtomicU8::store  fn" {
        fn probe(this: &sync::atomic::AtomicU8, val: u8, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicU8>::store(this, val, order)
        }
    }
    "sync::atomic::AtomicU8::swap  fn" {
        fn probe(this: &sync::atomic::AtomicU8, val: u8, order: sync::atomic::Ordering) -> u8 {
            <sync::atomic::AtomicU8>::swap(this, val, order)
        }
    }
    "sync::atomic::AtomicU8::try_update  fn" {
        fn probe(
            this: &sync::atomic::AtomicU8,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(u8) -> Option<u8>,
        ) -> Result<u8, u8> {
            <sync::atomic::AtomicU8>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicU8::update  fn" {
        fn probe(
            this: &sync::atomic::AtomicU8,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(u8) -> u8,
        ) -> u8 {
            <sync::atomic::AtomicU8>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicUsize  impl Debug for AtomicUsize" {
        fn probe<'v>(value: &'v sync::atomic::AtomicUsize) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicUsize  impl Default for AtomicUsize" {
        fn probe<'v>(value: &'v sync::atomic::AtomicUsize) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicUsize  impl From<usize> for AtomicUsize" {
        fn probe<'v>(value: &'v sync::atomic::AtomicUsize) -> &'v (impl From<usize> + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicUsize  impl RefUnwindSafe for AtomicUsize" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicUsize,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicUsize  impl Send for AtomicUsize" {
        fn probe<'v>(value: &'v sync::atomic::AtomicUsize) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicUsize  impl Sync for AtomicUsize" {
        fn probe<'v>(value: &'v sync::atomic::AtomicUsize) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicUsize  impl UnwindSafe for AtomicUsize" {
        fn probe<'v>(
            value: &'v sync::atomic::AtomicUsize,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::AtomicUsize  struct" {
        fn probe(value: &sync::atomic::AtomicUsize) {
            let _ = value;
        }
    }
    "sync::atomic::AtomicUsize::as_ptr  const fn" {
        const fn probe(this: &sync::atomic::AtomicUsize) -> *mut usize {
            <sync::atomic::AtomicUsize>::as_ptr(this)
        }
    }
    "sync::atomic::AtomicUsize::compare_and_swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            current: usize,
            new: usize,
            order: sync::atomic::Ordering,
        ) -> usize {
            <sync::atomic::AtomicUsize>::compare_and_swap(this, current, new, order)
        }
    }
    "sync::atomic::AtomicUsize::compare_exchange  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            current: usize,
            new: usize,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<usize, usize> {
            <sync::atomic::AtomicUsize>::compare_exchange(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicUsize::compare_exchange_weak  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            current: usize,
            new: usize,
            success: sync::atomic::Ordering,
            failure: sync::atomic::Ordering,
        ) -> Result<usize, usize> {
            <sync::atomic::AtomicUsize>::compare_exchange_weak(this, current, new, success, failure)
        }
    }
    "sync::atomic::AtomicUsize::fetch_add  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> usize {
            <sync::atomic::AtomicUsize>::fetch_add(this, val, order)
        }
    }
    "sync::atomic::AtomicUsize::fetch_and  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> usize {
            <sync::atomic::AtomicUsize>::fetch_and(this, val, order)
        }
    }
    "sync::atomic::AtomicUsize::fetch_max  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> usize {
            <sync::atomic::AtomicUsize>::fetch_max(this, val, order)
        }
    }
    "sync::atomic::AtomicUsize::fetch_min  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> usize {
            <sync::atomic::AtomicUsize>::fetch_min(this, val, order)
        }
    }
    "sync::atomic::AtomicUsize::fetch_nand  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> usize {
            <sync::atomic::AtomicUsize>::fetch_nand(this, val, order)
        }
    }
    "sync::atomic::AtomicUsize::fetch_or  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> usize {
            <sync::atomic::AtomicUsize>::fetch_or(this, val, order)
        }
    }
    "sync::atomic::AtomicUsize::fetch_sub  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> usize {
            <sync::atomic::AtomicUsize>::fetch_sub(this, val, order)
        }
    }
    "sync::atomic::AtomicUsize::fetch_update  fn" {
        fn probe<F>(
            this: &sync::atomic::AtomicUsize,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: F,
        ) -> Result<usize, usize>
        where
            F: FnMut(usize) -> Option<usize>,
        {
            <sync::atomic::AtomicUsize>::fetch_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicUsize::fetch_xor  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> usize {
            <sync::atomic::AtomicUsize>::fetch_xor(this, val, order)
        }
    }
    "sync::atomic::AtomicUsize::from_ptr  const unsafe fn" {
        const unsafe fn probe<'a>(ptr: *mut usize) -> &'a sync::atomic::AtomicUsize {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::atomic::AtomicUsize>::from_ptr(ptr) }
        }
    }
    "sync::atomic::AtomicUsize::get_mut  fn" {
        fn probe(this: &mut sync::atomic::AtomicUsize) -> &mut usize {
            <sync::atomic::AtomicUsize>::get_mut(this)
        }
    }
    "sync::atomic::AtomicUsize::into_inner  const fn" {
        const fn probe(this: sync::atomic::AtomicUsize) -> usize {
            <sync::atomic::AtomicUsize>::into_inner(this)
        }
    }
    "sync::atomic::AtomicUsize::load  fn" {
        fn probe(this: &sync::atomic::AtomicUsize, order: sync::atomic::Ordering) -> usize {
            <sync::atomic::AtomicUsize>::load(this, order)
        }
    }
    "sync::atomic::AtomicUsize::new  const fn" {
        const fn probe(v: usize) -> sync::atomic::AtomicUsize {
            <sync::atomic::AtomicUsize>::new(v)
        }
    }
    "sync::atomic::AtomicUsize::store  fn" {
        fn probe(this: &sync::atomic::AtomicUsize, val: usize, order: sync::atomic::Ordering) {
            <sync::atomic::AtomicUsize>::store(this, val, order)
        }
    }
    "sync::atomic::AtomicUsize::swap  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            val: usize,
            order: sync::atomic::Ordering,
        ) -> usize {
            <sync::atomic::AtomicUsize>::swap(this, val, order)
        }
    }
    "sync::atomic::AtomicUsize::try_update  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(usize) -> Option<usize>,
        ) -> Result<usize, usize> {
            <sync::atomic::AtomicUsize>::try_update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::AtomicUsize::update  fn" {
        fn probe(
            this: &sync::atomic::AtomicUsize,
            set_order: sync::atomic::Ordering,
            fetch_order: sync::atomic::Ordering,
            f: impl FnMut(usize) -> usize,
        ) -> usize {
            <sync::atomic::AtomicUsize>::update(this, set_order, fetch_order, f)
        }
    }
    "sync::atomic::Ordering  enum" {
        fn probe(value: sync::atomic::Ordering) {
            match value {
                sync::atomic::Ordering::Relaxed => {}
                sync::atomic::Ordering::Release => {}
                sync::atomic::Ordering::Acquire => {}
                sync::atomic::Ordering::AcqRel => {}
                sync::atomic::Ordering::SeqCst => {}
                _ => {}
            }
        }
    }
    "sync::atomic::Ordering  impl Clone for Ordering" {
        fn probe<'v>(value: &'v sync::atomic::Ordering) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "sync::atomic::Ordering  impl Copy for Ordering" {
        fn probe<'v>(value: &'v sync::atomic::Ordering) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "sync::atomic::Ordering  impl Debug for Ordering" {
        fn probe<'v>(value: &'v sync::atomic::Ordering) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::atomic::Ordering  impl Eq for Ordering" {
        fn probe<'v>(value: &'v sync::atomic::Ordering) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "sync::atomic::Ordering  impl Hash for Ordering" {
        fn probe<'v>(value: &'v sync::atomic::Ordering) -> &'v (impl std::hash::Hash + ?Sized) {
            value
        }
    }
    "sync::atomic::Ordering  impl PartialEq for Ordering" {
        fn probe<'v>(value: &'v sync::atomic::Ordering) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "sync::atomic::Ordering  impl RefUnwindSafe for Ordering" {
        fn probe<'v>(
            value: &'v sync::atomic::Ordering,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::Ordering  impl Send for Ordering" {
        fn probe<'v>(value: &'v sync::atomic::Ordering) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::atomic::Ordering  impl Sync for Ordering" {
        fn probe<'v>(value: &'v sync::atomic::Ordering) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::atomic::Ordering  impl UnwindSafe for Ordering" {
        fn probe<'v>(
            value: &'v sync::atomic::Ordering,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::atomic::Ordering::AcqRel  variant" {
        const fn probe() -> sync::atomic::Ordering {
            sync::atomic::Ordering::AcqRel
        }
    }
    "sync::atomic::Ordering::Acquire  variant" {
        const fn probe() -> sync::atomic::Ordering {
            sync::atomic::Ordering::Acquire
        }
    }
    "sync::atomic::Ordering::Relaxed  variant" {
        const fn probe() -> sync::atomic::Ordering {
            sync::atomic::Ordering::Relaxed
        }
    }
    "sync::atomic::Ordering::Release  variant" {
        const fn probe() -> sync::atomic::Ordering {
            sync::atomic::Ordering::Release
        }
    }
    "sync::atomic::Ordering::SeqCst  variant" {
        const fn probe() -> sync::atomic::Ordering {
            sync::atomic::Ordering::SeqCst
        }
    }
    "sync::atomic::compiler_fence  fn" {
        fn probe(order: sync::atomic::Ordering) {
            sync::atomic::compiler_fence(order)
        }
    }
    "sync::atomic::fence  fn" {
        fn probe(order: sync::atomic::Ordering) {
            sync::atomic::fence(order)
        }
    }
    "sync::atomic::spin_loop_hint  fn" {
        fn probe() {
            sync::atomic::spin_loop_hint()
        }
    }
}
