//! The builder of one group.

use robots_groups::syntax::Effect;
use robots_groups::{Crawler, GroupPolicy};

use super::error::{BuildError, BuildWarning};
use super::file::{Builder, Open};

/// A builder of one group; see [`Builder::group`].
#[derive(Debug)]
pub struct GroupBuilder<'f> {
    file: &'f mut Builder,
}

impl Builder {
    /// Adds a group for the crawlers with these names, which [`Crawler::new`] accepts; `*` stands for every crawler that no other group names.
    ///
    /// A group without rules allows everything, and gets the line `Disallow:` to say so.
    ///
    /// # Errors
    ///
    /// The list of names is empty; a name is neither `*` nor the name of a crawler; or the file would become too large. A name that is
    /// not a product token of RFC 9309, section 2.2.1, is one of the [`warnings`](Self::warnings).
    ///
    /// ```
    /// use robots_match::Builder;
    ///
    /// let mut file = Builder::new();
    /// assert!(file.group(["ExampleBot/1.0"]).is_err());
    /// file.group(["ExampleBot", "OtherBot"])?.disallow("/private")?;
    /// file.group(["*"])?.disallow("/")?;
    /// # Ok::<(), robots_match::BuildError>(())
    /// ```
    pub fn group<N: AsRef<str>>(
        &mut self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<GroupBuilder<'_>, BuildError> {
        let mut names = names.into_iter().peekable();
        if names.peek().is_none() {
            return Err(BuildError::NoCrawler);
        }
        self.step(|file| {
            file.leave_group();
            if file.open == Open::Loose && !file.ends_with_comment() {
                file.text.push('\n');
            }
            for name in names {
                let name = name.as_ref();
                if name != "*" {
                    Crawler::new(name).map_err(BuildError::Crawler)?;
                    if !GroupPolicy::default().is_product_token(name) {
                        file.warnings.push(BuildWarning::ProductToken(name.into()));
                    }
                }
                file.write_line("User-agent", name);
            }
            file.open = Open::Agents;
            file.has_groups = true;
            Ok(())
        })?;
        Ok(GroupBuilder { file: self })
    }
}

impl GroupBuilder<'_> {
    /// Adds a rule that allows access to the paths that `pattern` matches.
    ///
    /// In a pattern `*` matches any bytes, and `$` at the end matches the end of the path. Write `%2A` and `%24` for the
    /// characters themselves. Bytes that are not visible ASCII and `#` are percent-encoded; `%` is not changed.
    ///
    /// # Errors
    ///
    /// `pattern` does not begin with `/`, or the file would become too large.
    pub fn allow(&mut self, pattern: impl AsRef<[u8]>) -> Result<&mut Self, BuildError> {
        self.rule(Effect::Allow, pattern.as_ref())
    }

    /// Adds a rule that disallows access to the paths that `pattern` matches; see [`allow`](Self::allow).
    ///
    /// # Errors
    ///
    /// `pattern` does not begin with `/`, or the file would become too large.
    pub fn disallow(&mut self, pattern: impl AsRef<[u8]>) -> Result<&mut Self, BuildError> {
        self.rule(Effect::Disallow, pattern.as_ref())
    }

    fn rule(&mut self, effect: Effect, pattern: &[u8]) -> Result<&mut Self, BuildError> {
        self.file.step(|file| {
            if pattern.first() != Some(&b'/') {
                return Err(BuildError::Pattern);
            }
            file.write_rule(effect, pattern);
            Ok(())
        })?;
        Ok(self)
    }

    /// Adds an "other record" to this group, such as `Crawl-delay`. White space around the value is removed.
    ///
    /// # Errors
    ///
    /// `key` is empty, contains `:`, `#` or anything but visible ASCII, or is read as `user-agent`, `allow` or `disallow`
    /// under one of the named profiles; `value` contains line breaks, other control characters or `#`; or the file would
    /// become too large.
    ///
    /// ```
    /// use robots_match::Builder;
    ///
    /// let mut file = Builder::new();
    /// let error = file.group(["*"])?.record("Crawl-delay", "1\nDisallow: /").unwrap_err();
    /// assert_eq!(error.to_string(), "a value can't contain `\\n`; remove the character");
    /// # Ok::<(), robots_match::BuildError>(())
    /// ```
    pub fn record(&mut self, key: &str, value: &str) -> Result<&mut Self, BuildError> {
        self.file.step(|file| file.write_record(key, value))?;
        Ok(self)
    }

    /// Adds a comment to this group; see [`Builder::comment`].
    ///
    /// # Errors
    ///
    /// The file would become too large.
    pub fn comment(&mut self, text: &str) -> Result<&mut Self, BuildError> {
        self.file.step(|file| {
            file.write_comment(text);
            Ok(())
        })?;
        Ok(self)
    }
}
