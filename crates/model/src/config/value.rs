//! Values of settings, from text.

use super::{ConfigErrorKind, Isolation, LeakedThreads, MemoryModel, RandomBytes, Rate, Toggle};
use crate::{
    CodeAddress, DetectorName, DetectorSet, GuidedMetric, MetricChoice, MetricName, Series,
    Weights, closest,
};
use std::str::FromStr;
use std::time::Duration;

pub(super) fn wrong(value: &str, expected: &'static str) -> ConfigErrorKind {
    ConfigErrorKind::Value { value: value.to_owned(), expected, suggestion: None }
}

pub(super) fn one_of(
    value: &str,
    expected: &'static str,
    known: &[&'static str],
) -> ConfigErrorKind {
    let suggestion = closest(value, known.iter().copied());
    ConfigErrorKind::Value { value: value.to_owned(), expected, suggestion }
}

/// The value of a line of `selvedge.toml`, without quotes and comment.
pub(super) fn unquote(value: &str) -> Result<&str, ConfigErrorKind> {
    let value = value.trim();
    match value.strip_prefix('"') {
        Some(rest) => match rest.split_once('"') {
            Some((inner, after)) if after.trim_start().is_empty() => Ok(inner),
            Some((inner, after)) if after.trim_start().starts_with('#') => Ok(inner),
            _ => Err(wrong(value, "one value, with a closing quote")),
        },
        None => Ok(value.split('#').next().unwrap_or_default().trim()),
    }
}

pub(super) fn number<N: FromStr>(value: &str) -> Result<N, ConfigErrorKind> {
    value.replace('_', "").parse().map_err(|_| wrong(value, "a number"))
}

pub(super) fn positive(value: &str) -> Result<u64, ConfigErrorKind> {
    match number(value)? {
        0 => Err(wrong(value, "a number from 1 up")),
        n => Ok(n),
    }
}

pub(super) fn toggle(value: &str) -> Result<Toggle, ConfigErrorKind> {
    match value {
        "on" | "true" => Ok(Toggle::On),
        "off" | "false" => Ok(Toggle::Off),
        _ => Err(one_of(value, "on or off", &["on", "off"])),
    }
}

/// Addresses such as `0x1c40`, with commas in between.
pub(super) fn addresses(value: &str) -> Result<Vec<CodeAddress>, ConfigErrorKind> {
    let address = |text: &str| {
        let digits = text.trim().strip_prefix("0x")?;
        u64::from_str_radix(digits, 16).ok().map(CodeAddress)
    };
    let texts = value.split(',').filter(|text| !text.trim().is_empty());
    texts
        .map(|text| address(text).ok_or_else(|| wrong(text, "addresses such as 0x1c40,0x1d08")))
        .collect()
}
pub(super) fn isolation(value: &str) -> Result<Isolation, ConfigErrorKind> {
    match value {
        "on" | "true" => Ok(Isolation::On),
        "off" | "false" => Ok(Isolation::Off),
        "fork" => Ok(Isolation::Fork),
        _ => Err(one_of(value, "on, off or fork", &["on", "off", "fork"])),
    }
}

pub(super) fn leaked_threads(value: &str) -> Result<LeakedThreads, ConfigErrorKind> {
    match value {
        "report" => Ok(LeakedThreads::Report),
        "allow" => Ok(LeakedThreads::Allow),
        _ => Err(one_of(value, "report or allow", &["report", "allow"])),
    }
}

pub(super) fn random_bytes(value: &str) -> Result<RandomBytes, ConfigErrorKind> {
    match value {
        "same" => Ok(RandomBytes::Same),
        "vary" => Ok(RandomBytes::Vary),
        _ => Err(one_of(value, "same or vary", &["same", "vary"])),
    }
}

pub(super) fn memory_model(value: &str) -> Result<MemoryModel, ConfigErrorKind> {
    match value {
        "sc" => Ok(MemoryModel::Sc),
        "weak" => Ok(MemoryModel::Weak),
        _ => Err(one_of(value, "sc or weak", &["sc", "weak"])),
    }
}

pub(super) fn rate(value: &str) -> Result<Rate, ConfigErrorKind> {
    match value {
        "off" => Ok(Rate::Off),
        "rare" => Ok(Rate::Rare),
        "eager" => Ok(Rate::Eager),
        _ => Err(one_of(value, "off, rare or eager", &["off", "rare", "eager"])),
    }
}

pub(super) fn detectors(value: &str) -> Result<DetectorSet, ConfigErrorKind> {
    match value {
        "usual" => return Ok(DetectorSet::usual()),
        "off" => return Ok(DetectorSet::NONE),
        "all" => return Ok(DetectorSet::all()),
        _ => {}
    }
    let names = value.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.into_iter().try_fold(DetectorSet::NONE, |set, name| {
        match DetectorName::ALL.iter().find(|known| known.name() == name) {
            Some(&known) => Ok(set.with(known)),
            None => {
                let known = DetectorName::ALL.iter().map(|known| known.name());
                let known: Vec<_> = known.chain(["usual", "off", "all"]).collect();
                Err(one_of(name, "usual, off, all or names of detectors", &known))
            }
        }
    })
}

/// A metric that can be aimed at, by either of its names.
pub(super) fn guided(value: &str) -> Result<GuidedMetric, ConfigErrorKind> {
    let found = GuidedMetric::ALL
        .into_iter()
        .find(|metric| metric.name() == value || metric.metric().name() == value);
    found.ok_or_else(|| {
        let names = GuidedMetric::ALL.map(GuidedMetric::name);
        one_of(value, "sync_pair, def_use, hb_pair, avio or reads_from", &names)
    })
}

/// A list such as `avio*, sp`, also as an array of TOML or JSON.
pub(super) fn metrics(value: &str) -> Result<Vec<MetricChoice>, ConfigErrorKind> {
    let bare = value.trim_start_matches('[').trim_end_matches(']').trim();
    match bare.trim_matches('"') {
        "none" | "" => return Ok(Vec::new()),
        "all" => {
            let choice = |name: &MetricName| name.name().parse();
            return Ok(MetricName::ALL.iter().filter_map(|name| choice(name).ok()).collect());
        }
        _ => {}
    }
    let names = bare.split(',').map(|name| name.trim().trim_matches('"')).filter(|n| !n.is_empty());
    let choice = |name: &str| {
        name.parse().map_err(|unknown: crate::UnknownMetric| ConfigErrorKind::Value {
            value: name.to_owned(),
            expected: "none, all, or names of metrics such as avio*, sp or hbpair*:real",
            suggestion: unknown.suggestion,
        })
    };
    names.map(choice).collect()
}

pub(super) fn weights(value: &str) -> Result<Weights, ConfigErrorKind> {
    let numbers: Result<Vec<u32>, _> = value.split('/').map(|part| number(part.trim())).collect();
    match numbers.as_deref() {
        Ok(&[same_thread, common_lock, lockset, race]) => {
            Ok(Weights { same_thread, common_lock, lockset, race })
        }
        _ => Err(wrong(value, "four numbers such as 1/5/5/10")),
    }
}

pub(super) fn series(value: &str) -> Result<Option<Series>, ConfigErrorKind> {
    if value == "none" {
        return Ok(None);
    }
    let error = || wrong(value, "none, or series and executions such as 100x2000");
    let (count, length) = value.split_once('x').ok_or_else(error)?;
    let read = |text: &str| number::<u32>(text).ok().filter(|&n| n > 0).ok_or_else(error);
    Ok(Some(Series { count: read(count)?, length: read(length)? }))
}

pub(super) fn duration(value: &str) -> Result<Duration, ConfigErrorKind> {
    let error = || wrong(value, "a duration such as 10s, 500ms or 2m");
    let split = value.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(error)?;
    let (digits, unit) = value.split_at(split);
    let n: u64 = number(digits.trim()).map_err(|_| error())?;
    let scaled = match unit {
        "ms" => Some(Duration::from_millis(n)),
        "s" => Some(Duration::from_secs(n)),
        "m" => n.checked_mul(60).map(Duration::from_secs),
        "h" => n.checked_mul(3600).map(Duration::from_secs),
        _ => None,
    };
    scaled.ok_or_else(error)
}

/// The least that a thread of a test can do with.
const SMALLEST_STACK: usize = 16 << 10;

pub(super) fn size(value: &str) -> Result<usize, ConfigErrorKind> {
    let error = || wrong(value, "a size from 16k up, such as 512k or 2M");
    let (digits, shift) = match value.as_bytes().last() {
        Some(b'k' | b'K') => (&value[..value.len() - 1], 10),
        Some(b'm' | b'M') => (&value[..value.len() - 1], 20),
        Some(b'g' | b'G') => (&value[..value.len() - 1], 30),
        _ => (value, 0),
    };
    let n: usize = number(digits.trim()).map_err(|_| error())?;
    n.checked_mul(1 << shift).filter(|n| (SMALLEST_STACK..1 << 40).contains(n)).ok_or_else(error)
}
