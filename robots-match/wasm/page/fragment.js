// The state in the fragment of the address, which browsers do not send.

const MOST_FRAGMENT = 8 * 1024;
const PREFIX = "#1.";

const readFragment = async (fragment, profiles) => {
  if (!fragment.startsWith(PREFIX) || fragment.length > MOST_FRAGMENT) return null;
  const text = fragment.slice(PREFIX.length);
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return null;
  try {
    return readState(decoder.decode(await inflate(fromBase64(text), 2 * MOST_BYTES)), profiles);
  } catch {
    return null;
  }
};

const writeFragment = async () => PREFIX + toBase64Url(await deflate(encode(writeState())));

const download = (name, text, type) => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

let ownFragment = "";
let fragmentTurn = 0;
// Writes the state to the address, or removes an old one if the state is too long.
const keepFragment = async () => {
  fragmentTurn += 1;
  const turn = fragmentTurn;
  const fragment = await writeFragment();
  if (turn !== fragmentTurn) return;
  const fits = fragment.length <= MOST_FRAGMENT;
  ownFragment = fits ? fragment : "";
  byId("share").textContent = fits ? "Copy link" : "Download view";
  byId("share").dataset.fits = fits;
  history.replaceState(null, "", fits ? fragment : location.href.split("#")[0]);
};

const share = async () => {
  await keepFragment();
  if (ownFragment === "") {
    download("robots-view.json", writeState(), "application/json");
    showNotice("The view is too long for a link, so it was saved as a file. Drop that file on this page to open it again.");
    return;
  }
  const isOnDisk = location.protocol === "file:";
  const where = isOnDisk ? "It works only on this computer, because this page was opened from a disk. To send the view to somebody, download it: it opens when it is dropped on the page."
    : "It contains the files and your choices; the part after # is never sent to a server.";
  const save = isOnDisk ? [element("button", { type: "button", on: { click: () => download("robots-view.json", writeState(), "application/json") } }, "Download view")] : [];
  try {
    await navigator.clipboard.writeText(location.href);
    showNotice(`The link was copied. ${where}`, ...save);
  } catch {
    showNotice(`The link is in the address bar. ${where}`, ...save);
  }
};
