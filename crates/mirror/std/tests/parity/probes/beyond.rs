// What programs rely on although no page of std's documentation lists it as an item. The names are
// not those of the inventory.

probes! {
    "variance: a longer lifetime will do where a shorter one is asked for" {
        fn mutex_guard<'l: 's, 's, T>(it: sync::MutexGuard<'l, T>) -> sync::MutexGuard<'s, T> {
            it
        }
        fn read_guard<'l: 's, 's>(
            it: sync::RwLockReadGuard<'l, &'l u8>,
        ) -> sync::RwLockReadGuard<'s, &'s u8> {
            it
        }
        fn write_guard<'l: 's, 's, T>(
            it: sync::RwLockWriteGuard<'l, T>,
        ) -> sync::RwLockWriteGuard<'s, T> {
            it
        }
        fn iter<'l: 's, 's, T>(it: sync::mpsc::Iter<'l, T>) -> sync::mpsc::Iter<'s, T> {
            it
        }
        fn try_iter<'l: 's, 's, T>(it: sync::mpsc::TryIter<'l, T>) -> sync::mpsc::TryIter<'s, T> {
            it
        }
        fn arc<'s>(it: sync::Arc<&'static u8>) -> sync::Arc<&'s u8> {
            it
        }
        fn weak<'s>(it: sync::Weak<&'static u8>) -> sync::Weak<&'s u8> {
            it
        }
        fn poison_error<'s>(it: sync::PoisonError<&'static u8>) -> sync::PoisonError<&'s u8> {
            it
        }
        fn try_lock_error<'s>(it: sync::TryLockError<&'static u8>) -> sync::TryLockError<&'s u8> {
            it
        }
        fn send_error<'s>(it: sync::mpsc::SendError<&'static u8>) -> sync::mpsc::SendError<&'s u8> {
            it
        }
    }
    "coercion: what is inside a lock or behind an Arc may lose its size" {
        fn mutex_slice(it: &sync::Mutex<[u8; 4]>) -> &sync::Mutex<[u8]> {
            it
        }
        fn mutex_object(it: Box<sync::Mutex<u8>>) -> Box<sync::Mutex<dyn std::fmt::Debug + Send>> {
            it
        }
        fn shared_mutex(
            it: sync::Arc<sync::Mutex<u8>>,
        ) -> sync::Arc<sync::Mutex<dyn std::any::Any + Send>> {
            it
        }
        fn rwlock_slice(it: &sync::RwLock<[u8; 4]>) -> &sync::RwLock<[u8]> {
            it
        }
        fn shared_rwlock(
            it: sync::Arc<sync::RwLock<u8>>,
        ) -> sync::Arc<sync::RwLock<dyn std::any::Any>> {
            it
        }
        fn arc(it: sync::Arc<u8>) -> sync::Arc<dyn std::any::Any + Send + Sync> {
            it
        }
        fn weak(it: sync::Weak<u8>) -> sync::Weak<dyn std::any::Any> {
            it
        }
        fn pinned(it: std::pin::Pin<sync::Arc<u8>>) -> std::pin::Pin<sync::Arc<dyn std::any::Any>> {
            it
        }
        fn lazy_text<F: FnOnce() -> String>(it: &sync::LazyLock<String, F>) -> &str {
            it
        }
    }
    "receiver: a method can take an Arc of itself, also through a trait object" {
        trait Task {
            fn run(self: sync::Arc<Self>);
            fn poll(self: std::pin::Pin<sync::Arc<Self>>);
        }
        fn run(task: sync::Arc<dyn Task>) {
            task.run();
        }
    }
    "statics: locks, cells and counters start without any code being run" {
        static MUTEX: sync::Mutex<Vec<u8>> = sync::Mutex::new(Vec::new());
        static RWLOCK: sync::RwLock<Option<String>> = sync::RwLock::new(None);
        static CONDVAR: sync::Condvar = sync::Condvar::new();
        static ONCE: sync::Once = sync::Once::new();
        static ONCE_LOCK: sync::OnceLock<String> = sync::OnceLock::new();
        static LAZY_LOCK: sync::LazyLock<String> = sync::LazyLock::new(|| "lazy".to_owned());
        static BARRIER: sync::Barrier = sync::Barrier::new(2);
        static POINTER: sync::atomic::AtomicPtr<u8> =
            sync::atomic::AtomicPtr::new(std::ptr::null_mut());
        static COUNTERS: [sync::atomic::AtomicUsize; 4] =
            [const { sync::atomic::AtomicUsize::new(0) }; 4];
        static LOCKS: [sync::Mutex<u8>; 4] = [const { sync::Mutex::new(0) }; 4];
        static WEAK: sync::Weak<u8> = sync::Weak::new();
        const TIMEOUT: time::Duration = time::Duration::from_millis(5);
    }
    "layout: an atomic has the size and alignment that its documentation promises" {
        macro_rules! same_size {
            ($($atomic:ident: $plain:ty,)*) => {
                $(const _: () = {
                    assert!(size_of::<sync::atomic::$atomic>() == size_of::<$plain>());
                    assert!(align_of::<sync::atomic::$atomic>() == size_of::<$plain>());
                };)*
            };
        }
        same_size! {
            AtomicBool: bool,
            AtomicI8: i8,
            AtomicI16: i16,
            AtomicI32: i32,
            AtomicI64: i64,
            AtomicIsize: isize,
            AtomicU8: u8,
            AtomicU16: u16,
            AtomicU32: u32,
            AtomicU64: u64,
            AtomicUsize: usize,
        }
        const _: () = assert!(size_of::<sync::atomic::AtomicPtr<u8>>() == size_of::<*mut u8>());
        const _: () = assert!(align_of::<sync::atomic::AtomicPtr<u8>>() == align_of::<*mut u8>());
    }
    "layout: a handle to a thread is a pointer, its identifier a number that is not 0" {
        const _: () = assert!(size_of::<thread::Thread>() == size_of::<usize>());
        const _: () = assert!(size_of::<Option<thread::Thread>>() == size_of::<usize>());
        const _: () = assert!(size_of::<thread::ThreadId>() == size_of::<u64>());
        const _: () = assert!(size_of::<Option<thread::ThreadId>>() == size_of::<u64>());
    }
    "drop check: these may outlive what they borrow, as dropping them does not look at it" {
        fn mutex() {
            let (lock, value);
            value = 1;
            lock = sync::Mutex::new(&value);
            let _ = lock.is_poisoned();
        }
        fn rwlock() {
            let (lock, value);
            value = 1;
            lock = sync::RwLock::new(&value);
            let _ = lock.is_poisoned();
        }
        fn once_lock() {
            let (cell, value);
            value = 1;
            cell = sync::OnceLock::from(&value);
            let _ = cell.get();
        }
        fn arc() {
            let (shared, value);
            value = 1;
            shared = sync::Arc::new(&value);
            let _ = sync::Arc::strong_count(&shared);
        }
        fn poison_error() {
            let (error, value);
            value = 1;
            error = sync::PoisonError::new(&value);
            let _ = error.get_ref();
        }
    }
    "inference: closures and literals need no annotations" {
        fn probe(lock: &sync::Mutex<bool>, condvar: &sync::Condvar, once: &sync::Once) {
            let guard = condvar.wait_while(lock.lock().unwrap(), |waiting| *waiting).unwrap();
            let (guard, timeout) = condvar
                .wait_timeout_while(guard, time::Duration::ZERO, |waiting| !*waiting)
                .unwrap_or_else(sync::PoisonError::into_inner);
            once.call_once_force(|state| {
                assert!(!state.is_poisoned() && timeout.timed_out() && *guard);
            });

            let counter = sync::atomic::AtomicU32::new(0);
            let order = sync::atomic::Ordering::SeqCst;
            let _ = counter.fetch_update(order, order, |value| value.checked_add(1));
            let _ = counter.try_update(order, order, |value| value.checked_add(1));
            let _ = counter.update(order, order, |value| value + 1);
            let swapped = counter.compare_exchange(1, 2, order, sync::atomic::Ordering::Relaxed);
            assert_eq!(swapped, Ok(1));

            let numbers = vec![1, 2, 3];
            let sum = thread::scope(|scope| {
                let handle = scope.spawn(|| numbers.iter().sum::<i32>());
                scope.spawn(|| scope.spawn(|| numbers.len()));
                handle.join().unwrap()
            });
            let (sender, receiver) = sync::mpsc::channel();
            let handle = thread::spawn(move || sender.send(sum));
            assert!(handle.join().is_ok_and(|sent| sent.is_ok()));
            for number in &receiver {
                assert_eq!(number, 6);
            }
            let deadline = time::Instant::now() + time::Duration::from_secs(1) * 2;
            assert!(deadline.elapsed() <= time::Duration::MAX);
            assert_eq!(deadline - deadline, time::Duration::ZERO);
        }
        fn question_marks(lock: &sync::Mutex<u8>) -> Result<(), Box<dyn std::error::Error + '_>> {
            *lock.lock()? += 1;
            *lock.try_lock()? += 1;
            let (sender, receiver) = sync::mpsc::sync_channel::<u8>(1);
            sender.try_send(1)?;
            let _ = receiver.recv_timeout(time::Duration::ZERO)?;
            let _ = time::SystemTime::now().duration_since(time::UNIX_EPOCH)?;
            let _ = thread::available_parallelism()?;
            Ok(())
        }
        fn matches(result: Result<u8, sync::mpsc::TryRecvError>) -> bool {
            use sync::mpsc::TryRecvError;
            matches!(result, Err(TryRecvError::Empty | TryRecvError::Disconnected))
        }
    }
    "elsewhere: other modules of std take and give these types" {
        // The mirror's `SystemTime` is on the virtual clock and so can not be std's own type, which
        // the times of files are made of. Less than parity: they have to be converted.
        fn modified(metadata: &std::fs::Metadata) -> std::io::Result<time::SystemTime> {
            metadata.modified().map(time::SystemTime::from)
        }
        fn set_modified(file: &std::fs::File, time: time::SystemTime) -> std::io::Result<()> {
            file.set_modified(time.into())
        }
        fn file_times(time: time::SystemTime) -> std::fs::FileTimes {
            std::fs::FileTimes::new().set_accessed(time.into()).set_modified(time.into())
        }
        fn read_timeout(
            socket: &std::net::UdpSocket,
            timeout: time::Duration,
        ) -> std::io::Result<Option<time::Duration>> {
            socket.set_read_timeout(Some(timeout))?;
            socket.read_timeout()
        }
        fn caught(task: fn() -> u8) -> thread::Result<u8> {
            std::panic::catch_unwind(task)
        }
        fn waker<W>(task: sync::Arc<W>) -> std::task::Waker
        where
            W: std::task::Wake + Send + Sync + 'static,
        {
            std::task::Waker::from(task)
        }
        fn ordering(it: sync::atomic::Ordering) -> std::sync::atomic::Ordering {
            it
        }
    }
    "future: a future that is made of a function" {
        fn poll_fn<T, F>(f: F) -> future::PollFn<F>
        where
            F: FnMut(&mut std::task::Context<'_>) -> std::task::Poll<T>,
        {
            future::poll_fn(f)
        }
        fn is_a_future<T, F>(it: future::PollFn<F>) -> impl future::Future<Output = T>
        where
            F: FnMut(&mut std::task::Context<'_>) -> std::task::Poll<T>,
        {
            it
        }
        fn debug<F>(it: &future::PollFn<F>) -> &impl std::fmt::Debug {
            it
        }
        fn auto_traits<F>(it: future::PollFn<F>) -> impl Send + Sync + Unpin
        where
            F: Send + Sync + Unpin,
        {
            it
        }
        fn unwind_safe<F>(
            it: future::PollFn<F>,
        ) -> impl std::panic::UnwindSafe + std::panic::RefUnwindSafe
        where
            F: std::panic::UnwindSafe + std::panic::RefUnwindSafe,
        {
            it
        }
        const _: () = assert!(size_of::<future::PollFn<[u8; 3]>>() == 3);
        refuses!(future::PollFn<NotSend>: Send);
        refuses!(future::PollFn<NotSync>: Sync);
        refuses!(future::PollFn<std::marker::PhantomPinned>: Unpin);
        refuses!(future::PollFn<NotUnwindSafe>: std::panic::UnwindSafe);
        refuses!(future::PollFn<NotRefUnwindSafe>: std::panic::RefUnwindSafe);
    }
}
