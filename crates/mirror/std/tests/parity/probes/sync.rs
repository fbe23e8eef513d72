// Generated: cargo run -p xtask -- probes

probes! {
    "sync  mod" {
        use sync as _;
    }
    "sync::Arc  impl Default for Arc<CStr>" {
        fn probe<'v>(value: &'v sync::Arc<std::ffi::CStr>) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::Arc  impl Default for Arc<str>" {
        fn probe<'v>(value: &'v sync::Arc<str>) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<&CStr> for Arc<CStr>" {
        fn probe<'v, 'r>(
            value: &'v sync::Arc<std::ffi::CStr>,
        ) -> &'v (impl From<&'r std::ffi::CStr> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<&OsStr> for Arc<OsStr>" {
        fn probe<'v, 'r>(
            value: &'v sync::Arc<std::ffi::OsStr>,
        ) -> &'v (impl From<&'r std::ffi::OsStr> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<&Path> for Arc<Path>" {
        fn probe<'v, 'r>(
            value: &'v sync::Arc<std::path::Path>,
        ) -> &'v (impl From<&'r std::path::Path> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<&mut CStr> for Arc<CStr>" {
        fn probe<'v, 'r>(
            value: &'v sync::Arc<std::ffi::CStr>,
        ) -> &'v (impl From<&'r mut std::ffi::CStr> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<&mut OsStr> for Arc<OsStr>" {
        fn probe<'v, 'r>(
            value: &'v sync::Arc<std::ffi::OsStr>,
        ) -> &'v (impl From<&'r mut std::ffi::OsStr> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<&mut Path> for Arc<Path>" {
        fn probe<'v, 'r>(
            value: &'v sync::Arc<std::path::Path>,
        ) -> &'v (impl From<&'r mut std::path::Path> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<&mut str> for Arc<str>" {
        fn probe<'v, 'r>(value: &'v sync::Arc<str>) -> &'v (impl From<&'r mut str> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<&str> for Arc<str>" {
        fn probe<'v, 'r>(value: &'v sync::Arc<str>) -> &'v (impl From<&'r str> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<Arc<str>> for Arc<[u8]>" {
        fn probe<'v>(value: &'v sync::Arc<[u8]>) -> &'v (impl From<sync::Arc<str>> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<CString> for Arc<CStr>" {
        fn probe<'v>(
            value: &'v sync::Arc<std::ffi::CStr>,
        ) -> &'v (impl From<std::ffi::CString> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<OsString> for Arc<OsStr>" {
        fn probe<'v>(
            value: &'v sync::Arc<std::ffi::OsStr>,
        ) -> &'v (impl From<std::ffi::OsString> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<PathBuf> for Arc<Path>" {
        fn probe<'v>(
            value: &'v sync::Arc<std::path::Path>,
        ) -> &'v (impl From<std::path::PathBuf> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl From<String> for Arc<str>" {
        fn probe<'v>(value: &'v sync::Arc<str>) -> &'v (impl From<String> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl Read for Arc<File>" {
        fn probe<'v>(value: &'v sync::Arc<std::fs::File>) -> &'v (impl std::io::Read + ?Sized) {
            value
        }
    }
    "sync::Arc  impl Seek for Arc<File>" {
        fn probe<'v>(value: &'v sync::Arc<std::fs::File>) -> &'v (impl std::io::Seek + ?Sized) {
            value
        }
    }
    "sync::Arc  impl Write for Arc<File>" {
        fn probe<'v>(value: &'v sync::Arc<std::fs::File>) -> &'v (impl std::io::Write + ?Sized) {
            value
        }
    }
    "sync::Arc  impl<'a, B> From<Cow<'a, B>> for Arc<B> where B: ToOwned + ?Sized, Arc<B>: From<&'a B> + From<<B as ToOwned>::Owned>" {
        fn probe<'v, 'a, B>(
            value: &'v sync::Arc<B>,
        ) -> &'v (impl From<std::borrow::Cow<'a, B>> + ?Sized)
        where
            B: std::borrow::ToOwned + ?Sized,
            sync::Arc<B>: From<&'a B> + From<<B as std::borrow::ToOwned>::Owned>,
            B: 'a,
        {
            value
        }
    }
    "sync::Arc  impl<T, const N: usize> From<[T; N]> for Arc<[T]>" {
        fn probe<'v, T, const N: usize>(
            value: &'v sync::Arc<[T]>,
        ) -> &'v (impl From<[T; N]> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl<T, const N: usize> TryFrom<Arc<[T]>> for Arc<[T; N]>" {
        fn probe<'v, T, const N: usize>(
            value: &'v sync::Arc<[T; N]>,
        ) -> &'v (impl TryFrom<sync::Arc<[T]>, Error = sync::Arc<[T]>> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl<T: AsFd + ?Sized> AsFd for Arc<T>" {
        fn probe<'v, T: std::os::fd::AsFd + ?Sized>(
            value: &'v sync::Arc<T>,
        ) -> &'v (impl std::os::fd::AsFd + ?Sized) {
            value
        }
    }
    "sync::Arc  impl<T: AsRawFd> AsRawFd for Arc<T>" {
        fn probe<'v, T: std::os::fd::AsRawFd>(
            value: &'v sync::Arc<T>,
        ) -> &'v (impl std::os::fd::AsRawFd + ?Sized) {
            value
        }
    }
    "sync::Arc  impl<T> AsRef<T> for Arc<T> where T: ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl AsRef<T> + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> Borrow<T> for Arc<T> where T: ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl std::borrow::Borrow<T> + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> Clone for Arc<T> where T: ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl Clone + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> Debug for Arc<T> where T: Debug + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl std::fmt::Debug + ?Sized)
        where
            T: std::fmt::Debug + ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> Default for Arc<T> where T: Default" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl Default + ?Sized)
        where
            T: Default,
        {
            value
        }
    }
    "sync::Arc  impl<T> Default for Arc<[T]>" {
        fn probe<'v, T>(value: &'v sync::Arc<[T]>) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::Arc  impl<T> Default for Pin<Arc<T>> where Arc<T>: Default, T: ?Sized" {
        fn probe<'v, T>(value: &'v std::pin::Pin<sync::Arc<T>>) -> &'v (impl Default + ?Sized)
        where
            sync::Arc<T>: Default,
            T: ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> Deref for Arc<T> where T: ?Sized" {
        fn probe<'v, T>(
            value: &'v sync::Arc<T>,
        ) -> &'v (impl std::ops::Deref<Target = T> + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> Display for Arc<T> where T: Display + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl std::fmt::Display + ?Sized)
        where
            T: std::fmt::Display + ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> Eq for Arc<T> where T: Eq + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl Eq + ?Sized)
        where
            T: Eq + ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> Error for Arc<T> where T: Error + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl std::error::Error + ?Sized)
        where
            T: std::error::Error + ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> From<&[T]> for Arc<[T]> where T: Clone" {
        fn probe<'v, 'r, T>(value: &'v sync::Arc<[T]>) -> &'v (impl From<&'r [T]> + ?Sized)
        where
            T: Clone,
            T: 'r,
        {
            value
        }
    }
    "sync::Arc  impl<T> From<&mut [T]> for Arc<[T]> where T: Clone" {
        fn probe<'v, 'r, T>(value: &'v sync::Arc<[T]>) -> &'v (impl From<&'r mut [T]> + ?Sized)
        where
            T: Clone,
            T: 'r,
        {
            value
        }
    }
    "sync::Arc  impl<T> From<Box<T>> for Arc<T> where T: ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl From<Box<T>> + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> From<T> for Arc<T>" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl From<T> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl<T> From<Vec<T>> for Arc<[T]>" {
        fn probe<'v, T>(value: &'v sync::Arc<[T]>) -> &'v (impl From<Vec<T>> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl<T> FromIterator<T> for Arc<[T]>" {
        fn probe<'v, T>(value: &'v sync::Arc<[T]>) -> &'v (impl FromIterator<T> + ?Sized) {
            value
        }
    }
    "sync::Arc  impl<T> Hash for Arc<T> where T: Hash + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl std::hash::Hash + ?Sized)
        where
            T: std::hash::Hash + ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> Ord for Arc<T> where T: Ord + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl Ord + ?Sized)
        where
            T: Ord + ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> PartialEq for Arc<T> where T: PartialEq + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl PartialEq + ?Sized)
        where
            T: PartialEq + ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> PartialOrd for Arc<T> where T: PartialOrd + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl PartialOrd + ?Sized)
        where
            T: PartialOrd + ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> Pointer for Arc<T> where T: ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl std::fmt::Pointer + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::Arc  impl<T> RefUnwindSafe for Arc<T> where T: RefUnwindSafe + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl std::panic::RefUnwindSafe + ?Sized)
        where
            T: std::panic::RefUnwindSafe + ?Sized,
        {
            value
        }
        refuses!(sync::Arc<NotRefUnwindSafe>: std::panic::RefUnwindSafe);
    }
    "sync::Arc  impl<T> Send for Arc<T> where T: Sync + Send + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl Send + ?Sized)
        where
            T: Sync + Send + ?Sized,
        {
            value
        }
        refuses!(sync::Arc<NotSync>: Send);
        refuses!(sync::Arc<NotSend>: Send);
    }
    "sync::Arc  impl<T> Sync for Arc<T> where T: Sync + Send + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl Sync + ?Sized)
        where
            T: Sync + Send + ?Sized,
        {
            value
        }
        refuses!(sync::Arc<NotSync>: Sync);
        refuses!(sync::Arc<NotSend>: Sync);
    }
    "sync::Arc  impl<T> UnwindSafe for Arc<T> where T: RefUnwindSafe + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Arc<T>) -> &'v (impl std::panic::UnwindSafe + ?Sized)
        where
            T: std::panic::RefUnwindSafe + ?Sized,
        {
            value
        }
        refuses!(sync::Arc<NotRefUnwindSafe>: std::panic::UnwindSafe);
    }
    "sync::Arc  impl<W> From<Arc<W>> for RawWaker where W: Wake + Send + Sync + 'static" {
        fn probe<'v, W>(value: &'v std::task::RawWaker) -> &'v (impl From<sync::Arc<W>> + ?Sized)
        where
            W: std::task::Wake + Send + Sync + 'static,
        {
            value
        }
    }
    "sync::Arc  impl<W> From<Arc<W>> for Waker where W: Wake + Send + Sync + 'static" {
        fn probe<'v, W>(value: &'v std::task::Waker) -> &'v (impl From<sync::Arc<W>> + ?Sized)
        where
            W: std::task::Wake + Send + Sync + 'static,
        {
            value
        }
    }
    "sync::Arc  struct" {
        fn probe<T>(value: &sync::Arc<T>)
        where
            T: ?Sized,
        {
            let _ = value;
        }
    }
    "sync::Arc::as_ptr  fn" {
        fn probe<T>(this: &sync::Arc<T>) -> *const T
        where
            T: ?Sized,
        {
            <sync::Arc<T>>::as_ptr(this)
        }
    }
    "sync::Arc::decrement_strong_count  unsafe fn" {
        unsafe fn probe<T>(ptr: *const T)
        where
            T: ?Sized,
        {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::Arc<T>>::decrement_strong_count(ptr) }
        }
    }
    "sync::Arc::downgrade  fn" {
        fn probe<T>(this: &sync::Arc<T>) -> sync::Weak<T>
        where
            T: ?Sized,
        {
            <sync::Arc<T>>::downgrade(this)
        }
    }
    "sync::Arc::from_raw  unsafe fn" {
        unsafe fn probe<T>(ptr: *const T) -> sync::Arc<T>
        where
            T: ?Sized,
        {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::Arc<T>>::from_raw(ptr) }
        }
    }
    "sync::Arc::get_mut  fn" {
        fn probe<T>(this: &mut sync::Arc<T>) -> Option<&mut T>
        where
            T: ?Sized,
        {
            <sync::Arc<T>>::get_mut(this)
        }
    }
    "sync::Arc::increment_strong_count  unsafe fn" {
        unsafe fn probe<T>(ptr: *const T)
        where
            T: ?Sized,
        {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::Arc<T>>::increment_strong_count(ptr) }
        }
    }
    "sync::Arc::into_inner  fn" {
        fn probe<T>(this: sync::Arc<T>) -> Option<T> {
            <sync::Arc<T>>::into_inner(this)
        }
    }
    "sync::Arc::into_raw  fn" {
        fn probe<T>(this: sync::Arc<T>) -> *const T
        where
            T: ?Sized,
        {
            <sync::Arc<T>>::into_raw(this)
        }
    }
    "sync::Arc::new  fn" {
        fn probe<T>(data: T) -> sync::Arc<T> {
            <sync::Arc<T>>::new(data)
        }
    }
    "sync::Arc::new_cyclic  fn" {
        fn probe<T, F>(data_fn: F) -> sync::Arc<T>
        where
            F: FnOnce(&sync::Weak<T>) -> T,
        {
            <sync::Arc<T>>::new_cyclic(data_fn)
        }
    }
    "sync::Arc::new_uninit  fn" {
        fn probe<T>() -> sync::Arc<std::mem::MaybeUninit<T>> {
            <sync::Arc<T>>::new_uninit()
        }
    }
    "sync::Arc::new_zeroed  fn" {
        fn probe<T>() -> sync::Arc<std::mem::MaybeUninit<T>> {
            <sync::Arc<T>>::new_zeroed()
        }
    }
    "sync::Arc::pin  fn" {
        fn probe<T>(data: T) -> std::pin::Pin<sync::Arc<T>> {
            <sync::Arc<T>>::pin(data)
        }
    }
    "sync::Arc::ptr_eq  fn" {
        fn probe<T>(this: &sync::Arc<T>, other: &sync::Arc<T>) -> bool
        where
            T: ?Sized,
        {
            <sync::Arc<T>>::ptr_eq(this, other)
        }
    }
    "sync::Arc::strong_count  fn" {
        fn probe<T>(this: &sync::Arc<T>) -> usize
        where
            T: ?Sized,
        {
            <sync::Arc<T>>::strong_count(this)
        }
    }
    "sync::Arc::try_unwrap  fn" {
        fn probe<T>(this: sync::Arc<T>) -> Result<T, sync::Arc<T>> {
            <sync::Arc<T>>::try_unwrap(this)
        }
    }
    "sync::Arc::unwrap_or_clone  fn" {
        fn probe<T>(this: sync::Arc<T>) -> T
        where
            T: Clone,
        {
            <sync::Arc<T>>::unwrap_or_clone(this)
        }
    }
    "sync::Arc::weak_count  fn" {
        fn probe<T>(this: &sync::Arc<T>) -> usize
        where
            T: ?Sized,
        {
            <sync::Arc<T>>::weak_count(this)
        }
    }
    "sync::Arc<MaybeUninit<T>>::assume_init  unsafe fn" {
        unsafe fn probe<T>(this: sync::Arc<std::mem::MaybeUninit<T>>) -> sync::Arc<T> {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::Arc<std::mem::MaybeUninit<T>>>::assume_init(this) }
        }
    }
    "sync::Arc<[MaybeUninit<T>]>::assume_init  unsafe fn" {
        unsafe fn probe<T>(this: sync::Arc<[std::mem::MaybeUninit<T>]>) -> sync::Arc<[T]> {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::Arc<[std::mem::MaybeUninit<T>]>>::assume_init(this) }
        }
    }
    "sync::Arc<[T]>::new_uninit_slice  fn" {
        fn probe<T>(len: usize) -> sync::Arc<[std::mem::MaybeUninit<T>]> {
            <sync::Arc<[T]>>::new_uninit_slice(len)
        }
    }
    "sync::Arc<[T]>::new_zeroed_slice  fn" {
        fn probe<T>(len: usize) -> sync::Arc<[std::mem::MaybeUninit<T>]> {
            <sync::Arc<[T]>>::new_zeroed_slice(len)
        }
    }
    "sync::Arc<dyn Any + Sync + Send>::downcast  fn" {
        fn probe<T>(
            this: sync::Arc<dyn std::any::Any + Sync + Send>,
        ) -> Result<sync::Arc<T>, sync::Arc<dyn std::any::Any + Sync + Send>>
        where
            T: std::any::Any + Send + Sync,
        {
            <sync::Arc<dyn std::any::Any + Sync + Send>>::downcast(this)
        }
    }
    "sync::Barrier  impl Debug for Barrier" {
        fn probe<'v>(value: &'v sync::Barrier) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::Barrier  impl RefUnwindSafe for Barrier" {
        fn probe<'v>(value: &'v sync::Barrier) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::Barrier  impl Send for Barrier" {
        fn probe<'v>(value: &'v sync::Barrier) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::Barrier  impl Sync for Barrier" {
        fn probe<'v>(value: &'v sync::Barrier) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::Barrier  impl UnwindSafe for Barrier" {
        fn probe<'v>(value: &'v sync::Barrier) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::Barrier  struct" {
        fn probe(value: &sync::Barrier) {
            let _ = value;
        }
    }
    "sync::Barrier::new  const fn" {
        const fn probe(n: usize) -> sync::Barrier {
            <sync::Barrier>::new(n)
        }
    }
    "sync::Barrier::wait  fn" {
        fn probe(this: &sync::Barrier) -> sync::BarrierWaitResult {
            <sync::Barrier>::wait(this)
        }
    }
    "sync::BarrierWaitResult  impl Debug for BarrierWaitResult" {
        fn probe<'v>(value: &'v sync::BarrierWaitResult) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::BarrierWaitResult  impl RefUnwindSafe for BarrierWaitResult" {
        fn probe<'v>(
            value: &'v sync::BarrierWaitResult,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::BarrierWaitResult  impl Send for BarrierWaitResult" {
        fn probe<'v>(value: &'v sync::BarrierWaitResult) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::BarrierWaitResult  impl Sync for BarrierWaitResult" {
        fn probe<'v>(value: &'v sync::BarrierWaitResult) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::BarrierWaitResult  impl UnwindSafe for BarrierWaitResult" {
        fn probe<'v>(
            value: &'v sync::BarrierWaitResult,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::BarrierWaitResult  struct" {
        fn probe(value: &sync::BarrierWaitResult) {
            let _ = value;
        }
    }
    "sync::BarrierWaitResult::is_leader  fn" {
        fn probe(this: &sync::BarrierWaitResult) -> bool {
            <sync::BarrierWaitResult>::is_leader(this)
        }
    }
    "sync::Condvar  impl Debug for Condvar" {
        fn probe<'v>(value: &'v sync::Condvar) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::Condvar  impl Default for Condvar" {
        fn probe<'v>(value: &'v sync::Condvar) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::Condvar  impl RefUnwindSafe for Condvar" {
        fn probe<'v>(value: &'v sync::Condvar) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::Condvar  impl Send for Condvar" {
        fn probe<'v>(value: &'v sync::Condvar) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::Condvar  impl Sync for Condvar" {
        fn probe<'v>(value: &'v sync::Condvar) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::Condvar  impl UnwindSafe for Condvar" {
        fn probe<'v>(value: &'v sync::Condvar) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::Condvar  struct" {
        fn probe(value: &sync::Condvar) {
            let _ = value;
        }
    }
    "sync::Condvar::new  const fn" {
        const fn probe() -> sync::Condvar {
            <sync::Condvar>::new()
        }
    }
    "sync::Condvar::notify_all  fn" {
        fn probe(this: &sync::Condvar) {
            <sync::Condvar>::notify_all(this)
        }
    }
    "sync::Condvar::notify_one  fn" {
        fn probe(this: &sync::Condvar) {
            <sync::Condvar>::notify_one(this)
        }
    }
    "sync::Condvar::wait  fn" {
        fn probe<'a, T>(
            this: &sync::Condvar,
            guard: sync::MutexGuard<'a, T>,
        ) -> sync::LockResult<sync::MutexGuard<'a, T>> {
            <sync::Condvar>::wait(this, guard)
        }
    }
    "sync::Condvar::wait_timeout  fn" {
        fn probe<'a, T>(
            this: &sync::Condvar,
            guard: sync::MutexGuard<'a, T>,
            dur: time::Duration,
        ) -> sync::LockResult<(sync::MutexGuard<'a, T>, sync::WaitTimeoutResult)> {
            <sync::Condvar>::wait_timeout(this, guard, dur)
        }
    }
    "sync::Condvar::wait_timeout_ms  fn" {
        fn probe<'a, T>(
            this: &sync::Condvar,
            guard: sync::MutexGuard<'a, T>,
            ms: u32,
        ) -> sync::LockResult<(sync::MutexGuard<'a, T>, bool)> {
            <sync::Condvar>::wait_timeout_ms(this, guard, ms)
        }
    }
    "sync::Condvar::wait_timeout_while  fn" {
        fn probe<'a, T, F>(
            this: &sync::Condvar,
            guard: sync::MutexGuard<'a, T>,
            dur: time::Duration,
            condition: F,
        ) -> sync::LockResult<(sync::MutexGuard<'a, T>, sync::WaitTimeoutResult)>
        where
            F: FnMut(&mut T) -> bool,
        {
            <sync::Condvar>::wait_timeout_while(this, guard, dur, condition)
        }
    }
    "sync::Condvar::wait_while  fn" {
        fn probe<'a, T, F>(
            this: &sync::Condvar,
            guard: sync::MutexGuard<'a, T>,
            condition: F,
        ) -> sync::LockResult<sync::MutexGuard<'a, T>>
        where
            F: FnMut(&mut T) -> bool,
        {
            <sync::Condvar>::wait_while(this, guard, condition)
        }
    }
    "sync::LazyLock  impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F>" {
        fn probe<'v, T, F: FnOnce() -> T>(
            value: &'v sync::LazyLock<T, F>,
        ) -> &'v (impl std::ops::Deref<Target = T> + ?Sized) {
            value
        }
    }
    "sync::LazyLock  impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F>" {
        fn probe<'v, T, F: FnOnce() -> T>(
            value: &'v sync::LazyLock<T, F>,
        ) -> &'v (impl std::ops::DerefMut + ?Sized) {
            value
        }
    }
    "sync::LazyLock  impl<T, F> Send for LazyLock<T, F> where T: Send, F: Send" {
        fn probe<'v, T, F>(value: &'v sync::LazyLock<T, F>) -> &'v (impl Send + ?Sized)
        where
            T: Send,
            F: Send,
        {
            value
        }
        refuses!(sync::LazyLock<NotSend, u8>: Send);
        refuses!(sync::LazyLock<u8, NotSend>: Send);
    }
    "sync::LazyLock  impl<T: Debug, F> Debug for LazyLock<T, F>" {
        fn probe<'v, T: std::fmt::Debug, F>(
            value: &'v sync::LazyLock<T, F>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::LazyLock  impl<T: Default> Default for LazyLock<T>" {
        fn probe<'v, T: Default>(value: &'v sync::LazyLock<T>) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::LazyLock  impl<T: RefUnwindSafe + UnwindSafe, F: UnwindSafe> RefUnwindSafe for LazyLock<T, F>" {
        fn probe<'v, T: std::panic::RefUnwindSafe + std::panic::UnwindSafe, F: std::panic::UnwindSafe>(
            value: &'v sync::LazyLock<T, F>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
        refuses!(sync::LazyLock<NotRefUnwindSafe, u8>: std::panic::RefUnwindSafe);
        refuses!(sync::LazyLock<NotUnwindSafe, u8>: std::panic::RefUnwindSafe);
        refuses!(sync::LazyLock<u8, NotUnwindSafe>: std::panic::RefUnwindSafe);
    }
    "sync::LazyLock  impl<T: Sync + Send, F: Send> Sync for LazyLock<T, F>" {
        fn probe<'v, T: Sync + Send, F: Send>(
            value: &'v sync::LazyLock<T, F>,
        ) -> &'v (impl Sync + ?Sized) {
            value
        }
        refuses!(sync::LazyLock<NotSync, u8>: Sync);
        refuses!(sync::LazyLock<NotSend, u8>: Sync);
        refuses!(sync::LazyLock<u8, NotSend>: Sync);
    }
    "sync::LazyLock  impl<T: UnwindSafe, F: UnwindSafe> UnwindSafe for LazyLock<T, F>" {
        fn probe<'v, T: std::panic::UnwindSafe, F: std::panic::UnwindSafe>(
            value: &'v sync::LazyLock<T, F>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
        refuses!(sync::LazyLock<NotUnwindSafe, u8>: std::panic::UnwindSafe);
        refuses!(sync::LazyLock<u8, NotUnwindSafe>: std::panic::UnwindSafe);
    }
    "sync::LazyLock  struct" {
        fn probe<T, F>(value: &sync::LazyLock<T, F>) {
            let _ = value;
        }
        fn default<T>(value: sync::LazyLock<T>) -> sync::LazyLock<T, fn() -> T> {
            value
        }
    }
    "sync::LazyLock::force  fn" {
        fn probe<T, F: FnOnce() -> T>(this: &sync::LazyLock<T, F>) -> &T {
            <sync::LazyLock<T, F>>::force(this)
        }
    }
    "sync::LazyLock::force_mut  fn" {
        fn probe<T, F: FnOnce() -> T>(this: &mut sync::LazyLock<T, F>) -> &mut T {
            <sync::LazyLock<T, F>>::force_mut(this)
        }
    }
    "sync::LazyLock::get  fn" {
        fn probe<T, F>(this: &sync::LazyLock<T, F>) -> Option<&T> {
            <sync::LazyLock<T, F>>::get(this)
        }
    }
    "sync::LazyLock::get_mut  fn" {
        fn probe<T, F>(this: &mut sync::LazyLock<T, F>) -> Option<&mut T> {
            <sync::LazyLock<T, F>>::get_mut(this)
        }
    }
    "sync::LazyLock::new  const fn" {
        const fn probe<T, F: FnOnce() -> T>(f: F) -> sync::LazyLock<T, F> {
            <sync::LazyLock<T, F>>::new(f)
        }
    }
    "sync::LockResult  type" {
        fn probe<T>(value: sync::LockResult<T>) -> Result<T, sync::PoisonError<T>> {
            value
        }
    }
    "sync::Mutex  impl<T: ?Sized + Debug> Debug for Mutex<T>" {
        fn probe<'v, T: ?Sized + std::fmt::Debug>(
            value: &'v sync::Mutex<T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::Mutex  impl<T: ?Sized + Send> Send for Mutex<T>" {
        fn probe<'v, T: ?Sized + Send>(value: &'v sync::Mutex<T>) -> &'v (impl Send + ?Sized) {
            value
        }
        refuses!(sync::Mutex<NotSend>: Send);
    }
    "sync::Mutex  impl<T: ?Sized + Send> Sync for Mutex<T>" {
        fn probe<'v, T: ?Sized + Send>(value: &'v sync::Mutex<T>) -> &'v (impl Sync + ?Sized) {
            value
        }
        refuses!(sync::Mutex<NotSend>: Sync);
    }
    "sync::Mutex  impl<T: ?Sized> RefUnwindSafe for Mutex<T>" {
        fn probe<'v, T: ?Sized>(
            value: &'v sync::Mutex<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::Mutex  impl<T: ?Sized> UnwindSafe for Mutex<T>" {
        fn probe<'v, T: ?Sized>(
            value: &'v sync::Mutex<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::Mutex  impl<T: Default> Default for Mutex<T>" {
        fn probe<'v, T: Default>(value: &'v sync::Mutex<T>) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::Mutex  impl<T> From<T> for Mutex<T>" {
        fn probe<'v, T>(value: &'v sync::Mutex<T>) -> &'v (impl From<T> + ?Sized) {
            value
        }
    }
    "sync::Mutex  struct" {
        fn probe<T: ?Sized>(value: &sync::Mutex<T>) {
            let _ = value;
        }
    }
    "sync::Mutex::clear_poison  fn" {
        fn probe<T: ?Sized>(this: &sync::Mutex<T>) {
            <sync::Mutex<T>>::clear_poison(this)
        }
    }
    "sync::Mutex::get_mut  fn" {
        fn probe<T: ?Sized>(this: &mut sync::Mutex<T>) -> sync::LockResult<&mut T> {
            <sync::Mutex<T>>::get_mut(this)
        }
    }
    "sync::Mutex::into_inner  fn" {
        fn probe<T: ?Sized>(this: sync::Mutex<T>) -> sync::LockResult<T>
        where
            T: Sized,
        {
            <sync::Mutex<T>>::into_inner(this)
        }
    }
    "sync::Mutex::is_poisoned  fn" {
        fn probe<T: ?Sized>(this: &sync::Mutex<T>) -> bool {
            <sync::Mutex<T>>::is_poisoned(this)
        }
    }
    "sync::Mutex::lock  fn" {
        fn probe<T: ?Sized>(this: &sync::Mutex<T>) -> sync::LockResult<sync::MutexGuard<'_, T>> {
            <sync::Mutex<T>>::lock(this)
        }
    }
    "sync::Mutex::new  const fn" {
        const fn probe<T>(t: T) -> sync::Mutex<T> {
            <sync::Mutex<T>>::new(t)
        }
    }
    "sync::Mutex::try_lock  fn" {
        fn probe<T: ?Sized>(this: &sync::Mutex<T>) -> sync::TryLockResult<sync::MutexGuard<'_, T>> {
            <sync::Mutex<T>>::try_lock(this)
        }
    }
    "sync::MutexGuard  impl<'a, T> RefUnwindSafe for MutexGuard<'a, T> where T: ?Sized" {
        fn probe<'v, 'a, T>(
            value: &'v sync::MutexGuard<'a, T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::MutexGuard  impl<'a, T> UnwindSafe for MutexGuard<'a, T> where T: ?Sized" {
        fn probe<'v, 'a, T>(
            value: &'v sync::MutexGuard<'a, T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::MutexGuard  impl<T: ?Sized + Debug> Debug for MutexGuard<'_, T>" {
        fn probe<'v, T: ?Sized + std::fmt::Debug>(
            value: &'v sync::MutexGuard<'_, T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::MutexGuard  impl<T: ?Sized + Display> Display for MutexGuard<'_, T>" {
        fn probe<'v, T: ?Sized + std::fmt::Display>(
            value: &'v sync::MutexGuard<'_, T>,
        ) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "sync::MutexGuard  impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T>" {
        fn probe<'v, T: ?Sized + Sync>(
            value: &'v sync::MutexGuard<'_, T>,
        ) -> &'v (impl Sync + ?Sized) {
            value
        }
        refuses!(sync::MutexGuard<'static, NotSync>: Sync);
    }
    "sync::MutexGuard  impl<T: ?Sized> !Send for MutexGuard<'_, T>" {
        refuses!(sync::MutexGuard<'static, u8>: Send);
    }
    "sync::MutexGuard  impl<T: ?Sized> Deref for MutexGuard<'_, T>" {
        fn probe<'v, T: ?Sized>(
            value: &'v sync::MutexGuard<'_, T>,
        ) -> &'v (impl std::ops::Deref<Target = T> + ?Sized) {
            value
        }
    }
    "sync::MutexGuard  impl<T: ?Sized> DerefMut for MutexGuard<'_, T>" {
        fn probe<'v, T: ?Sized>(
            value: &'v sync::MutexGuard<'_, T>,
        ) -> &'v (impl std::ops::DerefMut + ?Sized) {
            value
        }
    }
    "sync::MutexGuard  struct" {
        fn probe<'a, T: ?Sized + 'a>(value: &sync::MutexGuard<'a, T>) {
            let _ = value;
        }
    }
    "sync::ONCE_INIT  constant" {
        const fn probe() -> sync::Once {
            sync::ONCE_INIT
        }
    }
    "sync::Once  impl Debug for Once" {
        fn probe<'v>(value: &'v sync::Once) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::Once  impl RefUnwindSafe for Once" {
        fn probe<'v>(value: &'v sync::Once) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::Once  impl Send for Once" {
        fn probe<'v>(value: &'v sync::Once) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::Once  impl Sync for Once" {
        fn probe<'v>(value: &'v sync::Once) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::Once  impl UnwindSafe for Once" {
        fn probe<'v>(value: &'v sync::Once) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::Once  struct" {
        fn probe(value: &sync::Once) {
            let _ = value;
        }
    }
    "sync::Once::call_once  fn" {
        fn probe<F>(this: &sync::Once, f: F)
        where
            F: FnOnce(),
        {
            <sync::Once>::call_once(this, f)
        }
    }
    "sync::Once::call_once_force  fn" {
        fn probe<F>(this: &sync::Once, f: F)
        where
            F: FnOnce(&sync::OnceState),
        {
            <sync::Once>::call_once_force(this, f)
        }
    }
    "sync::Once::is_completed  fn" {
        fn probe(this: &sync::Once) -> bool {
            <sync::Once>::is_completed(this)
        }
    }
    "sync::Once::new  const fn" {
        const fn probe() -> sync::Once {
            <sync::Once>::new()
        }
    }
    "sync::Once::wait  fn" {
        fn probe(this: &sync::Once) {
            <sync::Once>::wait(this)
        }
    }
    "sync::Once::wait_force  fn" {
        fn probe(this: &sync::Once) {
            <sync::Once>::wait_force(this)
        }
    }
    "sync::OnceLock  impl<T: Clone> Clone for OnceLock<T>" {
        fn probe<'v, T: Clone>(value: &'v sync::OnceLock<T>) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "sync::OnceLock  impl<T: Debug> Debug for OnceLock<T>" {
        fn probe<'v, T: std::fmt::Debug>(
            value: &'v sync::OnceLock<T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::OnceLock  impl<T: Eq> Eq for OnceLock<T>" {
        fn probe<'v, T: Eq>(value: &'v sync::OnceLock<T>) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "sync::OnceLock  impl<T: PartialEq> PartialEq for OnceLock<T>" {
        fn probe<'v, T: PartialEq>(value: &'v sync::OnceLock<T>) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "sync::OnceLock  impl<T: RefUnwindSafe + UnwindSafe> RefUnwindSafe for OnceLock<T>" {
        fn probe<'v, T: std::panic::RefUnwindSafe + std::panic::UnwindSafe>(
            value: &'v sync::OnceLock<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
        refuses!(sync::OnceLock<NotRefUnwindSafe>: std::panic::RefUnwindSafe);
        refuses!(sync::OnceLock<NotUnwindSafe>: std::panic::RefUnwindSafe);
    }
    "sync::OnceLock  impl<T: Send> Send for OnceLock<T>" {
        fn probe<'v, T: Send>(value: &'v sync::OnceLock<T>) -> &'v (impl Send + ?Sized) {
            value
        }
        refuses!(sync::OnceLock<NotSend>: Send);
    }
    "sync::OnceLock  impl<T: Sync + Send> Sync for OnceLock<T>" {
        fn probe<'v, T: Sync + Send>(value: &'v sync::OnceLock<T>) -> &'v (impl Sync + ?Sized) {
            value
        }
        refuses!(sync::OnceLock<NotSync>: Sync);
        refuses!(sync::OnceLock<NotSend>: Sync);
    }
    "sync::OnceLock  impl<T: UnwindSafe> UnwindSafe for OnceLock<T>" {
        fn probe<'v, T: std::panic::UnwindSafe>(
            value: &'v sync::OnceLock<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
        refuses!(sync::OnceLock<NotUnwindSafe>: std::panic::UnwindSafe);
    }
    "sync::OnceLock  impl<T> Default for OnceLock<T>" {
        fn probe<'v, T>(value: &'v sync::OnceLock<T>) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::OnceLock  impl<T> From<T> for OnceLock<T>" {
        fn probe<'v, T>(value: &'v sync::OnceLock<T>) -> &'v (impl From<T> + ?Sized) {
            value
        }
    }
    "sync::OnceLock  struct" {
        fn probe<T>(value: &sync::OnceLock<T>) {
            let _ = value;
        }
    }
    "sync::OnceLock::get  fn" {
        fn probe<T>(this: &sync::OnceLock<T>) -> Option<&T> {
            <sync::OnceLock<T>>::get(this)
        }
    }
    "sync::OnceLock::get_mut  fn" {
        fn probe<T>(this: &mut sync::OnceLock<T>) -> Option<&mut T> {
            <sync::OnceLock<T>>::get_mut(this)
        }
    }
    "sync::OnceLock::get_or_init  fn" {
        fn probe<T, F>(this: &sync::OnceLock<T>, f: F) -> &T
        where
            F: FnOnce() -> T,
        {
            <sync::OnceLock<T>>::get_or_init(this, f)
        }
    }
    "sync::OnceLock::into_inner  fn" {
        fn probe<T>(this: sync::OnceLock<T>) -> Option<T> {
            <sync::OnceLock<T>>::into_inner(this)
        }
    }
    "sync::OnceLock::new  const fn" {
        const fn probe<T>() -> sync::OnceLock<T> {
            <sync::OnceLock<T>>::new()
        }
    }
    "sync::OnceLock::set  fn" {
        fn probe<T>(this: &sync::OnceLock<T>, value: T) -> Result<(), T> {
            <sync::OnceLock<T>>::set(this, value)
        }
    }
    "sync::OnceLock::take  fn" {
        fn probe<T>(this: &mut sync::OnceLock<T>) -> Option<T> {
            <sync::OnceLock<T>>::take(this)
        }
    }
    "sync::OnceLock::wait  fn" {
        fn probe<T>(this: &sync::OnceLock<T>) -> &T {
            <sync::OnceLock<T>>::wait(this)
        }
    }
    "sync::OnceState  impl !RefUnwindSafe for OnceState" {
        refuses!(sync::OnceState: std::panic::RefUnwindSafe);
    }
    "sync::OnceState  impl !Sync for OnceState" {
        refuses!(sync::OnceState: Sync);
    }
    "sync::OnceState  impl Debug for OnceState" {
        fn probe<'v>(value: &'v sync::OnceState) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::OnceState  impl Send for OnceState" {
        fn probe<'v>(value: &'v sync::OnceState) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::OnceState  impl UnwindSafe for OnceState" {
        fn probe<'v>(value: &'v sync::OnceState) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::OnceState  struct" {
        fn probe(value: &sync::OnceState) {
            let _ = value;
        }
    }
    "sync::OnceState::is_poisoned  fn" {
        fn probe(this: &sync::OnceState) -> bool {
            <sync::OnceState>::is_poisoned(this)
        }
    }
    "sync::PoisonError  impl<T> Debug for PoisonError<T>" {
        fn probe<'v, T>(value: &'v sync::PoisonError<T>) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::PoisonError  impl<T> Display for PoisonError<T>" {
        fn probe<'v, T>(value: &'v sync::PoisonError<T>) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "sync::PoisonError  impl<T> Error for PoisonError<T>" {
        fn probe<'v, T>(value: &'v sync::PoisonError<T>) -> &'v (impl std::error::Error + ?Sized) {
            value
        }
    }
    "sync::PoisonError  impl<T> RefUnwindSafe for PoisonError<T> where T: RefUnwindSafe" {
        fn probe<'v, T>(
            value: &'v sync::PoisonError<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized)
        where
            T: std::panic::RefUnwindSafe,
        {
            value
        }
        refuses!(sync::PoisonError<NotRefUnwindSafe>: std::panic::RefUnwindSafe);
    }
    "sync::PoisonError  impl<T> Send for PoisonError<T> where T: Send" {
        fn probe<'v, T>(value: &'v sync::PoisonError<T>) -> &'v (impl Send + ?Sized)
        where
            T: Send,
        {
            value
        }
        refuses!(sync::PoisonError<NotSend>: Send);
    }
    "sync::PoisonError  impl<T> Sync for PoisonError<T> where T: Sync" {
        fn probe<'v, T>(value: &'v sync::PoisonError<T>) -> &'v (impl Sync + ?Sized)
        where
            T: Sync,
        {
            value
        }
        refuses!(sync::PoisonError<NotSync>: Sync);
    }
    "sync::PoisonError  impl<T> UnwindSafe for PoisonError<T> where T: UnwindSafe" {
        fn probe<'v, T>(
            value: &'v sync::PoisonError<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized)
        where
            T: std::panic::UnwindSafe,
        {
            value
        }
        refuses!(sync::PoisonError<NotUnwindSafe>: std::panic::UnwindSafe);
    }
    "sync::PoisonError  struct" {
        fn probe<T>(value: &sync::PoisonError<T>) {
            let _ = value;
        }
    }
    "sync::PoisonError::get_mut  fn" {
        fn probe<T>(this: &mut sync::PoisonError<T>) -> &mut T {
            <sync::PoisonError<T>>::get_mut(this)
        }
    }
    "sync::PoisonError::get_ref  fn" {
        fn probe<T>(this: &sync::PoisonError<T>) -> &T {
            <sync::PoisonError<T>>::get_ref(this)
        }
    }
    "sync::PoisonError::into_inner  fn" {
        fn probe<T>(this: sync::PoisonError<T>) -> T {
            <sync::PoisonError<T>>::into_inner(this)
        }
    }
    "sync::PoisonError::new  fn" {
        fn probe<T>(data: T) -> sync::PoisonError<T> {
            <sync::PoisonError<T>>::new(data)
        }
    }
    "sync::RwLock  impl<T: ?Sized + Debug> Debug for RwLock<T>" {
        fn probe<'v, T: ?Sized + std::fmt::Debug>(
            value: &'v sync::RwLock<T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::RwLock  impl<T: ?Sized + Send + Sync> Sync for RwLock<T>" {
        fn probe<'v, T: ?Sized + Send + Sync>(
            value: &'v sync::RwLock<T>,
        ) -> &'v (impl Sync + ?Sized) {
            value
        }
        refuses!(sync::RwLock<NotSend>: Sync);
        refuses!(sync::RwLock<NotSync>: Sync);
    }
    "sync::RwLock  impl<T: ?Sized + Send> Send for RwLock<T>" {
        fn probe<'v, T: ?Sized + Send>(value: &'v sync::RwLock<T>) -> &'v (impl Send + ?Sized) {
            value
        }
        refuses!(sync::RwLock<NotSend>: Send);
    }
    "sync::RwLock  impl<T: ?Sized> RefUnwindSafe for RwLock<T>" {
        fn probe<'v, T: ?Sized>(
            value: &'v sync::RwLock<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::RwLock  impl<T: ?Sized> UnwindSafe for RwLock<T>" {
        fn probe<'v, T: ?Sized>(
            value: &'v sync::RwLock<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::RwLock  impl<T: Default> Default for RwLock<T>" {
        fn probe<'v, T: Default>(value: &'v sync::RwLock<T>) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::RwLock  impl<T> From<T> for RwLock<T>" {
        fn probe<'v, T>(value: &'v sync::RwLock<T>) -> &'v (impl From<T> + ?Sized) {
            value
        }
    }
    "sync::RwLock  struct" {
        fn probe<T: ?Sized>(value: &sync::RwLock<T>) {
            let _ = value;
        }
    }
    "sync::RwLock::clear_poison  fn" {
        fn probe<T: ?Sized>(this: &sync::RwLock<T>) {
            <sync::RwLock<T>>::clear_poison(this)
        }
    }
    "sync::RwLock::get_mut  fn" {
        fn probe<T: ?Sized>(this: &mut sync::RwLock<T>) -> sync::LockResult<&mut T> {
            <sync::RwLock<T>>::get_mut(this)
        }
    }
    "sync::RwLock::into_inner  fn" {
        fn probe<T: ?Sized>(this: sync::RwLock<T>) -> sync::LockResult<T>
        where
            T: Sized,
        {
            <sync::RwLock<T>>::into_inner(this)
        }
    }
    "sync::RwLock::is_poisoned  fn" {
        fn probe<T: ?Sized>(this: &sync::RwLock<T>) -> bool {
            <sync::RwLock<T>>::is_poisoned(this)
        }
    }
    "sync::RwLock::new  const fn" {
        const fn probe<T>(t: T) -> sync::RwLock<T> {
            <sync::RwLock<T>>::new(t)
        }
    }
    "sync::RwLock::read  fn" {
        fn probe<T: ?Sized>(
            this: &sync::RwLock<T>,
        ) -> sync::LockResult<sync::RwLockReadGuard<'_, T>> {
            <sync::RwLock<T>>::read(this)
        }
    }
    "sync::RwLock::try_read  fn" {
        fn probe<T: ?Sized>(
            this: &sync::RwLock<T>,
        ) -> sync::TryLockResult<sync::RwLockReadGuard<'_, T>> {
            <sync::RwLock<T>>::try_read(this)
        }
    }
    "sync::RwLock::try_write  fn" {
        fn probe<T: ?Sized>(
            this: &sync::RwLock<T>,
        ) -> sync::TryLockResult<sync::RwLockWriteGuard<'_, T>> {
            <sync::RwLock<T>>::try_write(this)
        }
    }
    "sync::RwLock::write  fn" {
        fn probe<T: ?Sized>(
            this: &sync::RwLock<T>,
        ) -> sync::LockResult<sync::RwLockWriteGuard<'_, T>> {
            <sync::RwLock<T>>::write(this)
        }
    }
    "sync::RwLockReadGuard  impl<'rwlock, T> RefUnwindSafe for RwLockReadGuard<'rwlock, T> where T: RefUnwindSafe + ?Sized" {
        fn probe<'v, 'rwlock, T>(
            value: &'v sync::RwLockReadGuard<'rwlock, T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized)
        where
            T: std::panic::RefUnwindSafe + ?Sized,
        {
            value
        }
        refuses!(sync::RwLockReadGuard<'static, NotRefUnwindSafe>: std::panic::RefUnwindSafe);
    }
    "sync::RwLockReadGuard  impl<'rwlock, T> UnwindSafe for RwLockReadGuard<'rwlock, T> where T: RefUnwindSafe + ?Sized" {
        fn probe<'v, 'rwlock, T>(
            value: &'v sync::RwLockReadGuard<'rwlock, T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized)
        where
            T: std::panic::RefUnwindSafe + ?Sized,
        {
            value
        }
        refuses!(sync::RwLockReadGuard<'static, NotRefUnwindSafe>: std::panic::UnwindSafe);
    }
    "sync::RwLockReadGuard  impl<T: ?Sized + Debug> Debug for RwLockReadGuard<'_, T>" {
        fn probe<'v, T: ?Sized + std::fmt::Debug>(
            value: &'v sync::RwLockReadGuard<'_, T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::RwLockReadGuard  impl<T: ?Sized + Display> Display for RwLockReadGuard<'_, T>" {
        fn probe<'v, T: ?Sized + std::fmt::Display>(
            value: &'v sync::RwLockReadGuard<'_, T>,
        ) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "sync::RwLockReadGuard  impl<T: ?Sized + Sync> Sync for RwLockReadGuard<'_, T>" {
        fn probe<'v, T: ?Sized + Sync>(
            value: &'v sync::RwLockReadGuard<'_, T>,
        ) -> &'v (impl Sync + ?Sized) {
            value
        }
        refuses!(sync::RwLockReadGuard<'static, NotSync>: Sync);
    }
    "sync::RwLockReadGuard  impl<T: ?Sized> !Send for RwLockReadGuard<'_, T>" {
        refuses!(sync::RwLockReadGuard<'static, u8>: Send);
    }
    "sync::RwLockReadGuard  impl<T: ?Sized> Deref for RwLockReadGuard<'_, T>" {
        fn probe<'v, T: ?Sized>(
            value: &'v sync::RwLockReadGuard<'_, T>,
        ) -> &'v (impl std::ops::Deref<Target = T> + ?Sized) {
            value
        }
    }
    "sync::RwLockReadGuard  struct" {
        fn probe<'rwlock, T: ?Sized + 'rwlock>(value: &sync::RwLockReadGuard<'rwlock, T>) {
            let _ = value;
        }
    }
    "sync::RwLockWriteGuard  impl<'rwlock, T> RefUnwindSafe for RwLockWriteGuard<'rwlock, T> where T: ?Sized" {
        fn probe<'v, 'rwlock, T>(
            value: &'v sync::RwLockWriteGuard<'rwlock, T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::RwLockWriteGuard  impl<'rwlock, T> UnwindSafe for RwLockWriteGuard<'rwlock, T> where T: ?Sized" {
        fn probe<'v, 'rwlock, T>(
            value: &'v sync::RwLockWriteGuard<'rwlock, T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::RwLockWriteGuard  impl<T: ?Sized + Debug> Debug for RwLockWriteGuard<'_, T>" {
        fn probe<'v, T: ?Sized + std::fmt::Debug>(
            value: &'v sync::RwLockWriteGuard<'_, T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::RwLockWriteGuard  impl<T: ?Sized + Display> Display for RwLockWriteGuard<'_, T>" {
        fn probe<'v, T: ?Sized + std::fmt::Display>(
            value: &'v sync::RwLockWriteGuard<'_, T>,
        ) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "sync::RwLockWriteGuard  impl<T: ?Sized + Sync> Sync for RwLockWriteGuard<'_, T>" {
        fn probe<'v, T: ?Sized + Sync>(
            value: &'v sync::RwLockWriteGuard<'_, T>,
        ) -> &'v (impl Sync + ?Sized) {
            value
        }
        refuses!(sync::RwLockWriteGuard<'static, NotSync>: Sync);
    }
    "sync::RwLockWriteGuard  impl<T: ?Sized> !Send for RwLockWriteGuard<'_, T>" {
        refuses!(sync::RwLockWriteGuard<'static, u8>: Send);
    }
    "sync::RwLockWriteGuard  impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T>" {
        fn probe<'v, T: ?Sized>(
            value: &'v sync::RwLockWriteGuard<'_, T>,
        ) -> &'v (impl std::ops::Deref<Target = T> + ?Sized) {
            value
        }
    }
    "sync::RwLockWriteGuard  impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T>" {
        fn probe<'v, T: ?Sized>(
            value: &'v sync::RwLockWriteGuard<'_, T>,
        ) -> &'v (impl std::ops::DerefMut + ?Sized) {
            value
        }
    }
    "sync::RwLockWriteGuard  struct" {
        fn probe<'rwlock, T: ?Sized + 'rwlock>(value: &sync::RwLockWriteGuard<'rwlock, T>) {
            let _ = value;
        }
    }
    "sync::RwLockWriteGuard::downgrade  fn" {
        fn probe<'rwlock, T: ?Sized>(
            s: sync::RwLockWriteGuard<'rwlock, T>,
        ) -> sync::RwLockReadGuard<'rwlock, T> {
            <sync::RwLockWriteGuard<'rwlock, T>>::downgrade(s)
        }
    }
    "sync::TryLockError  enum" {
        fn probe<T>(value: sync::TryLockError<T>) {
            match value {
                sync::TryLockError::Poisoned(..) => {}
                sync::TryLockError::WouldBlock => {}
            }
        }
    }
    "sync::TryLockError  impl<T> Debug for TryLockError<T>" {
        fn probe<'v, T>(value: &'v sync::TryLockError<T>) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::TryLockError  impl<T> Display for TryLockError<T>" {
        fn probe<'v, T>(value: &'v sync::TryLockError<T>) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "sync::TryLockError  impl<T> Error for TryLockError<T>" {
        fn probe<'v, T>(value: &'v sync::TryLockError<T>) -> &'v (impl std::error::Error + ?Sized) {
            value
        }
    }
    "sync::TryLockError  impl<T> From<PoisonError<T>> for TryLockError<T>" {
        fn probe<'v, T>(
            value: &'v sync::TryLockError<T>,
        ) -> &'v (impl From<sync::PoisonError<T>> + ?Sized) {
            value
        }
    }
    "sync::TryLockError  impl<T> RefUnwindSafe for TryLockError<T> where T: RefUnwindSafe" {
        fn probe<'v, T>(
            value: &'v sync::TryLockError<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized)
        where
            T: std::panic::RefUnwindSafe,
        {
            value
        }
        refuses!(sync::TryLockError<NotRefUnwindSafe>: std::panic::RefUnwindSafe);
    }
    "sync::TryLockError  impl<T> Send for TryLockError<T> where T: Send" {
        fn probe<'v, T>(value: &'v sync::TryLockError<T>) -> &'v (impl Send + ?Sized)
        where
            T: Send,
        {
            value
        }
        refuses!(sync::TryLockError<NotSend>: Send);
    }
    "sync::TryLockError  impl<T> Sync for TryLockError<T> where T: Sync" {
        fn probe<'v, T>(value: &'v sync::TryLockError<T>) -> &'v (impl Sync + ?Sized)
        where
            T: Sync,
        {
            value
        }
        refuses!(sync::TryLockError<NotSync>: Sync);
    }
    "sync::TryLockError  impl<T> UnwindSafe for TryLockError<T> where T: UnwindSafe" {
        fn probe<'v, T>(
            value: &'v sync::TryLockError<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized)
        where
            T: std::panic::UnwindSafe,
        {
            value
        }
        refuses!(sync::TryLockError<NotUnwindSafe>: std::panic::UnwindSafe);
    }
    "sync::TryLockError::Poisoned  variant" {
        const fn probe<T>(field0: sync::PoisonError<T>) -> sync::TryLockError<T> {
            sync::TryLockError::Poisoned(field0)
        }
    }
    "sync::TryLockError::WouldBlock  variant" {
        const fn probe<T>() -> sync::TryLockError<T> {
            sync::TryLockError::WouldBlock
        }
    }
    "sync::TryLockResult  type" {
        fn probe<Guard>(
            value: sync::TryLockResult<Guard>,
        ) -> Result<Guard, sync::TryLockError<Guard>> {
            value
        }
    }
    "sync::WaitTimeoutResult  impl Clone for WaitTimeoutResult" {
        fn probe<'v>(value: &'v sync::WaitTimeoutResult) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "sync::WaitTimeoutResult  impl Copy for WaitTimeoutResult" {
        fn probe<'v>(value: &'v sync::WaitTimeoutResult) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "sync::WaitTimeoutResult  impl Debug for WaitTimeoutResult" {
        fn probe<'v>(value: &'v sync::WaitTimeoutResult) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::WaitTimeoutResult  impl Eq for WaitTimeoutResult" {
        fn probe<'v>(value: &'v sync::WaitTimeoutResult) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "sync::WaitTimeoutResult  impl PartialEq for WaitTimeoutResult" {
        fn probe<'v>(value: &'v sync::WaitTimeoutResult) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "sync::WaitTimeoutResult  impl RefUnwindSafe for WaitTimeoutResult" {
        fn probe<'v>(
            value: &'v sync::WaitTimeoutResult,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::WaitTimeoutResult  impl Send for WaitTimeoutResult" {
        fn probe<'v>(value: &'v sync::WaitTimeoutResult) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::WaitTimeoutResult  impl Sync for WaitTimeoutResult" {
        fn probe<'v>(value: &'v sync::WaitTimeoutResult) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::WaitTimeoutResult  impl UnwindSafe for WaitTimeoutResult" {
        fn probe<'v>(
            value: &'v sync::WaitTimeoutResult,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::WaitTimeoutResult  struct" {
        fn probe(value: &sync::WaitTimeoutResult) {
            let _ = value;
        }
    }
    "sync::WaitTimeoutResult::timed_out  fn" {
        fn probe(this: &sync::WaitTimeoutResult) -> bool {
            <sync::WaitTimeoutResult>::timed_out(this)
        }
    }
    "sync::Weak  impl<T> Clone for Weak<T> where T: ?Sized" {
        fn probe<'v, T>(value: &'v sync::Weak<T>) -> &'v (impl Clone + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::Weak  impl<T> Debug for Weak<T> where T: ?Sized" {
        fn probe<'v, T>(value: &'v sync::Weak<T>) -> &'v (impl std::fmt::Debug + ?Sized)
        where
            T: ?Sized,
        {
            value
        }
    }
    "sync::Weak  impl<T> Default for Weak<T>" {
        fn probe<'v, T>(value: &'v sync::Weak<T>) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "sync::Weak  impl<T> RefUnwindSafe for Weak<T> where T: RefUnwindSafe + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Weak<T>) -> &'v (impl std::panic::RefUnwindSafe + ?Sized)
        where
            T: std::panic::RefUnwindSafe + ?Sized,
        {
            value
        }
        refuses!(sync::Weak<NotRefUnwindSafe>: std::panic::RefUnwindSafe);
    }
    "sync::Weak  impl<T> Send for Weak<T> where T: Sync + Send + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Weak<T>) -> &'v (impl Send + ?Sized)
        where
            T: Sync + Send + ?Sized,
        {
            value
        }
        refuses!(sync::Weak<NotSync>: Send);
        refuses!(sync::Weak<NotSend>: Send);
    }
    "sync::Weak  impl<T> Sync for Weak<T> where T: Sync + Send + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Weak<T>) -> &'v (impl Sync + ?Sized)
        where
            T: Sync + Send + ?Sized,
        {
            value
        }
        refuses!(sync::Weak<NotSync>: Sync);
        refuses!(sync::Weak<NotSend>: Sync);
    }
    "sync::Weak  impl<T> UnwindSafe for Weak<T> where T: RefUnwindSafe + ?Sized" {
        fn probe<'v, T>(value: &'v sync::Weak<T>) -> &'v (impl std::panic::UnwindSafe + ?Sized)
        where
            T: std::panic::RefUnwindSafe + ?Sized,
        {
            value
        }
        refuses!(sync::Weak<NotRefUnwindSafe>: std::panic::UnwindSafe);
    }
    "sync::Weak  struct" {
        fn probe<T>(value: &sync::Weak<T>)
        where
            T: ?Sized,
        {
            let _ = value;
        }
    }
    "sync::Weak::as_ptr  fn" {
        fn probe<T>(this: &sync::Weak<T>) -> *const T
        where
            T: ?Sized,
        {
            <sync::Weak<T>>::as_ptr(this)
        }
    }
    "sync::Weak::from_raw  unsafe fn" {
        unsafe fn probe<T>(ptr: *const T) -> sync::Weak<T>
        where
            T: ?Sized,
        {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <sync::Weak<T>>::from_raw(ptr) }
        }
    }
    "sync::Weak::into_raw  fn" {
        fn probe<T>(this: sync::Weak<T>) -> *const T
        where
            T: ?Sized,
        {
            <sync::Weak<T>>::into_raw(this)
        }
    }
    "sync::Weak::new  const fn" {
        const fn probe<T>() -> sync::Weak<T> {
            <sync::Weak<T>>::new()
        }
    }
    "sync::Weak::ptr_eq  fn" {
        fn probe<T>(this: &sync::Weak<T>, other: &sync::Weak<T>) -> bool
        where
            T: ?Sized,
        {
            <sync::Weak<T>>::ptr_eq(this, other)
        }
    }
    "sync::Weak::strong_count  fn" {
        fn probe<T>(this: &sync::Weak<T>) -> usize
        where
            T: ?Sized,
        {
            <sync::Weak<T>>::strong_count(this)
        }
    }
    "sync::Weak::upgrade  fn" {
        fn probe<T>(this: &sync::Weak<T>) -> Option<sync::Arc<T>>
        where
            T: ?Sized,
        {
            <sync::Weak<T>>::upgrade(this)
        }
    }
    "sync::Weak::weak_count  fn" {
        fn probe<T>(this: &sync::Weak<T>) -> usize
        where
            T: ?Sized,
        {
            <sync::Weak<T>>::weak_count(this)
        }
    }
}
