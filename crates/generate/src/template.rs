//! Code with places for arguments.
//!
//! The same call stands in a harness, where its arguments come from the test that is interpreted, and in a test that is
//! written for people, where they are literals.

use std::fmt::Write as _;

/// A piece of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Code as it is.
    Text(String),
    /// The value that this argument says.
    Value(usize),
    /// The number that this argument says, of a primitive type.
    Number(usize, String),
    /// A value that is always the same.
    Fixed(u64),
    /// The type of values.
    ValueType,
    /// The part that is called.
    Object,
    /// Others may come in here.
    Step,
}

/// Code with places for arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template(pub Vec<Piece>);

/// What goes into the places.
#[derive(Clone, Copy, Debug)]
pub enum Filling<'a> {
    /// What the context of a call in a harness has.
    Harness,
    /// Literals.
    Literals(Literals<'a>),
}

/// What goes into a test for people.
#[derive(Clone, Copy, Debug)]
pub struct Literals<'a> {
    /// The arguments.
    pub arguments: &'a [u64],
    /// The name of the part that is called.
    pub object: &'a str,
    /// What values are.
    pub values: Plain,
}

/// What takes the place of values in a test for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// Numbers.
    Numbers,
    /// A type of the test's own that counts its instances.
    Counted,
}

impl Plain {
    fn value(self, value: u64) -> String {
        match self {
            Self::Numbers => format!("{value}u64"),
            Self::Counted => format!("Value::new({value})"),
        }
    }

    fn type_name(self) -> &'static str {
        match self {
            Self::Numbers => "u64",
            Self::Counted => "Value",
        }
    }
}

impl Template {
    /// Code without places.
    pub fn text(text: impl Into<String>) -> Self {
        Self(vec![Piece::Text(text.into())])
    }

    /// Followed by code without places.
    #[must_use]
    pub fn then(mut self, text: &str) -> Self {
        self.0.push(Piece::Text(text.to_owned()));
        self
    }

    /// Followed by other code.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Pieces with commas between them.
    #[must_use]
    pub fn join(parts: Vec<Self>) -> Self {
        let mut joined = Self::default();
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 {
                joined = joined.then(", ");
            }
            joined = joined.and(part);
        }
        joined
    }

    /// The same code, whose arguments come after so many others.
    #[must_use]
    pub fn shifted(&self, by: usize) -> Self {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Value(at) => Piece::Value(at + by),
            Piece::Number(at, kind) => Piece::Number(at + by, kind.clone()),
            Piece::Text(_) | Piece::Fixed(_) | Piece::ValueType | Piece::Object | Piece::Step => {
                piece.clone()
            }
        });
        Self(pieces.collect())
    }

    /// The code.
    pub fn fill(&self, filling: Filling<'_>) -> String {
        let mut code = String::new();
        for piece in &self.0 {
            let written = match (piece, filling) {
                (Piece::Text(text), _) => write!(code, "{text}"),
                (Piece::Value(at), Filling::Harness) => write!(code, "c.value({at})"),
                (Piece::Value(at), Filling::Literals(with)) => {
                    write!(code, "{}", with.values.value(literal(with, *at)))
                }
                (Piece::Number(at, kind), Filling::Harness) => match kind.as_str() {
                    "bool" => write!(code, "(c.number({at}) & 1 == 1)"),
                    kind => write!(code, "(c.number({at}) as {kind})"),
                },
                (Piece::Number(at, kind), Filling::Literals(with)) => {
                    let value = literal(with, *at);
                    match kind.as_str() {
                        "bool" => write!(code, "{}", value & 1 == 1),
                        "f32" | "f64" => write!(code, "{value}.0"),
                        _ => write!(code, "{value}"),
                    }
                }
                (Piece::Fixed(value), Filling::Harness) => write!(code, "V::new({value})"),
                (Piece::Fixed(value), Filling::Literals(with)) => {
                    write!(code, "{}", with.values.value(*value))
                }
                (Piece::ValueType, Filling::Harness) => write!(code, "V"),
                (Piece::ValueType, Filling::Literals(with)) => {
                    write!(code, "{}", with.values.type_name())
                }
                (Piece::Object, Filling::Harness) => write!(code, "o"),
                (Piece::Object, Filling::Literals(with)) => write!(code, "{}", with.object),
                (Piece::Step, Filling::Harness) => write!(code, "st.step();"),
                (Piece::Step, Filling::Literals(_)) => Ok(()),
            };
            written.expect("a string takes everything");
        }
        code
    }
}

fn literal(with: Literals<'_>, at: usize) -> u64 {
    with.arguments.get(at).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Filling, Literals, Piece, Plain, Template};

    #[test]
    fn the_same_code_is_filled_with_arguments_and_with_literals() {
        let pieces = [
            Piece::Object,
            Piece::Text(".insert(".to_owned()),
            Piece::Value(0),
            Piece::Text(", ".to_owned()),
            Piece::Number(1, "usize".to_owned()),
            Piece::Text(")".to_owned()),
        ];
        let template = Template(pieces.into());
        let literals =
            |arguments, values| Filling::Literals(Literals { arguments, object: "map", values });
        assert_eq!(template.fill(Filling::Harness), "o.insert(c.value(0), (c.number(1) as usize))");
        assert_eq!(template.fill(literals(&[7, 3], Plain::Numbers)), "map.insert(7u64, 3)");
        assert_eq!(
            template.fill(literals(&[7, 3], Plain::Counted)),
            "map.insert(Value::new(7), 3)"
        );
        let shifted = template.shifted(2);
        assert_eq!(shifted.fill(literals(&[0, 0, 8, 1], Plain::Numbers)), "map.insert(8u64, 1)");
    }
}
