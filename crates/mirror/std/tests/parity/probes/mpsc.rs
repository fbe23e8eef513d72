// Generated: cargo run -p xtask -- probes

probes! {
    "sync::mpsc  mod" {
        use sync::mpsc as _;
    }
    "sync::mpsc::IntoIter  impl<T: Debug> Debug for IntoIter<T>" {
        fn probe<'v, T: std::fmt::Debug>(
            value: &'v sync::mpsc::IntoIter<T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::mpsc::IntoIter  impl<T> !Sync for IntoIter<T>" {
        refuses!(sync::mpsc::IntoIter<u8>: Sync);
    }
    "sync::mpsc::IntoIter  impl<T> Iterator for IntoIter<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::IntoIter<T>,
        ) -> &'v (impl Iterator<Item = T> + ?Sized) {
            value
        }
    }
    "sync::mpsc::IntoIter  impl<T> RefUnwindSafe for IntoIter<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::IntoIter<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::IntoIter  impl<T> Send for IntoIter<T> where T: Send" {
        fn probe<'v, T>(value: &'v sync::mpsc::IntoIter<T>) -> &'v (impl Send + ?Sized)
        where
            T: Send,
        {
            value
        }
        refuses!(sync::mpsc::IntoIter<NotSend>: Send);
    }
    "sync::mpsc::IntoIter  impl<T> UnwindSafe for IntoIter<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::IntoIter<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::IntoIter  struct" {
        fn probe<T>(value: &sync::mpsc::IntoIter<T>) {
            let _ = value;
        }
    }
    "sync::mpsc::Iter  impl<'a, T: Debug + 'a> Debug for Iter<'a, T>" {
        fn probe<'v, 'a, T: std::fmt::Debug + 'a>(
            value: &'v sync::mpsc::Iter<'a, T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::mpsc::Iter  impl<'a, T> !Send for Iter<'a, T>" {
        refuses!(sync::mpsc::Iter<'static, u8>: Send);
    }
    "sync::mpsc::Iter  impl<'a, T> !Sync for Iter<'a, T>" {
        refuses!(sync::mpsc::Iter<'static, u8>: Sync);
    }
    "sync::mpsc::Iter  impl<'a, T> Iterator for Iter<'a, T>" {
        fn probe<'v, 'a, T>(
            value: &'v sync::mpsc::Iter<'a, T>,
        ) -> &'v (impl Iterator<Item = T> + ?Sized) {
            value
        }
    }
    "sync::mpsc::Iter  impl<'a, T> RefUnwindSafe for Iter<'a, T>" {
        fn probe<'v, 'a, T>(
            value: &'v sync::mpsc::Iter<'a, T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::Iter  impl<'a, T> UnwindSafe for Iter<'a, T>" {
        fn probe<'v, 'a, T>(
            value: &'v sync::mpsc::Iter<'a, T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::Iter  struct" {
        fn probe<'a, T: 'a>(value: &sync::mpsc::Iter<'a, T>) {
            let _ = value;
        }
    }
    "sync::mpsc::Receiver  impl<'a, T> IntoIterator for &'a Receiver<T>" {
        fn probe<'v, 'a, T>(
            value: &'v &'a sync::mpsc::Receiver<T>,
        ) -> &'v (impl IntoIterator<Item = T, IntoIter = sync::mpsc::Iter<'a, T>> + ?Sized) {
            value
        }
    }
    "sync::mpsc::Receiver  impl<T: Send> Send for Receiver<T>" {
        fn probe<'v, T: Send>(value: &'v sync::mpsc::Receiver<T>) -> &'v (impl Send + ?Sized) {
            value
        }
        refuses!(sync::mpsc::Receiver<NotSend>: Send);
    }
    "sync::mpsc::Receiver  impl<T> !Sync for Receiver<T>" {
        refuses!(sync::mpsc::Receiver<u8>: Sync);
    }
    "sync::mpsc::Receiver  impl<T> Debug for Receiver<T>" {
        fn probe<'v, T>(value: &'v sync::mpsc::Receiver<T>) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::mpsc::Receiver  impl<T> IntoIterator for Receiver<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::Receiver<T>,
        ) -> &'v (impl IntoIterator<Item = T, IntoIter = sync::mpsc::IntoIter<T>> + ?Sized) {
            value
        }
    }
    "sync::mpsc::Receiver  impl<T> RefUnwindSafe for Receiver<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::Receiver<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::Receiver  impl<T> UnwindSafe for Receiver<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::Receiver<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::Receiver  struct" {
        fn probe<T>(value: &sync::mpsc::Receiver<T>) {
            let _ = value;
        }
    }
    "sync::mpsc::Receiver::iter  fn" {
        fn probe<T>(this: &sync::mpsc::Receiver<T>) -> sync::mpsc::Iter<'_, T> {
            <sync::mpsc::Receiver<T>>::iter(this)
        }
    }
    "sync::mpsc::Receiver::recv  fn" {
        fn probe<T>(this: &sync::mpsc::Receiver<T>) -> Result<T, sync::mpsc::RecvError> {
            <sync::mpsc::Receiver<T>>::recv(this)
        }
    }
    "sync::mpsc::Receiver::recv_timeout  fn" {
        fn probe<T>(
            this: &sync::mpsc::Receiver<T>,
            timeout: time::Duration,
        ) -> Result<T, sync::mpsc::RecvTimeoutError> {
            <sync::mpsc::Receiver<T>>::recv_timeout(this, timeout)
        }
    }
    "sync::mpsc::Receiver::try_iter  fn" {
        fn probe<T>(this: &sync::mpsc::Receiver<T>) -> sync::mpsc::TryIter<'_, T> {
            <sync::mpsc::Receiver<T>>::try_iter(this)
        }
    }
    "sync::mpsc::Receiver::try_recv  fn" {
        fn probe<T>(this: &sync::mpsc::Receiver<T>) -> Result<T, sync::mpsc::TryRecvError> {
            <sync::mpsc::Receiver<T>>::try_recv(this)
        }
    }
    "sync::mpsc::RecvError  impl Clone for RecvError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvError) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvError  impl Copy for RecvError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvError) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvError  impl Debug for RecvError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvError) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvError  impl Display for RecvError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvError) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvError  impl Eq for RecvError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvError) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvError  impl Error for RecvError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvError) -> &'v (impl std::error::Error + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvError  impl PartialEq for RecvError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvError) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvError  impl RefUnwindSafe for RecvError" {
        fn probe<'v>(
            value: &'v sync::mpsc::RecvError,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvError  impl Send for RecvError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvError) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvError  impl Sync for RecvError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvError) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvError  impl UnwindSafe for RecvError" {
        fn probe<'v>(
            value: &'v sync::mpsc::RecvError,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvError  struct" {
        const fn probe() -> sync::mpsc::RecvError {
            sync::mpsc::RecvError
        }
    }
    "sync::mpsc::RecvTimeoutError  enum" {
        fn probe(value: sync::mpsc::RecvTimeoutError) {
            match value {
                sync::mpsc::RecvTimeoutError::Timeout => {}
                sync::mpsc::RecvTimeoutError::Disconnected => {}
            }
        }
    }
    "sync::mpsc::RecvTimeoutError  impl Clone for RecvTimeoutError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvTimeoutError) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError  impl Copy for RecvTimeoutError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvTimeoutError) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError  impl Debug for RecvTimeoutError" {
        fn probe<'v>(
            value: &'v sync::mpsc::RecvTimeoutError,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError  impl Display for RecvTimeoutError" {
        fn probe<'v>(
            value: &'v sync::mpsc::RecvTimeoutError,
        ) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError  impl Eq for RecvTimeoutError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvTimeoutError) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError  impl Error for RecvTimeoutError" {
        fn probe<'v>(
            value: &'v sync::mpsc::RecvTimeoutError,
        ) -> &'v (impl std::error::Error + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError  impl From<RecvError> for RecvTimeoutError" {
        fn probe<'v>(
            value: &'v sync::mpsc::RecvTimeoutError,
        ) -> &'v (impl From<sync::mpsc::RecvError> + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError  impl PartialEq for RecvTimeoutError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvTimeoutError) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError  impl RefUnwindSafe for RecvTimeoutError" {
        fn probe<'v>(
            value: &'v sync::mpsc::RecvTimeoutError,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError  impl Send for RecvTimeoutError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvTimeoutError) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError  impl Sync for RecvTimeoutError" {
        fn probe<'v>(value: &'v sync::mpsc::RecvTimeoutError) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError  impl UnwindSafe for RecvTimeoutError" {
        fn probe<'v>(
            value: &'v sync::mpsc::RecvTimeoutError,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::RecvTimeoutError::Disconnected  variant" {
        const fn probe() -> sync::mpsc::RecvTimeoutError {
            sync::mpsc::RecvTimeoutError::Disconnected
        }
    }
    "sync::mpsc::RecvTimeoutError::Timeout  variant" {
        const fn probe() -> sync::mpsc::RecvTimeoutError {
            sync::mpsc::RecvTimeoutError::Timeout
        }
    }
    "sync::mpsc::SendError  impl<T: Clone> Clone for SendError<T>" {
        fn probe<'v, T: Clone>(value: &'v sync::mpsc::SendError<T>) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "sync::mpsc::SendError  impl<T: Copy> Copy for SendError<T>" {
        fn probe<'v, T: Copy>(value: &'v sync::mpsc::SendError<T>) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "sync::mpsc::SendError  impl<T: Eq> Eq for SendError<T>" {
        fn probe<'v, T: Eq>(value: &'v sync::mpsc::SendError<T>) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "sync::mpsc::SendError  impl<T: PartialEq> PartialEq for SendError<T>" {
        fn probe<'v, T: PartialEq>(
            value: &'v sync::mpsc::SendError<T>,
        ) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "sync::mpsc::SendError  impl<T> Debug for SendError<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::SendError<T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::mpsc::SendError  impl<T> Display for SendError<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::SendError<T>,
        ) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "sync::mpsc::SendError  impl<T> Error for SendError<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::SendError<T>,
        ) -> &'v (impl std::error::Error + ?Sized) {
            value
        }
    }
    "sync::mpsc::SendError  impl<T> RefUnwindSafe for SendError<T> where T: RefUnwindSafe" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::SendError<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized)
        where
            T: std::panic::RefUnwindSafe,
        {
            value
        }
        refuses!(sync::mpsc::SendError<NotRefUnwindSafe>: std::panic::RefUnwindSafe);
    }
    "sync::mpsc::SendError  impl<T> Send for SendError<T> where T: Send" {
        fn probe<'v, T>(value: &'v sync::mpsc::SendError<T>) -> &'v (impl Send + ?Sized)
        where
            T: Send,
        {
            value
        }
        refuses!(sync::mpsc::SendError<NotSend>: Send);
    }
    "sync::mpsc::SendError  impl<T> Sync for SendError<T> where T: Sync" {
        fn probe<'v, T>(value: &'v sync::mpsc::SendError<T>) -> &'v (impl Sync + ?Sized)
        where
            T: Sync,
        {
            value
        }
        refuses!(sync::mpsc::SendError<NotSync>: Sync);
    }
    "sync::mpsc::SendError  impl<T> UnwindSafe for SendError<T> where T: UnwindSafe" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::SendError<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized)
        where
            T: std::panic::UnwindSafe,
        {
            value
        }
        refuses!(sync::mpsc::SendError<NotUnwindSafe>: std::panic::UnwindSafe);
    }
    "sync::mpsc::SendError  struct" {
        const fn probe<T>(field0: T) -> sync::mpsc::SendError<T> {
            sync::mpsc::SendError(field0)
        }
    }
    "sync::mpsc::SendError::0  field" {
        fn probe<T>(value: sync::mpsc::SendError<T>) -> T {
            value.0
        }
    }
    "sync::mpsc::Sender  impl<T: Send> Send for Sender<T>" {
        fn probe<'v, T: Send>(value: &'v sync::mpsc::Sender<T>) -> &'v (impl Send + ?Sized) {
            value
        }
        refuses!(sync::mpsc::Sender<NotSend>: Send);
    }
    "sync::mpsc::Sender  impl<T: Send> Sync for Sender<T>" {
        fn probe<'v, T: Send>(value: &'v sync::mpsc::Sender<T>) -> &'v (impl Sync + ?Sized) {
            value
        }
        refuses!(sync::mpsc::Sender<NotSend>: Sync);
    }
    "sync::mpsc::Sender  impl<T> Clone for Sender<T>" {
        fn probe<'v, T>(value: &'v sync::mpsc::Sender<T>) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "sync::mpsc::Sender  impl<T> Debug for Sender<T>" {
        fn probe<'v, T>(value: &'v sync::mpsc::Sender<T>) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::mpsc::Sender  impl<T> RefUnwindSafe for Sender<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::Sender<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::Sender  impl<T> UnwindSafe for Sender<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::Sender<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::Sender  struct" {
        fn probe<T>(value: &sync::mpsc::Sender<T>) {
            let _ = value;
        }
    }
    "sync::mpsc::Sender::send  fn" {
        fn probe<T>(this: &sync::mpsc::Sender<T>, t: T) -> Result<(), sync::mpsc::SendError<T>> {
            <sync::mpsc::Sender<T>>::send(this, t)
        }
    }
    "sync::mpsc::SyncSender  impl<T: Send> Send for SyncSender<T>" {
        fn probe<'v, T: Send>(value: &'v sync::mpsc::SyncSender<T>) -> &'v (impl Send + ?Sized) {
            value
        }
        refuses!(sync::mpsc::SyncSender<NotSend>: Send);
    }
    "sync::mpsc::SyncSender  impl<T> Clone for SyncSender<T>" {
        fn probe<'v, T>(value: &'v sync::mpsc::SyncSender<T>) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "sync::mpsc::SyncSender  impl<T> Debug for SyncSender<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::SyncSender<T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::mpsc::SyncSender  impl<T> RefUnwindSafe for SyncSender<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::SyncSender<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::SyncSender  impl<T> Sync for SyncSender<T> where T: Send" {
        fn probe<'v, T>(value: &'v sync::mpsc::SyncSender<T>) -> &'v (impl Sync + ?Sized)
        where
            T: Send,
        {
            value
        }
        refuses!(sync::mpsc::SyncSender<NotSend>: Sync);
    }
    "sync::mpsc::SyncSender  impl<T> UnwindSafe for SyncSender<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::SyncSender<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::SyncSender  struct" {
        fn probe<T>(value: &sync::mpsc::SyncSender<T>) {
            let _ = value;
        }
    }
    "sync::mpsc::SyncSender::send  fn" {
        fn probe<T>(
            this: &sync::mpsc::SyncSender<T>,
            t: T,
        ) -> Result<(), sync::mpsc::SendError<T>> {
            <sync::mpsc::SyncSender<T>>::send(this, t)
        }
    }
    "sync::mpsc::SyncSender::try_send  fn" {
        fn probe<T>(
            this: &sync::mpsc::SyncSender<T>,
            t: T,
        ) -> Result<(), sync::mpsc::TrySendError<T>> {
            <sync::mpsc::SyncSender<T>>::try_send(this, t)
        }
    }
    "sync::mpsc::TryIter  impl<'a, T: Debug + 'a> Debug for TryIter<'a, T>" {
        fn probe<'v, 'a, T: std::fmt::Debug + 'a>(
            value: &'v sync::mpsc::TryIter<'a, T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryIter  impl<'a, T> !Send for TryIter<'a, T>" {
        refuses!(sync::mpsc::TryIter<'static, u8>: Send);
    }
    "sync::mpsc::TryIter  impl<'a, T> !Sync for TryIter<'a, T>" {
        refuses!(sync::mpsc::TryIter<'static, u8>: Sync);
    }
    "sync::mpsc::TryIter  impl<'a, T> Iterator for TryIter<'a, T>" {
        fn probe<'v, 'a, T>(
            value: &'v sync::mpsc::TryIter<'a, T>,
        ) -> &'v (impl Iterator<Item = T> + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryIter  impl<'a, T> RefUnwindSafe for TryIter<'a, T>" {
        fn probe<'v, 'a, T>(
            value: &'v sync::mpsc::TryIter<'a, T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryIter  impl<'a, T> UnwindSafe for TryIter<'a, T>" {
        fn probe<'v, 'a, T>(
            value: &'v sync::mpsc::TryIter<'a, T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryIter  struct" {
        fn probe<'a, T: 'a>(value: &sync::mpsc::TryIter<'a, T>) {
            let _ = value;
        }
    }
    "sync::mpsc::TryRecvError  enum" {
        fn probe(value: sync::mpsc::TryRecvError) {
            match value {
                sync::mpsc::TryRecvError::Empty => {}
                sync::mpsc::TryRecvError::Disconnected => {}
            }
        }
    }
    "sync::mpsc::TryRecvError  impl Clone for TryRecvError" {
        fn probe<'v>(value: &'v sync::mpsc::TryRecvError) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError  impl Copy for TryRecvError" {
        fn probe<'v>(value: &'v sync::mpsc::TryRecvError) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError  impl Debug for TryRecvError" {
        fn probe<'v>(value: &'v sync::mpsc::TryRecvError) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError  impl Display for TryRecvError" {
        fn probe<'v>(value: &'v sync::mpsc::TryRecvError) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError  impl Eq for TryRecvError" {
        fn probe<'v>(value: &'v sync::mpsc::TryRecvError) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError  impl Error for TryRecvError" {
        fn probe<'v>(value: &'v sync::mpsc::TryRecvError) -> &'v (impl std::error::Error + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError  impl From<RecvError> for TryRecvError" {
        fn probe<'v>(
            value: &'v sync::mpsc::TryRecvError,
        ) -> &'v (impl From<sync::mpsc::RecvError> + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError  impl PartialEq for TryRecvError" {
        fn probe<'v>(value: &'v sync::mpsc::TryRecvError) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError  impl RefUnwindSafe for TryRecvError" {
        fn probe<'v>(
            value: &'v sync::mpsc::TryRecvError,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError  impl Send for TryRecvError" {
        fn probe<'v>(value: &'v sync::mpsc::TryRecvError) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError  impl Sync for TryRecvError" {
        fn probe<'v>(value: &'v sync::mpsc::TryRecvError) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError  impl UnwindSafe for TryRecvError" {
        fn probe<'v>(
            value: &'v sync::mpsc::TryRecvError,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "sync::mpsc::TryRecvError::Disconnected  variant" {
        const fn probe() -> sync::mpsc::TryRecvError {
            sync::mpsc::TryRecvError::Disconnected
        }
    }
    "sync::mpsc::TryRecvError::Empty  variant" {
        const fn probe() -> sync::mpsc::TryRecvError {
            sync::mpsc::TryRecvError::Empty
        }
    }
    "sync::mpsc::TrySendError  enum" {
        fn probe<T>(value: sync::mpsc::TrySendError<T>) {
            match value {
                sync::mpsc::TrySendError::Full(..) => {}
                sync::mpsc::TrySendError::Disconnected(..) => {}
            }
        }
    }
    "sync::mpsc::TrySendError  impl<T: Clone> Clone for TrySendError<T>" {
        fn probe<'v, T: Clone>(
            value: &'v sync::mpsc::TrySendError<T>,
        ) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "sync::mpsc::TrySendError  impl<T: Copy> Copy for TrySendError<T>" {
        fn probe<'v, T: Copy>(value: &'v sync::mpsc::TrySendError<T>) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "sync::mpsc::TrySendError  impl<T: Eq> Eq for TrySendError<T>" {
        fn probe<'v, T: Eq>(value: &'v sync::mpsc::TrySendError<T>) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "sync::mpsc::TrySendError  impl<T: PartialEq> PartialEq for TrySendError<T>" {
        fn probe<'v, T: PartialEq>(
            value: &'v sync::mpsc::TrySendError<T>,
        ) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "sync::mpsc::TrySendError  impl<T> Debug for TrySendError<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::TrySendError<T>,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "sync::mpsc::TrySendError  impl<T> Display for TrySendError<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::TrySendError<T>,
        ) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "sync::mpsc::TrySendError  impl<T> Error for TrySendError<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::TrySendError<T>,
        ) -> &'v (impl std::error::Error + ?Sized) {
            value
        }
    }
    "sync::mpsc::TrySendError  impl<T> From<SendError<T>> for TrySendError<T>" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::TrySendError<T>,
        ) -> &'v (impl From<sync::mpsc::SendError<T>> + ?Sized) {
            value
        }
    }
    "sync::mpsc::TrySendError  impl<T> RefUnwindSafe for TrySendError<T> where T: RefUnwindSafe" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::TrySendError<T>,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized)
        where
            T: std::panic::RefUnwindSafe,
        {
            value
        }
        refuses!(sync::mpsc::TrySendError<NotRefUnwindSafe>: std::panic::RefUnwindSafe);
    }
    "sync::mpsc::TrySendError  impl<T> Send for TrySendError<T> where T: Send" {
        fn probe<'v, T>(value: &'v sync::mpsc::TrySendError<T>) -> &'v (impl Send + ?Sized)
        where
            T: Send,
        {
            value
        }
        refuses!(sync::mpsc::TrySendError<NotSend>: Send);
    }
    "sync::mpsc::TrySendError  impl<T> Sync for TrySendError<T> where T: Sync" {
        fn probe<'v, T>(value: &'v sync::mpsc::TrySendError<T>) -> &'v (impl Sync + ?Sized)
        where
            T: Sync,
        {
            value
        }
        refuses!(sync::mpsc::TrySendError<NotSync>: Sync);
    }
    "sync::mpsc::TrySendError  impl<T> UnwindSafe for TrySendError<T> where T: UnwindSafe" {
        fn probe<'v, T>(
            value: &'v sync::mpsc::TrySendError<T>,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized)
        where
            T: std::panic::UnwindSafe,
        {
            value
        }
        refuses!(sync::mpsc::TrySendError<NotUnwindSafe>: std::panic::UnwindSafe);
    }
    "sync::mpsc::TrySendError::Disconnected  variant" {
        const fn probe<T>(field0: T) -> sync::mpsc::TrySendError<T> {
            sync::mpsc::TrySendError::Disconnected(field0)
        }
    }
    "sync::mpsc::TrySendError::Full  variant" {
        const fn probe<T>(field0: T) -> sync::mpsc::TrySendError<T> {
            sync::mpsc::TrySendError::Full(field0)
        }
    }
    "sync::mpsc::channel  fn" {
        fn probe<T>() -> (sync::mpsc::Sender<T>, sync::mpsc::Receiver<T>) {
            sync::mpsc::channel()
        }
    }
    "sync::mpsc::sync_channel  fn" {
        fn probe<T>(bound: usize) -> (sync::mpsc::SyncSender<T>, sync::mpsc::Receiver<T>) {
            sync::mpsc::sync_channel(bound)
        }
    }
}
