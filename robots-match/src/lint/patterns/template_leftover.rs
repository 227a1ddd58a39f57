use alloc::format;

use crate::lint::declaration::lint;
use crate::lint::draft::{Draft, Drafts};
use crate::lint::subject::{Damage, Damaged, Placeholder};
use crate::lint::text::shown;

lint! {
    code: "template-leftover",
    severity: warning,
    title: "A template was not filled in",
    check: Damaged(check),
    /// A value such as `{{product.url}}`, `<%= path %>` or `$BASE_URL` is for a program that fills in a template. If the program
    /// does not run, or does not know the value, crawlers read the placeholder literally, and the rule or the sitemap has no
    /// effect. `undefined`, `null`, `NaN` and `[object Object]` come from programs, and hosts such as `yourdomain.com` from
    /// instructions.
    ///
    /// `/users/:id`, `/blog/[slug]` and `/account/<int:pk>/` are paths as the router of a program has them. Patterns have no parameters: only `*`,
    /// for any characters, also slashes, and `$`, for the end.
    ///
    /// This concerns all crawlers. Write the value that was meant. A pattern that begins with `/*` is not reported, because it may
    /// be there to block links in which a placeholder was not filled in.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// User-agent: *
    /// Disallow: /{%category%}/print
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// User-agent: *
    /// Disallow: /*{%category%}
    /// ```
}

fn check(damaged: &Damaged<'_>, drafts: &mut Drafts<'_>) {
    let Damage::Template(found) = &damaged.damage else { return };
    let (place, what, help) = match *found {
        Placeholder::Template(place) => (
            place,
            "looks like a placeholder of a template that was not filled in",
            "write the value that the template stands for, and check the program that fills it in",
        ),
        Placeholder::Unset(place) => (
            place,
            "is what programs write for a variable without a value: a template was not filled in",
            "write the value that was meant, and check the program that writes the file",
        ),
        Placeholder::Parameter(place) => (
            place,
            "looks like the parameter of a router, a placeholder that crawlers read literally",
            "patterns have no parameters: they know only `*`, for any characters, and `$`, for the end",
        ),
        Placeholder::Host(place) => (
            place,
            "is the host of an instruction, a placeholder that was not filled in",
            "write the host of this site",
        ),
    };
    let message = format!("`{}` {what}", shown(place.of(damaged.body)));
    drafts.add(Draft::new(damaged.line, place, message).help(help));
}
