//! Findings about blocks that the owner wants, as a file of wanted access says.

use alloc::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use robots_fetch::Origin;
use robots_match::groups::Groups;
use robots_match::lint::{Finding, Lint, LintReport};
use robots_match::syntax::Rule;
use robots_match::{Comparer, Profile, Robots};

use super::arguments::Arguments;
use crate::arguments::{NamedProfile, is_url, origin};
use crate::expect::{FILE, Wanted};
use crate::failure::{Failure, Result};
use crate::source::Admitted;

/// The lints that report what is blocked.
const BLOCKS: [Lint; 5] = [
    Lint::BlocksAll,
    Lint::BlocksSearchEngine,
    Lint::BlocksHomePage,
    Lint::BlocksResources,
    Lint::SitemapDisallowed,
];

/// A file of wanted access, and the environment of the checked files.
pub(super) struct WantedBlocks {
    wanted: Wanted,
    environment: Option<String>,
    /// Whether the user named the file. Otherwise it is that of the folder, and may be about other files.
    is_named: bool,
}

impl WantedBlocks {
    /// Reads the file that the arguments or the configuration file name, or the one of the current folder if there is one.
    pub(super) fn read(arguments: &Arguments, of_configuration: Option<String>) -> Result<Option<Self>> {
        let admitted = if arguments.expect.is_some() { Admitted::Any } else { Admitted::Regular };
        let named = arguments.expect.clone().or(of_configuration.map(OsString::from));
        let environment = arguments.environment.clone();
        let is_named = named.is_some();
        let path = match named {
            Some(path) => path,
            None if !arguments.isolated && Path::new(FILE).is_file() => FILE.into(),
            None if environment.is_some() => {
                let why = if arguments.isolated {
                    "does not count with --isolated"
                } else {
                    "is not in this folder"
                };
                let message = format!(
                    "--environment is given, but {FILE} {why}; name the file of wanted access with --expect"
                );
                return Err(Failure::new(message));
            }
            None => return Ok(None),
        };
        let wanted = Wanted::read(&path, admitted)?;
        wanted.find_crawlers(&NamedProfile::auto())?;
        if environment.is_some() {
            // Where nothing is found, the name of the environment is not used, and a mistake in it would not be seen.
            wanted.environment(OsStr::new(""), environment.as_deref())?;
        }
        Ok(Some(Self { wanted, environment, is_named }))
    }

    /// Removes the findings about blocks that are wanted in the environment of an input.
    pub(super) fn hide(
        &self,
        input: &OsStr,
        report: &mut LintReport,
        body: &[u8],
        profile: &Profile,
    ) -> Result<()> {
        if !report.findings.iter().any(|finding| BLOCKS.contains(&finding.lint)) {
            return Ok(());
        }
        let environment = match self.wanted.environment(input, self.environment.as_deref()) {
            Err(failure) if self.is_named || self.environment.is_some() => return Err(failure),
            found => found.unwrap_or_default(),
        };
        let site = is_url(input).then(|| origin(input).ok()).flatten();
        let mut wide = *profile;
        wide.syntax.max_size = None;
        let robots = Robots::new(body, wide);
        let groups = robots.groups();
        let mut comparer = Comparer::new(Comparer::work_for(body.len()));
        report.findings.retain(|finding| {
            !BLOCKS.contains(&finding.lint)
                || !self.wants(finding, body, &groups, environment, site.as_ref(), &mut comparer)
        });
        Ok(())
    }

    /// Returns whether the rule of a finding blocks only what its crawlers are wanted not to access.
    fn wants(
        &self,
        finding: &Finding,
        body: &[u8],
        groups: &Groups<'_>,
        environment: Option<&str>,
        site: Option<&Origin>,
        comparer: &mut Comparer,
    ) -> bool {
        let name_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let of_rule = finding.other.as_ref().map_or(finding.span, |(span, _)| *span);
        let is_it = |rule: &&Rule<'_>| rule.pattern.span() == of_rule;
        for group in groups.iter() {
            let Some(rule) = group.rules().iter().find(is_it) else { continue };
            // Lines of a group may repeat a name.
            let names: BTreeSet<String> = match finding.lint {
                Lint::BlocksSearchEngine => [name_of(finding.span.of(body))].into(),
                _ => group.agents().iter().map(|agent| name_of(agent.bytes()).to_ascii_lowercase()).collect(),
            };
            return !names.is_empty()
                && names.iter().all(|name| {
                    let closed = self.wanted.closed(environment, site, name);
                    closed.has_pattern(rule.pattern.bytes(), comparer)
                });
        }
        false
    }
}
