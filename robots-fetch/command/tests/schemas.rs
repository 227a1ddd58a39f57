//! The files of `robots-fetch/schema` are those that the types derive.

use std::path::Path;
use std::{env, fs};

#[test]
fn schemas_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    let schemas = robots_command::schemas();
    for (name, schema) in &schemas {
        let path = folder.join(format!("{name}.json"));
        if env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::write(&path, schema).unwrap();
        }
        let known = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            known == *schema,
            "{name}.json is out of date: set UPDATE_SCHEMAS=1, and review the difference"
        );
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), schemas.len());
}
