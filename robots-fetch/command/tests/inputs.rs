//! The readers of files that commands read beside robots.txt: the seeds of their fuzz targets.

use robots_command::{InputKind, read_input};
use robots_conformance::properties::seeds;

#[test]
fn seeds_are_read_or_refused_on_one_line() {
    for (target, kinds) in [
        ("settings", &[InputKind::LintSettings][..]),
        ("baseline", &[InputKind::Baseline]),
        ("wanted", &[InputKind::Wanted, InputKind::WantedTable]),
        ("urls", &[InputKind::Urls]),
    ] {
        let (mut read, mut refused) = (0, 0);
        for (name, file) in seeds(target) {
            for &kind in kinds {
                match read_input(kind, &file) {
                    Ok(_) => read += 1,
                    Err(message) => {
                        assert!(!message.contains(char::is_control), "{target} {name}: {message:?}");
                        refused += 1;
                    }
                }
            }
        }
        assert!(read > 0 && refused > 0, "{target}: {read} were read, {refused} refused");
    }
}

#[test]
fn entries_are_counted() {
    assert_eq!(read_input(InputKind::LintSettings, b"ignore = ['agent-list', 'blocks-all']"), Ok(2));
    assert_eq!(read_input(InputKind::Urls, b"/a\n/b\n/a\n"), Ok(2));
    let wanted = b"crawler,url,access\na,/,allowed\n";
    assert_eq!(read_input(InputKind::WantedTable, wanted), Ok(1));
    let message = read_input(InputKind::Wanted, wanted).unwrap_err();
    assert!(message.starts_with("file:1: "), "{message}");
}
