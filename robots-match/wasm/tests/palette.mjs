// Makes PNG files small: at most 256 colours, as a palette.

import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]);
const MOST = 256;

// Returns the rows of a PNG file with 8 bits for each of red, green and blue (PNG, section 9: filters).
const decoded = (file) => {
  const data = [];
  let head;
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const kind = file.toString('latin1', at + 4, at + 8);
    const content = file.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') head = content;
    if (kind === 'IDAT') data.push(content);
    at += length + 12;
  }
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const size = { 2: 3, 6: 4 }[head[9]];
  if (head[8] !== 8 || size === undefined || head[12] !== 0) throw new Error('only plain RGB and RGBA are read');
  const bytes = inflateSync(Buffer.concat(data));
  const row = width * size;
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    const filter = bytes[y * (row + 1)];
    for (let x = 0; x < row; x += 1) {
      const left = x >= size ? pixels[y * row + x - size] : 0;
      const up = y > 0 ? pixels[(y - 1) * row + x] : 0;
      const corner = x >= size && y > 0 ? pixels[(y - 1) * row + x - size] : 0;
      const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
      const nearest = a <= b && a <= c ? left : b <= c ? up : corner;
      const added = [0, left, up, (left + up) >> 1, nearest][filter];
      pixels[y * row + x] = bytes[y * (row + 1) + 1 + x] + added;
    }
  }
  return { width, height, size, pixels };
};

const chunk = (kind, content) => {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const ends = [Buffer.alloc(4), Buffer.alloc(4)];
  ends[0].writeUInt32BE(content.length);
  ends[1].writeUInt32BE(crc32(body));
  return Buffer.concat([ends[0], body, ends[1]]);
};

// Returns the same picture with the colours that are most frequent. Each other colour becomes the nearest of them.
export const withPalette = (file) => {
  const { width, height, size, pixels } = decoded(file);
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += size) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST).map(([colour]) => colour);
  const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
  const distance = (one, other) => parts(one).reduce((sum, part, at) => sum + (part - parts(other)[at]) ** 2, 0);
  const places = new Map(palette.map((colour, at) => [colour, at]));
  for (const colour of counts.keys()) {
    if (places.has(colour)) continue;
    let best = 0;
    palette.forEach((other, at) => { if (distance(colour, other) < distance(colour, palette[best])) best = at; });
    places.set(colour, best);
  }
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + 1 + x] = places.get(pixels.readUIntBE((y * width + x) * size, 3));
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap(parts));
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('PLTE', colours), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
};
