//! Lists the public API of a crate from the JSON that rustdoc wrote: `xtask-api FILE`.
//!
//! Exit status: 0 if the list is printed, 2 for wrong arguments or an unreadable file, 3 if the JSON has the format of
//! another Rust version.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

/// The version of the JSON that `public-api` reads.
const FORMAT: &str = "\"format_version\":57";

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let (Some(file), None) = (arguments.next(), arguments.next()) else {
        return fail(2, "usage: xtask-api FILE");
    };
    match fs::read_to_string(&file) {
        Err(error) => return fail(2, &format!("{}: {error}", Path::new(&file).display())),
        Ok(json) if !json.contains(FORMAT) => return fail(3, "rustdoc is not that of Rust 1.95"),
        Ok(_) => {}
    }
    match public_api::Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()
    {
        Ok(api) => match io::stdout().write_all(shortened(&api.to_string()).as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(2, &format!("standard output: {error}")),
        },
        Err(error) => fail(2, &error.to_string()),
    }
}

/// Leaves out what follows from the rest of the list: the methods of traits of the standard library, whose signatures
/// their `impl` lines give, and `StructuralPartialEq`, which every derived `PartialEq` adds.
fn shortened(list: &str) -> String {
    let mut short = String::new();
    let mut self_type = "";
    for line in list.lines() {
        if line.starts_with("impl") {
            self_type = self_type_of_standard_impl(line).unwrap_or_default();
        }
        let is_method = line.starts_with("pub ") && line.contains(" fn ") || line.starts_with("pub fn ");
        let follows = is_method
            && !self_type.is_empty()
            && ["::", "<"].iter().any(|next| line.contains(&format!("{self_type}{next}")));
        if !follows && !line.contains("StructuralPartialEq") {
            short.push_str(line);
            short.push('\n');
        }
    }
    short
}

/// Returns the type that an `impl` line of a trait of the standard library is for, without its parameters.
fn self_type_of_standard_impl(line: &str) -> Option<&str> {
    let (implemented, self_type) = line.split_once(" for ")?;
    let is_standard =
        ["core::", "alloc::", "std::"].iter().any(|name| implemented.contains(&format!(" {name}")));
    let self_type = self_type.trim_start_matches('&').split(['<', ' ']).next()?;
    is_standard.then_some(self_type)
}

fn fail(status: u8, message: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {message}");
    ExitCode::from(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_standard_traits_are_left_out() {
        let list = "pub struct a::B<'x>\nimpl<'x> a::B<'x>\npub fn a::B<'x>::own(&self)\n\
                    impl<'x> core::clone::Clone for a::B<'x>\npub fn a::B<'x>::clone(&self) -> a::B<'x>\n\
                    impl core::marker::StructuralPartialEq for a::B<'_>\n\
                    impl core::iter::Iterator for a::B<'_>\npub type a::B<'_>::Item = u8\n\
                    pub fn a::B<'_>::next(&mut self)\npub fn a::free() -> u8\n";
        let short = "pub struct a::B<'x>\nimpl<'x> a::B<'x>\npub fn a::B<'x>::own(&self)\n\
                     impl<'x> core::clone::Clone for a::B<'x>\n\
                     impl core::iter::Iterator for a::B<'_>\npub type a::B<'_>::Item = u8\n\
                     pub fn a::free() -> u8\n";
        assert_eq!(shortened(list), short);
    }
}
