//! How settings are read.

use super::*;
use crate::GuidedMetric;

fn environment(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect()
}

#[test]
fn the_environment_overrides_the_file_and_the_file_the_default() {
    let mut config = Config::default();
    config
        .apply_file("selvedge.toml", "# ours\nexecutions = 50\nstrategy = \"pct(4)\" # deep\n")
        .unwrap();
    config.apply_environment(environment(&[("SELVEDGE_EXECUTIONS", "70")])).unwrap();
    assert_eq!(config.executions, 70);
    assert_eq!(config.strategy, StrategyName::Pct(4));
    assert_eq!(config.max_steps, Config::default().max_steps);
}

#[test]
fn an_unknown_key_is_an_error_with_a_suggestion() {
    let errors = Config::default().apply_file("selvedge.toml", "seed = 1\nexecutoins = 3\nsed\n");
    let text: Vec<_> = errors.unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        text,
        [
            "selvedge.toml:2: unknown setting 'executoins'; did you mean 'executions'?",
            "selvedge.toml:3: 'sed' sets nothing; expected key = value",
        ]
    );
    let errors = Config::default().apply_environment(environment(&[("SELVEDGE_SEEED", "1")]));
    assert_eq!(
        errors.unwrap_err()[0].to_string(),
        "environment variable SELVEDGE_SEEED: unknown setting 'seeed'; did you mean 'seed'?"
    );
}

#[test]
fn where_the_command_keeps_things_is_no_setting() {
    let variables = environment(&[("SELVEDGE_CACHE", "/cache"), ("SELVEDGE_SEED", "5")]);
    let mut config = Config::default();
    config.apply_environment(variables).unwrap();
    assert_eq!(config.seed, 5);
}

#[test]
fn metrics_are_a_list_however_it_is_written() {
    let mut config = Config::default();
    config.apply_file("selvedge.toml", "metrics = [\"avio*\", \"sp:real\"] # two\n").unwrap();
    let listed = config.metrics.clone();
    assert_eq!(listed.iter().map(ToString::to_string).collect::<Vec<_>>(), ["avio*", "sp:real"]);
    config.set("metrics", "avio*,sp:real").unwrap();
    assert_eq!(config.metrics, listed);
    config.set("metrics", "all").unwrap();
    assert_eq!(config.metrics.len(), crate::MetricName::ALL.len());
    let error = config.set("metrics", "avio*, hbpairs").unwrap_err().to_string();
    assert!(error.ends_with("did you mean 'hbpair'?"), "{error}");
    config.set("series", "10x500").unwrap();
    assert_eq!(config.series, Some(Series { count: 10, length: 500 }));
    assert!(config.set("series", "10x0").is_err());
    assert!(config.set("goldilock_weights", "1/2/3").is_err());
}

#[test]
fn a_guided_strategy_knows_its_metric_by_either_name() {
    for name in ["guided(def_use)", "guided(dupairs)"] {
        assert_eq!(name.parse(), Ok(StrategyName::Guided(GuidedMetric::DefUse)));
    }
    for metric in GuidedMetric::ALL {
        let strategy = StrategyName::Guided(metric);
        assert_eq!(strategy.to_string().parse(), Ok(strategy));
    }
    let error = "guided(hb_pairs)".parse::<StrategyName>().unwrap_err().to_string();
    assert!(error.ends_with("did you mean 'hb_pair'?"), "{error}");
}

#[test]
fn tables_are_left_to_the_command() {
    let mut config = Config::default();
    let text = "seed = 3\n\n  [cargo] # ours\nexclude = [\"slow\"]\nseed = 4\n";
    config.apply_file("selvedge.toml", text).unwrap();
    assert_eq!(config.seed, 3);
    let errors = config.apply_file("selvedge.toml", "sede = 3\n[cargo]\nnonsense\n");
    assert_eq!(errors.unwrap_err().len(), 1, "what stands before the table is checked");
}

#[test]
fn values_that_do_not_fit_are_named_with_what_would() {
    let mut config = Config::default();
    let mut message = |key, value| config.set(key, value).unwrap_err().to_string();
    assert_eq!(
        message("timeouts", "raer"),
        "'raer' will not do; expected off, rare or eager; did you mean 'rare'?"
    );
    assert_eq!(message("executions", "0"), "'0' will not do; expected a number from 1 up");
    assert!(message("strategy", "randon").ends_with("did you mean 'random'?"));
    assert!(message("replay", "nonsense").contains("not how a schedule begins"));
    assert!(message("stack_size", "1").contains("16k"));
}

#[test]
fn every_listed_setting_can_be_set_to_what_it_says() {
    let mut config = Config::default();
    for setting in Config::SETTINGS {
        let value = match setting.takes {
            takes if takes.starts_with("a number") => "3",
            takes if takes.starts_with("a duration") => "500ms",
            takes if takes.starts_with("a size") => "512k",
            takes if takes.starts_with("a schedule") => "selvedge/1",
            takes => takes.split([',', ' ']).next().unwrap(),
        };
        assert_eq!(config.set(setting.key, value), Ok(()), "{}", setting.key);
    }
    assert_eq!(config.time, Duration::from_millis(500));
    assert_eq!(config.stack_size, 512 << 10);
}
