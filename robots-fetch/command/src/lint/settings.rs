//! The settings of a run: arguments, and a configuration file.

use std::ffi::OsString;

use robots_fetch::Origin;
use robots_match::lint::{Lint, LintContext, LintReport, Severity};
use robots_match::{Document, Target};

use super::arguments::{Arguments, Denied};
use super::baseline::Baseline;
use super::configuration::Configuration;
use super::wanted::WantedBlocks;
use crate::failure::Result;
use crate::network::Network;
use crate::source::Admitted;
use crate::subject::sites_of;
use crate::url_list::{UrlList, path_in};

/// The settings of a run. Arguments come before the configuration file; lints to ignore are added.
pub(super) struct Settings {
    deny: Severity,
    denied: Vec<Lint>,
    pub(super) ignored: Vec<Lint>,
    pub(super) parsers: Vec<Document>,
    pub(super) all: bool,
    pub(super) baseline: Option<Baseline>,
    pub(super) wanted: Option<WantedBlocks>,
    /// Known pages, and the paths of those that belong to local files.
    pub(super) pages: UrlList,
    paths: Vec<Vec<u8>>,
}

impl Settings {
    /// Returns how files are checked.
    pub(super) fn context<'s>(&'s self, arguments: &'s Arguments) -> LintContext<'s> {
        let mut context = LintContext::default();
        context.profile = arguments.profile.rules;
        context.parsers = &self.parsers;
        context.ignored = &self.ignored;
        context.all = self.all;
        context.ignores_comments = arguments.isolated;
        context.url = arguments.url.as_deref();
        context.paths = &self.paths;
        context
    }

    /// Returns whether a report has a finding for which the exit status is 1.
    pub(super) fn is_denied(&self, report: &LintReport) -> bool {
        let is_denied = |lint: &Lint, severity: Severity| severity >= self.deny || self.denied.contains(lint);
        report.findings.iter().any(|finding| is_denied(&finding.lint, finding.severity))
            || report.left_out.keys().any(|(lint, severity)| is_denied(lint, *severity))
    }

    pub(super) fn new(arguments: &Arguments) -> Result<Self> {
        let file = match &arguments.config {
            None if arguments.isolated => Configuration::default(),
            named => Configuration::read(named.as_deref())?,
        };
        let selected = match &*arguments.select {
            [] => file.select,
            codes => Some(codes.to_vec()),
        };
        // Codes that are asked for report in any case.
        let all = arguments.all || selected.is_some();
        let mut ignored = [file.ignore, arguments.ignore.clone()].concat();
        if let Some(selected) = selected {
            ignored.extend(Lint::ALL.iter().filter(|lint| !selected.contains(lint)));
        }
        let levels = arguments.deny.iter().filter_map(|denied| match denied {
            Denied::Level(level) => Some(*level),
            Denied::Code(_) => None,
        });
        let deny = levels.min().or(file.deny).unwrap_or(Severity::Warning);
        let denied = arguments.deny.iter().filter_map(|denied| match denied {
            Denied::Level(_) => None,
            Denied::Code(code) => Some(*code),
        });
        let denied: Vec<Lint> = denied.collect();
        ignored.retain(|lint| !denied.contains(lint));
        let mut parsers = match &*arguments.parsers {
            [] => file.parsers.unwrap_or_else(|| Document::CURRENT.to_vec()),
            parsers => parsers.iter().flat_map(|parsers| parsers.0).copied().collect(),
        };
        // The document by which the file is read matters.
        parsers.push(arguments.profile.document);
        let baseline = match (&arguments.baseline, file.baseline.map(OsString::from)) {
            (Some(named), _) => Some(Baseline::read(named, Admitted::Any)?),
            (None, Some(of_file)) => Some(Baseline::read(&of_file, Admitted::Regular)?),
            (None, None) => None,
        };
        let wanted = WantedBlocks::read(arguments, file.expect)?;
        let pages = match &arguments.urls {
            Some(list) => {
                let network = Network::without_cache(&arguments.requests);
                UrlList::read(list, || sites_of(&network, &arguments.profile))?
            }
            None => UrlList::default(),
        };
        let site = arguments.url.as_ref().and_then(|url| Origin::parse(url).ok());
        let paths = paths(&pages, site.as_ref());
        Ok(Self { deny, denied, ignored, parsers, all, baseline, wanted, pages, paths })
    }
}

/// Returns the paths of the pages of a site, or of all pages if the site is not known.
pub(super) fn paths(pages: &UrlList, site: Option<&Origin>) -> Vec<Vec<u8>> {
    let is_of_site = |text: &&[u8]| {
        let Some(site) = site else { return true };
        let url = Target::parse(text).ok().and_then(|target| target.url());
        url.is_none_or(|url| site.covers(&url))
    };
    pages.urls.iter().filter(is_of_site).map(|text| path_in(text).into_owned()).collect()
}
