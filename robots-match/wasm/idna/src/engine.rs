//! The class `URL` of JavaScript.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = URL)]
    type Url;

    #[wasm_bindgen(constructor, js_class = "URL", catch)]
    fn new(text: &str) -> Result<Url, JsValue>;

    #[wasm_bindgen(method, getter)]
    fn hostname(this: &Url) -> String;
}

/// Returns the ASCII form of a name without characters that delimit the parts of a URL.
pub(crate) fn ascii(name: &str) -> Option<String> {
    // The last label is not a number, so the name is not read as an IPv4 address.
    let url = Url::new(&format!("http://{name}.a")).ok()?;
    Some(url.hostname().strip_suffix(".a")?.to_owned())
}
