//! What the inventory lists.

use super::signature::{Declaration, Generics, ImplHeader, Signature};

/// One stable, public thing: a type, a method, an implementation of a trait…
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// `sync::Mutex::lock`; for an implementation, the type whose page shows it.
    pub(super) path: String,
    /// `const fn`, `struct`, or the whole header of an implementation.
    pub(super) what: String,
    /// The version that stabilised it.
    pub(super) since: String,
    /// What a probe has to do to use it.
    pub(super) shape: Shape,
}

impl Item {
    /// What identifies the item in the inventory and in the probes.
    pub(super) fn name(&self) -> String {
        format!("{}  {}", self.path, self.what)
    }
}

/// The parts of an item that its probe is made of, with paths that compile.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Module,
    /// A macro's patterns are not documented, so its probe is written by hand.
    Macro,
    /// Something whose signature names an unstable item, so that it can not be repeated on stable.
    Unspeakable,
    Struct(Declaration),
    /// A public field of a tuple struct.
    Field {
        owner: Generics,
        index: usize,
        ty: String,
    },
    Enum {
        declaration: Declaration,
        variants: Vec<Variant>,
    },
    Variant {
        owner: Generics,
        owner_path: String,
        variant: Variant,
    },
    Alias(Declaration),
    Constant {
        ty: String,
    },
    AssociatedConstant {
        owner: ImplHeader,
        name: String,
        ty: String,
    },
    Trait,
    TraitMethod {
        of_trait: String,
        signature: Signature,
    },
    Function(Signature),
    Method {
        owner: ImplHeader,
        signature: Signature,
    },
    /// An implementation of a trait, with its associated types as `Item = T`.
    Impl {
        header: ImplHeader,
        associated: Vec<String>,
    },
}

/// A variant of an enum.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    pub(super) name: String,
    /// The types of its fields; no mirrored enum has named ones.
    pub(super) fields: Vec<String>,
}

/// Everything found, and how much was left out on purpose.
#[derive(Debug, Default)]
pub(super) struct Collection {
    /// Sorted by name.
    pub(super) items: Vec<Item>,
    pub(super) left_out: LeftOut,
}

/// Counts of what is documented but not in the inventory.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// Unstable items; an unstable module or type counts once, with all that is in it.
    pub(super) unstable: usize,
    /// Items of other platforms that std documents everywhere.
    pub(super) other_platforms: usize,
    /// `Drop`, `Unpin` and other markers that no caller can tell apart.
    pub(super) markers: usize,
}
