//! The argument `--agent`: several crawlers, and crawlers with several names.

use crate::command::outcome;

const FILE: &str = "User-agent: *\nDisallow: /private\n\nUser-agent: ExampleBot\nDisallow: /*.gif$\n";

fn check(file: &str, args: &[&str]) -> (i32, String, String) {
    outcome(&[&["check", "--robots", "-"], args].concat(), file)
}

#[test]
fn several_agents_are_several_crawlers() {
    let args = ["-a", "ExampleBot", "-a", "OtherBot", "-a", "OtherBot", "/private", "/a.gif"];
    let (status, out, _) = check(FILE, &args);
    let expected = "allowed    ExampleBot  /private  no rule matches
disallowed OtherBot  /private  line 2: Disallow: /private
disallowed ExampleBot  /a.gif  line 5: Disallow: /*.gif$
allowed    OtherBot  /a.gif  no rule matches
";
    assert_eq!((status, out.as_str()), (1, expected));
}

#[test]
fn known_crawlers_have_their_fallback_and_may_ignore_the_general_group() {
    let file = "User-agent: *\nDisallow: /\nUser-agent: Googlebot\nDisallow: /g\n";
    let images = "robots: note: `Googlebot-Image` obeys groups for `Googlebot` if no group names it\n";
    let allowed = |why: &str| format!("allowed    /  {why}\n");
    assert_eq!(
        check(file, &["-a", "Googlebot-Image", "/"]),
        (0, allowed("no rule matches (google)"), images.to_owned())
    );
    let ads = "robots: note: `AdsBot-Google` does not obey groups for `*`\n";
    assert_eq!(
        check(file, &["-a", "AdsBot-Google", "/"]),
        (0, allowed("no group applies (google)"), ads.to_owned())
    );
}
