//! Servers that give the answers of a row.

use core::time::Duration;
use std::time::SystemTime;

use robots_fetch::{Failure, FailureKind, Head, Request, Retrieval, Transport};
use serde::{Deserialize, Serialize};

/// An answer, as a row writes it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Answer {
    /// The status.
    pub status: Option<u16>,
    /// Ranges of statuses, instead of one status.
    #[serde(default)]
    pub statuses: Vec<String>,
    /// The header fields, as `Name: value`.
    #[serde(default)]
    pub fields: Vec<String>,
    /// The name of the file that is the body.
    pub body: Option<String>,
    /// Kinds of failure instead of an answer.
    #[serde(default)]
    pub fails: Vec<String>,
    /// The failure after the body, if any.
    #[serde(default)]
    pub breaks: Vec<String>,
    /// The time between the request and the answer; none by default.
    pub takes: Option<String>,
}

impl Answer {
    /// Returns how many variants the answer has.
    pub(super) fn variants(&self) -> usize {
        let statuses = self.all_statuses().map_or(1, |all| all.len());
        statuses.max(self.fails.len()).max(self.breaks.len()).max(1)
    }

    /// Returns the time between the request and the answer.
    pub(super) fn takes(&self) -> Result<Duration, String> {
        self.takes.as_deref().map_or(Ok(Duration::ZERO), duration)
    }

    fn all_statuses(&self) -> Result<Vec<u16>, String> {
        let mut all: Vec<u16> = self.status.into_iter().collect();
        for range in &self.statuses {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let parse = |text: &str| {
                text.parse::<u16>()
                    .map_err(|_| format!("`{range}` is not a range of statuses, such as `400-428`"))
            };
            all.extend(parse(first)?..=parse(last)?);
        }
        Ok(all)
    }

    pub(super) fn validate<'f>(&self, file: &impl Fn(&str) -> Option<&'f [u8]>) -> Result<(), String> {
        (0..self.variants()).try_for_each(|variant| self.scripted(variant, file).map(|_| ()))
    }

    /// Returns one variant of the answer.
    pub(super) fn scripted<'f>(
        &self,
        variant: usize,
        file: &impl Fn(&str) -> Option<&'f [u8]>,
    ) -> Result<Scripted, String> {
        self.takes()?;
        let statuses = self.all_statuses()?;
        let status = nth(&statuses, variant).copied();
        let fails = nth(&self.fails, variant).map(|name| kind(name)).transpose()?;
        let breaks = nth(&self.breaks, variant).map(|name| kind(name)).transpose()?;
        match (status, fails) {
            (None, Some(kind)) => {
                if breaks.is_some() || self.body.is_some() || !self.fields.is_empty() {
                    return Err("an answer that fails has nothing else".to_owned());
                }
                return Ok(Scripted { head: Err(kind), fields: Vec::new(), body: Vec::new(), breaks: None });
            }
            (Some(_), Some(_)) => return Err("an answer has a status or fails, not both".to_owned()),
            (None, None) => return Err("an answer has a status or fails".to_owned()),
            (Some(_), None) => {}
        }
        let mut head = Head::new(status.unwrap_or_default());
        for field in &self.fields {
            let (name, value) = field
                .split_once(':')
                .ok_or_else(|| format!("`{field}` is not a header field, such as `Age: 1`"))?;
            head.add_field(name, value.as_bytes());
        }
        let body = match &self.body {
            Some(name) => file(name).ok_or_else(|| format!("this table has no file `{name}`"))?,
            None => &[],
        };
        Ok(Scripted { head: Ok(head), fields: self.fields.clone(), body: body.to_vec(), breaks })
    }
}

/// Returns the item at `index`, as if the list were repeated.
fn nth<T>(all: &[T], index: usize) -> Option<&T> {
    all.get(index.checked_rem(all.len())?)
}

fn kind(name: &str) -> Result<FailureKind, String> {
    FailureKind::from_name(name).ok_or_else(|| format!("unknown kind of failure `{name}`"))
}

/// Writes a request as rows do: its URL, and the header fields of a conditional request in brackets, as `name: value`.
#[must_use]
pub fn shown(url: &str, condition: &[String]) -> String {
    if condition.is_empty() { url.to_owned() } else { format!("{url} [{}]", condition.join(", ")) }
}

/// One variant of an answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Scripted {
    /// The head, or the failure instead of an answer.
    pub head: Result<Head, FailureKind>,
    /// The header fields of the head, as `Name: value`.
    pub fields: Vec<String>,
    /// The body.
    pub body: Vec<u8>,
    /// The failure after the body, if any.
    pub breaks: Option<FailureKind>,
}

impl Scripted {
    pub(super) fn name(&self) -> String {
        match (&self.head, self.breaks) {
            (Ok(head), None) => head.status().to_string(),
            (Ok(head), Some(kind)) => format!("{} {}", head.status(), kind.name()),
            (Err(kind), _) => kind.name().to_owned(),
        }
    }
}

/// A transport that gives the answers of a row, and records the requests.
pub(super) struct ScriptedTransport {
    /// In reverse order.
    answers: Vec<Scripted>,
    requests: Vec<String>,
    retrieval: Retrieval,
    now: SystemTime,
    missing: usize,
}

impl ScriptedTransport {
    pub(super) fn new(mut answers: Vec<Scripted>, retrieval: Retrieval, now: SystemTime) -> Self {
        answers.reverse();
        Self { answers, requests: Vec::new(), retrieval, now, missing: 0 }
    }

    /// Returns what is wrong with the number of requests, if anything.
    pub(super) fn departs(&self) -> Option<String> {
        match (self.answers.len(), self.missing) {
            (0, 0) => None,
            (0, _) => Some("one request too many".to_owned()),
            (left, _) => Some(format!("{left} answers were not requested")),
        }
    }

    pub(super) fn into_requests(self) -> Vec<String> {
        self.requests
    }
}

impl Transport for ScriptedTransport {
    type Body = Body;

    fn send(&mut self, request: &Request) -> Result<(Head, Body), Failure> {
        let fields: Vec<String> = request.fields().map(|(name, value)| format!("{name}: {value}")).collect();
        self.requests.push(shown(request.url.as_str(), &fields));
        let Some(answer) = self.answers.pop() else {
            self.missing += 1;
            return Err(Failure::new(FailureKind::Other, "the row has no more answers"));
        };
        let Scripted { head, body, breaks, .. } = answer;
        let head = head.map_err(|kind| Failure::new(kind, "as the row says"))?;
        Ok((head, Body { body, at: 0, breaks }))
    }

    fn read(&mut self, body: &mut Body, buffer: &mut [u8]) -> Result<usize, Failure> {
        body.read(buffer)
    }

    fn retrieval(&self) -> Option<&Retrieval> {
        Some(&self.retrieval)
    }

    fn now(&self) -> SystemTime {
        self.now
    }
}

pub(super) struct Body {
    body: Vec<u8>,
    at: usize,
    breaks: Option<FailureKind>,
}

impl Body {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        let rest = self.body.get(self.at..).unwrap_or_default();
        let bytes = rest.len().min(buffer.len());
        if let Some(kind) = self.breaks.filter(|_| bytes == 0) {
            return Err(Failure::new(kind, "as the row says"));
        }
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        self.at += bytes;
        Ok(bytes)
    }
}

/// Parses a sum of numbers with units, such as `23h 59m 59s`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a duration, such as `30d` or `23h 59m 59s`");
    let mut sum = Duration::ZERO;
    for part in text.split_whitespace() {
        let unit = match part.chars().last() {
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 60 * 60,
            Some('d') => 24 * 60 * 60,
            _ => return Err(wrong()),
        };
        let number: u32 = part.get(..part.len() - 1).and_then(|text| text.parse().ok()).ok_or_else(wrong)?;
        sum = sum.saturating_add(Duration::from_secs(u64::from(number) * unit));
    }
    if text.trim().is_empty() { Err(wrong()) } else { Ok(sum) }
}
