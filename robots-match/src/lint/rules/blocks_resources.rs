use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

use robots_groups::SelectionBasis;
use robots_groups::syntax::Effect;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::form::form;
use crate::lint::severity::Severity;
use crate::lint::subject::{Asset, GroupView, is_all, renders_pages};
use crate::lint::text::{is_one_of, parts, shown};
use crate::rule_set::RuleSet;

lint! {
    code: "blocks-resources",
    severity: warning,
    title: "Style sheets or scripts of pages are disallowed",
    check: Group(check),
    /// Crawlers of search engines render pages. Without style sheets and scripts they see other pages than visitors do, and may
    /// not find what scripts load.
    ///
    /// The rules are compared with paths of style sheets and scripts of common systems and frameworks, such as Next.js, Nuxt,
    /// Astro, SvelteKit, Remix, Rails, Django, Laravel, Magento, Shopify and WordPress, and with folders such as `/css/`, `/js/`
    /// and `/static/`. The message names such a path. What another rule allows is not reported, nor are files that pages do not need, such as
    /// those that platforms disallow by default. A rule about all URLs with a query is a note: it also disallows files such as
    /// `style.css?ver=1`.
    ///
    /// This concerns crawlers that render pages: Googlebot, bingbot, Applebot, Yandex and Baiduspider. Groups for others are not
    /// reported. Allow style sheets and scripts.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /_next/
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /_next/data/
    /// ```
}

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let policy = &view.file.facts.profile.matching;
    let rules = view.group.rules();
    let disallows = rules.iter().any(|rule| rule.effect == Effect::Disallow && !rule.pattern.is_empty());
    let renders = view.group.agents().iter().any(|agent| renders_pages(agent.bytes()));
    if !disallows || !renders || rules.iter().any(|rule| is_all(rule, policy)) {
        return;
    }
    let set = RuleSet::from_rules(rules.iter().copied(), SelectionBasis::Named, policy);
    let mut reported = BTreeSet::new();
    let (assets, has_folders) = view.file.assets();
    for Asset { path: asset, .. } in assets {
        // A rule such as `/*/_next/` is about sites with a folder for each language.
        let within = format!("/en{asset}");
        let asset: &str = match set.deciding_rule(asset) {
            None if has_folders => &within,
            _ => asset,
        };
        let closing = set.deciding_rule(asset).filter(|winner| winner.effect == Effect::Disallow);
        let Some(winner) = closing.filter(|winner| is_about(winner.pattern, asset)) else { continue };
        // `/en/` is about the pages in a language, and only a pattern with a star is about files in each of them.
        if asset == within && !winner.pattern.starts_with(b"*") && !winner.pattern.starts_with(b"/*") {
            continue;
        }
        if set.check(asset).is_allowed() {
            continue;
        }
        if !reported.insert(winner.line) {
            continue;
        }
        let (path, query) = asset.split_once('?').unwrap_or((asset, ""));
        let needs_query = !query.is_empty() && set.check(path).is_allowed();
        let is_type = memchr::memmem::find(winner.pattern, b".js").is_some()
            || memchr::memmem::find(winner.pattern, b".css").is_some();
        let stem = winner.pattern.strip_suffix(b"*").unwrap_or(winner.pattern);
        let what = if stem.ends_with(b"?") { "a query" } else { "this in the query" };
        let draft = match needs_query && !is_type {
            true => Draft::new(
                winner.line,
                winner.span,
                format!("blocks all URLs with {what}, also style sheets and scripts such as `{asset}`"),
            )
            .help("disallow only the parameters that are not wanted, or allow `/*.css?` and `/*.js?`")
            .severity(Severity::Note),
            false if matches!(stem, b"/*/" | b"*/*/") => {
                let message = format!(
                    "this blocks every folder, the whole site except for pages at its root, also style sheets and scripts such as `{asset}`"
                );
                Draft::new(winner.line, winner.span, message).help("name the folders that are meant")
            }
            false => Draft::new(
                winner.line,
                winner.span,
                format!(
                    "this rule blocks CSS or JavaScript that crawlers need to render pages, such as `{asset}`"
                ),
            )
            .help("allow style sheets and scripts, so that crawlers see pages as visitors do"),
        };
        drafts.add(draft);
    }
    let is_open = |path: &[u8]| !view.file.may_check(&set, path) || set.check(path).is_allowed();
    for rule in rules.iter().filter(|rule| rule.effect == Effect::Disallow) {
        let pattern = form(rule.pattern.bytes(), policy);
        let path = pattern.strip_suffix(b"$").unwrap_or(&pattern);
        // The platform has its scripts elsewhere.
        let is_elsewhere = |inside: &[u8]| {
            inside.starts_with(b"/js/") && !assets.iter().any(|asset| asset.path.starts_with("/js/"))
        };
        if let Some(inside) = of_folder(path).filter(|inside| !is_elsewhere(inside)) {
            if is_open(&inside) || !reported.insert(rule.line()) {
                continue;
            }
            let message = format!(
                "this rule blocks CSS or JavaScript that crawlers need to render pages, such as `{}`",
                shown(&inside)
            );
            drafts.add(
                Draft::new(rule.line(), rule.pattern.span(), message)
                    .help("allow style sheets and scripts, so that crawlers see pages as visitors do"),
            );
            continue;
        }
        if !is_file(path) || is_open(path) || !reported.insert(rule.line()) {
            continue;
        }
        let message = format!("blocks `{}`, which crawlers may need to render pages", shown(path));
        drafts.add(
            Draft::new(rule.line(), rule.pattern.span(), message)
                .help("allow it, so that crawlers see pages as visitors do"),
        );
    }
}

/// Parts of the names of scripts without which most pages look different.
const LIBRARIES: &str = "angular app. bootstrap bundle jquery main. modernizr react vue";

/// Folders of files that pages load, in which style sheets and scripts have folders of their own.
const PARENTS: &str = "asset assets static public media resources dist content inc includes lib libs theme common web build \
    frontend ui";

/// A style sheet or script in the folder that a pattern is about, if pages most likely load it: `/lib/css/` and `/javascript`, and a
/// theme of WordPress.
fn of_folder(path: &[u8]) -> Option<Vec<u8>> {
    let lower = path.strip_suffix(b"*").unwrap_or(path).to_ascii_lowercase();
    let inner = lower.strip_prefix(b"/")?;
    let inner = inner.strip_suffix(b"/").unwrap_or(inner);
    let mut parts = inner.split(|&byte| byte == b'/');
    let file: &[u8] = match (parts.next()?, parts.next(), parts.next(), parts.next()) {
        (b"wp-content", Some(b"themes"), Some(theme), None) if !theme.contains(&b'*') => b"style.css",
        (folder, None, ..) => file_of(folder)?,
        (parent, Some(folder), None, _) if is_one_of(parent, PARENTS) => file_of(folder)?,
        // As in `/js/lib/`.
        (parent, Some(folder), None, _) if is_one_of(folder, PARENTS) => file_of(parent)?,
        _ => return None,
    };
    let path = path.strip_suffix(b"*").unwrap_or(path);
    Some([path.strip_suffix(b"/").unwrap_or(path), b"/", file].concat())
}

/// A file of a folder for style sheets or for scripts.
fn file_of(folder: &[u8]) -> Option<&'static [u8]> {
    match folder {
        b"css" | b"stylesheet" | b"stylesheets" => Some(b"style.css"),
        b"js" | b"javascript" | b"javascripts" => Some(b"main.js"),
        _ => None,
    }
}

/// Whether a pattern without stars is the path of a style sheet, or of a script of a common library.
fn is_file(path: &[u8]) -> bool {
    let path = path.to_ascii_lowercase();
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let is_library = || parts(LIBRARIES, b' ').any(|part| memchr::memmem::find(name, part).is_some());
    path.starts_with(b"/")
        && !path.contains(&b'*')
        && (name.ends_with(b".css") || name.ends_with(b".js") && is_library())
}

/// Parts of the names of folders and files for style sheets and scripts.
const FILE_WORDS: &str = "css js style script asset static theme template skin dist build _next _nuxt _astro _app packs \
    wp-";

/// Whether a pattern is about the folder or the kind of a file, and not a short prefix that happens to match it: `/a` is hardly
/// meant for `/assets/`.
fn is_about(pattern: &[u8], asset: &str) -> bool {
    let end = pattern.iter().rposition(|byte| !matches!(byte, b'*' | b'$')).map_or(0, |at| at + 1);
    let stem = pattern.get(..end).unwrap_or_default();
    if !stem.contains(&b'*') {
        let folder = asset.bytes().skip(1).position(|byte| byte == b'/').map_or(asset.len(), |at| at + 1);
        // `/wp-` is about all folders of WordPress.
        return stem.len() >= folder || stem.ends_with(b"-");
    }
    // `/*.` is about all files, and `/*/` about all folders.
    if stem.split(|&byte| byte == b'*').all(|part| matches!(part, b"" | b"/" | b".")) {
        return true;
    }
    // A part is about a folder, a file or its end if no word goes on after it: `/*/star` is not about `/_app/start.js`.
    let is_word = |part: &[u8]| {
        let Some(at) = memchr::memmem::find(asset.as_bytes(), part) else { return true };
        let next = asset.as_bytes().get(at + part.len());
        !part.last().is_some_and(u8::is_ascii_alphanumeric)
            || next.is_none_or(|next| !next.is_ascii_alphanumeric())
    };
    // `*/app/` and `/*/shop/` match such files by accident.
    let names_files = |part: &[u8]| {
        let part = part.to_ascii_lowercase();
        parts(FILE_WORDS, b' ').any(|word| memchr::memmem::find(&part, word).is_some())
    };
    stem.split(|&byte| byte == b'*')
        .any(|part| names_files(part) && is_word(part) || part.contains(&b'?') || part.contains(&b'='))
}
