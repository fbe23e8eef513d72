//! What the JSON looks like, for other programs.

use crate::data::Report;

/// The JSON schema of [`Report`], as it is in the repository.
pub fn schema() -> String {
    let schema = schemars::schema_for!(Report);
    // A schema is a map with strings as keys, which can always be written.
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
