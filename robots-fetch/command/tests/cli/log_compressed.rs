//! `robots log` with compressed logs that are damaged, or that would take much memory.

use std::fs;

use crate::audit_memory::measured;
use crate::log::{GPTBOT, Logs, get};

/// The most memory for a log above what a small one needs, in KiB.
const MOST: usize = 64 << 10;

/// The most memory for several logs that are read at the same time.
const MOST_OF_SEVERAL: usize = 256 << 10;

/// A frame of zstd with these fields of its header, blocks that are not compressed, and this end.
fn frame(header: &[u8], text: &[u8], end: &[u8]) -> Vec<u8> {
    let mut frame = [&[0x28, 0xB5, 0x2F, 0xFD], header].concat();
    let last = text.chunks(128 << 10).count() - 1;
    for (number, part) in text.chunks(128 << 10).enumerate() {
        let block = u32::try_from(part.len()).unwrap() << 3 | u32::from(number == last);
        frame.extend_from_slice(&block.to_le_bytes()[..3]);
        frame.extend_from_slice(part);
    }
    [&frame, end].concat()
}

/// A frame with a window of this many MiB, a power of two, whose text fills it.
fn with_window(mib: u8) -> Vec<u8> {
    let line = get(10, "10:00:00", "/private/x", GPTBOT);
    let size = (usize::from(mib) << 20) + (1 << 20);
    let exponent = u8::try_from(10 + mib.trailing_zeros()).unwrap();
    frame(&[0, exponent << 3], line.repeat(size / line.len()).as_bytes(), &[])
}

#[test]
fn damaged_and_cut_frames_of_zstd_are_errors() {
    let logs = Logs::new("log-zstd-damaged");
    let text = get(10, "10:00:00", "/private/", GPTBOT);
    let text = text.as_bytes();
    let length = u8::try_from(text.len()).unwrap();
    // The checksum that `zstd` writes for the text.
    let right = [0x16, 0x8A, 0x09, 0x7A];
    let wrong = [0xDE, 0xAD, 0xBE, 0xEF];
    let whole = frame(&[0x24, length], text, &right);
    // What was read before an error counts. The decoder returns no part of a block that can't be read.
    for (name, log, error, requests) in [
        ("whole", whole.clone(), None, 1),
        ("two", whole.repeat(2), None, 2),
        ("without a size and a checksum", frame(&[0, 0], text, &[]), None, 1),
        ("another checksum", frame(&[0x24, length], text, &wrong), Some("a frame has another checksum"), 1),
        (
            "another checksum of the second",
            [&*whole, &frame(&[4, 0], text, &wrong)].concat(),
            Some("a frame has another checksum"),
            2,
        ),
        ("a shorter text", frame(&[0x20, length + 5], text, &[]), Some("and its header says"), 1),
        ("a longer text", frame(&[0x40, 0, length, 0], &text.repeat(3), &[]), Some("and its header says"), 3),
        ("no checksum", frame(&[0x24, length], text, &[]), Some("was cut"), 0),
        ("a header", [&*whole, &[0x28, 0xB5, 0x2F, 0xFD, 0x24]].concat(), Some(": it was cut"), 1),
        (
            "a frame without text",
            [&*whole, &[0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 0]].concat(),
            Some(": it was cut"),
            1,
        ),
        ("a reserved bit", frame(&[8, 0], text, &[]), Some("zstd of a later version"), 0),
        ("other bytes", frame(&[0, 0], text, b"other bytes"), Some("other bytes follow a frame"), 1),
    ] {
        let log = logs.write("access.log", log);
        let (status, value, err) = logs.json(&[&log]);
        assert_eq!(status, if error.is_some() { 2 } else { 1 }, "{name}: {err}");
        let is_named =
            error.is_none_or(|error| err.contains(&format!("can't read {log}: ")) && err.contains(error));
        assert!(is_named, "{name}: {err}");
        let disallowed = &value["hosts"][0]["crawlers"][0]["disallowed"];
        assert_eq!(disallowed.as_u64().unwrap_or(0), requests, "{name}: {err}");
    }
}

#[test]
fn memory_for_zstd_is_bounded_by_its_windows() {
    let logs = Logs::new("log-zstd-memory");
    let robots = logs.path("robots.txt");
    let memory = |logs: &[String]| {
        let logs: Vec<&str> = logs.iter().map(String::as_str).collect();
        let (status, _, memory) = measured(&[&["log", "--robots", &*robots], &*logs].concat());
        (status.unwrap(), memory)
    };
    let small = memory(&[logs.write("small.log", get(10, "10:00:00", "/private/", GPTBOT))]).1;
    let more = |paths: &[String]| {
        let (status, memory) = memory(paths);
        (status, memory.saturating_sub(small))
    };
    // The largest window that is read.
    let large = logs.write("large.zst", with_window(8));
    let (status, memory) = more(core::slice::from_ref(&large));
    assert!(status == 1 && memory < MOST, "{status}: {memory} KiB");
    // The next one is refused, with the name of the file.
    let huge = logs.write("huge.zst", with_window(16));
    let (status, _, err) = logs.json(&[&huge]);
    assert!(status == 2 && err.contains(&format!("can't read {huge}: it needs a window of 16 MiB")), "{err}");
    // Logs of the same time are read at the same time, and share a budget.
    for (count, expected) in [(16, 1), (20, 2)] {
        let copy = |number: u32| {
            let path = logs.path(&format!("{count}-{number}.zst"));
            // Another name of a file is another log.
            fs::hard_link(&large, &path).unwrap();
            path
        };
        let (status, memory) = more(&(0..count).map(copy).collect::<Vec<_>>());
        assert!(status == expected && memory < MOST_OF_SEVERAL, "{count}: {status}, {memory} KiB");
    }
}

#[test]
fn a_block_of_zstd_has_a_largest_size() {
    let logs = Logs::new("log-zstd-block");
    // Each sequence repeats a byte 131,074 times (literals and codes that are repeated, and all bits of the length).
    let count: u16 = 4000;
    let [low, high] = count.to_le_bytes();
    let literals = [0x0D | low << 4, low >> 4 | high << 4, high >> 4, b'a'];
    let sequences = [high + 0x80, low, 0x54, 1, 0, 52];
    let bits = [vec![0xFF; usize::from(count) * 2], vec![1]].concat();
    let block = [&literals[..], &sequences, &bits].concat();
    let header = (u32::try_from(block.len()).unwrap() << 3 | 5).to_le_bytes();
    let bomb = [&[0x28, 0xB5, 0x2F, 0xFD, 0, 0x58], &header[..3], &block].concat();
    let log = logs.write("bomb.zst", bomb);
    let (status, _, err) = logs.json(&[&log]);
    assert!(status == 2 && err.contains("it is damaged"), "{err}");
    let (_, _, memory) = measured(&["log", "--robots", &logs.path("robots.txt"), &log]);
    assert!(memory < MOST, "{memory} KiB");
}
