//! The crawlers that a record is written for.

use robots_groups::syntax::Field;

use crate::lint::subject::file::File;
use crate::records::OtherRecord;

/// Returns the user-agent lines directly above a record of a group: the last ones before it with no record between them.
///
/// Without a rule, two blocks are one group, and a record of each is for all crawlers of both. Its author has written it for those
/// above it.
pub(crate) fn agents_above<'f, 'a>(file: &'f File<'a>, record: &OtherRecord<'a>) -> &'f [Field<'a>] {
    let Some(group) = record.group.and_then(|index| file.groups.get(index)) else { return &[] };
    let agents = group.agents();
    let end = agents.partition_point(|agent| agent.span().start() < record.span.start());
    let agents = agents.get(..end).unwrap_or_default();
    let Some(last) = agents.last() else { return &[] };
    let records = file.records.all();
    let before = records.partition_point(|other| other.span.start() < last.span().start());
    let from = before.checked_sub(1).and_then(|at| records.get(at)).map_or(0, |other| other.span.end());
    agents.get(agents.partition_point(|agent| agent.span().start() < from)..).unwrap_or_default()
}
