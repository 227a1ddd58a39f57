//! What each lint declares: its name, severity, check and page.

use core::fmt;

use crate::lint::code::{Lint, for_all_lints};
use crate::lint::declaration::{Declaration, len_of_page, without_margin};
use crate::lint::severity::Severity;
use crate::lint::{agents, file, keys, patterns, records, rules};

macro_rules! lints {
    ($($name:ident = $folder:ident::$file:ident;)*) => {
        impl Lint {
            pub(crate) const fn declaration(self) -> &'static Declaration {
                match self { $(Self::$name => &$folder::$file::LINT,)* }
            }

            /// Returns the page of documentation, in Markdown: why it matters, what to do, a file that has it and one that
            /// has not.
            // Not a part of the declaration, so a program that shows no page does not contain the pages.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self {
                    $(Self::$name => {
                        const PAGE: &str = $folder::$file::page!();
                        const BYTES: [u8; len_of_page(PAGE)] = without_margin(PAGE);
                        match core::str::from_utf8(&BYTES) {
                            Ok(page) => page,
                            Err(_) => panic!("a page without spaces is UTF-8"),
                        }
                    })*
                }
            }
        }
    };
}

for_all_lints!(lints);

impl Lint {
    /// Returns the name of the lint, in lower case with hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.declaration().code
    }

    /// Returns how much the lint's findings matter.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.declaration().severity
    }

    /// Returns whether the lint reports without being asked for. The others concern style, and what platforms write by
    /// default.
    #[must_use]
    pub const fn is_on_by_default(self) -> bool {
        self.declaration().is_on
    }

    /// Returns a sentence that says what the lint finds, without a full stop.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.declaration().title
    }

    /// Returns the lint of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|lint| lint.name() == name)
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
