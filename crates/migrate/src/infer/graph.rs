//! Orderings as a graph: cycles are removed, and what others imply.
//!
//! Source: `minimize` of Figure 6, whose transitive reduction is that of A. Aho, M. Garey, J. Ullman: The
//! Transitive Reduction of a Directed Graph, SIAM J. Comput. 1972, in the simple case of a graph without
//! cycles: an edge goes if there is a longer way.

use super::{Blocking, Node, Ordering};
use std::collections::{BTreeMap, BTreeSet};

/// Edges from earlier to later.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    edges: BTreeMap<Node, BTreeSet<Node>>,
    /// Those at whose ends the thread of the earlier one is blocked.
    blocking: BTreeSet<(Node, Node)>,
}

impl Graph {
    /// The graph of orderings and of what threads do one after the other.
    pub(super) fn new<'a>(
        orderings: impl IntoIterator<Item = &'a Ordering>,
        sequential: &BTreeSet<(Node, Node)>,
    ) -> Self {
        let mut graph = Self::default();
        for ordering in orderings {
            graph.edges.entry(ordering.before).or_default().insert(ordering.after);
            if ordering.blocking == Blocking::Yes {
                graph.blocking.insert((ordering.before, ordering.after));
            }
        }
        for (before, after) in sequential {
            graph.edges.entry(*before).or_default().insert(*after);
        }
        graph
    }

    fn next(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.edges.get(&node).into_iter().flatten().copied()
    }

    /// Whether there is a way of at least one edge.
    pub(super) fn reaches(&self, from: Node, to: Node) -> bool {
        let mut seen = BTreeSet::new();
        let mut todo: Vec<_> = self.next(from).collect();
        while let Some(node) = todo.pop() {
            if node == to {
                return true;
            }
            if seen.insert(node) {
                todo.extend(self.next(node));
            }
        }
        false
    }

    /// Whether an ordering is a part of a cycle.
    pub(super) fn is_cyclic(&self, ordering: &Ordering) -> bool {
        ordering.before == ordering.after || self.reaches(ordering.after, ordering.before)
    }

    /// Whether there is a way of at least two edges, in a graph without cycles. That a thread is
    /// blocked is implied only if it was blocked in the same wait before.
    pub(super) fn is_implied(&self, ordering: &Ordering) -> bool {
        let Ordering { before, blocking, after } = *ordering;
        let says_enough =
            |node: &Node| blocking == Blocking::No || self.blocking.contains(&(before, *node));
        let between = self.next(before).filter(|node| *node != after).filter(says_enough);
        between.into_iter().any(|node| self.reaches(node, after))
    }
}
