//! Names of hosts and names of files.

/// What a name is by the text after its last dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastLabel {
    /// The name of a host.
    Domain,
    /// The name of a file.
    File,
    /// One or the other: `allegro.pl` and `index.pl` look alike.
    Either,
}

/// Ends of files on web servers, in lower case. Hosts hardly ever have one of them as their top-level domain.
const FILE_ENDS: &str = "7z action apk ashx asmx asp aspx atom avi axd bak bin bmp bz2 cer cfg cfm cgi class conf css csv dat db \
    dll dmg doc docx eot eps epub exe flv gif gz htm html ico ics inc ini iso jar jpeg jpg js jsf json jsp jspx key lasso log \
    map mdb mjs mp3 mp4 mpeg mpg nsf odt old pdf php php3 php4 php5 phtml png ppt pptx rar rb rdf rm rss rtf shtml sql svg swf \
    tar tif tmpl tpl ttf txt wav webp wmv woff woff2 xhtml xls xlsx xml xsd xsl yaml yml";

/// Ends of files that are top-level domains as well.
const BOTH_ENDS: &str = "ai cc do md mov pl ps py sh zip";

impl LastLabel {
    pub(crate) fn of(label: &[u8]) -> Self {
        let is_in = |ends: &str| ends.split(' ').any(|known| label.eq_ignore_ascii_case(known.as_bytes()));
        match () {
            () if is_in(BOTH_ENDS) => Self::Either,
            () if is_in(FILE_ENDS) => Self::File,
            () => Self::Domain,
        }
    }
}
