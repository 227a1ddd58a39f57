//! The pages of errors.

/// Whether the page of an error says that the file does not exist. Time grows with its length.
pub(crate) fn says_not_found(page: &[u8]) -> bool {
    page.windows(9).any(|words| words.eq_ignore_ascii_case(b"not found"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_not_found_are_found_anywhere_in_a_page() {
        assert!(says_not_found(b"<h1>404 Not Found</h1>"));
        assert!(!says_not_found(b"not foun"));
        assert!(!says_not_found(b""));
    }
}
