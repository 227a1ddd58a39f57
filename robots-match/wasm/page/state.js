// The state of the view: the files, the crawlers, the URLs, the profile and the selected verdict.

const MOST_CRAWLERS = 40;
const MOST_URLS = 100;
const MOST_NAME = 300;
const MOST_URL = 2000;

const EXAMPLE = `# Example of a shop
User-agent: *
Disallow: /cart
Disallow: /search
Allow: /search/about
Disalow: /tmp
Disallow: private

User-agent: GPTBot
User-agent: CCBot
Disallow: /

Sitemap: https://www.example.com/sitemap.xml
`;

// Each crawler is read by the document that it follows.
const AUTO = "auto";

const state = {
  files: [EXAMPLE, null],
  // The file whose verdicts, findings and explanation are shown.
  shown: 0,
  profile: AUTO,
  crawlers: ["Googlebot", "bingbot", "GPTBot"],
  urls: ["https://www.example.com/", "https://www.example.com/search?q=shoes", "https://www.example.com/cart/checkout"],
  selected: [1, 0],
};

const isText = (value, most) => typeof value === "string" && value.length <= most;
const isList = (value, count, most) =>
  Array.isArray(value) && value.length <= count && value.every((one) => isText(one, most));
const isIndex = (value, count) => Number.isInteger(value) && value >= 0 && value < count;

// Reads a state that came from outside: a link or a file. Returns nothing unless all of it is as this page writes it.
const readState = (text, profiles) => {
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof read !== "object" || read === null || read.v !== 1) return null;
  const { a, b = null, w = 0, p, c, u, s = [0, 0] } = read;
  const good = isText(a, MOST_BYTES) && (b === null || isText(b, MOST_BYTES)) && isIndex(w, b === null ? 1 : 2)
    && profiles.includes(p) && isList(c, MOST_CRAWLERS, MOST_NAME) && isList(u, MOST_URLS, MOST_URL)
    && Array.isArray(s) && s.length === 2 && isIndex(s[0], MOST_URLS) && isIndex(s[1], MOST_CRAWLERS);
  if (!good) return null;
  const lines = (value) => value.replace(/\r\n?/g, "\n");
  return { files: [lines(a), b === null ? null : lines(b)], shown: w, profile: p, crawlers: [...new Set(c)],
    urls: u.filter((url) => !/[\r\n]/.test(url)), selected: s };
};

const writeState = () => {
  const { files: [a, b], shown, profile, crawlers, urls, selected } = state;
  const written = { v: 1, a, w: shown, p: profile, c: crawlers, u: urls, s: selected };
  if (b !== null) written.b = b;
  return JSON.stringify(written);
};
