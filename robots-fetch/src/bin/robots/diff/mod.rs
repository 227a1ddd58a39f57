//! placeholder
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}
pub(crate) fn run(_: &Arguments) -> crate::failure::Result<u8> {
    Ok(0)
}
