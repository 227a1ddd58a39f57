//! Google's C++ parser, called from Rust.

#[cxx::bridge]
mod ffi {
    unsafe extern "C++" {
        include!("robots-bench-googlebot/src/bridge.h");

        /// Returns whether a crawler may access a URL.
        fn is_allowed(body: &[u8], agent: &str, url: &str) -> bool;
    }
}

pub use ffi::is_allowed;

#[cfg(test)]
mod tests {
    #[test]
    fn the_parser_answers() {
        let body = b"user-agent: *\ndisallow: /a\nallow: /a/b\n";
        let is_allowed = |path| super::is_allowed(body, "ExampleBot", path);
        assert!(!is_allowed("https://example.com/a"));
        assert!(is_allowed("https://example.com/a/b") && is_allowed("https://example.com/"));
    }
}
