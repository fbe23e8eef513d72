//! Uses of variables, whether they are atomics or data.

use super::scene::{Names, Scene};
use selvedge_model::{
    Access, AccessKind, Event, Link, ObjectId, ObjectInfo, OperationKind, Role, Site, Spot,
    ThreadId, ValueUse, Variable,
};

/// A variable is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) thread: ThreadId,
    pub(super) variable: Variable,
    pub(super) how: ValueUse,
    pub(super) spot: Spot,
    /// The operation, if it is one.
    pub(super) kind: Option<OperationKind>,
}

impl Use {
    /// The use of an atomic, if the event is one.
    pub(super) fn of_event(event: &Event) -> Option<Self> {
        let meaning = event.meaning();
        let how = match meaning.link {
            Link::Loads | Link::Stores | Link::Updates => meaning.value?,
            _ => return None,
        };
        Some(Self {
            thread: event.thread,
            variable: Variable::Data(event.operation.object),
            how,
            spot: Spot::Line(event.operation.site),
            kind: Some(event.operation.kind),
        })
    }

    /// An access to data.
    pub(super) fn of_access(access: &Access) -> Self {
        let how = match access.kind {
            AccessKind::Read => ValueUse::Reads,
            AccessKind::Write => ValueUse::Writes,
        };
        let Access { thread, variable, spot, .. } = *access;
        Self { thread, variable, how, spot, kind: None }
    }

    /// What it does, in a witness.
    pub(super) const fn does(&self) -> &'static str {
        match self.how {
            ValueUse::Reads => "reads",
            ValueUse::Writes => "writes",
            ValueUse::Updates => "reads and writes",
        }
    }

    /// The part that it plays in a witness.
    pub(super) fn role(&self, does: &str, names: &Names<'_>) -> Role {
        Role {
            thread: names.thread(self.thread),
            does: does.to_owned(),
            kind: self.kind,
            object: match self.variable {
                Variable::Data(object) => names.object(object),
                Variable::Memory { .. } => None,
            },
            at: self.spot.into(),
        }
    }
}

/// What a variable is called in every execution: where its object was made, or used first.
pub(super) fn origin(variable: Variable, scene: &Scene<'_>) -> Option<Site> {
    let Variable::Data(object) = variable else { return None };
    of_object(object, scene.moment.objects)
}

fn of_object(object: ObjectId, objects: &[ObjectInfo]) -> Option<Site> {
    let info = objects.get(object.index())?;
    Some(info.created.unwrap_or(info.first))
}
