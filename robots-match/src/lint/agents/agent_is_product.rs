use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{GroupView, product};
use crate::lint::text::shown;

lint! {
    code: "agent-is-product",
    severity: warning,
    title: "A user-agent line has the name of a product, not of a crawler",
    check: Group(check),
    /// ChatGPT, Claude and Gemini are products. Their crawlers have other names, and a crawler obeys only a group with its own
    /// name, so a group for `ChatGPT` applies to no crawler.
    ///
    /// The advice lists the names that the crawlers of the product look for. Each has its own purpose: `GPTBot` collects data for
    /// training, `OAI-SearchBot` is for search, and `ChatGPT-User` fetches what a user asks for. Write those that are meant. A group that also
    /// names these crawlers is not reported.
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
        let Some(tokens) = product(agent.bytes()) else { continue };
        // The line adds nothing where the crawlers are named, and does no harm.
        let is_named = |token: &&str| view.file.group_of(token).is_some();
        let draft = Draft::new(
            view.file.index.line_of(agent.span()),
            agent.span(),
            format!(
                "no crawler looks for the name `{}`, which is the name of a product or company",
                shown(agent.bytes())
            ),
        );
        let names: Vec<String> = tokens.iter().map(|token| format!("`{token}`")).collect();
        let names = names.join(", ");
        drafts.add(match tokens.iter().any(is_named) {
            true => draft.help(format!("keep only the names of its crawlers, {names}")).idle(),
            false => draft.help(format!("write the crawlers that are meant, of {names}")),
        });
    }
}
