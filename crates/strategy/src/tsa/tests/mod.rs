//! The paper's worked example and walk-through, and what each condition cuts.

mod estimation;
mod story;
mod walk_through;
