//! Any bytes as a file of wanted access.
#![no_main]

use robots_command::{InputKind, read_input};

libfuzzer_sys::fuzz_target!(|file: &[u8]| {
    for kind in [InputKind::Wanted, InputKind::WantedTable] {
        let read = read_input(kind, file);
        if let Err(message) = &read {
            assert!(!message.is_empty() && !message.contains(char::is_control), "{kind:?}: {message:?}");
        }
        assert_eq!(read, read_input(kind, file));
    }
});
