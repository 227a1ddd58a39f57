//! Whether `reqwest` is built with a feature that decodes bodies.
//!
//! Any crate of a build can enable such a feature. `reqwest` then wraps all bodies, and the wrapper does not pass on whether the
//! end of a stream of HTTP/2 was seen, even where nothing is decoded. The client can't judge such streams, so that it
//! can't use HTTP/2.

use ::reqwest::ClientBuilder;

/// Methods that `ClientBuilder` has only with a feature. Its own method takes precedence over that of the trait.
#[allow(dead_code, reason = "with all features, no method of the trait is called")]
trait WithoutFeature: Sized {
    fn gzip(self, _: bool) -> Absent {
        Absent
    }

    fn brotli(self, _: bool) -> Absent {
        Absent
    }

    fn deflate(self, _: bool) -> Absent {
        Absent
    }

    fn zstd(self, _: bool) -> Absent {
        Absent
    }
}

impl WithoutFeature for ClientBuilder {}

/// The result of a method of [`WithoutFeature`].
struct Absent;

/// The difference between the results of both methods.
trait Built {
    const IS_BUILT: bool;

    fn is_built(&self) -> bool {
        Self::IS_BUILT
    }
}

impl Built for ClientBuilder {
    const IS_BUILT: bool = true;
}

impl Built for Absent {
    const IS_BUILT: bool = false;
}

/// Returns whether `reqwest` can decode bodies, in this build.
pub(super) fn is_built() -> bool {
    let builder = ::reqwest::Client::builder;
    builder().gzip(false).is_built()
        || builder().brotli(false).is_built()
        || builder().deflate(false).is_built()
        || builder().zstd(false).is_built()
}
