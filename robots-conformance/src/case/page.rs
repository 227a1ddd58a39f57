//! Rows about the rules of a page.

use std::fmt::Write as _;

use robots_fetch::matching::{Crawler, Profile, Robots, Verdict};
use robots_page::{
    Answer, CrawlerRules, FieldName, ImagePreview, Index, Limit, Limits, LinkRel, PageAnswersDocument,
    PageDocument, PagePolicy, PageProblem, PageReader, PageRules, PageVerdict, PageVerdictDocument, Place,
    Possibility, Preference, Problem, Question as Use, RobotsStatements, Source, Timestamp,
};

use crate::escape::unescaped;
use crate::row::{Answered, Difference, Files, Kind, RowContext, lists, row};

row! {
    /// A row `[[page]]`.
    pub struct Page {
        #[serde(default)]
        fields: Vec<String>,
        html: Option<String>,
        html_file: Option<String>,
        /// Whether the body broke off after the HTML.
        #[serde(default)]
        cut: bool,
        /// The fields of a response with status 304, after which the rules of the row stay in force.
        not_modified: Option<Vec<String>>,
        /// The document after scripts ran.
        rendered: Option<String>,
        rendered_file: Option<String>,
        /// The name of a file with the fields, for fields that are generated.
        fields_file: Option<String>,
        field_limit: Option<usize>,
        html_limit: Option<usize>,
        robots: Option<String>,
        path: Option<String>,
        agent: Option<String>,
        agents: Option<Vec<String>>,
        #[serde(default)]
        ignores_wildcard: bool,
        now: Option<i64>,
        /// A category of usage that the documents do not name.
        category: Option<String>,
        /// The attribute `rel` of a link on the page.
        rel: Option<String>,
        /// The document by which pages are read for the crawler of the row.
        document: Option<String>,
        expect: Vec<String>,
        problems: Option<Vec<String>>,
        complete: Option<bool>,
        /// Why not all that can have rules was read.
        because: Option<String>,
        unknown: Option<Vec<String>>,
        /// How many rules an answer has that do not decide it.
        others: Option<Vec<String>>,
        /// The rules as they are written in a field, and in elements.
        field: Option<String>,
        meta: Option<String>,
        /// The URLs that the document names for itself, and its parts that are not quoted.
        hints: Option<Vec<String>>,
        /// After how many bytes of the document no more is read.
        stops: Option<usize>,
    }
}

/// What a row asks.
#[derive(Default)]
struct Question {
    fields: Vec<(Vec<u8>, Vec<u8>)>,
    html: Option<Vec<u8>>,
}

/// How the HTML is given to the reader.
#[derive(Clone, Copy, PartialEq)]
enum Chunks {
    Whole,
    /// So that an element is in several parts, and a part has several states of the tokenizer.
    Short,
    Bytes,
}

impl Chunks {
    fn of(self, html: &[u8]) -> core::slice::Chunks<'_, u8> {
        html.chunks(match self {
            Self::Whole => html.len().max(1),
            Self::Short => 7,
            Self::Bytes => 1,
        })
    }
}

impl Page {
    fn crawler(&self) -> Crawler {
        let names = self.agent.iter().chain(self.agents.iter().flatten());
        let crawler = Crawler::with_names(names).unwrap_or_else(|_| Crawler::unnamed());
        if self.ignores_wildcard { crawler.ignoring_wildcard() } else { crawler }
    }

    fn limits(&self) -> Result<Limits, String> {
        let default = Limits::default();
        let limits = Limits::new(
            self.field_limit.unwrap_or_else(|| default.field()),
            self.html_limit.unwrap_or_else(|| default.html()),
        );
        limits.map_err(|error| error.to_string())
    }

    /// Returns a reader that has the fields.
    fn reader(&self, context: &RowContext<'_>, fields: &[(Vec<u8>, Vec<u8>)]) -> PageReader {
        let mut reader = PageReader::new(*context.page).with_limits(self.limits().unwrap_or_default());
        for (name, value) in fields {
            reader.field(name, value);
        }
        reader
    }

    fn question(&self, files: &Files) -> Result<Question, String> {
        let mut fields = split(&self.fields)?;
        if let Some(name) = &self.fields_file {
            let text = String::from_utf8_lossy(files.get(name).unwrap_or_default()).into_owned();
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            fields.extend(split(&lines)?);
        }
        let html = match (&self.html, &self.html_file) {
            (Some(html), _) => Some(unescaped(html)?),
            (None, Some(name)) => files.get(name).map(<[u8]>::to_vec),
            (None, None) => None,
        };
        Ok(Question { fields, html })
    }

    fn read(&self, context: &RowContext<'_>, to_the_end: bool, chunks: Chunks) -> PageRules {
        let question = self.question(context.files).unwrap_or_default();
        let html = question.html.as_deref();
        let page = self.read_response(context, &question.fields, html, to_the_end, chunks);
        let rendered = match (&self.rendered, &self.rendered_file) {
            (Some(rendered), _) => Some(unescaped(rendered).unwrap_or_default()),
            (None, name) => name.as_ref().map(|name| context.file(name).to_vec()),
        };
        let page = match rendered {
            Some(html) => page.and(self.read_response(context, &[], Some(&html), to_the_end, chunks)),
            None => page,
        };
        match &self.not_modified {
            Some(fields) => {
                let fields = split(fields).unwrap_or_default();
                page.revalidated(self.read_response(context, &fields, None, to_the_end, chunks))
            }
            None => page,
        }
    }

    fn read_response(
        &self,
        context: &RowContext<'_>,
        fields: &[(Vec<u8>, Vec<u8>)],
        html: Option<&[u8]>,
        to_the_end: bool,
        chunks: Chunks,
    ) -> PageRules {
        let mut reader = self.reader(context, fields);
        if to_the_end {
            reader = reader.reading_to_the_end();
        }
        if let Some(html) = html {
            reader.html(b"");
            for chunk in chunks.of(html) {
                if !reader.wants_html() {
                    break;
                }
                reader.html(chunk);
            }
        }
        if self.cut {
            reader.cut();
        }
        reader.finish()
    }

    /// Calls a function with the verdict of robots.txt, if the row has one, and with the rules for the crawler of the row, joined with
    /// the statements of robots.txt.
    fn joined<T>(
        &self,
        context: &RowContext<'_>,
        page: &PageRules,
        ask: impl FnOnce(Option<Verdict>, CrawlerRules<'_>) -> T,
    ) -> T {
        let crawler = self.crawler();
        let rules = page.for_crawler(&crawler);
        let Some(robots) = &self.robots else { return ask(None, rules) };
        let path = self.path.as_deref().unwrap_or("/").as_bytes();
        let robots = Robots::new(context.file(robots), Profile::RFC9309);
        let statements = RobotsStatements::new(&robots, &crawler, path);
        ask(Some(robots.rules(&crawler).check(path)), rules.with_robots(statements.records()))
    }

    /// Returns the problems of the page for the crawler of the row, which may not be allowed to fetch it.
    fn problems(&self, context: &RowContext<'_>, page: &PageRules) -> Vec<String> {
        self.joined(context, page, |access, rules| {
            problems(&rules.problems(access.as_ref().is_none_or(Verdict::is_allowed)))
        })
    }

    /// Compares the index and the problems at a time with the answer of the row whether the page is available then.
    fn check_at(&self, now: Timestamp, page: &PageRules) -> Option<Difference> {
        let crawler = self.crawler();
        let rules = || page.for_crawler(&crawler);
        let is_over = self.expect.iter().any(|answer| answer.starts_with("available no"));
        let index = if is_over { Index::No } else { rules().index().value };
        let shown = |index, is_over| format!("{index:?}, a date in the past: {is_over}");
        let at = rules().at(now);
        let is_past = |found: &PageProblem| found.problem == Problem::DateInThePast;
        let got = shown(at.index().value, at.problems(true).iter().any(is_past));
        let expected = shown(index, is_over);
        (got != expected).then(|| Difference::new("index at the time", expected, got))
    }

    /// Compares the answers in words, and those of the document that programs get, with the answers of the row.
    fn check_words(&self, rules: &CrawlerRules<'_>) -> Vec<Difference> {
        let document = PageAnswersDocument::new(rules);
        let stated = |of: &str| {
            let values = self.expect.iter().filter_map(|text| text.strip_prefix(of)?.strip_prefix(' '));
            values.map(|text| text.split(" [").next().unwrap_or_default().to_owned()).next()
        };
        let or = |of: &str, default: &str| stated(of).unwrap_or_else(|| default.to_owned());
        let limit = |of: &str, unit: &str| match stated(of).as_deref() {
            None => "yes".to_owned(),
            Some("none") => "no".to_owned(),
            Some(most) => format!("at most {most} {unit}"),
        };
        let usage = |of: &str| match stated(of).as_deref() {
            Some("title and snippet") => "title and snippet only".to_owned(),
            _ => or(of, "unknown"),
        };
        let mut found = Vec::new();
        for (question, expected, free, written) in [
            (Use::Index, or("index", "yes"), &["yes"][..], &document.index),
            (Use::Snippet, limit("snippet", "characters"), &["yes"], &document.snippet),
            (Use::Follow, or("follow", "yes"), &["yes"], &document.follow),
            (Use::Archive, or("archive", "yes"), &["yes"], &document.archive),
            (Use::Images, or("images", "yes"), &["yes"], &document.images),
            (Use::Translate, or("translate", "yes"), &["yes"], &document.translate),
            (Use::ImagePreview, or("image preview", "large"), &["large"], &document.image_preview),
            (Use::VideoPreview, limit("video", "seconds"), &["yes"], &document.video_preview),
            (Use::UnavailableAfter, or("until", "no limit"), &[], &document.unavailable_after),
            (Use::Training, usage("training"), &["unknown", "allowed"], &document.training),
            (Use::Answers, usage("answers"), &["unknown", "allowed"], &document.answers),
            (Use::Search, usage("search"), &["unknown", "allowed"], &document.search),
        ] {
            let answer = rules.answer(question);
            if Use::find(question.name()) != Some(question) {
                found.push(Difference::new("question of a name", question.name(), "another"));
            }
            let is_limited = question != Use::UnavailableAfter && !free.contains(&&*expected);
            let shown = |text: &str, is_limited: bool| format!("{question} {text}, limited: {is_limited}");
            let expected = shown(&expected, is_limited);
            for got in
                [shown(&answer.value.text, answer.value.is_limited), shown(&written.value, written.limited)]
            {
                found.extend((got != expected).then(|| Difference::new("words", expected.as_str(), got)));
            }
            let decides = answer.source.map(|record| record.rule.to_string());
            let got = written.decides.as_ref().map(|decides| decides.rule.clone());
            if got != decides || written.others != answer.others.len() {
                found.push(Difference::new(
                    "rule of the document",
                    format!("{decides:?}"),
                    format!("{got:?}"),
                ));
            }
        }
        found
    }

    /// Returns how many rules each answer has that do not decide it, where there are some.
    fn others(rules: &CrawlerRules<'_>) -> Vec<String> {
        let answers = Use::ALL.iter().map(|question| (question.name(), rules.answer(*question).others.len()));
        answers.filter(|(_, others)| *others > 0).map(|(name, others)| format!("{name} {others}")).collect()
    }

    /// Returns the URLs that the document names for itself, and its parts that are not quoted, each with its line.
    fn found_hints(&self, context: &RowContext<'_>) -> Vec<String> {
        let question = self.question(context.files).unwrap_or_default();
        let found = self.reader(context, &question.fields).hints(&question.html.unwrap_or_default());
        found.iter().map(|hint| format!("{:?} {} {}", hint.kind, hint.line, hint.value)).collect()
    }

    /// Returns after how many bytes of the document no more is read.
    fn stop(&self, context: &RowContext<'_>) -> usize {
        let question = self.question(context.files).unwrap_or_default();
        let mut reader = self.reader(context, &question.fields);
        let html = question.html.unwrap_or_default();
        let mut read = 0;
        while reader.wants_html()
            && let Some(byte) = html.get(read..=read)
        {
            reader.html(byte);
            read += 1;
        }
        read
    }

    /// Compares what the row gives beside the answers.
    fn check_more(&self, context: &RowContext<'_>, page: &PageRules) -> Vec<Difference> {
        let mut found = Vec::new();
        if let Some(expected) = &self.others {
            found.extend(lists("other rules", expected, &Self::others(&page.for_crawler(&self.crawler()))));
        }
        if let Some(expected) = &self.hints {
            found.extend(lists("hint", expected, &self.found_hints(context)));
        }
        let mut compare = |what, expected: Option<&str>, got: &str| {
            let expected = expected.filter(|expected| *expected != got);
            found.extend(expected.map(|expected| Difference::new(what, expected, got)));
        };
        compare("written field", self.field.as_deref(), &page.write_field());
        compare("written elements", self.meta.as_deref(), &page.write_meta());
        compare("reason", self.because.as_deref(), page.incomplete_because().unwrap_or_default());
        if let Some(stops) = self.stops {
            compare("bytes that are read", Some(&stops.to_string()), &self.stop(context).to_string());
        }
        found
    }

    /// Compares the document that programs get with what the crawler can know.
    fn check_document(access: &Verdict, rules: &CrawlerRules<'_>) -> Option<Difference> {
        let document = PageVerdictDocument::new(PageDocument::Repext03, Some(access), Some(rules));
        let shown = |known: &str, has_answers: bool| format!("{known}, answers: {has_answers}");
        let expected = shown(if access.is_allowed() { "page" } else { "url-only" }, access.is_allowed());
        let got = shown(document.known, document.answers.is_some());
        (got != expected).then(|| Difference::new("document", expected, got))
    }

    /// Reads the rules of the page as they are written in a field. They are the same and have the right form.
    fn check_written(page: &PageRules) -> Vec<Difference> {
        let written = page.write_field();
        let mut reader = PageReader::new(PagePolicy::REPEXT);
        if !written.is_empty() {
            reader.field(b"Robots-Tag", written.as_bytes());
        }
        let again = reader.finish();
        let faults: Vec<_> = again
            .problems()
            .iter()
            .map(|found| found.problem)
            .filter(|found| OF_FORM.contains(found))
            .collect();
        let mut found = Vec::new();
        if again.write_field() != written {
            found.push(Difference::new("field that is read again", written.clone(), again.write_field()));
        }
        if !faults.is_empty() {
            found.push(Difference::new(
                "form of the written field",
                "none",
                format!("{faults:?} in {written}"),
            ));
        }
        found
    }

    /// Returns the rules that decide an answer although a problem says that they have no effect.
    fn check_effects(&self, page: &PageRules) -> Vec<Difference> {
        let rules = page.for_crawler(&self.crawler());
        let decide = Use::ALL.iter().filter_map(|question| rules.answer(*question).source);
        let decide: Vec<&Source> = decide.map(|record| &record.source).collect();
        let problems = rules.problems(true);
        // Elements and other fields have one place for several rules.
        let has_own_place = |found: &&PageProblem| {
            matches!(found.source, Source::Field { name: FieldName::RobotsTag | FieldName::XRobotsTag, .. })
                && found.problem != Problem::Contradiction
        };
        let ineffective = problems.iter().filter(has_own_place).filter(|found| found.problem.has_no_effect());
        let wrong = ineffective.filter(|found| decide.contains(&&found.source));
        wrong.map(|found| Difference::new("effect", "none", found.problem.code())).collect()
    }

    /// Returns all answers that are not the default, as rows write them.
    fn answered(&self, context: &RowContext<'_>, page: &PageRules) -> Vec<String> {
        let mut answered = self.answered_by_page(context, page);
        if let Some(rel) = &self.rel {
            let rel = LinkRel::parse(&unescaped(rel).unwrap_or_default());
            let words = [("nofollow", rel.nofollow), ("ugc", rel.ugc), ("sponsored", rel.sponsored)];
            answered
                .extend(words.iter().filter(|(_, is_set)| *is_set).map(|(word, _)| format!("link {word}")));
        }
        answered
    }

    fn answered_by_page(&self, context: &RowContext<'_>, page: &PageRules) -> Vec<String> {
        let answers = |rules: &CrawlerRules<'_>| answers(rules, self.now, self.category.as_deref());
        self.joined(context, page, |access, rules| {
            let Some(access) = access else { return answers(&rules) };
            let verdict = PageVerdict::new(access, || rules);
            match (verdict.index(), verdict.rules()) {
                (Possibility::Page(_), Some(rules)) => answers(rules),
                _ => {
                    let line = verdict.access().line().unwrap_or_default();
                    vec![format!("url only [robots.txt {line}]")]
                }
            }
        })
    }
}

/// Problems of the form of a field.
const OF_FORM: [Problem; 8] = [
    Problem::RuleAsToken,
    Problem::LegacySyntax,
    Problem::UnquotedName,
    Problem::InvalidMember,
    Problem::EmptyMember,
    Problem::InnerList,
    Problem::KeyCase,
    Problem::ParameterValue,
];

/// Names and values of fields.
type Fields = Vec<(Vec<u8>, Vec<u8>)>;

/// Splits fields at their first colon, with escapes.
fn split(fields: &[String]) -> Result<Fields, String> {
    fields
        .iter()
        .map(|field| {
            let (name, value) =
                field.split_once(':').ok_or_else(|| format!("`{field}` is not a field `name: value`"))?;
            let value = unescaped(value.strip_prefix(' ').unwrap_or(value))?;
            Ok((name.as_bytes().to_vec(), value))
        })
        .collect()
}

/// Returns a source as rows write it: field, number of the line, bytes; or line, bytes and place of an element.
fn source(source: &Source) -> String {
    match source {
        Source::Field { name, occurrence, span } => format!("{} {occurrence} {span:?}", name.name()),
        Source::Meta { line, span, place } => {
            let place = match place {
                Place::Head => "head",
                Place::Noscript => "noscript",
                Place::Body => "body",
            };
            format!("meta {line} {span:?} {place}")
        }
        Source::Robots { line, .. } => format!("robots.txt {line}"),
        _ => "body".to_owned(),
    }
}

fn answers(rules: &CrawlerRules<'_>, now: Option<i64>, category: Option<&str>) -> Vec<String> {
    let mut out = Vec::new();
    let mut add = |text: String, from: Option<&robots_page::Record>| {
        let mut text = text;
        if let Some(record) = from {
            let _ = write!(text, " [{}]", source(&record.source));
        }
        out.push(text);
    };
    let index = rules.index();
    match index.value {
        Index::Yes => {}
        Index::No => add("index no".to_owned(), index.source),
        Index::OnlyEmbedded => add("index only embedded".to_owned(), index.source),
    }
    let mut no = |what: &str, answer: Answer<'_, bool>| {
        if !answer.value {
            add(format!("{what} no"), answer.source);
        }
    };
    no("follow", rules.follow());
    no("archive", rules.archive());
    no("images", rules.images());
    no("translate", rules.translate());
    let mut limit = |what: &str, answer: Answer<'_, Limit>| match answer.value {
        Limit::Free => {}
        Limit::AtMost(most) => add(format!("{what} {most}"), answer.source),
        Limit::None => add(format!("{what} none"), answer.source),
    };
    limit("snippet", rules.snippet());
    limit("video", rules.video_preview());
    let preview = rules.image_preview();
    if preview.source.is_some() || preview.value != ImagePreview::Large {
        add(format!("image preview {}", preview.value), preview.source);
    }
    let until = rules.unavailable_after();
    if let Some(time) = until.value {
        add(format!("until {time}"), until.source);
    }
    if let Some(now) = now {
        let available = rules.available(Timestamp::new(now));
        add(format!("available {}", if available.value { "yes" } else { "no" }), None);
    }
    let mut preference = |what: &str, answer: Answer<'_, Preference>| {
        let value = match answer.value {
            Preference::Unknown => return,
            Preference::Allowed => "allowed",
            Preference::TitleAndSnippet => "title and snippet",
            Preference::Disallowed => "disallowed",
        };
        add(format!("{what} {value}"), answer.source);
    };
    preference("training", rules.training());
    preference("answers", rules.answers());
    preference("search", rules.search());
    if let Some(category) = category {
        preference(category, rules.usage(category));
    }
    let tdm = rules.tdm();
    if let Some(is_reserved) = tdm.value {
        add(format!("tdm {}", if is_reserved { "reserved" } else { "not reserved" }), tdm.source);
    }
    if let Some(policy) = rules.tdm_policy() {
        add(format!("tdm policy {policy}"), None);
    }
    let mut yes = |what: &str, answer: Answer<'_, bool>| {
        if answer.value {
            add(what.to_owned(), answer.source);
        }
    };
    yes("noai", rules.noai());
    yes("noimageai", rules.noimageai());
    out
}

fn problems(found: &[PageProblem]) -> Vec<String> {
    found.iter().map(|found| format!("{} [{}]", found.problem.code(), source(&found.source))).collect()
}

fn unknown_rules(page: &PageRules) -> Vec<String> {
    page.records()
        .iter()
        .filter_map(|record| match &record.rule {
            robots_page::Rule::Unknown(text) => Some(text.to_string()),
            _ => None,
        })
        .collect()
}

/// Removes the source of what was found where the row does not give one.
fn as_precise(expected: &[String], got: Vec<String>) -> Vec<String> {
    let cut = |(index, text): (usize, String)| match expected.get(index) {
        Some(wanted) if !wanted.ends_with(']') => text.split(" [").next().unwrap_or_default().to_owned(),
        _ => text,
    };
    got.into_iter().enumerate().map(cut).collect()
}

impl Kind for Page {
    fn validate(&self, files: &Files) -> Result<(), String> {
        self.question(files)?;
        if let Some(fields) = &self.not_modified {
            split(fields)?;
        }
        for text in self.rendered.iter().chain(&self.rel) {
            unescaped(text)?;
        }
        if let Some(document) = &self.document {
            document.parse::<PageDocument>().map_err(|error| error.to_string())?;
        }
        for name in
            self.robots.iter().chain(&self.html_file).chain(&self.rendered_file).chain(&self.fields_file)
        {
            files.has(name)?;
        }
        if self.html.is_some() && self.html_file.is_some() {
            return Err("both `html` and `html_file` are given; remove one of them".to_owned());
        }
        let names = self.agent.iter().chain(self.agents.iter().flatten());
        Crawler::with_names(names).map_err(|error| error.to_string())?;
        self.limits().map(drop)
    }

    fn check(&self, context: &RowContext<'_>) -> Vec<Difference> {
        let whole = self.read(context, true, Chunks::Whole);
        let got = as_precise(&self.expect, self.answered(context, &whole));
        let mut found = lists("answer", &self.expect, &got);
        if let Some(expected) = &self.problems {
            found.extend(lists("problem", expected, &as_precise(expected, self.problems(context, &whole))));
        }
        if let Some(expected) = &self.unknown {
            found.extend(lists("unknown rule", expected, &unknown_rules(&whole)));
        }
        found.extend(self.now.and_then(|now| self.check_at(Timestamp::new(now), &whole)));
        found.extend(self.joined(context, &whole, |access, rules| match access {
            Some(access) if !access.is_allowed() => {
                Self::check_document(&access, &rules).into_iter().collect()
            }
            access => {
                let mut found = self.check_words(&rules);
                found.extend(access.and_then(|access| Self::check_document(&access, &rules)));
                found
            }
        }));
        if whole.is_complete() == whole.incomplete_because().is_some() {
            found.push(Difference::new("reason", "one if the page is not complete", "another"));
        }
        found.extend(Self::check_written(&whole));
        found.extend(self.check_more(context, &whole));
        found.extend(self.check_effects(&whole));
        if let Some(expected) = &self.document {
            let names = self.agent.iter().chain(self.agents.iter().flatten()).map(String::as_str);
            let got = PageDocument::of_crawler(names).name();
            if got != expected {
                found.push(Difference::new("document of the crawler", expected.as_str(), got));
            }
        }
        // A reader that stops after the head, and one that gets single bytes, answer the same.
        let short = self.read(context, false, Chunks::Whole);
        found.extend(lists(
            "answer without the body",
            &self.answered(context, &whole),
            &self.answered(context, &short),
        ));
        let sizes: &[Chunks] =
            if self.html_file.is_none() { &[Chunks::Short, Chunks::Bytes] } else { &[Chunks::Short] };
        for chunks in sizes {
            let parts = self.read(context, true, *chunks);
            found.extend(lists(
                "answer in parts",
                &self.answered(context, &whole),
                &self.answered(context, &parts),
            ));
            found.extend(lists(
                "problem in parts",
                &self.problems(context, &whole),
                &self.problems(context, &parts),
            ));
        }
        if let Some(expected) = self.complete
            && short.is_complete() != expected
        {
            let shown = |is_complete: bool| if is_complete { "complete" } else { "not complete" };
            found.push(Difference::new("reading", shown(expected), shown(short.is_complete())));
        }
        found
    }

    fn answers(&self, context: &RowContext<'_>) -> Vec<Answered> {
        let page = self.read(context, true, Chunks::Whole);
        let mut parts = self.answered(context, &page);
        if self.problems.is_some() {
            parts.extend(self.problems(context, &page));
        }
        let names: Vec<&str> =
            self.agent.iter().chain(self.agents.iter().flatten()).map(String::as_str).collect();
        Answered::one(names.join(", "), parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fields_are_found_again() {
        for field in FieldName::ALL {
            assert_eq!(FieldName::find(field.name().to_ascii_uppercase().as_bytes()), Some(*field));
        }
    }
}
