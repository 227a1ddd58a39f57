//! The table of clients by scenario.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::clients::{Client, DEADLINE, Result};
use crate::scenario::{Expected, Over, Scenario};

/// The results of one scenario.
type Results = [(Client, Result)];

/// Returns one line for each result that is not as expected or came too late, except those of curl.
pub(crate) fn failing(scenarios: &[Scenario], results: &[Vec<(Client, Result)>]) -> Vec<String> {
    let mut all = Vec::new();
    for (scenario, results) in scenarios.iter().zip(results) {
        for (client, result) in results.iter().filter(|(client, _)| *client != Client::Curl) {
            let place = format!("{} over {:?}, {}", scenario.name, scenario.over, client.name());
            if !scenario.expected.contains(&result.got) {
                let expected: Vec<_> = scenario.expected.iter().map(shown).collect();
                let (cites, because) = (&scenario.cites, &scenario.because);
                all.push(format!(
                    "{place}: {} ({}) instead of {}: {cites}: {because}",
                    shown(&result.got),
                    result.says,
                    expected.join(" or ")
                ));
            }
            if result.took > DEADLINE + DEADLINE / 10 {
                all.push(format!("{place}: ended after {:.2?} of {DEADLINE:?}", result.took));
            }
        }
    }
    all
}

/// Returns whether a result is not as expected, or came too late.
pub(crate) fn is_wrong(scenario: &Scenario, result: &Result) -> bool {
    !scenario.expected.contains(&result.got) || result.took > DEADLINE + DEADLINE / 10
}

/// Prints totals, after the whole table if it is asked for.
pub(crate) fn print(scenarios: &[Scenario], results: &[Vec<(Client, Result)>], whole: bool) {
    if whole {
        println!("| scenario | over | expected | core | blocking | reqwest | ftp | curl | because |");
        println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (scenario, results) in scenarios.iter().zip(results) {
            let cells: Vec<String> =
                Client::ALL.iter().map(|client| cell(scenario, results, *client)).collect();
            let expected: Vec<_> = scenario.expected.iter().map(shown).collect();
            println!(
                "| {} | {:?} | {} | {} | {}: {} |",
                scenario.name,
                scenario.over,
                expected.join(" or "),
                cells.join(" | "),
                scenario.cites,
                scenario.because
            );
        }
    }
    let mut protocols: BTreeMap<Over, usize> = BTreeMap::new();
    for scenario in scenarios {
        *protocols.entry(scenario.over).or_default() += 1;
    }
    let protocols: Vec<String> = protocols.iter().map(|(over, count)| format!("{over:?} {count}")).collect();
    println!("{} scenarios: {}", scenarios.len(), protocols.join(", "));
    for client in Client::ALL {
        let (mut count, mut right, mut latest) = (0, 0, Duration::ZERO);
        for (scenario, results) in scenarios.iter().zip(results) {
            for (_, result) in results.iter().filter(|(other, _)| *other == client) {
                count += 1;
                right += usize::from(scenario.expected.contains(&result.got));
                latest = latest.max(result.took);
            }
        }
        if count > 0 {
            println!(
                "{}: {right} of {count} as expected; the longest took {latest:.2?} of {DEADLINE:?}",
                client.name()
            );
        }
    }
}

fn cell(scenario: &Scenario, results: &Results, client: Client) -> String {
    match results.iter().find(|(other, _)| *other == client) {
        None => String::new(),
        Some((_, result)) if scenario.expected.contains(&result.got) => "as expected".to_owned(),
        Some((_, result)) => format!("{} ({})", shown(&result.got), result.says),
    }
}

fn shown(expected: &Expected) -> String {
    match expected {
        Expected::File(file) => format!("file of {} bytes", file.len()),
        Expected::Unavailable => "unavailable".to_owned(),
        Expected::Unreachable => "unreachable".to_owned(),
    }
}
