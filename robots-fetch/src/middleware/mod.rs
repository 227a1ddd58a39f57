//! The gate for programs that already have an HTTP client.

pub(crate) mod body;
#[cfg(feature = "reqwest-middleware")]
pub(crate) mod reqwest;
#[cfg(feature = "tower")]
pub(crate) mod tower;

use http::HeaderValue;
use url::Url;

use crate::gate::refusal::Refusal;
use crate::gate_tasks::AsyncGate;
use crate::observe;

/// Compares the `User-Agent` of a request, if it is known, with the other names of the crawler.
fn check_name(gate: &AsyncGate, url: &Url, user_agent: Option<&HeaderValue>) -> Result<(), Refusal> {
    let user_agent = user_agent.and_then(|value| value.to_str().ok());
    let Some(reason) = user_agent.and_then(|agent| gate.misnamed(agent)) else { return Ok(()) };
    let refusal = Refusal::new(url.clone(), reason);
    observe::refusal(url, &refusal);
    Err(refusal)
}
