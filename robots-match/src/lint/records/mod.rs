//! Lints about other records: their values, and where they are.

pub(crate) mod clean_param;
pub(crate) mod content_signal;
pub(crate) mod content_usage;
pub(crate) mod crawl_delay;
pub(crate) mod doubled_scheme;
pub(crate) mod host_name;
pub(crate) mod license_not_absolute;
pub(crate) mod record_outside_group;
pub(crate) mod request_rate;
pub(crate) mod signal_contradiction;
pub(crate) mod signal_vocabulary;
pub(crate) mod sitemap_disallowed;
pub(crate) mod sitemap_file;
pub(crate) mod sitemap_host;
pub(crate) mod sitemap_not_absolute;
pub(crate) mod sitemap_pattern;
pub(crate) mod sitemap_scheme;
pub(crate) mod visit_time;
