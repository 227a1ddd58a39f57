use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::catalogue::{former, product};
use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::known_names::search_engine;
use crate::lint::severity::Severity;
use crate::lint::subject::GroupView;
use crate::lint::text::shown;

lint! {
    code: "agent-is-product",
    severity: warning,
    title: "A user-agent line has the name of a product, or a former name of a crawler",
    check: Group(check),
    /// ChatGPT, Claude and Gemini are products. Their crawlers have other names, and a crawler obeys only a group with its own
    /// name, so a group for `ChatGPT` applies to no crawler.
    ///
    /// The advice lists the names that the crawlers of the product look for. Each has its own purpose: `GPTBot` collects data for
    /// training, `OAI-SearchBot` is for search, and `ChatGPT-User` fetches what a user asks for. Write those that are meant. A group that also
    /// names these crawlers is not reported.
    ///
    /// Kinds of crawlers, such as `bad bots`, and browsers, such as `Chrome`, have no names that a line could have.
    ///
    /// A name that the operator no longer lists, such as `anthropic-ai`, is a note.
    ///
    /// Copilot uses what `bingbot` reads, the crawler of Bing's search. For a group that blocks much of the site, such as one with
    /// `Disallow: /`, crawlers of search engines are not among the advised names, because the site would leave the search engine.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: ChatGPT
    /// Disallow: /
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: GPTBot
    /// User-agent: ChatGPT-User
    /// Disallow: /
    /// ```
}

fn check(view: &GroupView<'_, '_>, drafts: &mut Drafts<'_>) {
    let agents = view.group.agents();
    for agent in agents {
        let former = former(agent.bytes());
        let Some(tokens) = former.or_else(|| product(agent.bytes())) else { continue };
        // The line adds nothing where the crawlers are named, and does no harm.
        let is_named = |token: &&str| view.file.group_of(token).is_some();
        let name = shown(agent.bytes());
        let message = match former {
            Some(_) => {
                format!("the operator of `{name}` no longer lists this name; its crawlers have other names")
            }
            None => {
                format!(
                    "no crawler looks for the name `{name}`, which is that of a product, a company, a browser or a kind of crawlers"
                )
            }
        };
        let draft = Draft::new(view.file.index.line_of(agent.span()), agent.span(), message);
        let draft = if former.is_some() { draft.severity(Severity::Note) } else { draft };
        let list = |tokens: &[&str]| {
            let names: Vec<String> = tokens.iter().map(|token| format!("`{token}`")).collect();
            names.join(", ")
        };
        if tokens.iter().any(is_named) {
            drafts.add(draft.help(format!("keep only the names of its crawlers, {}", list(tokens))).idle());
            continue;
        }
        let extent = view.closes();
        // A block of the product is not meant for the search engine whose index it uses.
        let is_meant = |token: &&str| extent.is_none() || search_engine(token.as_bytes()).is_none();
        let meant: Vec<&str> = tokens.iter().copied().filter(is_meant).collect();
        drafts.add(match (&*meant, extent) {
            _ if tokens.is_empty() => draft.help("write the name of each crawler that is meant"),
            ([], Some(extent)) => {
                let message = format!("{}; it uses what `{}` reads", draft.message, tokens.join("` and `"));
                Draft { message, ..draft }.help(extent.in_place_of_a_name())
            }
            _ => draft.help(format!(
                "write those of its crawlers that you mean, each on a line of its own: {}",
                list(&meant)
            )),
        });
    }
}
