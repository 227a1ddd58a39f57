//! Workflow commands of GitHub Actions, which annotate lines of files.

/// Returns the text of a message.
pub(crate) fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Returns the value of a property.
pub(crate) fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_escaped() {
        assert_eq!(data("100%:\r\n,"), "100%25:%0D%0A,");
        assert_eq!(property("100%:\r\n,"), "100%25%3A%0D%0A%2C");
    }
}
