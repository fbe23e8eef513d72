//! Findings in the Static Analysis Results Interchange Format, version 2.1.0 of OASIS, as far as
//! there is something to say: a result for each finding, with a flow for each thread.

use crate::data::{Finding, Report, Row};
use serde::Serialize;
use std::collections::BTreeMap;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    results: Vec<SarifResult>,
    column_kind: &'static str,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: String,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    properties: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    thread_flows: Vec<ThreadFlow>,
}

#[derive(Serialize)]
struct ThreadFlow {
    id: String,
    locations: Vec<FlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlowLocation {
    location: Location,
    /// Where it comes among the steps of all threads.
    execution_order: usize,
    importance: &'static str,
}

/// The findings as one log.
pub fn sarif(report: &Report) -> serde_json::Result<String> {
    let mut rules: Vec<Rule> = Vec::new();
    let mut results = Vec::new();
    for finding in &report.findings {
        let rule_index = rules.iter().position(|rule| rule.id == finding.kind);
        let rule_index = rule_index.unwrap_or_else(|| {
            let text = finding.kind.replace('-', " ");
            let rule = Rule { id: finding.kind.clone(), short_description: Message { text } };
            rules.push(rule);
            rules.len() - 1
        });
        results.push(result(report, finding, rule_index));
    }
    let driver = Driver { name: "Selvedge", version: report.selvedge.clone(), rules };
    let run = Run { tool: Tool { driver }, results, column_kind: "unicodeCodePoints" };
    let mut text =
        serde_json::to_string_pretty(&Log { schema: SCHEMA, version: "2.1.0", runs: [run] })?;
    text.push('\n');
    Ok(text)
}

fn result(report: &Report, finding: &Finding, rule_index: usize) -> SarifResult {
    let test = &report.tests[finding.test];
    let mut text = finding.headline.clone();
    for detail in &finding.details {
        text.push_str(&format!("\n{detail}"));
    }
    text.push_str(&format!("\nIn test {} of {}.", test.name, test.binary));
    text.push_str(&format!("\nSee it again: {}", finding.command));
    let thread_flows = thread_flows(report, finding);
    SarifResult {
        rule_id: finding.kind.clone(),
        rule_index,
        level: "error",
        message: Message { text },
        locations: finding.place.map(|at| location(report, at, None)).into_iter().collect(),
        partial_fingerprints: BTreeMap::from([("selvedge/v1", finding.id.clone())]),
        code_flows: match thread_flows.is_empty() {
            true => Vec::new(),
            false => vec![CodeFlow { thread_flows }],
        },
        properties: BTreeMap::from([("schedule", finding.schedule.clone())]),
    }
}

/// What each thread did, as far as lines are known.
fn thread_flows(report: &Report, finding: &Finding) -> Vec<ThreadFlow> {
    let flow_location = |(index, row): (usize, &Row)| {
        let message = Message { text: row.text.clone() };
        Some(FlowLocation {
            location: location(report, row.place?, Some(message)),
            execution_order: index + 1,
            importance: match finding.conflict.contains(&index) {
                true => "essential",
                false => "important",
            },
        })
    };
    let flows = finding.lanes.iter().enumerate().map(|(number, lane)| {
        let own = finding.rows.iter().enumerate().filter(|(_, row)| row.lane == Some(number));
        let locations = own.filter_map(flow_location).collect();
        ThreadFlow { id: lane.label.clone(), locations }
    });
    flows.filter(|flow: &ThreadFlow| !flow.locations.is_empty()).collect()
}

fn location(report: &Report, place: usize, message: Option<Message>) -> Location {
    let place = &report.places[place];
    let uri = uri(&report.files[place.file].name);
    Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation { uri },
            region: Region { start_line: place.line.max(1), start_column: place.column.max(1) },
        },
        message,
    }
}

/// The name of a file as a reference: relative ones stay so.
fn uri(file: &str) -> String {
    let mut uri = if file.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn names_of_files_become_references() {
        assert_eq!(uri("src/a b.rs"), "src/a%20b.rs");
        assert_eq!(uri("/rustc/x.rs"), "file:///rustc/x.rs");
    }
}
