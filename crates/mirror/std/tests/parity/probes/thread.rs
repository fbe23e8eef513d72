// Generated: cargo run -p xtask -- probes

probes! {
    "thread  mod" {
        use thread as _;
    }
    "thread::AccessError  impl Clone for AccessError" {
        fn probe<'v>(value: &'v thread::AccessError) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "thread::AccessError  impl Copy for AccessError" {
        fn probe<'v>(value: &'v thread::AccessError) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "thread::AccessError  impl Debug for AccessError" {
        fn probe<'v>(value: &'v thread::AccessError) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "thread::AccessError  impl Display for AccessError" {
        fn probe<'v>(value: &'v thread::AccessError) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "thread::AccessError  impl Eq for AccessError" {
        fn probe<'v>(value: &'v thread::AccessError) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "thread::AccessError  impl Error for AccessError" {
        fn probe<'v>(value: &'v thread::AccessError) -> &'v (impl std::error::Error + ?Sized) {
            value
        }
    }
    "thread::AccessError  impl PartialEq for AccessError" {
        fn probe<'v>(value: &'v thread::AccessError) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "thread::AccessError  impl RefUnwindSafe for AccessError" {
        fn probe<'v>(
            value: &'v thread::AccessError,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "thread::AccessError  impl Send for AccessError" {
        fn probe<'v>(value: &'v thread::AccessError) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "thread::AccessError  impl Sync for AccessError" {
        fn probe<'v>(value: &'v thread::AccessError) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "thread::AccessError  impl UnwindSafe for AccessError" {
        fn probe<'v>(value: &'v thread::AccessError) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "thread::AccessError  struct" {
        fn probe(value: &thread::AccessError) {
            let _ = value;
        }
    }
    "thread::Builder  impl Debug for Builder" {
        fn probe<'v>(value: &'v thread::Builder) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "thread::Builder  impl RefUnwindSafe for Builder" {
        fn probe<'v>(value: &'v thread::Builder) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "thread::Builder  impl Send for Builder" {
        fn probe<'v>(value: &'v thread::Builder) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "thread::Builder  impl Sync for Builder" {
        fn probe<'v>(value: &'v thread::Builder) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "thread::Builder  impl UnwindSafe for Builder" {
        fn probe<'v>(value: &'v thread::Builder) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "thread::Builder  struct" {
        fn probe(value: &thread::Builder) {
            let _ = value;
        }
    }
    "thread::Builder::name  fn" {
        fn probe(this: thread::Builder, name: String) -> thread::Builder {
            <thread::Builder>::name(this, name)
        }
    }
    "thread::Builder::new  fn" {
        fn probe() -> thread::Builder {
            <thread::Builder>::new()
        }
    }
    "thread::Builder::spawn  fn" {
        fn probe<F, T>(this: thread::Builder, f: F) -> std::io::Result<thread::JoinHandle<T>>
        where
            F: FnOnce() -> T + Send + 'static,
            T: Send + 'static,
        {
            <thread::Builder>::spawn(this, f)
        }
    }
    "thread::Builder::spawn_scoped  fn" {
        fn probe<'scope, 'env, F, T>(
            this: thread::Builder,
            scope: &'scope thread::Scope<'scope, 'env>,
            f: F,
        ) -> std::io::Result<thread::ScopedJoinHandle<'scope, T>>
        where
            F: FnOnce() -> T + Send + 'scope,
            T: Send + 'scope,
        {
            <thread::Builder>::spawn_scoped(this, scope, f)
        }
    }
    "thread::Builder::spawn_unchecked  unsafe fn" {
        unsafe fn probe<F, T>(
            this: thread::Builder,
            f: F,
        ) -> std::io::Result<thread::JoinHandle<T>>
        where
            F: FnOnce() -> T + Send,
            T: Send,
        {
            // SAFETY: The contract is passed on to the caller.
            unsafe { <thread::Builder>::spawn_unchecked(this, f) }
        }
    }
    "thread::Builder::stack_size  fn" {
        fn probe(this: thread::Builder, size: usize) -> thread::Builder {
            <thread::Builder>::stack_size(this, size)
        }
    }
    "thread::JoinHandle  impl<T> !RefUnwindSafe for JoinHandle<T>" {
        refuses!(thread::JoinHandle<u8>: std::panic::RefUnwindSafe);
    }
    "thread::JoinHandle  impl<T> !UnwindSafe for JoinHandle<T>" {
        refuses!(thread::JoinHandle<u8>: std::panic::UnwindSafe);
    }
    "thread::JoinHandle  impl<T> Debug for JoinHandle<T>" {
        fn probe<'v, T>(value: &'v thread::JoinHandle<T>) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "thread::JoinHandle  impl<T> JoinHandleExt for JoinHandle<T>" {
        fn probe<'v, T>(
            value: &'v thread::JoinHandle<T>,
        ) -> &'v (impl os::unix::thread::JoinHandleExt + ?Sized) {
            value
        }
    }
    "thread::JoinHandle  impl<T> Send for JoinHandle<T>" {
        fn probe<'v, T>(value: &'v thread::JoinHandle<T>) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "thread::JoinHandle  impl<T> Sync for JoinHandle<T>" {
        fn probe<'v, T>(value: &'v thread::JoinHandle<T>) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "thread::JoinHandle  struct" {
        fn probe<T>(value: &thread::JoinHandle<T>) {
            let _ = value;
        }
    }
    "thread::JoinHandle::is_finished  fn" {
        fn probe<T>(this: &thread::JoinHandle<T>) -> bool {
            <thread::JoinHandle<T>>::is_finished(this)
        }
    }
    "thread::JoinHandle::join  fn" {
        fn probe<T>(this: thread::JoinHandle<T>) -> thread::Result<T> {
            <thread::JoinHandle<T>>::join(this)
        }
    }
    "thread::JoinHandle::thread  fn" {
        fn probe<T>(this: &thread::JoinHandle<T>) -> &thread::Thread {
            <thread::JoinHandle<T>>::thread(this)
        }
    }
    "thread::LocalKey  impl<T: 'static> Debug for LocalKey<T>" {
        fn probe<'v, T: 'static>(
            value: &'v thread::LocalKey<T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "thread::LocalKey  impl<T> RefUnwindSafe for LocalKey<T>" {
        fn probe<'v, T>(
            value: &'v thread::LocalKey<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "thread::LocalKey  impl<T> Send for LocalKey<T>" {
        fn probe<'v, T>(value: &'v thread::LocalKey<T>) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "thread::LocalKey  impl<T> Sync for LocalKey<T>" {
        fn probe<'v, T>(value: &'v thread::LocalKey<T>) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "thread::LocalKey  impl<T> UnwindSafe for LocalKey<T>" {
        fn probe<'v, T>(
            value: &'v thread::LocalKey<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "thread::LocalKey  struct" {
        fn probe<T: 'static>(value: &thread::LocalKey<T>) {
            let _ = value;
        }
    }
    "thread::LocalKey::try_with  fn" {
        fn probe<T: 'static, F, R>(
            this: &'static thread::LocalKey<T>,
            f: F,
        ) -> Result<R, thread::AccessError>
        where
            F: FnOnce(&T) -> R,
        {
            <thread::LocalKey<T>>::try_with(this, f)
        }
    }
    "thread::LocalKey::with  fn" {
        fn probe<T: 'static, F, R>(this: &'static thread::LocalKey<T>, f: F) -> R
        where
            F: FnOnce(&T) -> R,
        {
            <thread::LocalKey<T>>::with(this, f)
        }
    }
    "thread::LocalKey<Cell<T>>::get  fn" {
        fn probe<T: 'static>(this: &'static thread::LocalKey<std::cell::Cell<T>>) -> T
        where
            T: Copy,
        {
            <thread::LocalKey<std::cell::Cell<T>>>::get(this)
        }
    }
    "thread::LocalKey<Cell<T>>::replace  fn" {
        fn probe<T: 'static>(this: &'static thread::LocalKey<std::cell::Cell<T>>, value: T) -> T {
            <thread::LocalKey<std::cell::Cell<T>>>::replace(this, value)
        }
    }
    "thread::LocalKey<Cell<T>>::set  fn" {
        fn probe<T: 'static>(this: &'static thread::LocalKey<std::cell::Cell<T>>, value: T) {
            <thread::LocalKey<std::cell::Cell<T>>>::set(this, value)
        }
    }
    "thread::LocalKey<Cell<T>>::take  fn" {
        fn probe<T: 'static>(this: &'static thread::LocalKey<std::cell::Cell<T>>) -> T
        where
            T: Default,
        {
            <thread::LocalKey<std::cell::Cell<T>>>::take(this)
        }
    }
    "thread::LocalKey<RefCell<T>>::replace  fn" {
        fn probe<T: 'static>(
            this: &'static thread::LocalKey<std::cell::RefCell<T>>,
            value: T,
        ) -> T {
            <thread::LocalKey<std::cell::RefCell<T>>>::replace(this, value)
        }
    }
    "thread::LocalKey<RefCell<T>>::set  fn" {
        fn probe<T: 'static>(this: &'static thread::LocalKey<std::cell::RefCell<T>>, value: T) {
            <thread::LocalKey<std::cell::RefCell<T>>>::set(this, value)
        }
    }
    "thread::LocalKey<RefCell<T>>::take  fn" {
        fn probe<T: 'static>(this: &'static thread::LocalKey<std::cell::RefCell<T>>) -> T
        where
            T: Default,
        {
            <thread::LocalKey<std::cell::RefCell<T>>>::take(this)
        }
    }
    "thread::LocalKey<RefCell<T>>::with_borrow  fn" {
        fn probe<T: 'static, F, R>(
            this: &'static thread::LocalKey<std::cell::RefCell<T>>,
            f: F,
        ) -> R
        where
            F: FnOnce(&T) -> R,
        {
            <thread::LocalKey<std::cell::RefCell<T>>>::with_borrow(this, f)
        }
    }
    "thread::LocalKey<RefCell<T>>::with_borrow_mut  fn" {
        fn probe<T: 'static, F, R>(
            this: &'static thread::LocalKey<std::cell::RefCell<T>>,
            f: F,
        ) -> R
        where
            F: FnOnce(&mut T) -> R,
        {
            <thread::LocalKey<std::cell::RefCell<T>>>::with_borrow_mut(this, f)
        }
    }
    "thread::Result  type" {
        fn probe<T>(
            value: thread::Result<T>,
        ) -> Result<T, Box<dyn std::any::Any + Send + 'static>> {
            value
        }
    }
    "thread::Scope  impl Debug for Scope<'_, '_>" {
        fn probe<'v>(value: &'v thread::Scope<'_, '_>) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "thread::Scope  impl<'scope, 'env> !UnwindSafe for Scope<'scope, 'env>" {
        refuses!(thread::Scope<'static, 'static>: std::panic::UnwindSafe);
    }
    "thread::Scope  impl<'scope, 'env> RefUnwindSafe for Scope<'scope, 'env>" {
        fn probe<'v, 'scope, 'env>(
            value: &'v thread::Scope<'scope, 'env>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "thread::Scope  impl<'scope, 'env> Send for Scope<'scope, 'env>" {
        fn probe<'v, 'scope, 'env>(
            value: &'v thread::Scope<'scope, 'env>,
        ) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "thread::Scope  impl<'scope, 'env> Sync for Scope<'scope, 'env>" {
        fn probe<'v, 'scope, 'env>(
            value: &'v thread::Scope<'scope, 'env>,
        ) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "thread::Scope  struct" {
        fn probe<'scope, 'env: 'scope>(value: &thread::Scope<'scope, 'env>) {
            let _ = value;
        }
    }
    "thread::Scope::spawn  fn" {
        fn probe<'scope, 'env, F, T>(
            this: &'scope thread::Scope<'scope, 'env>,
            f: F,
        ) -> thread::ScopedJoinHandle<'scope, T>
        where
            F: FnOnce() -> T + Send + 'scope,
            T: Send + 'scope,
        {
            <thread::Scope<'scope, 'env>>::spawn(this, f)
        }
    }
    "thread::ScopedJoinHandle  impl<'scope, T> !RefUnwindSafe for ScopedJoinHandle<'scope, T>" {
        refuses!(thread::ScopedJoinHandle<'static, u8>: std::panic::RefUnwindSafe);
    }
    "thread::ScopedJoinHandle  impl<'scope, T> !UnwindSafe for ScopedJoinHandle<'scope, T>" {
        refuses!(thread::ScopedJoinHandle<'static, u8>: std::panic::UnwindSafe);
    }
    "thread::ScopedJoinHandle  impl<'scope, T> Debug for ScopedJoinHandle<'scope, T>" {
        fn probe<'v, 'scope, T>(
            value: &'v thread::ScopedJoinHandle<'scope, T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "thread::ScopedJoinHandle  impl<'scope, T> Send for ScopedJoinHandle<'scope, T> where T: Send" {
        fn probe<'v, 'scope, T>(
            value: &'v thread::ScopedJoinHandle<'scope, T>,
        ) -> &'v (impl Send + ?Sized)
        where
            T: Send,
        {
            value
        }
        refuses!(thread::ScopedJoinHandle<'static, NotSend>: Send);
    }
    "thread::ScopedJoinHandle  impl<'scope, T> Sync for ScopedJoinHandle<'scope, T> where T: Send" {
        fn probe<'v, 'scope, T>(
            value: &'v thread::ScopedJoinHandle<'scope, T>,
        ) -> &'v (impl Sync + ?Sized)
        where
            T: Send,
        {
            value
        }
        refuses!(thread::ScopedJoinHandle<'static, NotSend>: Sync);
    }
    "thread::ScopedJoinHandle  struct" {
        fn probe<'scope, T>(value: &thread::ScopedJoinHandle<'scope, T>) {
            let _ = value;
        }
    }
    "thread::ScopedJoinHandle::is_finished  fn" {
        fn probe<'scope, T>(this: &thread::ScopedJoinHandle<'scope, T>) -> bool {
            <thread::ScopedJoinHandle<'scope, T>>::is_finished(this)
        }
    }
    "thread::ScopedJoinHandle::join  fn" {
        fn probe<'scope, T>(this: thread::ScopedJoinHandle<'scope, T>) -> thread::Result<T> {
            <thread::ScopedJoinHandle<'scope, T>>::join(this)
        }
    }
    "thread::ScopedJoinHandle::thread  fn" {
        fn probe<'scope, 'this, T>(
            this: &'this thread::ScopedJoinHandle<'scope, T>,
        ) -> &'this thread::Thread {
            <thread::ScopedJoinHandle<'scope, T>>::thread(this)
        }
    }
    "thread::Thread  impl Clone for Thread" {
        fn probe<'v>(value: &'v thread::Thread) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "thread::Thread  impl Debug for Thread" {
        fn probe<'v>(value: &'v thread::Thread) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "thread::Thread  impl RefUnwindSafe for Thread" {
        fn probe<'v>(value: &'v thread::Thread) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "thread::Thread  impl Send for Thread" {
        fn probe<'v>(value: &'v thread::Thread) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "thread::Thread  impl Sync for Thread" {
        fn probe<'v>(value: &'v thread::Thread) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "thread::Thread  impl UnwindSafe for Thread" {
        fn probe<'v>(value: &'v thread::Thread) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "thread::Thread  struct" {
        fn probe(value: &thread::Thread) {
            let _ = value;
        }
    }
    "thread::Thread::id  fn" {
        fn probe(this: &thread::Thread) -> thread::ThreadId {
            <thread::Thread>::id(this)
        }
    }
    "thread::Thread::name  fn" {
        fn probe(this: &thread::Thread) -> Option<&str> {
            <thread::Thread>::name(this)
        }
    }
    "thread::Thread::unpark  fn" {
        fn probe(this: &thread::Thread) {
            <thread::Thread>::unpark(this)
        }
    }
    "thread::ThreadId  impl Clone for ThreadId" {
        fn probe<'v>(value: &'v thread::ThreadId) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "thread::ThreadId  impl Copy for ThreadId" {
        fn probe<'v>(value: &'v thread::ThreadId) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "thread::ThreadId  impl Debug for ThreadId" {
        fn probe<'v>(value: &'v thread::ThreadId) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "thread::ThreadId  impl Eq for ThreadId" {
        fn probe<'v>(value: &'v thread::ThreadId) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "thread::ThreadId  impl Hash for ThreadId" {
        fn probe<'v>(value: &'v thread::ThreadId) -> &'v (impl std::hash::Hash + ?Sized) {
            value
        }
    }
    "thread::ThreadId  impl PartialEq for ThreadId" {
        fn probe<'v>(value: &'v thread::ThreadId) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "thread::ThreadId  impl RefUnwindSafe for ThreadId" {
        fn probe<'v>(value: &'v thread::ThreadId) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "thread::ThreadId  impl Send for ThreadId" {
        fn probe<'v>(value: &'v thread::ThreadId) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "thread::ThreadId  impl Sync for ThreadId" {
        fn probe<'v>(value: &'v thread::ThreadId) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "thread::ThreadId  impl UnwindSafe for ThreadId" {
        fn probe<'v>(value: &'v thread::ThreadId) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "thread::ThreadId  struct" {
        fn probe(value: &thread::ThreadId) {
            let _ = value;
        }
    }
    "thread::available_parallelism  fn" {
        fn probe() -> std::io::Result<std::num::NonZero<usize>> {
            thread::available_parallelism()
        }
    }
    "thread::current  fn" {
        fn probe() -> thread::Thread {
            thread::current()
        }
    }
    "thread::panicking  fn" {
        fn probe() -> bool {
            thread::panicking()
        }
    }
    "thread::park  fn" {
        fn probe() {
            thread::park()
        }
    }
    "thread::park_timeout  fn" {
        fn probe(dur: time::Duration) {
            thread::park_timeout(dur)
        }
    }
    "thread::park_timeout_ms  fn" {
        fn probe(ms: u32) {
            thread::park_timeout_ms(ms)
        }
    }
    "thread::scope  fn" {
        fn probe<'env, F, T>(f: F) -> T
        where
            F: for<'scope> FnOnce(&'scope thread::Scope<'scope, 'env>) -> T,
        {
            thread::scope(f)
        }
    }
    "thread::sleep  fn" {
        fn probe(dur: time::Duration) {
            thread::sleep(dur)
        }
    }
    "thread::sleep_ms  fn" {
        fn probe(ms: u32) {
            thread::sleep_ms(ms)
        }
    }
    "thread::spawn  fn" {
        fn probe<F, T>(f: F) -> thread::JoinHandle<T>
        where
            F: FnOnce() -> T + Send + 'static,
            T: Send + 'static,
        {
            thread::spawn(f)
        }
    }
    "thread::yield_now  fn" {
        fn probe() {
            thread::yield_now()
        }
    }
}
