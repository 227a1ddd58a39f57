// Text and its bytes. The module counts bytes, a text field counts UTF-16 units.

const MOST_BYTES = 1 << 20;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const encode = (text) => encoder.encode(text);

// Returns the path and query that a browser requests for a URL or a path. Other texts stay as they are; the module refuses them.
const requested = (text) => {
  const isPath = text.startsWith("/");
  try {
    const url = new URL(isPath ? `http://host${text}` : text);
    if (!url.host || (!isPath && /^[^:]*:\/\/([\\/?#]|$)/.test(text))) return text;
    Object.assign(url, { hash: "", username: "", password: "" });
    return url.href.slice(`${url.protocol}//${url.host}`.length);
  } catch {
    return text;
  }
};

// Returns the position in a text after this number of bytes.
const positionOf = (text, bytes, count) =>
  (bytes.length === text.length ? Math.min(count, text.length) : decoder.decode(bytes.subarray(0, count)).length);

// Decodes a file. Line ends become LF, as in every text field.
const decodeFile = (bytes) => {
  const text = decoder.decode(bytes);
  const lossless = encode(text).length === bytes.length && !text.includes("\uFFFD");
  return { text: text.replace(/\r\n?/g, "\n"), lossless };
};

const toBase64Url = (bytes) => {
  let text = "";
  for (const one of bytes) text += String.fromCharCode(one);
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
};

const fromBase64 = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));

// Passes bytes through a stream and stops with an error after `most` bytes.
const through = async (bytes, stream, most) => {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error("too long");
    }
    parts.push(value);
  }
  const joined = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
};
const deflate = (bytes) => through(bytes, new CompressionStream("deflate-raw"), 4 * MOST_BYTES);
const inflate = (bytes, most) => through(bytes, new DecompressionStream("deflate-raw"), most);
