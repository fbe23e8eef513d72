//! Results as texts: what can be printed is printed, anything else is a blank.
//!
//! Which of the two it is, is known to the compiler of the harness alone. So both traits have a method of the same
//! name, and method lookup finds the one for what can be printed first, with one reference less.

use crate::context::Context;
use std::fmt::Debug;

/// A result.
pub struct Shown<R>(pub R);

/// For results that can be printed.
pub trait ShowDebug {
    /// Prints it.
    fn text(&self) -> String;
}

impl<R: Debug> ShowDebug for Shown<R> {
    fn text(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// For all others.
pub trait ShowNothing {
    /// A blank.
    fn text(&self) -> String;
}

impl<R> ShowNothing for &Shown<R> {
    fn text(&self) -> String {
        "_".to_owned()
    }
}

/// A result as text.
#[macro_export]
macro_rules! text {
    ($result:expr) => {{
        #[allow(unused_imports, reason = "a result needs one of the two")]
        use $crate::{ShowDebug as _, ShowNothing as _};
        let shown = $crate::Shown($result);
        (&shown).text()
    }};
}

/// Keeps the result of a call.
#[macro_export]
macro_rules! show {
    ($context:expr, $result:expr) => {{
        let text = $crate::text!($result);
        $context.put(format_args!("{text}"));
    }};
}

/// Texts of elements that come in no particular order.
pub fn sorted(context: &mut Context, mut texts: Vec<String>) {
    texts.sort();
    context.put(format_args!("[{}]", texts.join(", ")));
}
