//! Has no unsafe code itself; the other member has.
