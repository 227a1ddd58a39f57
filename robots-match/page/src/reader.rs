//! Reads the fields and the HTML of a response.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use robots_match::Span;
use robots_match::structured_field::{self, BareItem};

use crate::collector::Collector;
use crate::html::{Attribute, Encoding, HtmlReader, MAX_VALUE, Meta, decoded};
use crate::list_field::{ListField, has_rule_as_parameter};
use crate::page_rules::{PageRules, Reading};
use crate::policy::{FieldSyntax, MetaNames, MetaPlace, PagePolicy, RobotsFields, UsageLines};
use crate::problem::Problem;
use crate::record::{FieldName, Place, Record, Scope, Source};
use crate::rule::{Preference, Rule, RuleName, cut};
use crate::rule_list::{ListScope, RuleList, is_name, trimmed};

/// Reads the rules of one response: first its fields, in order, then its body in parts of any size.
///
/// Reading never fails. What deviates from the documents is a [problem](PageRules::problems), and a reading that ended early is
/// not [complete](PageRules::is_complete).
///
/// ```
/// use robots_page::matching::Crawler;
/// use robots_page::{Index, PagePolicy, PageReader};
///
/// let mut reader = PageReader::new(PagePolicy::REPEXT);
/// reader.field(b"Content-Type", b"text/html; charset=utf-8");
/// reader.field(b"Robots-Tag", b"*;nosnippet");
/// for chunk in [&b"<title>Example</title><meta name=exam"[..], b"plebot content=noindex><p>Text"] {
///     if reader.wants_html() {
///         reader.html(chunk);
///     }
/// }
/// let page = reader.finish();
/// let rules = page.for_crawler(&Crawler::new("ExampleBot")?);
/// assert_eq!(rules.index().value, Index::No);
/// assert_eq!(rules.index().source.unwrap().source.to_string(), "meta element, line 1");
/// # Ok::<(), robots_page::matching::InvalidName>(())
/// ```
///
/// # Memory
///
/// At most 256 rules and 256 problems, the values of `Content-Usage` up to the limit of fields, and the attributes of one
/// `meta` element, up to 64 KiB each. Without rules, nothing is allocated if each `meta` element lies within 4 KiB.
///
/// # Complexity
///
/// Linear in the length of the fields and of the part of the body that is read.
#[derive(Clone, Debug)]
pub struct PageReader {
    policy: PagePolicy,
    limits: Limits,
    reads_body: bool,
    collector: Collector,
    /// The bytes of each field that were read, and the lines.
    fields: [FieldState; FieldName::ALL.len()],
    usage: Vec<u8>,
    /// The position of each line in `usage`.
    usage_lines: Vec<usize>,
    media: Media,
    encoding: Encoding,
    html: Option<HtmlReader>,
}

#[derive(Clone, Copy, Debug, Default)]
struct FieldState {
    bytes: usize,
    lines: u32,
    is_cut: bool,
    /// Whether a line is not a list, where that makes the whole field invalid.
    is_invalid: bool,
}

/// What the response says that its body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Media {
    Unknown,
    Html,
    Other,
}

/// How much of a response is read.
///
/// ```
/// use robots_page::Limits;
///
/// assert_eq!(Limits::default(), Limits::new(64 << 10, 1 << 20)?);
/// assert_eq!(Limits::new(8_191, 1 << 20).unwrap_err().to_string(), "fields need a limit of at least 8192 bytes");
/// # Ok::<(), robots_page::InvalidLimit>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    field: usize,
    html: usize,
}

impl Limits {
    /// The smallest limit of a field in bytes (draft-illyes-repext-03, section 3.1.1).
    pub const MIN_FIELD: usize = 8 << 10;
    /// The smallest limit of HTML in bytes.
    pub const MIN_HTML: usize = 64 << 10;

    /// Sets how many bytes are read of all lines of a response field together, and of the body.
    ///
    /// # Errors
    ///
    /// A limit is less than [`Self::MIN_FIELD`] or [`Self::MIN_HTML`].
    pub const fn new(field: usize, html: usize) -> Result<Self, InvalidLimit> {
        if field < Self::MIN_FIELD {
            return Err(InvalidLimit { what: "fields need", least: Self::MIN_FIELD });
        }
        if html < Self::MIN_HTML {
            return Err(InvalidLimit { what: "HTML needs", least: Self::MIN_HTML });
        }
        Ok(Self { field, html })
    }

    /// Returns the limit of each field in bytes.
    #[must_use]
    pub const fn field(self) -> usize {
        self.field
    }

    /// Returns the limit of HTML in bytes.
    #[must_use]
    pub const fn html(self) -> usize {
        self.html
    }
}

impl Default for Limits {
    /// 64 KiB of each field, 1 MiB of HTML.
    fn default() -> Self {
        Self { field: 64 << 10, html: 1 << 20 }
    }
}

/// The error for a limit that is too small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidLimit {
    what: &'static str,
    least: usize,
}

impl fmt::Display for InvalidLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} a limit of at least {} bytes", self.what, self.least)
    }
}

impl core::error::Error for InvalidLimit {}

impl PageReader {
    /// Creates a reader for one response.
    #[must_use]
    pub fn new(policy: PagePolicy) -> Self {
        Self {
            policy,
            limits: Limits::default(),
            reads_body: policy.meta_place == MetaPlace::Document,
            collector: Collector::default(),
            fields: Default::default(),
            usage: Vec::new(),
            usage_lines: Vec::new(),
            media: Media::Unknown,
            encoding: Encoding::Unknown,
            html: None,
        }
    }

    pub(crate) const fn limits(&self) -> Limits {
        self.limits
    }

    pub(crate) const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Sets how much is read. Call it before anything is read.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Makes the reader read the body of the document too, even if the policy looks for rules only in the head. Elements there
    /// are reported as [problems](Problem::InBody).
    #[must_use]
    pub const fn reading_to_the_end(mut self) -> Self {
        self.reads_body = true;
        self
    }

    /// Reads a line of the header section. Lines with the same name are passed one by one, in order, and not joined. Fields
    /// without rules cost one comparison.
    pub fn field(&mut self, name: &[u8], value: &[u8]) {
        if let Some(field) = FieldName::find(name) {
            self.read_field(field, value);
        } else if name.eq_ignore_ascii_case(b"content-type") {
            self.media_type(value);
        }
    }

    /// Sets the media type of the body, which otherwise is that of the field `Content-Type`. Only HTML is read.
    pub fn media_type(&mut self, value: &[u8]) {
        let mut parameters = value.split(|&byte| byte == b';');
        let essence = parameters.next().unwrap_or_default().trim_ascii();
        let is = |name: &[u8]| essence.eq_ignore_ascii_case(name);
        self.media = if is(b"text/html") || is(b"application/xhtml+xml") {
            Media::Html
        } else if essence.contains(&b'/') {
            Media::Other
        } else {
            self.media
        };
        for parameter in parameters {
            let mut parts = parameter.splitn(2, |&byte| byte == b'=');
            let is_charset =
                parts.next().is_some_and(|name| name.trim_ascii().eq_ignore_ascii_case(b"charset"));
            if let (true, Some(label)) = (is_charset, parts.next()) {
                let label = label.trim_ascii();
                let unquoted = label.strip_prefix(b"\"").and_then(|label| label.strip_suffix(b"\""));
                self.encoding = Encoding::of(unquoted.unwrap_or(label));
                return;
            }
        }
    }

    /// Returns whether the reader needs more of the body: not after the head if the policy looks for rules only there, not
    /// after the limit, and not if the body is not HTML.
    #[must_use]
    pub fn wants_html(&self) -> bool {
        self.media != Media::Other && self.html.as_ref().is_none_or(HtmlReader::wants_more)
    }

    /// Reads a part of the body, which may end at any byte. Bytes that are not needed are ignored.
    pub fn html(&mut self, chunk: &[u8]) {
        if self.media == Media::Other {
            return;
        }
        let html = self.html.get_or_insert_with(|| {
            HtmlReader::new(
                self.policy.noscript,
                !self.reads_body,
                self.policy.meta_place == MetaPlace::Head,
                self.limits.html,
                self.encoding,
            )
        });
        if html.wants_more() {
            let (policy, out) = (&self.policy, &mut self.collector);
            html.read(chunk, &mut |meta| read_meta(meta, policy, out));
        }
    }

    /// Says that the body has more bytes than were given, because it broke off or is too long.
    pub fn cut(&mut self) {
        if let Some(html) = &mut self.html {
            html.is_cut |= html.wants_more();
        }
    }

    /// Returns the rules.
    #[must_use]
    pub fn finish(mut self) -> PageRules {
        let mut html_is_whole = self.media == Media::Other;
        let mut is_read = false;
        if let Some(mut html) = self.html.take() {
            let (policy, out) = (&self.policy, &mut self.collector);
            html.end(&mut |meta| read_meta(meta, policy, out));
            if html.is_encoded {
                self.collector.problem(Source::Body, Problem::Encoded);
            }
            html_is_whole = html.is_whole();
            is_read = true;
        }
        self.read_usage();
        let Self { policy, mut collector, fields, .. } = self;
        if let Some(FieldState { is_invalid: true, .. }) = fields.get(FieldName::RobotsTag as usize) {
            collector
                .records
                .retain(|record| !matches!(record.source, Source::Field { name: FieldName::RobotsTag, .. }));
        }
        let in_body: Vec<Source> = match policy.meta_place {
            MetaPlace::Document => Vec::new(),
            MetaPlace::Head => collector.records.iter().map(|record| record.source).collect(),
        };
        for source in in_body {
            if matches!(source, Source::Meta { place: Place::Body, .. }) {
                collector.problem(source, Problem::InBody);
            }
        }
        // Two readers of `noscript` may have found elements in another order.
        let position = |source: &Source| match source {
            Source::Meta { span, .. } => span.start() + 1,
            _ => 0,
        };
        collector.records.sort_by_key(|record| position(&record.source));
        collector.problems.sort_by_key(|found| position(&found.source));
        let present =
            FieldName::ALL.iter().zip(fields).filter(|(_, state)| state.lines > 0).map(|(name, _)| *name);
        PageRules {
            policy,
            present: present.collect(),
            records: collector.records,
            problems: collector.problems,
            reading: Reading {
                has_all_fields: !fields.iter().any(|state| state.is_cut),
                has_all_records: !(collector.is_full || collector.is_cut),
                html_is_whole,
                html_is_read: is_read,
                limit: self.limits.html,
            },
        }
    }

    fn read_field(&mut self, name: FieldName, value: &[u8]) {
        let Some(state) = self.fields.get_mut(name as usize) else { return };
        state.lines += 1;
        let occurrence = state.lines;
        let room = self.limits.field.saturating_sub(state.bytes);
        let is_cut = value.len() > room;
        // A comma after the limit shows that the member before it is complete.
        let ends_member = value.get(room).is_none_or(|&byte| byte == b',');
        let value = value.get(..value.len().min(room)).unwrap_or_default();
        state.bytes += value.len();
        state.is_cut |= is_cut;
        let is_cut = !ends_member;
        let source =
            |place: Range<usize>| Source::Field { name, occurrence, span: Span::new(place.start, place.end) };
        match name {
            FieldName::RobotsTag | FieldName::XRobotsTag => {
                let is_valid = self.read_rules(name, value, is_cut, source);
                if let (false, Some(state)) = (is_valid, self.fields.get_mut(name as usize)) {
                    state.is_invalid = true;
                }
            }
            FieldName::ContentUsage => {
                if !self.usage_lines.is_empty() {
                    self.usage.extend_from_slice(b", ");
                }
                self.usage_lines.push(self.usage.len());
                self.usage.extend_from_slice(whole_members(value, is_cut));
            }
            FieldName::ContentSignal => {
                read_signals(&self.policy, whole_members(value, is_cut), source, &mut self.collector);
            }
            FieldName::TdmReservation => {
                let place = trimmed(value, 0..value.len());
                let text = value.get(place.clone()).unwrap_or_default();
                read_reservation(text, source(place), &mut self.collector);
            }
            FieldName::TdmPolicy => {
                let place = trimmed(value, 0..value.len());
                let text = value.get(place.clone()).unwrap_or_default();
                self.collector.record(source(place), &Scope::All, Rule::TdmPolicy(long_text(text)));
            }
        }
    }

    fn read_rules(
        &mut self,
        name: FieldName,
        value: &[u8],
        is_cut: bool,
        source: impl Fn(Range<usize>) -> Source,
    ) -> bool {
        let policy = &self.policy;
        let out = &mut self.collector;
        let is_read = match policy.robots_fields {
            RobotsFields::Both => true,
            RobotsFields::XRobotsTag => name == FieldName::XRobotsTag,
            RobotsFields::None => false,
        };
        if !is_read {
            if !value.trim_ascii().is_empty() {
                out.problem(source(trimmed(value, 0..value.len())), Problem::FieldNotRead);
            }
            return true;
        }
        let is_list = match policy.field_syntax {
            FieldSyntax::Structured => true,
            FieldSyntax::Legacy => false,
            FieldSyntax::ByField if name == FieldName::RobotsTag => true,
            FieldSyntax::ByField | FieldSyntax::Detect => has_rule_as_parameter(value, policy),
        };
        let rules =
            RuleList { policy, rules: policy.field_rules, has_prefixes: true, keeps_unknown: true, source };
        if is_list {
            return ListField { rules, is_cut }.read(value, out);
        }
        rules.read(whole_members(value, is_cut), &mut ListScope::new(Scope::All), out);
        true
    }

    /// Reads all lines of `Content-Usage`.
    fn read_usage(&mut self) {
        let lines = core::mem::take(&mut self.usage_lines);
        let usage = core::mem::take(&mut self.usage);
        let place = |place: Range<usize>| {
            let line = lines.partition_point(|&start| start <= place.start).saturating_sub(1);
            let start = lines.get(line).copied().unwrap_or_default();
            Source::Field {
                name: FieldName::ContentUsage,
                occurrence: u32::try_from(line + 1).unwrap_or(u32::MAX),
                span: Span::new(place.start - start, place.end - start),
            }
        };
        match self.policy.usage_lines {
            UsageLines::OneDictionary => read_dictionary(&usage, 0, place, &mut self.collector),
            UsageLines::EachLine => {
                for (index, &start) in lines.iter().enumerate() {
                    let end = lines.get(index + 1).map_or(usage.len(), |next| next - 2);
                    let line = usage.get(start..end).unwrap_or_default();
                    read_dictionary(line, start, place, &mut self.collector);
                }
            }
        }
    }
}

/// Returns the members of a comma-separated value that a limit has not cut.
fn whole_members(value: &[u8], is_cut: bool) -> &[u8] {
    if !is_cut {
        return value;
    }
    let end = memchr::memrchr(b',', value).unwrap_or(0);
    value.get(..end).unwrap_or_default()
}

pub(crate) fn long_text(text: &[u8]) -> alloc::boxed::Box<str> {
    const LONGEST: usize = 2_048;
    let text = text.get(..text.len().min(LONGEST)).unwrap_or_default();
    alloc::string::String::from_utf8_lossy(text).into()
}

/// Reads a dictionary of preferences (draft-ietf-aipref-vocab-07, section 6.5) at `start` of the joined lines.
fn read_dictionary(text: &[u8], start: usize, source: impl Fn(Range<usize>) -> Source, out: &mut Collector) {
    let Some(members) = structured_field::dictionary(text) else {
        let place = trimmed(text, 0..text.len());
        return out.problem(source(start + place.start..start + place.end), Problem::NotADictionary);
    };
    // The last of equal keys counts. The order of sources is kept for those that remain.
    let mut last: alloc::collections::BTreeMap<&[u8], usize> = alloc::collections::BTreeMap::new();
    for (index, member) in members.iter().enumerate() {
        last.insert(member.key, index);
    }
    for (index, member) in members.iter().enumerate() {
        let of = |member: &structured_field::Member<'_>| {
            source(start + member.place.start..start + member.place.end)
        };
        let counts = last.get(member.key).copied().unwrap_or(index);
        if counts != index {
            let occurrence = |source: Source| match source {
                Source::Field { occurrence, .. } => occurrence,
                _ => 0,
            };
            let is_other_line =
                members.get(counts).is_some_and(|other| occurrence(of(other)) != occurrence(of(member)));
            if is_other_line {
                out.problem(of(member), Problem::UsageLineLost);
            }
            continue;
        }
        let preference = match member.item {
            Some(BareItem::Token(b"y")) => Preference::Allowed,
            Some(BareItem::Token(b"n")) => Preference::Disallowed,
            _ => {
                out.problem(of(member), Problem::UsageValue);
                Preference::Unknown
            }
        };
        out.record(of(member), &Scope::All, Rule::Usage { label: cut(member.key), preference });
    }
}

fn read_signals(
    policy: &PagePolicy,
    text: &[u8],
    source: impl Fn(Range<usize>) -> Source,
    out: &mut Collector,
) {
    let mut start = 0;
    for part in text.split(|&byte| byte == b',') {
        let place = trimmed(text, start..start + part.len());
        start += part.len() + 1;
        let signal = text.get(place.clone()).unwrap_or_default();
        if signal.is_empty() {
            continue;
        }
        let equals = memchr::memchr(b'=', signal).unwrap_or(signal.len());
        let name = signal.get(..equals).unwrap_or_default().trim_ascii();
        let value = signal.get(equals + 1..).unwrap_or_default().trim_ascii();
        let granted = policy.signal_values.granted(value);
        if granted.is_none() {
            out.problem(source(place.clone()), Problem::SignalValue);
        }
        let preference = granted.map_or(Preference::Unknown, Preference::from);
        let name = cut(&name.to_ascii_lowercase());
        out.record(source(place), &Scope::All, Rule::Signal { name, preference });
        if out.is_full {
            return;
        }
    }
}

fn read_reservation(text: &[u8], source: Source, out: &mut Collector) {
    match text {
        b"0" | b"1" => {
            let rule = Rule::TdmReservation(text == b"1");
            // Elements supersede fields; two of the same kind contradict each other.
            let is_lost = |record: &&Record| {
                matches!(record.rule, Rule::TdmReservation(_))
                    && record.rule != rule
                    && matches!(record.source, Source::Field { .. }) == matches!(source, Source::Field { .. })
            };
            if let Some(lost) = out.records.iter().rfind(is_lost).map(|record| record.source) {
                out.problem(lost, Problem::UsageLineLost);
            }
            out.record(source, &Scope::All, rule);
        }
        _ => out.problem(source, Problem::TdmValue),
    }
}

/// The names of `meta` elements of TDMRep.
const TDM_RESERVATION: &[u8] = b"tdm-reservation";
const TDM_POLICY: &[u8] = b"tdm-policy";

/// Reads a `meta` element.
fn read_meta(meta: &Meta<'_>, policy: &PagePolicy, out: &mut Collector) {
    out.is_cut |= meta.is_cut && can_have_rules(meta, policy);
    if meta.is_second && out.place_again(meta.start, meta.place) {
        return;
    }
    let source = Source::Meta { line: meta.line, span: Span::new(meta.start, meta.end), place: meta.place };
    let written_name = decoded(meta.value(Attribute::Name).unwrap_or_default());
    let name = written_name.trim_ascii();
    let content = decoded(meta.value(Attribute::Content).unwrap_or_default());
    let content = whole_members(&content, meta.is_cut);
    let is = |text: &[u8], wanted: &[u8]| text.eq_ignore_ascii_case(wanted);
    let is_robots = is(name, b"robots");
    if is_robots {
        if written_name.len() != name.len() {
            out.problem(source, Problem::NameWhiteSpace);
        }
        if meta.has_rule_attribute {
            out.problem(source, Problem::RuleAsAttribute);
        }
        if meta.value(Attribute::Content).is_none() {
            if has_rule(meta.value(Attribute::Value).unwrap_or_default()) {
                out.problem(source, Problem::MetaSpelling);
            }
            return;
        }
        return read_content(content, source, Scope::All, true, policy, out);
    }
    let http_equiv = decoded(meta.value(Attribute::HttpEquiv).unwrap_or_default());
    let is_field_only = |text: &[u8]| {
        matches!(FieldName::find(text), Some(FieldName::ContentUsage | FieldName::ContentSignal))
    };
    if is_field_only(name) || is_field_only(http_equiv.trim_ascii()) {
        return out.problem(source, Problem::FieldOnly);
    }
    if is(name, TDM_RESERVATION) {
        return read_reservation(content.trim_ascii(), source, out);
    }
    if is(name, TDM_POLICY) {
        return out.record(source, &Scope::All, Rule::TdmPolicy(long_text(content.trim_ascii())));
    }
    // Without the quotation mark at its end, a value has the next attribute.
    if ends_in_attribute(name, b"content=") || ends_in_attribute(content, b"name=") && has_rule_first(content)
    {
        return out.problem(source, Problem::MetaSpelling);
    }
    if !has_rule(without_quotes(content)) {
        return;
    }
    let property = decoded(meta.value(Attribute::Property).unwrap_or_default());
    let is_like_robots = |text: &[u8]| {
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
        let start = text.iter().position(is_letter).unwrap_or(text.len());
        let end = text.iter().rposition(is_letter).map_or(start, |last| last + 1);
        let word = text.get(start..end).unwrap_or_default();
        is(word, b"robots") || is(word, b"robot")
    };
    if is_like_robots(&property)
        || is_like_robots(&http_equiv)
        || [name, http_equiv.trim_ascii()]
            .iter()
            .any(|text| is(text, b"x-robots-tag") || is(text, b"robots-tag"))
        || name == b"*"
        || has_other_names(name, is_like_robots)
    {
        if policy.meta_names == MetaNames::AsObserved && is_observed(name, &property, &http_equiv) {
            read_content(content, source, Scope::All, true, policy, out);
        } else {
            out.problem(source, Problem::MetaSpelling);
        }
        return;
    }
    if is_crawler_name(name) {
        if !policy.crawler_names.has(name) {
            if all_rules(content) {
                out.problem(source, Problem::NameNotRead);
            }
            return;
        }
        read_content(content, source, Scope::Name(cut(name)), false, policy, out);
    }
}

/// Returns whether an element can lose rules because a value is cut: its name, or what it says to a crawler that the policy knows.
fn can_have_rules(meta: &Meta<'_>, policy: &PagePolicy) -> bool {
    let names = [Attribute::Name, Attribute::Property, Attribute::HttpEquiv]
        .map(|attribute| meta.value(attribute).unwrap_or_default());
    if names.iter().any(|name| name.len() >= MAX_VALUE) {
        return true;
    }
    let [name, property, http_equiv] = names.map(decoded);
    let name = name.trim_ascii();
    [&b"robots"[..], TDM_RESERVATION, TDM_POLICY].iter().any(|known| name.eq_ignore_ascii_case(known))
        || policy.meta_names == MetaNames::AsObserved && is_observed(name, &property, &http_equiv)
        || is_crawler_name(name) && policy.crawler_names.has(name)
}

/// Returns whether an element is read as one for all crawlers by [`MetaNames::AsObserved`].
fn is_observed(name: &[u8], property: &[u8], http_equiv: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"robot")
        || property.trim_ascii().eq_ignore_ascii_case(b"robots")
        || http_equiv.trim_ascii().eq_ignore_ascii_case(b"x-robots-tag")
}

fn is_crawler_name(name: &[u8]) -> bool {
    is_name(name) && !name.contains(&b'/')
}

/// Returns whether `text` ends in white space and the name of an attribute with its `=`.
fn ends_in_attribute(text: &[u8], attribute: &[u8]) -> bool {
    let at = text.len().saturating_sub(attribute.len());
    let (before, end) = text.split_at_checked(at).unwrap_or_default();
    before.last().is_some_and(u8::is_ascii_whitespace) && end.eq_ignore_ascii_case(attribute)
}

/// Returns whether the first word of a value is a rule.
fn has_rule_first(content: &[u8]) -> bool {
    content.split(u8::is_ascii_whitespace).next().is_some_and(has_rule)
}

/// Returns whether a name is a list, as an element has one name, or a word of it is like that for all crawlers.
fn has_other_names(name: &[u8], is_like_robots: impl Fn(&[u8]) -> bool) -> bool {
    let is_list = |separates: fn(&u8) -> bool| {
        let mut words = name.split(separates).map(<[u8]>::trim_ascii).filter(|word| !word.is_empty());
        words.clone().nth(1).is_some() && words.all(is_name)
    };
    let mut words = name.split(|byte| byte.is_ascii_whitespace());
    is_list(|byte| matches!(byte, b',' | b';' | b'|')) || words.any(is_like_robots)
}

/// Removes typographic quotes around a value, which are part of it in HTML.
fn without_quotes(value: &[u8]) -> &[u8] {
    const QUOTES: [&[u8]; 4] = ["”".as_bytes(), "“".as_bytes(), "’".as_bytes(), "″".as_bytes()];
    let value = value.trim_ascii();
    let start = QUOTES.iter().find_map(|quote| value.strip_prefix(*quote)).unwrap_or(value);
    QUOTES.iter().find_map(|quote| start.strip_suffix(*quote)).unwrap_or(start)
}

fn read_content(
    content: &[u8],
    source: Source,
    scope: Scope,
    keeps_unknown: bool,
    policy: &PagePolicy,
    out: &mut Collector,
) {
    let rules =
        RuleList { policy, rules: policy.meta_rules, has_prefixes: false, keeps_unknown, source: |_| source };
    rules.read(content, &mut ListScope::new(scope), out);
}

/// Returns the names of the rules in a comma-separated text; `None` for other texts.
fn rule_names(content: &[u8]) -> impl Iterator<Item = Option<RuleName>> {
    let segments = content.split(|&byte| matches!(byte, b',' | b';'));
    segments.map(|segment| segment.trim_ascii()).filter(|segment| !segment.is_empty()).map(|segment| {
        let name = segment.split(|&byte| byte == b':').next().unwrap_or_default().trim_ascii();
        let is_alone = name.len() == segment.len();
        let first = || name.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        RuleName::find(name).or_else(|| RuleName::find(first())).filter(|rule| is_alone || rule.has_value())
    })
}

fn has_rule(content: &[u8]) -> bool {
    rule_names(content).any(|rule| rule.is_some())
}

fn all_rules(content: &[u8]) -> bool {
    rule_names(content).all(|rule| rule.is_some())
}

/// Returns the records about preferences of robots.txt as rules.
pub(crate) fn usage_record(source: Source, label: &str, granted: Option<bool>) -> Record {
    let preference = granted.map_or(Preference::Unknown, Preference::from);
    Record { source, scope: Scope::All, rule: Rule::Usage { label: label.into(), preference } }
}

/// Returns the record about a signal of robots.txt as a rule.
pub(crate) fn signal_record(source: Source, name: &str, granted: bool) -> Record {
    let rule = Rule::Signal { name: name.into(), preference: granted.into() };
    Record { source, scope: Scope::All, rule }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(html: &[u8]) -> PageRules {
        let mut reader = PageReader::new(PagePolicy::REPEXT);
        reader.html(html);
        reader.finish()
    }

    #[test]
    fn a_document_may_be_as_long_as_the_limit() {
        let limit = Limits::default().html();
        assert!(read(&b"<!-- -->".repeat(limit / 8)).is_complete());
        assert!(!read(&b"<!-- -->".repeat(limit / 8 + 1)).is_complete());
    }

    #[test]
    fn a_value_that_is_cut_is_not_complete() {
        let html = [&b"<meta name=robots content=\"noindex,"[..], &b" ".repeat(70_000), b"\">"].concat();
        let rules = read(&html);
        assert!(!rules.is_complete());
        assert_eq!(rules.records().len(), 1);
    }

    #[test]
    fn a_document_that_breaks_off_after_its_head_is_complete_where_only_the_head_counts() {
        for (policy, is_complete) in [(PagePolicy::REPEXT, true), (PagePolicy::GOOGLE, false)] {
            let mut reader = PageReader::new(policy).reading_to_the_end();
            reader.html(b"<title>Report</title><p>Text");
            assert!(reader.wants_html());
            reader.cut();
            assert_eq!(reader.finish().is_complete(), is_complete);
        }
    }

    #[test]
    fn there_are_at_most_256_rules() {
        let with = |count: usize| read(&b"<meta name=robots content=noindex>".repeat(count));
        assert!(with(256).is_complete());
        assert!(!with(257).is_complete());
        assert_eq!(with(257).records().len(), 256);
    }
}
