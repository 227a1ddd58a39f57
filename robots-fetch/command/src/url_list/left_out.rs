//! Values that were left out.

use crate::text::Text;

/// Values that were left out: their number, and the first.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    pub(crate) count: usize,
    pub(crate) first: String,
}

impl LeftOut {
    pub(crate) fn add(&mut self, value: &[u8]) {
        if self.count == 0 {
            self.first = Text(value).short();
        }
        self.count += 1;
    }

    /// Returns a sentence, if there are any. `one` and `several` follow the number.
    pub(crate) fn message(self, one: &str, several: &str) -> Option<String> {
        let Self { count, first } = self;
        match count {
            0 => None,
            1 => Some(format!("1 {one}: `{first}`")),
            _ => Some(format!("{count} {several}, such as `{first}`")),
        }
    }
}
