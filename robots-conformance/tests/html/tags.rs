//! A strict reader of the tags of a page.

use std::collections::BTreeMap;

/// A start tag with its attributes.
#[derive(Debug)]
pub(crate) struct Tag<'p> {
    pub(crate) name: &'p str,
    pub(crate) attributes: BTreeMap<&'p str, &'p str>,
}

impl<'p> Tag<'p> {
    pub(crate) fn get(&self, name: &str) -> Option<&'p str> {
        self.attributes.get(name).copied()
    }
}

const VOID: [&str; 4] = ["meta", "link", "br", "input"];

/// The start tags of a page, if every element that is opened is closed in order, every attribute value is quoted, and
/// no `<`, `>` or bare `&` occurs in text.
pub(crate) fn tags(page: &str) -> Result<Vec<Tag<'_>>, String> {
    let mut tags = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("no doctype")?;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        check_text(text)?;
        if let Some(end) = tag.strip_prefix("</") {
            let (name, tail) = end.split_once('>').ok_or("an end tag that does not end")?;
            if open.pop() != Some(name) {
                return Err(format!("</{name}> within {open:?}"));
            }
            rest = tail;
            continue;
        }
        let tag = tag.strip_prefix('<').unwrap_or_default();
        let len = tag.find(|char: char| !char.is_ascii_alphanumeric()).ok_or("a tag that does not end")?;
        let (name, mut tail) = tag.split_at(len);
        let mut attributes = BTreeMap::new();
        if name.is_empty() {
            return Err(format!("a bare < before {:?}", tag.get(..20)));
        }
        while let Some(attribute) = tail.strip_prefix(' ') {
            let len = attribute.find(['=', '>', ' ']).ok_or("an attribute that does not end")?;
            let (key, value) = attribute.split_at(len);
            let (value, after) = match value.strip_prefix("=\"") {
                Some(value) => value.split_once('"').ok_or("a value that does not end")?,
                None if value.starts_with('=') => return Err(format!("a value of {key} that is not quoted")),
                None => ("", value),
            };
            check_text(&value.replace('>', ""))?;
            if attributes.insert(key, value).is_some() {
                return Err(format!("two attributes {key}"));
            }
            tail = after;
        }
        rest = tail.strip_prefix('>').ok_or_else(|| format!("<{name} and then {:?}", tail.get(..20)))?;
        if name == "script" || name == "style" {
            let end = format!("</{name}>");
            rest = rest.split_once(&*end).ok_or("a script or style that does not end")?.1;
        } else if !VOID.contains(&name) {
            open.push(name);
        }
        tags.push(Tag { name, attributes });
    }
    check_text(rest)?;
    if open.is_empty() { Ok(tags) } else { Err(format!("{open:?} stay open")) }
}

pub(crate) fn check_text(text: &str) -> Result<(), String> {
    if text.contains('>') {
        return Err(format!("a bare > in {text:?}"));
    }
    if let Some(char) = text.chars().find(|char| char.is_control() && *char != '\n') {
        return Err(format!("{char:?} in {text:?}"));
    }
    let known =
        |rest: &str| ["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|name| rest.starts_with(name));
    match text.split('&').skip(1).find(|rest| !known(rest)) {
        Some(rest) => Err(format!("a bare & before {rest:?}")),
        None => Ok(()),
    }
}

#[test]
fn the_check_of_tags_finds_errors() {
    assert_eq!(tags("<!DOCTYPE html><p a=\"b\" c>&lt;<br></p>").unwrap().len(), 2);
    for wrong in
        ["<p>", "</p>", "<p><b></p></b>", "<p a=b></p>", "a > b", "a & b", "<p a=\"&x\"></p>", "< p", "\0"]
    {
        assert!(tags(&format!("<!DOCTYPE html>{wrong}")).is_err(), "{wrong}");
    }
}
