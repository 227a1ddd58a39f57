//! The documents about rules of pages, by name.

use core::fmt;
use core::str::FromStr;

use robots_match::UnknownDocument;

use crate::policy::PagePolicy;

macro_rules! documents {
    ($($(#[$doc:meta])* $document:ident = $name:literal, $title:literal, $policy:ident;)*) => {
        /// A document about rules of pages. Each of them has its policy.
        ///
        /// ```
        /// use robots_page::{PageDocument, PagePolicy};
        ///
        /// let document: PageDocument = "google-pages".parse()?;
        /// assert_eq!(PagePolicy::from(document), PagePolicy::GOOGLE);
        /// # Ok::<(), robots_page::matching::UnknownDocument>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[non_exhaustive]
        pub enum PageDocument { $($(#[$doc])* $document,)* }

        impl PageDocument {
            /// All documents; the default comes first.
            pub const ALL: &'static [Self] = &[$(Self::$document),*];

            const NAMES: &'static [&'static str] = &[$($name),*];

            /// Returns the name of the document, such as `repext-03`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$document => $name,)* }
            }

            /// Returns the title of the document, for people.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$document => $title,)* }
            }
        }

        impl From<PageDocument> for PagePolicy {
            fn from(document: PageDocument) -> Self {
                match document { $(PageDocument::$document => Self::$policy,)* }
            }
        }
    };
}

documents! {
    /// draft-illyes-repext-03, with draft-ietf-aipref-attach-05 and draft-ietf-aipref-vocab-07.
    #[default]
    Repext03 = "repext-03", "draft-illyes-repext-03", REPEXT;
    /// Google's page about robots `meta` elements and `X-Robots-Tag`.
    Google = "google-pages", "Google's page", GOOGLE;
    /// Bing's help page about robots `meta` elements.
    Bing = "bing-pages", "Bing's page", BING;
    /// Yandex's page about robots `meta` elements and `X-Robots-Tag`.
    Yandex = "yandex-pages", "Yandex's page", YANDEX;
    /// The HTML Author's Guide to the Robots META tag of 1996.
    Html1996 = "html-1996", "the guide of 1996", HTML_1996;
}

impl PageDocument {
    /// Returns the document that the operator of a crawler publishes: the first of `names` decides.
    ///
    /// ```
    /// use robots_page::PageDocument;
    ///
    /// assert_eq!(PageDocument::of_crawler(["Googlebot-Image"]), PageDocument::Google);
    /// assert_eq!(PageDocument::of_crawler(["ExampleBot"]), PageDocument::Repext03);
    /// ```
    #[must_use]
    pub fn of_crawler<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        const BEGINNINGS: [(&str, PageDocument); 11] = [
            ("googlebot", PageDocument::Google),
            ("google-", PageDocument::Google),
            ("googleother", PageDocument::Google),
            ("storebot-google", PageDocument::Google),
            ("adsbot-google", PageDocument::Google),
            ("mediapartners-google", PageDocument::Google),
            ("apis-google", PageDocument::Google),
            ("bingbot", PageDocument::Bing),
            ("msnbot", PageDocument::Bing),
            ("bingpreview", PageDocument::Bing),
            ("yandex", PageDocument::Yandex),
        ];
        let first = names.into_iter().next().unwrap_or_default().as_bytes();
        let begins = |start: &str| {
            first.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start.as_bytes()))
        };
        let found = BEGINNINGS.iter().find(|(start, _)| begins(start));
        found.map_or(Self::Repext03, |&(_, document)| document)
    }
}

impl fmt::Display for PageDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PageDocument {
    type Err = UnknownDocument;

    /// Parses the name of a document.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.iter().find(|document| document.name() == name);
        named.copied().ok_or_else(|| UnknownDocument::new(name, Self::NAMES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crawlers_have_the_document_of_their_operator() {
        for (name, document) in [
            ("bingbot", PageDocument::Bing),
            ("MSNBot", PageDocument::Bing),
            ("YandexBot", PageDocument::Yandex),
            ("AdsBot-Google", PageDocument::Google),
        ] {
            assert_eq!(PageDocument::of_crawler([name]), document, "{name}");
        }
    }

    #[test]
    fn the_first_name_of_a_crawler_decides() {
        assert_eq!(PageDocument::of_crawler(["ExampleBot", "Googlebot"]), PageDocument::Repext03);
        assert_eq!(PageDocument::of_crawler(["bingbot", "Googlebot"]), PageDocument::Bing);
        assert_eq!(PageDocument::of_crawler([]), PageDocument::Repext03);
    }
}
