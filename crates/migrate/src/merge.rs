//! Tests that differ in their sleeps only become one test with several schedules.
//!
//! Source: section 4.3 of V. Jagannath et al.: Improved Multithreaded Unit Testing, ESEC/FSE 2011, where
//! this is done by hand. Two tests are the same if the tokens of their functions are, without names and
//! without the sleeps that are taken away; comments and formatting do not count, and those of the first
//! test stay.

use crate::gap::Gap;
use crate::infer::{Event, Node, Ordering};
use crate::names::choose;
use crate::rewrite::{Case, Migration};
use crate::source::{BlockId, BodyId, Sources, StatementId};
use proc_macro2::TokenStream;
use std::collections::BTreeMap;
use std::ops::Range;

/// Which of these tests belong together: lists of at least two positions.
pub fn groups(sources: &Sources, migrations: &[&Migration]) -> Vec<Vec<usize>> {
    let mut by_skeleton: BTreeMap<(usize, String, String), Vec<usize>> = BTreeMap::new();
    let scheduled = |migration: &Migration| !migration.inferred.orderings.is_empty();
    for (index, migration) in migrations.iter().enumerate().filter(|(_, one)| scheduled(one)) {
        let Some(skeleton) = skeleton(sources, migration) else { continue };
        let file = sources.body(migration.test.body).file;
        let module = migration.test.name.rsplit_once("::").map_or("", |(module, _)| module);
        by_skeleton.entry((file.0, module.to_owned(), skeleton)).or_default().push(index);
    }
    let mut groups: Vec<_> = by_skeleton.into_values().filter(|group| group.len() > 1).collect();
    groups.sort();
    groups
}

/// One test of several that belong together: the first, with the schedules of all.
pub fn merge(sources: &Sources, group: &[&Migration]) -> Option<Migration> {
    let (first, others) = group.split_first()?;
    let own = |migration: &Migration| {
        let name = &migration.test.name;
        name.rsplit("::").next().unwrap_or(name).to_owned()
    };
    let mut inferred = first.inferred.clone();
    let orderings = first.inferred.orderings.clone();
    let mut cases = vec![Case { name: own(first), orderings }];
    for other in others {
        let map = Correspondence::new(sources, first, other)?;
        let orderings: Vec<_> =
            other.inferred.orderings.iter().map(|o| map.ordering(o)).collect::<Option<_>>()?;
        for ordering in &orderings {
            if !inferred.orderings.contains(ordering) {
                inferred.orderings.push(*ordering);
            }
        }
        cases.push(Case { name: own(other), orderings });
    }
    let names = choose(sources, first.test.body, &inferred);
    let absorbed = others.iter().map(|other| other.test.clone()).collect();
    Some(Migration { test: first.test.clone(), inferred, names, cases, absorbed })
}

/// The tokens of a test without its name and its sleeps.
fn skeleton(sources: &Sources, migration: &Migration) -> Option<String> {
    let test = &migration.test;
    let file = sources.body(test.body).file;
    let text = &sources.file(file).text;
    let name = text[test.function.clone()].find(['(', '<'])?;
    let mut holes: Vec<Range<usize>> = migration
        .inferred
        .removed
        .iter()
        .map(|&sleep| sources.statement(sleep).range.clone())
        .collect();
    holes.push(test.attribute.clone());
    holes.push(test.function.start..test.function.start + name);
    holes.sort_by_key(|hole| hole.start);
    let mut rest = String::new();
    let mut done = test.range.start;
    for hole in
        holes.iter().filter(|hole| hole.start >= test.range.start && hole.end <= test.range.end)
    {
        rest.push_str(&text[done..hole.start]);
        done = hole.end;
    }
    rest.push_str(&text[done..test.range.end]);
    // Without its name a function is no item any more, but it is still tokens.
    let tokens: TokenStream = rest.parse().ok()?;
    Some(tokens.to_string())
}

/// What of one test is what of another one.
struct Correspondence {
    statements: BTreeMap<StatementId, StatementId>,
    blocks: BTreeMap<BlockId, BlockId>,
    bodies: BTreeMap<BodyId, BodyId>,
}

impl Correspondence {
    /// From a test to the first one. Nothing if they are not the same after all.
    fn new(sources: &Sources, first: &Migration, other: &Migration) -> Option<Self> {
        let statements = |migration: &Migration| -> Vec<StatementId> {
            let all = sources.statements().map(|(id, _)| id);
            all.filter(|&id| sources.is_within(id, migration.test.body))
                .filter(|id| !migration.inferred.removed.contains(id))
                .collect()
        };
        let bodies = |migration: &Migration| -> Vec<BodyId> {
            sources.bodies_within(migration.test.body).collect()
        };
        let blocks = |migration: &Migration| -> Vec<BlockId> {
            let own = bodies(migration);
            let all = sources.blocks().filter(|(_, block)| own.contains(&block.body));
            all.map(|(id, _)| id).collect()
        };
        Some(Self {
            statements: pairs(statements(other), statements(first))?,
            blocks: pairs(blocks(other), blocks(first))?,
            bodies: pairs(bodies(other), bodies(first))?,
        })
    }

    fn ordering(&self, ordering: &Ordering) -> Option<Ordering> {
        let (before, after) = (self.node(ordering.before)?, self.node(ordering.after)?);
        Some(Ordering { before, blocking: ordering.blocking, after })
    }

    fn node(&self, node: Node) -> Option<Node> {
        let event = match node.event {
            Event::Finished(gap) => Event::Finished(self.gap(gap)?),
            Event::Starting(gap) => Event::Starting(self.gap(gap)?),
            Event::Ended(body) => Event::Ended(*self.bodies.get(&body)?),
        };
        Some(Node { event, occurrence: node.occurrence })
    }

    fn gap(&self, gap: Gap) -> Option<Gap> {
        Some(match gap {
            Gap::Before(statement) => Gap::Before(*self.statements.get(&statement)?),
            Gap::End(block) => Gap::End(*self.blocks.get(&block)?),
        })
    }
}

fn pairs<T: Ord>(from: Vec<T>, to: Vec<T>) -> Option<BTreeMap<T, T>> {
    (from.len() == to.len()).then(|| from.into_iter().zip(to).collect())
}
