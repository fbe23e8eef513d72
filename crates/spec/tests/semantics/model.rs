//! Small models: what three threads can do.

use selvedge_spec::{Action, Letter, ThreadKey};

/// The threads of a model, by their names. One has none.
pub(crate) type Names = [Option<&'static str>; 3];

/// Every thread can be told from the others.
pub(crate) const APART: Names = [Some("t"), Some("u"), None];
/// Two are named alike.
pub(crate) const ALIKE: Names = [Some("t"), Some("t"), Some("u")];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    Before,
    Running,
    Blocked,
    After,
}

/// Where the threads are.
#[derive(Clone)]
pub(crate) struct Threads {
    names: Names,
    lives: [Life; 3],
}

impl Threads {
    pub(crate) fn new(names: Names) -> Self {
        Self { names, lives: [Life::Before; 3] }
    }

    /// All that can happen next, if threads do only what is in the alphabet.
    pub(crate) fn next(&self, alphabet: &[Action<'static>]) -> Vec<Letter<'static>> {
        let mut next = Vec::new();
        for (index, life) in self.lives.iter().enumerate() {
            for action in alphabet {
                let can = match (life, action) {
                    // Threads whose beginning is of no interest have begun.
                    (Life::Before, Action::Start) => true,
                    (Life::Before, Action::Unblock) => false,
                    (Life::Before, _) => !alphabet.contains(&Action::Start),
                    (Life::Running, Action::Start | Action::Unblock) => false,
                    (Life::Running, _) => true,
                    // Whose wait is ended with it.
                    (Life::Blocked, action) => matches!(action, Action::Unblock | Action::End),
                    (Life::After, _) => false,
                };
                if can {
                    next.push(Letter {
                        action: *action,
                        thread: ThreadKey(u32::try_from(index).expect("three")),
                        name: self.names[index],
                    });
                }
            }
        }
        next
    }

    /// The letter happens.
    pub(crate) fn step(&mut self, letter: &Letter<'_>) {
        self.lives[letter.thread.0 as usize] = match letter.action {
            Action::Start | Action::Unblock | Action::Event(_) => Life::Running,
            Action::Block => Life::Blocked,
            Action::End => Life::After,
        };
    }
}
