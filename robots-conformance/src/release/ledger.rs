//! `ids.tsv`: the ids of all questions that were ever released.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Row;

/// The names of the columns.
const HEAD: &str = "id\tsince\tretired\twhy\tdigest\tname";

/// A question that was released.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    since: String,
    /// The first version without it, and the reason.
    retired: Option<(String, String)>,
    row: Row,
}

/// The ids of all questions that were ever released. A name may change; an id never gets another meaning. The digest of a
/// question changes with its answers, its levels and the sentences that it cites, so a change that was not recorded is noticed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger(BTreeMap<String, Entry>);

impl Ledger {
    /// Reads the text of `ids.tsv`.
    ///
    /// # Errors
    ///
    /// Returns what is wrong, with the number of the line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().zip(1..);
        match lines.next() {
            None => return Ok(Self::default()),
            Some((head, _)) if head == HEAD => {}
            Some(_) => return Err(format!("line 1: expected the columns {}", HEAD.replace('\t', ", "))),
        }
        let mut entries = BTreeMap::new();
        for (line, number) in lines {
            let [id, since, retired, why, digest, name] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(format!("line {number}: expected six columns"));
            };
            let retired = match (retired, why) {
                ("", "") => None,
                ("", _) | (_, "") => {
                    return Err(format!("line {number}: `retired` and `why` belong together"));
                }
                (retired, why) => Some((retired.to_owned(), why.to_owned())),
            };
            let row = Row { name: name.to_owned(), digest: digest.to_owned() };
            let entry = Entry { since: since.to_owned(), retired, row };
            if entries.insert(id.to_owned(), entry).is_some() {
                return Err(format!("line {number}: the id {id} is used twice"));
            }
        }
        Ok(Self(entries))
    }

    /// Returns how the ledger and the exported ids contradict each other.
    #[must_use]
    pub fn compare(&self, ids: &BTreeMap<String, Row>) -> Vec<String> {
        let mut found = Vec::new();
        for (id, row) in ids {
            let name = &row.name;
            match self.0.get(id) {
                None => found.push(format!("{id} ({name}) is new: record it with --record")),
                Some(Entry { retired: Some((version, _)), .. }) => {
                    found.push(format!("{id} ({name}) was retired in {version} and is exported again"));
                }
                Some(entry) if entry.row.digest != row.digest => {
                    found.push(format!("{id} ({name}) has changed: record it with --record"));
                }
                Some(_) => {}
            }
        }
        for (id, entry) in &self.0 {
            if entry.retired.is_none() && !ids.contains_key(id) {
                found.push(format!(
                    "{id} ({}) is not exported any more: fill in `retired` and `why` in ids.tsv",
                    entry.row.name
                ));
            }
        }
        found
    }

    /// Adds new ids with the version in which they appear first, and brings the names and digests up to date.
    pub fn record(&mut self, ids: &BTreeMap<String, Row>, version: &str) {
        for (id, row) in ids {
            let new = || Entry { since: version.to_owned(), retired: None, row: Row::default() };
            self.0.entry(id.clone()).or_insert_with(new).row.clone_from(row);
        }
    }

    /// Returns the text of `ids.tsv`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{HEAD}\n");
        for (id, entry) in &self.0 {
            let (retired, why) = match &entry.retired {
                Some((version, why)) => (&**version, &**why),
                None => ("", ""),
            };
            let Row { name, digest } = &entry.row;
            let _ = writeln!(out, "{id}\t{}\t{retired}\t{why}\t{digest}\t{name}", entry.since);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[&str]) -> BTreeMap<String, Row> {
        let row = |id: &str| Row { name: format!("name-of-{id}"), digest: "0".to_owned() };
        ids.iter().map(|&id| (id.to_owned(), row(id))).collect()
    }

    #[test]
    fn an_id_is_never_reused_or_lost() {
        let mut ledger = Ledger::default();
        assert_eq!(ledger.compare(&ids(&["v1"])), ["v1 (name-of-v1) is new: record it with --record"]);
        ledger.record(&ids(&["v1"]), "1");
        assert!(ledger.compare(&ids(&["v1"])).is_empty());
        let mut changed = ids(&["v1"]);
        changed.get_mut("v1").unwrap().digest = "1".to_owned();
        assert_eq!(ledger.compare(&changed), ["v1 (name-of-v1) has changed: record it with --record"]);
        assert_eq!(
            ledger.compare(&ids(&[])),
            ["v1 (name-of-v1) is not exported any more: fill in `retired` and `why` in ids.tsv"]
        );
        let retired = ledger.text().replace("v1\t1\t\t\t", "v1\t1\t2\tasked twice\t");
        let ledger = Ledger::parse(&retired).unwrap();
        assert!(ledger.compare(&ids(&[])).is_empty());
        assert_eq!(
            ledger.compare(&ids(&["v1"])),
            ["v1 (name-of-v1) was retired in 1 and is exported again".replace(" 1 ", " 2 ")]
        );
        assert_eq!(ledger.text(), retired);
    }

    #[test]
    fn a_damaged_ledger_is_refused() {
        for (text, expected) in [
            ("id\tname\n", "line 1: expected the columns id, since, retired, why, digest, name"),
            ("id\tsince\tretired\twhy\tdigest\tname\nv1\t1\n", "line 2: expected six columns"),
            (
                "id\tsince\tretired\twhy\tdigest\tname\nv1\t1\t2\t\t0\ta\n",
                "line 2: `retired` and `why` belong together",
            ),
            (
                "id\tsince\tretired\twhy\tdigest\tname\nv1\t1\t\t\t0\ta\nv1\t1\t\t\t0\tb\n",
                "line 3: the id v1 is used twice",
            ),
        ] {
            assert_eq!(Ledger::parse(text), Err(expected.to_owned()));
        }
    }
}
