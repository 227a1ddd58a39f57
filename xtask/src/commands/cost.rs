//! `cargo xtask bench --cost`: what depending on each crate costs.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::process::{Cargo, Outcome, say, well};
use crate::workspace::{empty_folder, root, target, write};

/// A program that depends on one crate.
struct Program {
    name: &'static str,
    /// The entry in its manifest. `ROOT` stands for the folder of this workspace.
    dependency: &'static str,
    /// The body of its function `main`, which uses the crate for `body`, the first argument.
    main: &'static str,
}

/// The program without a dependency, whose size is subtracted.
const EMPTY: Program = Program { name: "", dependency: "", main: "println!(\"{}\", body.len());" };

const PROGRAMS: &[Program] = &[
    Program {
        name: "robots-syntax",
        dependency: "robots-syntax = { path = \"ROOT/robots-syntax\" }",
        main: "println!(\"{}\", robots_syntax::Lines::new(body.as_bytes(), &Default::default()).count());",
    },
    Program {
        name: "robots-groups",
        dependency: "robots-groups = { path = \"ROOT/robots-groups\" }",
        main: "let groups = robots_groups::Groups::parse(body.as_bytes(), &Default::default(), &Default::default());
               println!(\"{:?}\", groups.select(&robots_groups::Crawler::unnamed()).basis());",
    },
    Program {
        name: "robots-match",
        dependency: "robots-match = { path = \"ROOT/robots-match\" }",
        main: "let robots = robots_match::Robots::new(&body, robots_match::Document::Rfc9309);
               println!(\"{}\", robots.rules(&robots_match::Crawler::unnamed()).check(\"/\"));",
    },
    Program {
        name: "robots-match, all features",
        dependency: "robots-match = { path = \"ROOT/robots-match\", features = [\"catalogue\", \"lint\", \"serde\", \"url\", \"usage\"] }",
        main: "let robots = robots_match::Robots::new(&body, robots_match::Document::Rfc9309);
               println!(\"{}\", robots.rules(&robots_match::Crawler::unnamed()).check(\"/\"));",
    },
    Program {
        name: "robots-fetch",
        dependency: "robots-fetch = { path = \"ROOT/robots-fetch\" }",
        main: "let fetch = |_: robots_fetch::Retrieval| -> robots_fetch::Outcome { unreachable!() };
               let cache = robots_fetch::Cache::new(
                   robots_fetch::CacheOptions::new(robots_fetch::SiteProfile::RFC9309), fetch);
               println!(\"{:?}\", cache.check(&body.parse().unwrap(), &robots_fetch::matching::Crawler::unnamed()).is_ok());",
    },
    Program {
        name: "robots-fetch, `ureq`",
        dependency: "robots-fetch = { path = \"ROOT/robots-fetch\", features = [\"ureq\"] }",
        main: "use robots_fetch::client::{ClientOptions, ureq::Client};
               let client = Client::new(&ClientOptions::new(\"ExampleBot/1.0\").unwrap()).unwrap();
               let cache = robots_fetch::Cache::new(
                   robots_fetch::CacheOptions::new(robots_fetch::SiteProfile::RFC9309), client);
               println!(\"{:?}\", cache.check(&body.parse().unwrap(), &robots_fetch::matching::Crawler::unnamed()).is_ok());",
    },
    Program {
        name: "robots-fetch, `reqwest` and `tokio`",
        dependency: "robots-fetch = { path = \"ROOT/robots-fetch\", features = [\"reqwest\", \"tokio\"] }
                     tokio = { version = \"1\", features = [\"rt\", \"net\", \"time\"] }",
        main: "use robots_fetch::client::{ClientOptions, reqwest::Client};
               let client = Client::new(&ClientOptions::new(\"ExampleBot/1.0\").unwrap()).unwrap();
               let cache = robots_fetch::AsyncCache::new(
                   robots_fetch::CacheOptions::new(robots_fetch::SiteProfile::RFC9309), client);
               let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
               println!(\"{:?}\", runtime.block_on(
                   cache.check(&body.parse().unwrap(), &robots_fetch::matching::Crawler::unnamed())).is_ok());",
    },
    Program {
        name: "reqwest 0.13",
        dependency: "reqwest = { version = \"0.13\", default-features = false, features = [\"http2\", \"rustls\"] }
                     tokio = { version = \"1\", features = [\"rt\", \"net\", \"time\"] }",
        main: "let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
               println!(\"{:?}\", runtime.block_on(reqwest::get(&body)).is_ok());",
    },
    Program {
        name: "robotxt 0.7.0",
        dependency: "robotxt = \"=0.7.0\"",
        main: "println!(\"{}\", robotxt::Robots::parse(body.as_bytes(), \"ExampleBot\").is_allowed(\"/\"));",
    },
    Program {
        name: "texting_robots 0.2.2",
        dependency: "texting_robots = \"=0.2.2\"",
        main: "println!(\"{}\", texting_robots::Robot::new(\"ExampleBot\", body.as_bytes()).unwrap().allowed(\"/\"));",
    },
];

/// The costs of a program.
struct Cost {
    seconds: f64,
    crates: usize,
    bytes: u64,
}

/// Builds each program in an empty folder, or those whose names contain `only`, and prints a table.
pub(crate) fn cost(only: &str) -> Outcome {
    let folder = target().join("cost");
    let empty = measured(&EMPTY, &folder)?;
    say("| dependency | seconds to build | crates | KiB in a stripped program |");
    say("| --- | ---: | ---: | ---: |");
    let mut all = true;
    let wanted = |program: &&Program| program.name.contains(only);
    for program in PROGRAMS.iter().filter(wanted) {
        match measured(program, &folder) {
            Ok(Cost { seconds, crates, bytes }) => {
                let more = bytes.saturating_sub(empty.bytes) / 1024;
                say(&format!("| {} | {seconds:.0} | {} | {more} |", program.name, crates - 1));
            }
            Err(why) => {
                say(&format!("| {} | {why} | | |", program.name));
                all = false;
            }
        }
    }
    well(all)
}

/// Builds a program without earlier results, and removes what was built. The packages are downloaded before.
fn measured(program: &Program, folder: &Path) -> Result<Cost, String> {
    empty_folder(folder)?;
    let workspace = root().to_string_lossy().replace('\\', "/");
    let dependency = program.dependency.replace("ROOT", &workspace);
    let dependency = dependency.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let manifest = format!(
        "[package]\nname = \"cost\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\n{dependency}\n\n[profile.release]\nstrip = true\n"
    );
    write(&folder.join("Cargo.toml"), &manifest)?;
    let body = "let body = std::env::args().nth(1).unwrap_or_default();";
    write(&folder.join("src/main.rs"), &format!("fn main() {{\n    {body}\n    {}\n}}\n", program.main))?;
    let run = |arguments: &[&str]| {
        let cargo = Cargo::new(arguments.iter().copied()).in_folder(folder);
        cargo.with("CARGO_TARGET_DIR", folder.join("target")).output()
    };
    let failed = || "does not build".to_owned();
    run(&["fetch", "--quiet"])?.ok_or_else(failed)?;
    let tree = run(&["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"])?;
    let tree = tree.ok_or_else(failed)?;
    let mut crates: Vec<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    crates.sort_unstable();
    crates.dedup();
    let started = Instant::now();
    run(&["build", "--release", "--quiet"])?.ok_or_else(failed)?;
    let seconds = started.elapsed().as_secs_f64();
    let built = folder.join("target/release").join(format!("cost{}", std::env::consts::EXE_SUFFIX));
    let bytes = fs::metadata(&built).map_err(|error| format!("{}: {error}", built.display()))?.len();
    let crates = crates.len();
    fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(Cost { seconds, crates, bytes })
}
