// Generated: cargo run -p xtask -- probes

probes! {
    "time  mod" {
        use time as _;
    }
    "time::Duration  impl Add for Duration" {
        fn probe<'v>(
            value: &'v time::Duration,
        ) -> &'v (impl std::ops::Add<Output = time::Duration> + ?Sized) {
            value
        }
    }
    "time::Duration  impl AddAssign for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl std::ops::AddAssign + ?Sized) {
            value
        }
    }
    "time::Duration  impl Clone for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "time::Duration  impl Copy for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "time::Duration  impl Debug for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "time::Duration  impl Default for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl Default + ?Sized) {
            value
        }
    }
    "time::Duration  impl Div<u32> for Duration" {
        fn probe<'v>(
            value: &'v time::Duration,
        ) -> &'v (impl std::ops::Div<u32, Output = time::Duration> + ?Sized) {
            value
        }
    }
    "time::Duration  impl DivAssign<u32> for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl std::ops::DivAssign<u32> + ?Sized) {
            value
        }
    }
    "time::Duration  impl Eq for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "time::Duration  impl Hash for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl std::hash::Hash + ?Sized) {
            value
        }
    }
    "time::Duration  impl Mul<Duration> for u32" {
        fn probe<'v>(
            value: &'v u32,
        ) -> &'v (impl std::ops::Mul<time::Duration, Output = time::Duration> + ?Sized) {
            value
        }
    }
    "time::Duration  impl Mul<u32> for Duration" {
        fn probe<'v>(
            value: &'v time::Duration,
        ) -> &'v (impl std::ops::Mul<u32, Output = time::Duration> + ?Sized) {
            value
        }
    }
    "time::Duration  impl MulAssign<u32> for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl std::ops::MulAssign<u32> + ?Sized) {
            value
        }
    }
    "time::Duration  impl Ord for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl Ord + ?Sized) {
            value
        }
    }
    "time::Duration  impl PartialEq for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "time::Duration  impl PartialOrd for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl PartialOrd + ?Sized) {
            value
        }
    }
    "time::Duration  impl RefUnwindSafe for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "time::Duration  impl Send for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "time::Duration  impl Sub for Duration" {
        fn probe<'v>(
            value: &'v time::Duration,
        ) -> &'v (impl std::ops::Sub<Output = time::Duration> + ?Sized) {
            value
        }
    }
    "time::Duration  impl SubAssign for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl std::ops::SubAssign + ?Sized) {
            value
        }
    }
    "time::Duration  impl Sum for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl std::iter::Sum + ?Sized) {
            value
        }
    }
    "time::Duration  impl Sync for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "time::Duration  impl UnwindSafe for Duration" {
        fn probe<'v>(value: &'v time::Duration) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "time::Duration  impl<'a> Sum<&'a Duration> for Duration" {
        fn probe<'v, 'a>(
            value: &'v time::Duration,
        ) -> &'v (impl std::iter::Sum<&'a time::Duration> + ?Sized) {
            value
        }
    }
    "time::Duration  struct" {
        fn probe(value: &time::Duration) {
            let _ = value;
        }
    }
    "time::Duration::MAX  const" {
        const fn probe() -> time::Duration {
            <time::Duration>::MAX
        }
    }
    "time::Duration::ZERO  const" {
        const fn probe() -> time::Duration {
            <time::Duration>::ZERO
        }
    }
    "time::Duration::abs_diff  const fn" {
        const fn probe(this: time::Duration, other: time::Duration) -> time::Duration {
            <time::Duration>::abs_diff(this, other)
        }
    }
    "time::Duration::as_micros  const fn" {
        const fn probe(this: &time::Duration) -> u128 {
            <time::Duration>::as_micros(this)
        }
    }
    "time::Duration::as_millis  const fn" {
        const fn probe(this: &time::Duration) -> u128 {
            <time::Duration>::as_millis(this)
        }
    }
    "time::Duration::as_nanos  const fn" {
        const fn probe(this: &time::Duration) -> u128 {
            <time::Duration>::as_nanos(this)
        }
    }
    "time::Duration::as_secs  const fn" {
        const fn probe(this: &time::Duration) -> u64 {
            <time::Duration>::as_secs(this)
        }
    }
    "time::Duration::as_secs_f32  const fn" {
        const fn probe(this: &time::Duration) -> f32 {
            <time::Duration>::as_secs_f32(this)
        }
    }
    "time::Duration::as_secs_f64  const fn" {
        const fn probe(this: &time::Duration) -> f64 {
            <time::Duration>::as_secs_f64(this)
        }
    }
    "time::Duration::checked_add  const fn" {
        const fn probe(this: time::Duration, rhs: time::Duration) -> Option<time::Duration> {
            <time::Duration>::checked_add(this, rhs)
        }
    }
    "time::Duration::checked_div  const fn" {
        const fn probe(this: time::Duration, rhs: u32) -> Option<time::Duration> {
            <time::Duration>::checked_div(this, rhs)
        }
    }
    "time::Duration::checked_mul  const fn" {
        const fn probe(this: time::Duration, rhs: u32) -> Option<time::Duration> {
            <time::Duration>::checked_mul(this, rhs)
        }
    }
    "time::Duration::checked_sub  const fn" {
        const fn probe(this: time::Duration, rhs: time::Duration) -> Option<time::Duration> {
            <time::Duration>::checked_sub(this, rhs)
        }
    }
    "time::Duration::div_duration_f32  const fn" {
        const fn probe(this: time::Duration, rhs: time::Duration) -> f32 {
            <time::Duration>::div_duration_f32(this, rhs)
        }
    }
    "time::Duration::div_duration_f64  const fn" {
        const fn probe(this: time::Duration, rhs: time::Duration) -> f64 {
            <time::Duration>::div_duration_f64(this, rhs)
        }
    }
    "time::Duration::div_f32  fn" {
        fn probe(this: time::Duration, rhs: f32) -> time::Duration {
            <time::Duration>::div_f32(this, rhs)
        }
    }
    "time::Duration::div_f64  fn" {
        fn probe(this: time::Duration, rhs: f64) -> time::Duration {
            <time::Duration>::div_f64(this, rhs)
        }
    }
    "time::Duration::from_hours  const fn" {
        const fn probe(hours: u64) -> time::Duration {
            <time::Duration>::from_hours(hours)
        }
    }
    "time::Duration::from_micros  const fn" {
        const fn probe(micros: u64) -> time::Duration {
            <time::Duration>::from_micros(micros)
        }
    }
    "time::Duration::from_millis  const fn" {
        const fn probe(millis: u64) -> time::Duration {
            <time::Duration>::from_millis(millis)
        }
    }
    "time::Duration::from_mins  const fn" {
        const fn probe(mins: u64) -> time::Duration {
            <time::Duration>::from_mins(mins)
        }
    }
    "time::Duration::from_nanos  const fn" {
        const fn probe(nanos: u64) -> time::Duration {
            <time::Duration>::from_nanos(nanos)
        }
    }
    "time::Duration::from_nanos_u128  const fn" {
        const fn probe(nanos: u128) -> time::Duration {
            <time::Duration>::from_nanos_u128(nanos)
        }
    }
    "time::Duration::from_secs  const fn" {
        const fn probe(secs: u64) -> time::Duration {
            <time::Duration>::from_secs(secs)
        }
    }
    "time::Duration::from_secs_f32  fn" {
        fn probe(secs: f32) -> time::Duration {
            <time::Duration>::from_secs_f32(secs)
        }
    }
    "time::Duration::from_secs_f64  fn" {
        fn probe(secs: f64) -> time::Duration {
            <time::Duration>::from_secs_f64(secs)
        }
    }
    "time::Duration::is_zero  const fn" {
        const fn probe(this: &time::Duration) -> bool {
            <time::Duration>::is_zero(this)
        }
    }
    "time::Duration::mul_f32  fn" {
        fn probe(this: time::Duration, rhs: f32) -> time::Duration {
            <time::Duration>::mul_f32(this, rhs)
        }
    }
    "time::Duration::mul_f64  fn" {
        fn probe(this: time::Duration, rhs: f64) -> time::Duration {
            <time::Duration>::mul_f64(this, rhs)
        }
    }
    "time::Duration::new  const fn" {
        const fn probe(secs: u64, nanos: u32) -> time::Duration {
            <time::Duration>::new(secs, nanos)
        }
    }
    "time::Duration::saturating_add  const fn" {
        const fn probe(this: time::Duration, rhs: time::Duration) -> time::Duration {
            <time::Duration>::saturating_add(this, rhs)
        }
    }
    "time::Duration::saturating_mul  const fn" {
        const fn probe(this: time::Duration, rhs: u32) -> time::Duration {
            <time::Duration>::saturating_mul(this, rhs)
        }
    }
    "time::Duration::saturating_sub  const fn" {
        const fn probe(this: time::Duration, rhs: time::Duration) -> time::Duration {
            <time::Duration>::saturating_sub(this, rhs)
        }
    }
    "time::Duration::subsec_micros  const fn" {
        const fn probe(this: &time::Duration) -> u32 {
            <time::Duration>::subsec_micros(this)
        }
    }
    "time::Duration::subsec_millis  const fn" {
        const fn probe(this: &time::Duration) -> u32 {
            <time::Duration>::subsec_millis(this)
        }
    }
    "time::Duration::subsec_nanos  const fn" {
        const fn probe(this: &time::Duration) -> u32 {
            <time::Duration>::subsec_nanos(this)
        }
    }
    "time::Duration::try_from_secs_f32  fn" {
        fn probe(secs: f32) -> Result<time::Duration, time::TryFromFloatSecsError> {
            <time::Duration>::try_from_secs_f32(secs)
        }
    }
    "time::Duration::try_from_secs_f64  fn" {
        fn probe(secs: f64) -> Result<time::Duration, time::TryFromFloatSecsError> {
            <time::Duration>::try_from_secs_f64(secs)
        }
    }
    "time::Instant  impl Add<Duration> for Instant" {
        fn probe<'v>(
            value: &'v time::Instant,
        ) -> &'v (impl std::ops::Add<time::Duration, Output = time::Instant> + ?Sized) {
            value
        }
    }
    "time::Instant  impl AddAssign<Duration> for Instant" {
        fn probe<'v>(
            value: &'v time::Instant,
        ) -> &'v (impl std::ops::AddAssign<time::Duration> + ?Sized) {
            value
        }
    }
    "time::Instant  impl Clone for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "time::Instant  impl Copy for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "time::Instant  impl Debug for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "time::Instant  impl Eq for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "time::Instant  impl Hash for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl std::hash::Hash + ?Sized) {
            value
        }
    }
    "time::Instant  impl Ord for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl Ord + ?Sized) {
            value
        }
    }
    "time::Instant  impl PartialEq for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "time::Instant  impl PartialOrd for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl PartialOrd + ?Sized) {
            value
        }
    }
    "time::Instant  impl RefUnwindSafe for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "time::Instant  impl Send for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "time::Instant  impl Sub for Instant" {
        fn probe<'v>(
            value: &'v time::Instant,
        ) -> &'v (impl std::ops::Sub<Output = time::Duration> + ?Sized) {
            value
        }
    }
    "time::Instant  impl Sub<Duration> for Instant" {
        fn probe<'v>(
            value: &'v time::Instant,
        ) -> &'v (impl std::ops::Sub<time::Duration, Output = time::Instant> + ?Sized) {
            value
        }
    }
    "time::Instant  impl SubAssign<Duration> for Instant" {
        fn probe<'v>(
            value: &'v time::Instant,
        ) -> &'v (impl std::ops::SubAssign<time::Duration> + ?Sized) {
            value
        }
    }
    "time::Instant  impl Sync for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "time::Instant  impl UnwindSafe for Instant" {
        fn probe<'v>(value: &'v time::Instant) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "time::Instant  struct" {
        fn probe(value: &time::Instant) {
            let _ = value;
        }
    }
    "time::Instant::checked_add  fn" {
        fn probe(this: &time::Instant, duration: time::Duration) -> Option<time::Instant> {
            <time::Instant>::checked_add(this, duration)
        }
    }
    "time::Instant::checked_duration_since  fn" {
        fn probe(this: &time::Instant, earlier: time::Instant) -> Option<time::Duration> {
            <time::Instant>::checked_duration_since(this, earlier)
        }
    }
    "time::Instant::checked_sub  fn" {
        fn probe(this: &time::Instant, duration: time::Duration) -> Option<time::Instant> {
            <time::Instant>::checked_sub(this, duration)
        }
    }
    "time::Instant::duration_since  fn" {
        fn probe(this: &time::Instant, earlier: time::Instant) -> time::Duration {
            <time::Instant>::duration_since(this, earlier)
        }
    }
    "time::Instant::elapsed  fn" {
        fn probe(this: &time::Instant) -> time::Duration {
            <time::Instant>::elapsed(this)
        }
    }
    "time::Instant::now  fn" {
        fn probe() -> time::Instant {
            <time::Instant>::now()
        }
    }
    "time::Instant::saturating_duration_since  fn" {
        fn probe(this: &time::Instant, earlier: time::Instant) -> time::Duration {
            <time::Instant>::saturating_duration_since(this, earlier)
        }
    }
    "time::SystemTime  impl Add<Duration> for SystemTime" {
        fn probe<'v>(
            value: &'v time::SystemTime,
        ) -> &'v (impl std::ops::Add<time::Duration, Output = time::SystemTime> + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl AddAssign<Duration> for SystemTime" {
        fn probe<'v>(
            value: &'v time::SystemTime,
        ) -> &'v (impl std::ops::AddAssign<time::Duration> + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl Clone for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl Copy for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl Copy + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl Debug for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl Eq for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl Hash for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl std::hash::Hash + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl Ord for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl Ord + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl PartialEq for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl PartialOrd for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl PartialOrd + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl RefUnwindSafe for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl Send for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl Sub<Duration> for SystemTime" {
        fn probe<'v>(
            value: &'v time::SystemTime,
        ) -> &'v (impl std::ops::Sub<time::Duration, Output = time::SystemTime> + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl SubAssign<Duration> for SystemTime" {
        fn probe<'v>(
            value: &'v time::SystemTime,
        ) -> &'v (impl std::ops::SubAssign<time::Duration> + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl Sync for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "time::SystemTime  impl UnwindSafe for SystemTime" {
        fn probe<'v>(value: &'v time::SystemTime) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "time::SystemTime  struct" {
        fn probe(value: &time::SystemTime) {
            let _ = value;
        }
    }
    "time::SystemTime::UNIX_EPOCH  const" {
        const fn probe() -> time::SystemTime {
            <time::SystemTime>::UNIX_EPOCH
        }
    }
    "time::SystemTime::checked_add  fn" {
        fn probe(this: &time::SystemTime, duration: time::Duration) -> Option<time::SystemTime> {
            <time::SystemTime>::checked_add(this, duration)
        }
    }
    "time::SystemTime::checked_sub  fn" {
        fn probe(this: &time::SystemTime, duration: time::Duration) -> Option<time::SystemTime> {
            <time::SystemTime>::checked_sub(this, duration)
        }
    }
    "time::SystemTime::duration_since  fn" {
        fn probe(
            this: &time::SystemTime,
            earlier: time::SystemTime,
        ) -> Result<time::Duration, time::SystemTimeError> {
            <time::SystemTime>::duration_since(this, earlier)
        }
    }
    "time::SystemTime::elapsed  fn" {
        fn probe(this: &time::SystemTime) -> Result<time::Duration, time::SystemTimeError> {
            <time::SystemTime>::elapsed(this)
        }
    }
    "time::SystemTime::now  fn" {
        fn probe() -> time::SystemTime {
            <time::SystemTime>::now()
        }
    }
    "time::SystemTimeError  impl Clone for SystemTimeError" {
        fn probe<'v>(value: &'v time::SystemTimeError) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "time::SystemTimeError  impl Debug for SystemTimeError" {
        fn probe<'v>(value: &'v time::SystemTimeError) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "time::SystemTimeError  impl Display for SystemTimeError" {
        fn probe<'v>(value: &'v time::SystemTimeError) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "time::SystemTimeError  impl Error for SystemTimeError" {
        fn probe<'v>(value: &'v time::SystemTimeError) -> &'v (impl std::error::Error + ?Sized) {
            value
        }
    }
    "time::SystemTimeError  impl RefUnwindSafe for SystemTimeError" {
        fn probe<'v>(
            value: &'v time::SystemTimeError,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "time::SystemTimeError  impl Send for SystemTimeError" {
        fn probe<'v>(value: &'v time::SystemTimeError) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "time::SystemTimeError  impl Sync for SystemTimeError" {
        fn probe<'v>(value: &'v time::SystemTimeError) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "time::SystemTimeError  impl UnwindSafe for SystemTimeError" {
        fn probe<'v>(
            value: &'v time::SystemTimeError,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "time::SystemTimeError  struct" {
        fn probe(value: &time::SystemTimeError) {
            let _ = value;
        }
    }
    "time::SystemTimeError::duration  fn" {
        fn probe(this: &time::SystemTimeError) -> time::Duration {
            <time::SystemTimeError>::duration(this)
        }
    }
    "time::TryFromFloatSecsError  impl Clone for TryFromFloatSecsError" {
        fn probe<'v>(value: &'v time::TryFromFloatSecsError) -> &'v (impl Clone + ?Sized) {
            value
        }
    }
    "time::TryFromFloatSecsError  impl Debug for TryFromFloatSecsError" {
        fn probe<'v>(
            value: &'v time::TryFromFloatSecsError,
        ) -> &'v (impl std::fmt::Debug + ?Sized) {
            value
        }
    }
    "time::TryFromFloatSecsError  impl Display for TryFromFloatSecsError" {
        fn probe<'v>(
            value: &'v time::TryFromFloatSecsError,
        ) -> &'v (impl std::fmt::Display + ?Sized) {
            value
        }
    }
    "time::TryFromFloatSecsError  impl Eq for TryFromFloatSecsError" {
        fn probe<'v>(value: &'v time::TryFromFloatSecsError) -> &'v (impl Eq + ?Sized) {
            value
        }
    }
    "time::TryFromFloatSecsError  impl Error for TryFromFloatSecsError" {
        fn probe<'v>(
            value: &'v time::TryFromFloatSecsError,
        ) -> &'v (impl std::error::Error + ?Sized) {
            value
        }
    }
    "time::TryFromFloatSecsError  impl PartialEq for TryFromFloatSecsError" {
        fn probe<'v>(value: &'v time::TryFromFloatSecsError) -> &'v (impl PartialEq + ?Sized) {
            value
        }
    }
    "time::TryFromFloatSecsError  impl RefUnwindSafe for TryFromFloatSecsError" {
        fn probe<'v>(
            value: &'v time::TryFromFloatSecsError,
        ) -> &'v (impl std::panic::RefUnwindSafe + ?Sized) {
            value
        }
    }
    "time::TryFromFloatSecsError  impl Send for TryFromFloatSecsError" {
        fn probe<'v>(value: &'v time::TryFromFloatSecsError) -> &'v (impl Send + ?Sized) {
            value
        }
    }
    "time::TryFromFloatSecsError  impl Sync for TryFromFloatSecsError" {
        fn probe<'v>(value: &'v time::TryFromFloatSecsError) -> &'v (impl Sync + ?Sized) {
            value
        }
    }
    "time::TryFromFloatSecsError  impl UnwindSafe for TryFromFloatSecsError" {
        fn probe<'v>(
            value: &'v time::TryFromFloatSecsError,
        ) -> &'v (impl std::panic::UnwindSafe + ?Sized) {
            value
        }
    }
    "time::TryFromFloatSecsError  struct" {
        fn probe(value: &time::TryFromFloatSecsError) {
            let _ = value;
        }
    }
    "time::UNIX_EPOCH  constant" {
        const fn probe() -> time::SystemTime {
            time::UNIX_EPOCH
        }
    }
}
