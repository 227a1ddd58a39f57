use alloc::vec::Vec;

use robots_groups::SelectionBasis;
use robots_groups::syntax::{Effect, Field};

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::form;
use crate::lint::severity::Severity;
use crate::lint::subject::{GroupView, is_all};
use crate::rule_set::RuleSet;

lint! {
    code: "blocks-resources",
    severity: warning,
    title: "Style sheets or scripts are disallowed",
    check: Group(check),
    /// Crawlers of search engines render pages. Without style sheets and scripts they see other pages than visitors
    /// do.
    ///
    /// Patterns that end in `.css` or `.js` are reported, and folders in which WordPress, Drupal, Joomla and Magento keep style
    /// sheets and scripts. Groups for crawlers that do not render pages are not reported, nor are files that another rule allows.
    ///
    /// A pattern for one script, such as `/statistics.js`, is a note, because pages may look the same without the script. Names that
    /// contain `jquery` or the name of another common library are not one of those.
    ///
    /// Allow style sheets and scripts.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /*.js$
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /*.pdf$
    /// ```
}

/// Folders of common systems (WordPress, Drupal, Joomla and Magento) with style sheets and scripts, each with a file such as
/// pages of the system need.
const FOLDERS: [(&str, &str); 10] = [
    ("/wp-includes", "/wp-includes/js/jquery/jquery.min.js"),
    ("/wp-content", "/wp-content/themes/theme/style.css"),
    ("/wp-content/themes", "/wp-content/themes/theme/style.css"),
    ("/wp-content/plugins", "/wp-content/plugins/plugin/style.css"),
    ("/themes", "/themes/theme/css/style.css"),
    ("/sites/all/themes", "/sites/all/themes/theme/style.css"),
    ("/templates", "/templates/template/css/template.css"),
    ("/media/system/js", "/media/system/js/core.js"),
    ("/skin", "/skin/frontend/default/css/styles.css"),
    ("/pub/static", "/pub/static/frontend/css/styles.css"),
];

/// The crawlers that render pages, as far as their operators say so.
const RENDERING: [&str; 7] =
    ["*", "googlebot", "googlebot-mobile", "bingbot", "applebot", "yandex", "baiduspider"];

/// Parts of the names of scripts without which most pages look different.
const LIBRARIES: [&str; 9] =
    ["angular", "app.", "bootstrap", "bundle", "jquery", "main.", "modernizr", "react", "vue"];

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let policy = &view.file.facts.profile.matching;
    let renders =
        |agent: &Field<'_>| RENDERING.iter().any(|name| agent.bytes().eq_ignore_ascii_case(name.as_bytes()));
    let rules = view.group.rules();
    if !view.group.agents().iter().any(renders) || rules.iter().any(|rule| is_all(rule, policy)) {
        return;
    }
    let mut set = None;
    for rule in rules.iter().filter(|rule| rule.effect == Effect::Disallow) {
        let form = form(rule.pattern.bytes(), policy);
        let end = form.iter().rposition(|byte| !matches!(byte, b'*' | b'$' | b'/')).map_or(0, |at| at + 1);
        let stem = form.get(..end).unwrap_or_default().to_ascii_lowercase();
        let is_kind = stem.ends_with(b".css") || stem.ends_with(b".js");
        let Some(file) = needed_file(&stem).or_else(|| is_kind.then(|| without_specials(&form))) else {
            continue;
        };
        let set = set
            .get_or_insert_with(|| RuleSet::from_rules(rules.iter().copied(), SelectionBasis::Named, policy));
        if set.check(&file).is_allowed() {
            continue;
        }
        let (line, span) = (rule.line(), rule.pattern.span());
        drafts.add(match is_one_script(&stem) {
            true => Draft::new(line, span, "blocks a script that crawlers may need to render pages")
                .help("allow it, unless pages look the same without it")
                .severity(Severity::Note),
            false => Draft::new(line, span, "blocks CSS or JavaScript that crawlers need to render pages")
                .help("allow style sheets and scripts, so that crawlers see pages as visitors do"),
        });
    }
}

/// Whether a pattern without its end names one script, such as one for statistics.
fn is_one_script(stem: &[u8]) -> bool {
    let name = stem.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let is_library = |part: &&str| memchr::memmem::find(name, part.as_bytes()).is_some();
    name.ends_with(b".js") && name.len() > 3 && !name.contains(&b'*') && !LIBRARIES.iter().any(is_library)
}

/// A file that pages need from a folder of a common system.
fn needed_file(folder: &[u8]) -> Option<Vec<u8>> {
    let known = FOLDERS.iter().find(|(known, _)| known.as_bytes() == folder)?;
    Some(known.1.as_bytes().to_vec())
}

/// A path that a pattern matches: each `*` is nothing, and `$` is the end.
fn without_specials(pattern: &[u8]) -> Vec<u8> {
    pattern.iter().copied().filter(|byte| !matches!(byte, b'*' | b'$')).collect()
}
