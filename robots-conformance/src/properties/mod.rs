//! What holds for any octets: asked by the fuzz targets of any input, by the generated tests of some.
//!
//! Each function panics where its property does not hold, and takes whatever it is given.
#![expect(clippy::missing_panics_doc, reason = "to panic is what a property is for")]

pub mod batch;
pub mod retrieval;

use robots_fetch::matching::groups::{self, Boundary, Groups, Merge, Name, Wildcard};
use robots_fetch::matching::syntax::{
    Deviation, Excerpt, Field, Grammar, Line, Record, Span, conforms, lines,
};
use robots_fetch::matching::{
    Answer, Authority, Basis, Crawler, Effect, ProductToken, Profile, RuleSet, Verdict, path_of,
};
use robots_fetch::matching::{
    EmptyPattern, Form, IndexPage, Policy, Precedence, Query, Robots, RobotsTxt, Ruling, Specials,
};

use crate::model::{self, oracle};

/// An input of several parts: lines, and the rest as it stands.
#[must_use]
pub fn parts<const N: usize>(data: &[u8]) -> [&[u8]; N] {
    let mut rest = data.splitn(N, |&octet| octet == b'\n');
    core::array::from_fn(|_| rest.next().unwrap_or_default())
}

/// Reading: lines tile what is read, fields are where their spans say, what deviates is what the grammar does not
/// derive, and RFC 9309's reader says what the model says.
pub fn reading(file: &[u8]) {
    for (_, profile) in Profile::NAMED {
        let all = lines(file, &profile.syntax);
        let (skipped, dropped, dropped_len) = (all.skipped(), all.dropped(), all.dropped_len());
        let mut at = skipped.end();
        for (index, line) in all.clone().enumerate() {
            assert_eq!((line.number, line.span().start()), (index + 1, at), "lines tile the file");
            assert!(!line.span().is_empty());
            at = line.span().end();
            assert_eq!(line.span().of(file), line.octets());
            assert_eq!(line.content().span().start(), line.span().start());
            for field in fields(&line) {
                assert_eq!(field.span().of(file), field.octets());
                assert!(
                    line.span().start() <= field.span().start() && field.span().end() <= line.span().end()
                );
            }
            let deviations = line.deviations(&profile.syntax);
            assert_eq!(deviations.is_empty(), deviations.iter().next().is_none());
            assert!(deviations.iter().all(|deviation| Deviation::ALL.contains(&deviation)));
            shown(&line.to_string());
            shown(&format!("{line:?} {deviations:?}"));
        }
        assert_eq!((at, file.len() - at), (dropped.start(), dropped_len));
    }
    agreement(file);
    limits(file);
    excerpts(file);
}

/// A limit leaves the lines whose content lies within it, and nothing of others.
fn limits(file: &[u8]) {
    let contents = |line: &[u8]| line.iter().take_while(|octet| !matches!(octet, b'\r' | b'\n')).count();
    for limit in [0, file.len() / 3, file.len() / 2, file.len().saturating_sub(1), file.len()] {
        let mut policy = Profile::RFC9309.syntax;
        policy.max_size = Some(limit);
        let (mut at, mut kept) = (0, 0);
        for line in model::lines(file) {
            if at + contents(line) <= limit {
                // The line end lies beyond the limit, or the first octet of it does not.
                kept = (at + line.len()).min(limit + 1);
            }
            at += line.len();
        }
        assert_eq!(lines(file, &policy).dropped().start(), kept, "{limit} of {}", file.escape_ascii());
    }
}

/// Grammar and reader agree.
fn agreement(file: &[u8]) {
    let policy = Profile::RFC9309.syntax;
    let all = lines(file, &policy);
    let mut first = None;
    for line in all.clone() {
        let deviates = !line.deviations(&policy).is_empty();
        assert_eq!(!deviates, model::is_derived(line.octets()), "{line:?} {:?}", line.deviations(&policy));
        if deviates && first.is_none() {
            first = Some(line.number);
        }
        let said = match line.record {
            Record::UserAgent(name) => model::Said::UserAgent(name.octets()),
            Record::Rule(rule) => {
                assert_eq!(rule.line(), line.number);
                model::Said::Rule(rule.effect == Effect::Allow, rule.pattern.octets())
            }
            Record::Other { key, value } => model::Said::Other(key.octets(), value.octets()),
            Record::Comment => model::Said::Comment,
            Record::Blank => model::Said::Blank,
            Record::Unreadable => model::Said::Unreadable,
            other => panic!("the model does not know the record {other:?}"),
        };
        assert_eq!(said, model::said(line.octets()));
    }
    let read = file.get(all.skipped().end()..all.dropped().start()).unwrap_or_default();
    let numbers: Vec<&[u8]> = all.clone().map(|line| line.octets()).collect();
    assert_eq!(numbers, model::lines(read));

    let groups = Groups::collect(all.clone(), &Profile::RFC9309.groups);
    let stray = groups.strays().first().map(|rule| rule.line());
    let first = [first, stray].into_iter().flatten().min();
    let found = conforms(file, Grammar::Rfc9309);
    if all.skipped().is_empty() && all.dropped_len() == 0 {
        assert_eq!(found.err().map(|departure| departure.line), first);
    }
    // The grammar of 1996 asks for more than its lines: only one direction holds.
    let policy = Profile::KOSTER_1996.syntax;
    match conforms(file, Grammar::Koster1996) {
        Ok(()) => assert!(lines(file, &policy).all(|line| line.deviations(&policy).is_empty())),
        Err(departure) => {
            let is_end = departure.span == Span::new(file.len(), file.len());
            assert!(is_end || lines(file, &policy).any(|line| line.span() == departure.span));
            shown(&departure.to_string());
        }
    }
}

/// Any place of any file can be shown.
fn excerpts(file: &[u8]) {
    let some = [0, file.len() / 3, file.len() / 2, file.len().saturating_sub(1), file.len(), file.len() + 7];
    for start in some {
        for end in [start, start + 1, start + file.len() / 4, file.len() + 9] {
            let excerpt = Excerpt::new(file, Span::new(start, end));
            assert!(excerpt.line() >= 1 && excerpt.column() >= 1);
            shown(&excerpt.to_string());
        }
    }
}

fn fields<'a>(line: &Line<'a>) -> Vec<Field<'a>> {
    let mut fields = vec![line.content()];
    fields.extend(line.comment());
    match line.record {
        Record::UserAgent(field) => fields.push(field),
        Record::Rule(rule) => fields.push(rule.pattern),
        Record::Other { key, value } => fields.extend([key, value]),
        _ => {}
    }
    fields
}

/// Messages are one piece of printable text, line ends of excerpts aside.
fn shown(message: &str) {
    assert!(!message.is_empty());
    assert!(message.chars().all(|char| char == '\n' || !char.is_control()), "{message:?}");
}

/// The tokens of a list like `!+a,b`: `!` for a crawler that ignores `*`, `+` for one whose tokens count together.
fn with_crawler<T>(list: &[u8], policy: &groups::Policy, ask: impl FnOnce(Crawler<'_>) -> T) -> T {
    let list = String::from_utf8_lossy(list);
    let names = list.trim_start_matches(['!', '+']);
    let flags = list.get(..list.len() - names.len()).unwrap_or_default();
    let tokens: Vec<ProductToken<'_>> = names
        .split(',')
        .filter_map(|name| match ProductToken::admitted(name, policy) {
            Ok(token) => Some(token),
            Err(error) => {
                shown(&error.to_string());
                None
            }
        })
        .collect();
    let mut crawler = Crawler::new(&tokens);
    if flags.contains('!') {
        crawler = crawler.ignoring_wildcard();
    }
    if flags.contains('+') {
        crawler = crawler.together();
    }
    ask(crawler)
}

/// Groups are formed and found as the sentences of the documents say.
pub fn grouping(agents: &[u8], file: &[u8]) {
    for (_, profile) in Profile::NAMED {
        let policy = &profile.groups;
        let found = Groups::read(file, &profile.syntax, policy);
        let (expected, strays) = naive_groups(lines(file, &profile.syntax), policy);
        let of = |rules: &[robots_fetch::matching::syntax::Rule<'_>]| -> Vec<usize> {
            rules.iter().map(|rule| rule.line()).collect()
        };
        assert_eq!(of(found.strays()), strays);
        assert_eq!((found.len(), found.is_empty()), (expected.len(), expected.is_empty()));
        assert!(found.get(expected.len()).is_none());
        for (group, (names, rules)) in found.iter().zip(&expected) {
            let agents: Vec<&[u8]> = group.agents().iter().map(|agent| agent.octets()).collect();
            assert_eq!((&agents, &of(group.rules())), (names, rules));
            shown(&group.to_string());
        }
        with_crawler(agents, policy, |crawler| {
            let selection = found.select(crawler);
            let (basis, indices) = naive_selection(&expected, &crawler, policy);
            assert_eq!(
                (selection.basis(), selection.indices().collect::<Vec<_>>()),
                (basis, indices.clone())
            );
            let rules: Vec<usize> = selection.rules().map(|rule| rule.line()).collect();
            let added: Vec<usize> = indices
                .iter()
                .filter_map(|&index| expected.get(index))
                .flat_map(|(_, rules)| rules.clone())
                .collect();
            assert_eq!(rules, added);
            assert!(rules.is_sorted());
        });
        let header = String::from_utf8_lossy(agents);
        if let Some(token) = ProductToken::of_user_agent(&header, policy) {
            assert!(token.is_substring_of(&header));
            assert_eq!(ProductToken::admitted(token.as_str(), policy), Ok(token));
        }
    }
}

type NaiveGroup<'a> = (Vec<&'a [u8]>, Vec<usize>);

fn naive_groups<'a>(
    lines: impl Iterator<Item = Line<'a>>,
    policy: &groups::Policy,
) -> (Vec<NaiveGroup<'a>>, Vec<usize>) {
    let (mut groups, mut strays): (Vec<NaiveGroup<'a>>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut is_open = false;
    for line in lines {
        match (line.record, groups.last_mut().filter(|_| is_open)) {
            (Record::UserAgent(name), Some((names, rules))) if rules.is_empty() => names.push(name.octets()),
            (Record::UserAgent(name), _) => {
                groups.push((vec![name.octets()], Vec::new()));
                is_open = true;
            }
            (Record::Rule(rule), Some((_, rules))) => rules.push(rule.line()),
            (Record::Rule(rule), None) => strays.push(rule.line()),
            (Record::Blank, _) if policy.boundary == Boundary::BlankLine => is_open = false,
            _ => {}
        }
    }
    (groups, strays)
}

fn naive_selection(
    groups: &[NaiveGroup<'_>],
    crawler: &Crawler<'_>,
    policy: &groups::Policy,
) -> (Basis, Vec<usize>) {
    let with = |merge: Merge, fits: &dyn Fn(&[u8]) -> bool| -> Vec<usize> {
        let mut indices: Vec<usize> = (0..groups.len())
            .filter(|&index| groups.get(index).is_some_and(|(names, _)| names.iter().any(|name| fits(name))))
            .collect();
        if merge == Merge::First {
            indices.truncate(1);
        }
        indices
    };
    let names = |value: &[u8], token: &ProductToken<'_>| {
        let end = match policy.name {
            Name::Leading => value.iter().position(|&octet| !policy.alphabet.contains(octet)),
            _ => None,
        };
        let name = value.get(..end.unwrap_or(value.len())).unwrap_or_default();
        name.eq_ignore_ascii_case(token.as_str().as_bytes())
    };
    // `together` shows only in what is found: of the tokens each alone in their order, or any of them.
    let mut rounds: Vec<&[ProductToken<'_>]> = crawler.tokens().chunks(1).collect();
    if *crawler == crawler.together() {
        rounds = vec![crawler.tokens()];
    }
    for round in rounds {
        let named = with(policy.named, &|value| round.iter().any(|token| names(value, token)));
        if !named.is_empty() {
            return (Basis::Named, named);
        }
    }
    if crawler.obeys_wildcard() {
        let general = with(policy.general, &|value| match policy.wildcard {
            Wildcard::BeforeWhiteSpace => value.strip_prefix(b"*").is_some_and(|rest| {
                rest.first().is_none_or(|next| next.is_ascii_whitespace() || *next == 0x0B)
            }),
            _ => value == b"*",
        });
        if !general.is_empty() {
            return (Basis::Wildcard, general);
        }
    }
    (Basis::None, Vec::new())
}

/// Verdicts: the rules are those of the file in the form of the profile, the verdict that of the first of them that
/// matches, and its line and span are those of the rule as it stands in the file.
pub fn verdict(path: &[u8], agents: &[u8], body: &[u8]) {
    for (name, profile) in Profile::NAMED {
        let robots = Robots::new(body, profile);
        let rules = with_crawler(agents, &profile.groups, |crawler| {
            let rules = robots.rules(crawler);
            let groups = robots.groups();
            let selection = groups.select(crawler);
            // Found while the lines go by, or in all groups: the same.
            assert_eq!(rules, RuleSet::compile(&selection, &profile.matching));
            same_rules(&rules, &oracle::compiled(selection.rules(), &profile.matching));
            for path in [path, &*path_of(path, &profile.matching)] {
                same_answer(&robots.check(crawler, path), &rules.check(path));
            }
            rules
        });
        let rulings = rules.rulings();
        assert_eq!((rules.len(), rules.is_empty()), (rulings.len(), rulings.is_empty()));
        oracle::check_as_scanned(&rules, &rulings, path);
        oracle::check_as_scanned(&rules, &rulings, &path_of(path, &profile.matching));
        let verdict = rules.check(path);
        shown(&format!("{verdict} {verdict:?}"));
        if let Some(ruling) = verdict.ruling() {
            let line = robots.lines().nth(ruling.line - 1).expect("the line that decided is one of the file");
            let Record::Rule(rule) = line.record else { panic!("the line that decided is a rule") };
            assert_eq!((rule.effect, rule.pattern.span()), (ruling.effect, ruling.span));
            assert_eq!(ruling.span.of(robots.body()), rule.pattern.octets());
        }
        assert_eq!(rules.check_text(path), rules.check(&path_of(path, &profile.matching)));
        if name == "rfc9309" {
            agrees_with_model(path, agents, &robots);
        }
        among_others(&rulings, path, &profile);
    }
}

/// Rules among many others, which are found in another way, decide as they do alone.
fn among_others(rulings: &[Ruling<'_>], path: &[u8], profile: &Profile) {
    const OTHERS: usize = 200;
    let mut file = b"user-agent: *\n".to_vec();
    // What is decoded may no longer stand in a line.
    for ruling in rulings.iter().filter(|ruling| ruling.pattern.iter().all(|octet| *octet > b'#')) {
        file.extend_from_slice(
            &[ruling.effect.to_string().as_bytes(), b": ", ruling.pattern, b"\n"].concat(),
        );
    }
    if file.len() > 400_000 {
        return;
    }
    let alone = RuleSet::read(&file, Crawler::unnamed(), profile);
    for number in 0..OTHERS {
        file.extend_from_slice(format!("disallow: /another-{number}/\n").as_bytes());
    }
    let among = RuleSet::read(&file, Crawler::unnamed(), profile);
    assert_eq!(alone.len() + OTHERS, among.len());
    let (alone, among) = (alone.check(path), among.check(path));
    if !among.ruling().is_some_and(|ruling| ruling.pattern.starts_with(b"/another-")) {
        assert_eq!(alone, among);
    }
}

/// What is answered without a rule set is what the rule set answers.
pub fn same_answer(answer: &Answer<'_>, verdict: &Verdict<'_>) {
    assert_eq!(answer.to_string(), verdict.to_string());
    assert_eq!((answer.is_allowed(), answer.line()), (verdict.is_allowed(), verdict.line()));
    assert_eq!(answer.code(), verdict.reason().code());
    let of_rule = answer.rule().map(|rule| (rule.effect, rule.pattern.span()));
    assert_eq!(of_rule, verdict.ruling().map(|ruling| (ruling.effect, ruling.span)));
}

fn same_rules(rules: &RuleSet, expected: &[oracle::Compiled]) {
    let rulings = rules.rulings();
    let mut found: Vec<oracle::Compiled> =
        rulings.iter().map(|ruling| (ruling.effect, ruling.pattern.to_vec(), ruling.line)).collect();
    let mut expected = expected.to_vec();
    if rules.policy().precedence == Precedence::First {
        // No order between the two rules of one line, the index page's and its directory's.
        found.sort_by_key(|(_, pattern, line)| (*line, pattern.clone()));
        expected.sort_by_key(|(_, pattern, line)| (*line, pattern.clone()));
    }
    assert_eq!(found, expected);
}

/// The stack under RFC 9309 says what the model of its sentences says, for the first of `agents`.
pub fn agrees_with_model(path: &[u8], agents: &[u8], robots: &Robots) {
    let all = robots.lines();
    let read = robots.body().get(all.skipped().end()..all.dropped().start()).unwrap_or_default();
    let agents = String::from_utf8_lossy(agents);
    for token in agents.split(',').filter_map(|name| ProductToken::new(name).ok()).take(2) {
        let rules = robots.rules(&token);
        let verdict = rules.check(path);
        let found = (verdict.is_allowed(), verdict.line());
        assert_eq!(found, model::verdict(read, token.as_str(), path), "{token} {}", path.escape_ascii());
    }
}

/// One pattern matches a path as the oracle says, by way of a file with this one rule.
pub fn pattern(pattern: &[u8], path: &[u8]) {
    for (_, profile) in Profile::NAMED {
        let Some(rules) = with_one_rule(b"disallow", pattern, &profile) else { continue };
        let policy = &profile.matching;
        let whole = if path.is_empty() { b"/" } else { path };
        let formed = oracle::path_in(policy.path, whole);
        let compiled = oracle::pattern_in(policy.pattern, policy.specials, pattern);
        let is_met = !compiled.is_empty()
            && oracle::applies(&compiled, &formed, policy)
            && !(policy.robots_txt == RobotsTxt::Allowed && formed == b"/robots.txt");
        assert_eq!(
            rules.check(path).is_allowed(),
            !is_met,
            "{} {}",
            pattern.escape_ascii(),
            path.escape_ascii()
        );
    }
}

/// A rule set of one rule for everyone; `None` where `pattern` can't be written in a line so that all of it counts.
fn with_one_rule(key: &[u8], pattern: &[u8], profile: &Profile) -> Option<RuleSet> {
    let file = [b"user-agent: *\n", key, b": ", pattern, b"\n"].concat();
    let mut rules = lines(&file, &profile.syntax).skip(1).filter_map(|line| match line.record {
        Record::Rule(rule) => Some(rule),
        _ => None,
    });
    let rule = rules.next()?;
    (rule.pattern.octets() == pattern && rules.next().is_none())
        .then(|| RuleSet::read(&file, Crawler::unnamed(), profile))
}

/// The form of a form is the same, and no verdict depends on how a path is encoded where the profile does not.
pub fn canonical(pattern: &[u8], path: &[u8]) {
    for (_, profile) in Profile::NAMED {
        let policy = &profile.matching;
        let Some(rules) = with_one_rule(b"disallow", pattern, &profile) else { continue };
        for ruling in rules.rulings() {
            let formed = oracle::pattern_in(policy.pattern, policy.specials, pattern);
            assert_eq!(ruling.pattern, formed);
            if let Some(again) = with_one_rule(b"disallow", ruling.pattern, &profile) {
                let rulings = again.rulings();
                assert_eq!(rulings.first().map(|ruling| ruling.pattern), Some(ruling.pattern));
            }
        }
        let verdict = rules.check(path).is_allowed();
        if policy.path == Form::AsWritten {
            continue;
        }
        let units = oracle::units(path);
        // What may be written encoded: an octet that is no delimiter; where all is decoded, any but the slash.
        let rewritten: Vec<u8> = units
            .iter()
            .enumerate()
            .flat_map(|(index, &(encoded, octet))| {
                let may = match policy.path {
                    Form::Normal => {
                        octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) || !octet.is_ascii()
                    }
                    _ => octet != b'/' && octet != b'%',
                };
                match (encoded || may && index % 3 != 1, index % 2 == 0) {
                    (false, _) => vec![octet],
                    (true, false) => format!("%{octet:02X}").into_bytes(),
                    (true, true) => format!("%{octet:02x}").into_bytes(),
                }
            })
            .collect();
        // The root's path may be left away, but not written as something else.
        assert_eq!(
            rules.check(&rewritten).is_allowed(),
            verdict,
            "{} {}",
            path.escape_ascii(),
            rewritten.escape_ascii()
        );
        let formed = oracle::path_in(policy.path, path);
        assert_eq!(rules.check(&formed).is_allowed(), verdict);
    }
}

/// Many rules, made of the words of `data`, say together what they say one after the other. `data` begins with the
/// binary logarithm of how many rules there are, the profile and knobs that are turned, and a seed.
pub fn ruleset(data: &[u8]) {
    let Some(([size, knobs, which, seed], text)) =
        data.split_first_chunk::<4>().map(|(head, text)| (*head, text))
    else {
        return;
    };
    let mut words: Vec<&[u8]> = text
        .split(|octet| matches!(octet, b'\n' | b'\r' | b' ' | b'\t' | b'#' | 0))
        .map(|word| word.get(..word.len().min(12)).unwrap_or_default())
        .take(64)
        .collect();
    words.extend([&b"/"[..], b"*", b"$", b"a"]);
    let mut random = u64::from(seed) << 8 | 1;
    let mut below = |most: usize| {
        // xorshift64
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random >> 33).unwrap_or_default() % most.max(1)
    };
    let phrase = |most: usize, below: &mut dyn FnMut(usize) -> usize| -> Vec<u8> {
        let mut phrase = b"/".to_vec();
        for _ in 0..below(most) + 1 {
            phrase.extend(words.get(below(words.len())).copied().unwrap_or_default());
        }
        phrase
    };
    let mut file = b"user-agent: *\n".to_vec();
    let count = (1_usize << (size % 12)) + usize::from(size >> 4);
    for _ in 0..count {
        file.extend_from_slice(if below(3) == 0 { b"allow: " } else { b"disallow: " });
        let pattern = phrase(5, &mut below);
        file.extend(match below(24) {
            0 => &[],
            1 => pattern.get(1..).unwrap_or_default(),
            _ => &pattern[..],
        });
        file.push(b'\n');
    }
    let (_, mut profile) = Profile::NAMED.into_iter().nth(usize::from(which & 3)).unwrap_or_default();
    turn(&mut profile.matching, knobs);
    let rules = RuleSet::read(&file, Crawler::unnamed(), &profile);
    let groups = Groups::read(&file, &profile.syntax, &profile.groups);
    let selected = groups.select(Crawler::unnamed());
    same_rules(&rules, &oracle::compiled(selected.rules(), &profile.matching));
    let rulings = rules.rulings();
    for _ in 0..12 {
        let mut path = phrase(7, &mut below);
        if let Some(ruling) = rulings.get(below(rulings.len() * 2)) {
            path = ruling.pattern.to_vec();
            let star = phrase(3, &mut below);
            if below(2) == 0 {
                path = path.split(|&octet| octet == b'*').collect::<Vec<_>>().join(&star[..]);
            }
            path.truncate(path.len() - path.len().min(below(3)));
            if below(2) == 0 {
                path.extend(phrase(2, &mut below));
            }
        }
        oracle::check_as_scanned(&rules, &rulings, &path);
        same_answer(&Answer::of(&file, Crawler::unnamed(), &path, &profile), &rules.check(&path));
    }
}

/// Turns the knobs of matching that `knobs` has bits for.
fn turn(policy: &mut Policy, knobs: u8) {
    if knobs & 1 != 0 {
        policy.precedence = match policy.precedence {
            Precedence::First => Precedence::MostOctets,
            _ => Precedence::First,
        };
    }
    if knobs & 2 != 0 {
        policy.query = match policy.query {
            Query::AlsoDecoded => Query::OneForm,
            _ => Query::AlsoDecoded,
        };
    }
    if knobs & 4 != 0 {
        policy.specials = match policy.specials {
            Specials::None => Specials::StarAndDollar,
            _ => Specials::None,
        };
    }
    // Which of two rules of one line comes first is open, and so is what a directory's `$` is where it is not special.
    policy.index_page = match (policy.precedence, policy.specials) {
        (Precedence::MostOctets, Specials::StarAndDollar) if knobs & 8 != 0 => IndexPage::AlsoDirectory,
        (Precedence::MostOctets, Specials::StarAndDollar) => policy.index_page,
        _ => IndexPage::OwnPath,
    };
    if knobs & 16 != 0 {
        policy.empty_pattern = EmptyPattern::EverythingWithoutEffect;
    }
    if knobs & 32 != 0 {
        policy.robots_txt = RobotsTxt::Ruled;
    }
    if knobs & 64 != 0 {
        policy.pattern = Form::AsWritten;
    }
    if knobs & 128 != 0 {
        policy.path = Form::AsWritten;
    }
}

/// The path of a URL as text is what stands between its authority and its fragment.
pub fn url_text(url: &[u8]) {
    for authority in [Authority::UntilSlashOrQuery, Authority::UntilSlashQueryOrSemicolon] {
        let mut policy = Policy::RFC9309;
        policy.authority = authority;
        let ends = |octet: u8| {
            matches!(octet, b'/' | b'?')
                || authority == Authority::UntilSlashQueryOrSemicolon && octet == b';'
        };
        let text: Vec<u8> = url.iter().copied().take_while(|&octet| octet != b'#').collect();
        let scheme_end =
            (0..text.len()).find(|&at| text.get(at..).is_some_and(|rest| rest.starts_with(b"://")));
        let authority_at = match scheme_end {
            _ if text.starts_with(b"//") => 2,
            Some(end) if !text.iter().take(end).any(|&octet| ends(octet)) => end + 3,
            _ => 0,
        };
        let mut expected: Vec<u8> =
            text.into_iter().skip(authority_at).skip_while(|&octet| !ends(octet)).collect();
        if expected.first() != Some(&b'/') {
            expected.insert(0, b'/');
        }
        assert_eq!(path_of(url, &policy), expected, "{}", url.escape_ascii());
    }
}
