//! File names that Windows refuses.

/// Finds parts of a path that Windows refuses as names.
pub(crate) fn file_name(path: &str) -> Vec<String> {
    path.split('/')
        .filter_map(|part| Some((part, refused(part)?)))
        .map(|(part, why)| format!("{path}: Windows refuses the name `{part}`: {why}"))
        .collect()
}

/// Returns why Windows refuses a name.
fn refused(name: &str) -> Option<&'static str> {
    // Windows reserves the names of devices with any extension.
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let numbered = stem
        .strip_prefix("com")
        .or_else(|| stem.strip_prefix("lpt"))
        .is_some_and(|number| number.len() == 1 && number.chars().all(|digit| digit.is_ascii_digit()));
    if ["con", "prn", "aux", "nul"].contains(&&*stem) || numbered {
        Some("it is the name of a device")
    } else if name.ends_with(['.', ' ']) {
        Some("it ends with a full stop or a space")
    } else if name.contains(['<', '>', ':', '"', '|', '?', '*', '\\']) || name.chars().any(|c| c < ' ') {
        Some("it has a reserved character")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_names_are_found() {
        for path in ["a/nul.txt", "AUX", "con.tar.gz", "com1", "lpt9.rs", "a./b", "b ", "c?d", "a:b", "x|y"] {
            assert_eq!(file_name(path).len(), 1, "{path}");
        }
    }

    #[test]
    fn other_names_are_not_found() {
        for path in
            ["null.txt", "src/console.rs", "com.rs", "com10.rs", ".gitignore", "a b", "traces/nul@x.snap"]
        {
            assert!(file_name(path).is_empty(), "{path}");
        }
    }
}
