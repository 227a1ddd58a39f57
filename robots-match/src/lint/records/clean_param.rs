use crate::lint::declaration::lint;
use crate::lint::draft::Drafts;
use crate::lint::subject::RecordView;
use crate::records::RecordKind;

lint! {
    code: "clean-param",
    severity: warning,
    title: "A Clean-param line is not valid",
    check: Record(check),
    /// `Clean-param` lists query parameters that do not change the content of a page, with `&` between them. A space
    /// and a path may follow if they are only for the pages below that path. Yandex obeys the line, wherever it is in
    /// the file.
    ///
    /// Write the parameters in this form, such as `ref&sid /forum/`.
    ///
    /// A file with this finding:
    ///
    /// ```robots.txt found
    /// Clean-param: ref, sid /forum/
    /// ```
    ///
    /// A file without it:
    ///
    /// ```robots.txt clean
    /// Clean-param: ref&sid /forum/
    /// ```
}

const HELP: &str = "write the parameters with `&` between them, then a space and the path they are for";

fn check(view: &RecordView<'_>, drafts: &mut Drafts<'_>) {
    view.report(RecordKind::CleanParam, HELP, drafts);
}
