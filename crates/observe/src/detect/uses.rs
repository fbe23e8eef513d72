//! Uses of variables, whether they are atomics or data.

use super::scene::{Names, Scene};
use selvedge_model::{
    Access, AccessKind, Event, Link, ObjectId, ObjectInfo, OperationKind, Role, Site, Spot,
    ThreadId, Variable,
};

/// How a variable is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum How {
    Read,
    Write,
    /// Read and written in one go.
    Update,
}

impl How {
    /// Whether it changes the variable.
    pub(super) fn writes(self) -> bool {
        self != Self::Read
    }

    pub(super) fn does(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::Write => "writes",
            Self::Update => "reads and writes",
        }
    }
}

/// A variable is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) thread: ThreadId,
    pub(super) variable: Variable,
    pub(super) how: How,
    pub(super) spot: Spot,
    /// The operation, if it is one.
    pub(super) kind: Option<OperationKind>,
}

impl Use {
    /// The use of an atomic, if the event is one.
    pub(super) fn of_event(event: &Event) -> Option<Self> {
        let how = match event.meaning().link {
            Link::Loads => How::Read,
            Link::Stores => How::Write,
            Link::Updates => How::Update,
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
            AccessKind::Read => How::Read,
            AccessKind::Write => How::Write,
        };
        let Access { thread, variable, spot, .. } = *access;
        Self { thread, variable, how, spot, kind: None }
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
