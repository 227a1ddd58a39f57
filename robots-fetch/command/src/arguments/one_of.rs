//! Arguments whose values are a few names.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

/// Accepts a few names in upper or lower case, each for a value. A name that is not UTF-8 is refused like any other unknown name.
#[derive(Clone, Debug)]
pub(crate) struct OneOf<T> {
    values: Vec<(&'static str, T)>,
}

impl<T> OneOf<T> {
    /// Accepts the names of `values`.
    pub(crate) fn new(values: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        Self { values: values.into_iter().collect() }
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for OneOf<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        if let Some((_, found)) = self.values.iter().find(|(name, _)| value.eq_ignore_ascii_case(name)) {
            return Ok(found.clone());
        }
        let mut error = Error::new(ErrorKind::InvalidValue).with_cmd(command);
        if let Some(argument) = argument {
            error.insert(ContextKind::InvalidArg, ContextValue::String(argument.to_string()));
        }
        let names = self.values.iter().map(|(name, _)| (*name).to_owned()).collect();
        error.insert(ContextKind::InvalidValue, ContextValue::String(value.to_string_lossy().into_owned()));
        error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values.iter().map(|(name, _)| PossibleValue::new(*name))))
    }
}
