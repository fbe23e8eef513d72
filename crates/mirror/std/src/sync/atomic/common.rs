//! What all atomics have in common, whatever is in them.

/// Defines an atomic: `Name: value = default`, or `Name<T>: value = default`.
macro_rules! atomic {
    ($(#[$meta:meta])* $name:ident $(<$T:ident>)?: $value:ty = $default:expr) => {
        $(#[$meta])*
        #[repr(transparent)]
        pub struct $name $(<$T>)? {
            real: real::sync::atomic::$name $(<$T>)?,
        }

        impl $(<$T>)? $name $(<$T>)? {
            /// Creates an atomic with the given value.
            #[must_use]
            #[inline]
            pub const fn new(v: $value) -> Self {
                Self { real: real::sync::atomic::$name::new(v) }
            }

            /// Takes the memory behind a pointer for an atomic.
            ///
            /// # Safety
            ///
            /// The pointer must be aligned for this type and valid for reads and writes for all
            /// of `'a`, and nobody may access the memory meanwhile in a way that races with
            /// atomic accesses.
            #[inline]
            pub const unsafe fn from_ptr<'a>(ptr: *mut $value) -> &'a Self {
                // SAFETY: This type is laid out as the real atomic, which is laid out as the
                // value in it but for the alignment, which the caller promises.
                unsafe { &*ptr.cast::<Self>() }
            }

            /// Gives access to the value without an atomic operation: nobody else can reach it.
            #[inline]
            pub fn get_mut(&mut self) -> &mut $value {
                self.real.get_mut()
            }

            /// Consumes the atomic and returns the value.
            #[inline]
            pub const fn into_inner(self) -> $value {
                self.real.into_inner()
            }

            /// Returns a pointer to the value.
            #[inline]
            pub const fn as_ptr(&self) -> *mut $value {
                self.real.as_ptr()
            }

            /// By what the engine knows this atomic.
            #[inline]
            fn word(&self) -> Word {
                let address = real::ptr::from_ref(self).expose_provenance();
                Word { address, size: size_of::<Self>() }
            }

            /// Reads the value.
            #[inline]
            #[track_caller]
            pub fn load(&self, order: Ordering) -> $value {
                match Controlled::current() {
                    Some(controlled) if is_for_loads(order) => {
                        controlled.atomic_load(self.word(), order, Site::caller(), || {
                            let value = self.real.load(order);
                            (value, value.shown())
                        })
                    }
                    _ => self.real.load(order),
                }
            }

            /// Writes the value.
            #[inline]
            #[track_caller]
            pub fn store(&self, val: $value, order: Ordering) {
                match Controlled::current() {
                    Some(controlled) if is_for_stores(order) => {
                        controlled.atomic_store(self.word(), order, Site::caller(), || {
                            self.real.store(val, order);
                            val.shown()
                        });
                    }
                    _ => self.real.store(val, order),
                }
            }

            /// Carries out a read-modify-write and returns what it returns, the value before.
            #[inline]
            #[track_caller]
            fn modify(
                &self,
                order: Ordering,
                modify: impl FnOnce(&real::sync::atomic::$name $(<$T>)?) -> $value,
            ) -> $value {
                match Controlled::current() {
                    Some(controlled) => {
                        controlled.atomic_rmw(self.word(), order, Site::caller(), || {
                            let from = modify(&self.real);
                            // Nobody else under control has run since.
                            let to = self.real.load(Ordering::Relaxed);
                            (from, Value::access(from, to))
                        })
                    }
                    None => modify(&self.real),
                }
            }

            modifications! { $value:
                /// Replaces the value and returns the one before.
                swap($value),
            }

            /// Replaces the value if it is `current`, and returns the one before.
            #[deprecated(
                since = "1.50.0",
                note = "Use `compare_exchange` or `compare_exchange_weak` instead"
            )]
            #[inline]
            #[track_caller]
            pub fn compare_and_swap(
                &self,
                current: $value,
                new: $value,
                order: Ordering,
            ) -> $value {
                match self.compare_exchange(current, new, order, failing(order)) {
                    Ok(before) | Err(before) => before,
                }
            }

            /// Replaces the value if it is `current`, and returns the one found: `Ok` if it was.
            #[inline]
            #[track_caller]
            pub fn compare_exchange(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                match Controlled::current() {
                    Some(controlled) if is_for_loads(failure) => controlled
                        .atomic_compare_exchange(
                            self.word(),
                            current.bits(),
                            (success, failure),
                            Site::caller(),
                            || {
                                let result =
                                    self.real.compare_exchange(current, new, success, failure);
                                (result, exchanged(result, new))
                            },
                        ),
                    _ => self.real.compare_exchange(current, new, success, failure),
                }
            }

            /// Replaces the value if it is `current`, or fails for no reason; returns the one
            /// found.
            #[inline]
            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                match Controlled::current() {
                    Some(controlled) if is_for_loads(failure) => {
                        let (word, site) = (self.word(), Site::caller());
                        let fails = controlled.weak_exchange_fails(word, site);
                        let orders = (success, failure);
                        controlled.atomic_compare_exchange(word, current.bits(), orders, site, || {
                            // Only the engine may make it fail for no reason, not the processor.
                            let result = match fails {
                                true => Err(self.real.load(failure)),
                                false => {
                                    self.real.compare_exchange(current, new, success, failure)
                                }
                            };
                            (result, exchanged(result, new))
                        })
                    }
                    _ => self.real.compare_exchange_weak(current, new, success, failure),
                }
            }

            /// Replaces the value by what `f` makes of it, unless that is `None`; returns the one
            /// before: `Ok` if it was replaced.
            #[inline]
            #[track_caller]
            pub fn fetch_update<F>(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                f: F,
            ) -> Result<$value, $value>
            where
                F: FnMut($value) -> Option<$value>,
            {
                self.try_update(set_order, fetch_order, f)
            }

            /// Replaces the value by what `f` makes of it, unless that is `None`; returns the one
            /// before: `Ok` if it was replaced.
            #[inline]
            #[track_caller]
            pub fn try_update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut f: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                let mut found = self.load(fetch_order);
                while let Some(new) = f(found) {
                    match self.compare_exchange_weak(found, new, set_order, fetch_order) {
                        Ok(before) => return Ok(before),
                        Err(other) => found = other,
                    }
                }
                Err(found)
            }

            /// Replaces the value by what `f` makes of it and returns the one before.
            #[inline]
            #[track_caller]
            pub fn update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut f: impl FnMut($value) -> $value,
            ) -> $value {
                let mut found = self.load(fetch_order);
                loop {
                    let new = f(found);
                    match self.compare_exchange_weak(found, new, set_order, fetch_order) {
                        Ok(before) => return before,
                        Err(other) => found = other,
                    }
                }
            }
        }

        impl $(<$T>)? Default for $name $(<$T>)? {
            fn default() -> Self {
                Self::new($default)
            }
        }

        impl $(<$T>)? From<$value> for $name $(<$T>)? {
            fn from(value: $value) -> Self {
                Self::new(value)
            }
        }

        /// Looks at the value without an operation that others would notice.
        impl $(<$T>)? fmt::Debug for $name $(<$T>)? {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.real, f)
            }
        }
    };
}

/// Defines methods that modify the value and return the one before: `name(type of the argument)`.
macro_rules! modifications {
    ($value:ty: $($(#[$meta:meta])* $name:ident($argument:ty),)+) => {
        $(
            $(#[$meta])*
            #[inline]
            #[track_caller]
            pub fn $name(&self, val: $argument, order: Ordering) -> $value {
                self.modify(order, |real| real.$name(val, order))
            }
        )+
    };
}
