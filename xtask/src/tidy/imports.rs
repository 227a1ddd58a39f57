//! Circular imports between the files of a crate.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::source::Source;

/// Finds groups of files of a crate that import each other in a circle.
///
/// Counts are paths that start with `crate`, `self` or `super`, or in the root file with the name of a module, in `use`
/// declarations and elsewhere. A path to a name that another file re-exports counts as a path to the file that has it,
/// and a re-export is not an import. Test modules are left out.
pub(crate) fn circles(sources: &[Source]) -> Vec<String> {
    let mut crates: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
    for source in sources {
        if let Some(folder) = crate_folder(&source.name)
            && !source.name.ends_with("/tests.rs")
        {
            crates.entry(folder).or_default().push(source);
        }
    }
    crates.into_iter().filter_map(|(folder, sources)| circles_of(folder, &sources)).collect()
}

/// Returns the folder of the crate root that a file belongs to: `x/src/`, or `x/src/bin/y/` for a binary.
fn crate_folder(name: &str) -> Option<&str> {
    let (_, inside) = name.split_once("/src/")?;
    let start = name.len() - inside.len();
    let length = match inside.strip_prefix("bin/") {
        Some(inside) => "bin/".len() + inside.find('/')? + 1,
        None => 0,
    };
    name.get(..start + length)
}

/// A module: its path from the root of the crate.
type Module = Vec<String>;

/// A path of names in the code, resolved as far as the root of the crate.
#[derive(Debug, PartialEq, Eq)]
struct Import {
    path: Vec<String>,
    /// The name that the import is known by in its file; nothing if it is a path outside of `use`.
    alias: Option<String>,
    /// Whether the file only gives the item another public path.
    is_reexport: bool,
}

fn circles_of(folder: &str, sources: &[&Source]) -> Option<String> {
    // `lib.rs` and `main.rs` of one folder are two crates; the modules belong to the library.
    let has_library = sources.iter().any(|source| source.name == format!("{folder}lib.rs"));
    let files: BTreeMap<Module, &Source> = sources
        .iter()
        .filter(|source| !has_library || source.name != format!("{folder}main.rs"))
        .map(|source| (module(folder, &source.name), *source))
        .collect();
    let imports: BTreeMap<&Module, Vec<Import>> =
        files.iter().map(|(module, source)| (module, imports(module, &source.text, &files))).collect();
    let edges: BTreeMap<&Module, BTreeSet<&Module>> = imports
        .iter()
        .map(|(module, found)| {
            let own = found.iter().filter(|import| !import.is_reexport);
            let targets = own.filter_map(|import| target(&import.path, &files, &imports, 0));
            (*module, targets.filter(|target| target != module).collect())
        })
        .collect();
    // Files that import no other, or that no other imports, are left out until only circles and what is between them remain.
    let mut left: BTreeSet<&Module> = edges.keys().copied().collect();
    loop {
        let imports =
            |from: &Module, to: &Module| edges.get(from).is_some_and(|targets| targets.contains(to));
        let is_between = |module: &&Module| {
            left.iter().any(|to| imports(module, to)) && left.iter().any(|from| imports(from, module))
        };
        let kept: BTreeSet<&Module> = left.iter().copied().filter(is_between).collect();
        if kept.len() == left.len() {
            break;
        }
        left = kept;
    }
    let names: Vec<&str> = left
        .into_iter()
        .filter_map(|module| files.get(module))
        .map(|source| source.name.strip_prefix(folder).unwrap_or(&source.name))
        .collect();
    (!names.is_empty()).then(|| format!("{folder}: a circle of imports: {}", names.join(", ")))
}

/// Returns the module that a file contains.
fn module(folder: &str, name: &str) -> Module {
    let inside = name.strip_prefix(folder).unwrap_or(name).trim_end_matches(".rs");
    let mut module: Module = inside.split('/').map(str::to_owned).collect();
    let is_folder = module.last().is_some_and(|last| last == "mod");
    let is_root = module.len() == 1 && module.iter().any(|name| name == "lib" || name == "main");
    if is_folder || is_root {
        module.pop();
    }
    module
}

/// Returns the file that has what a path names. Names that a file imports are followed to where they are from.
fn target<'a>(
    path: &[String],
    files: &'a BTreeMap<Module, &Source>,
    imports: &BTreeMap<&Module, Vec<Import>>,
    depth: usize,
) -> Option<&'a Module> {
    // The longest start of the path that is a file.
    let length =
        (0..=path.len()).rev().find(|&length| path.get(..length).is_some_and(|m| files.contains_key(m)))?;
    let (own, rest) = path.split_at(length);
    let (module, _) = files.get_key_value(own)?;
    let followed = rest.first().filter(|_| depth < 8).and_then(|name| {
        let found = imports.get(module)?.iter().find(|import| import.alias.as_ref() == Some(name))?;
        target(&found.path, files, imports, depth + 1)
    });
    Some(followed.unwrap_or(module))
}

/// Returns the paths within the crate that the code of a file has, without its test module.
fn imports(module: &Module, text: &str, files: &BTreeMap<Module, &Source>) -> Vec<Import> {
    let mut names = Vec::new();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    // A file that is not Rust does not compile, so this check needs no message for it.
    tokens(code.parse().unwrap_or_default(), &mut names);
    let mut tokens = names.into_iter().peekable();
    let mut found = Vec::new();
    let mut before = String::new();
    while let Some(token) = tokens.next() {
        if token == "use" {
            // `pub use` and `pub(crate) use`.
            let is_reexport = matches!(&*before, "pub" | ")");
            let tree: Vec<String> = tokens.by_ref().take_while(|token| token != ";").collect();
            let mut paths = Vec::new();
            use_tree(&mut tree.into_iter().peekable(), &[], &mut paths);
            for (path, alias) in paths {
                if let Some(path) = absolute(module, &path, files) {
                    found.push(Import { path, alias: Some(alias), is_reexport });
                }
            }
        } else if matches!(&*token, "crate" | "super" | "self") && before != "::" && before != "in" {
            let mut path = vec![token.clone()];
            while tokens.next_if(|token| token == "::").is_some() {
                match tokens
                    .next_if(|token| token.starts_with(|char: char| char.is_alphabetic() || char == '_'))
                {
                    Some(name) => path.push(name),
                    None => break,
                }
            }
            if path.len() > 1
                && let Some(path) = absolute(module, &path, files)
            {
                found.push(Import { path, alias: None, is_reexport: false });
            }
        }
        before = token;
    }
    found
}

/// Reads a tree of `use` up to its end or a comma, and adds each path with the name that it is known by.
fn use_tree(
    tokens: &mut Peekable<impl Iterator<Item = String>>,
    prefix: &[String],
    paths: &mut Vec<(Vec<String>, String)>,
) {
    let mut path = prefix.to_vec();
    let mut alias = None;
    while let Some(token) = tokens.next_if(|token| token != "," && token != "}") {
        match &*token {
            "::" => {}
            "{" => {
                while tokens.peek().is_some_and(|token| token != "}") {
                    use_tree(tokens, &path, paths);
                    tokens.next_if(|token| token == ",");
                }
                tokens.next();
                return;
            }
            "as" => alias = tokens.next(),
            "self" if !path.is_empty() => {}
            _ => path.push(token),
        }
    }
    if let Some(last) = path.last().cloned() {
        paths.push((path, alias.unwrap_or(last)));
    }
}

/// Returns a path from the root of the crate; nothing for a path to another crate.
fn absolute(module: &Module, path: &[String], files: &BTreeMap<Module, &Source>) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    let mut base = match &**first {
        "crate" => Vec::new(),
        "self" => module.clone(),
        "super" => module.split_last()?.1.to_vec(),
        // A path may start with the name of a module below the file's own.
        name => {
            let below = [&**module, &[name.to_owned()]].concat();
            files.contains_key(&below).then_some(below)?
        }
    };
    for name in rest {
        match &**name {
            "super" => drop(base.pop()?),
            "*" => {}
            _ => base.push(name.clone()),
        }
    }
    Some(base)
}

/// Adds the tokens that paths are made of; the text of literals and comments is left out.
fn tokens(code: TokenStream, found: &mut Vec<String>) {
    let mut is_half = false;
    for token in code {
        let is_colon = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == ':');
        match token {
            TokenTree::Ident(name) => found.push(name.to_string()),
            // The two marks of `::`.
            TokenTree::Punct(_) if is_colon && is_half => {
                found.pop();
                found.push("::".to_owned());
            }
            TokenTree::Punct(mark) => found.push(mark.to_string()),
            TokenTree::Literal(_) => found.push("\"".to_owned()),
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace | Delimiter::None => ("{", "}"),
                };
                found.push(open.to_owned());
                tokens(group.stream(), found);
                found.push(close.to_owned());
            }
        }
        is_half = is_colon && !is_half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> =
            files.iter().map(|(name, text)| Source::new(&format!("x/src/{name}"), text)).collect();
        circles(&sources)
    }

    #[test]
    fn a_circle_is_found() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "use crate::c::{self, C};"),
            ("c.rs", "pub(crate) fn c() { c(super::a::a()) }"),
        ];
        assert_eq!(found(&files), ["x/src/: a circle of imports: a.rs, b.rs, c.rs"]);
    }

    #[test]
    fn names_are_followed_through_the_file_that_reexports_them() {
        let downwards = [
            ("lib.rs", "mod a; mod b; pub use a::A; pub use b::{B as Other};"),
            ("a.rs", "use crate::Other;"),
            ("b.rs", "struct B;"),
        ];
        assert_eq!(found(&downwards), [""; 0]);
        let circle = [
            ("lib.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
            ("a.rs", "use crate::B;"),
            ("b.rs", "use crate::A;"),
        ];
        assert_eq!(found(&circle), ["x/src/: a circle of imports: a.rs, b.rs"]);
    }

    #[test]
    fn a_file_and_its_folder_are_a_circle_if_both_import() {
        let files = [("a/mod.rs", "mod b; use b::B; struct A;"), ("a/b.rs", "use super::A; struct B;")];
        assert_eq!(found(&files).len(), 1);
        let plain = [("a/mod.rs", "mod b; pub use b::B; struct A;"), ("a/b.rs", "use super::A; struct B;")];
        assert_eq!(found(&plain), [""; 0]);
    }

    #[test]
    fn tests_comments_strings_and_other_crates_are_left_out() {
        let files = [
            ("a.rs", "use crate::b::B; use std::b; pub(super) fn a() {}"),
            (
                "b.rs",
                "//! [`crate::a`]\nconst A: &str = \"crate::a\";\n#[cfg(test)]\nmod tests { use crate::a::A; }",
            ),
            ("a/tests.rs", "use crate::a::A;"),
        ];
        assert_eq!(found(&files), [""; 0]);
    }

    #[test]
    fn binaries_are_crates_of_their_own() {
        assert_eq!(crate_folder("x/src/bin/y/main.rs"), Some("x/src/bin/y/"));
        assert_eq!(crate_folder("x/src/a/b.rs"), Some("x/src/"));
        assert_eq!(crate_folder("x/tests/a.rs"), None);
    }
}
