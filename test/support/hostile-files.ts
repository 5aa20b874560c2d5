import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import { zipSync } from 'fflate';

/** A small file that is expensive to decode. `text` marks the ones that readers of text files may take for text. */
export interface HostileFile {
  readonly name: string;
  readonly content: Buffer;
}

const MB = 1_048_576;
const latin = (text: string) => Buffer.from(text, 'latin1');

const ADLER = 65_521;
/** A block of a compressed stream that is the last one, and empty. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** Returns a compressed part that can be repeated in one stream. */
const compressedPart = (part: Buffer) => deflateRawSync(part, { finishFlush: constants.Z_FULL_FLUSH });

/** Returns what `deflateSync` returns for a head and a part that is repeated, without compressing the part more than once. */
export function deflateRepeated(part: Buffer, times: number, head = Buffer.alloc(0)) {
  // The checksum, Adler-32, of a part begins with 1 and 0, and continues those of the parts before it.
  const sumOf = (bytes: Buffer) => {
    let [low, high] = [1, 0];
    for (const byte of bytes) {
      low = (low + byte) % ADLER;
      high = (high + low) % ADLER;
    }
    return { low, high, length: bytes.length % ADLER };
  };
  const [ofHead, ofPart] = [sumOf(head), sumOf(part)];
  let { low, high } = ofHead;
  for (let time = 0; time < times; time += 1) {
    high = (high + ofPart.high + (low - 1) * ofPart.length) % ADLER;
    low = (low + ofPart.low - 1) % ADLER;
  }
  const sum = Buffer.alloc(4);
  sum.writeUInt16BE((high + ADLER) % ADLER, 0);
  sum.writeUInt16BE(low, 2);
  const start = Buffer.from([0x78, 0x9c]);
  return Buffer.concat([start, compressedPart(head), ...Array<Buffer>(times).fill(compressedPart(part)), LAST_BLOCK, sum]);
}

/** Returns what `gzipSync` returns for a part that is repeated. */
function gzipRepeated(part: Buffer, times: number) {
  const end = Buffer.alloc(8);
  let sum = 0;
  for (let time = 0; time < times; time += 1) sum = crc32(part, sum);
  end.writeUInt32LE(sum, 0);
  end.writeUInt32LE(part.length * times, 4);
  const head = Buffer.from('1f8b0800000000000003', 'hex');
  return Buffer.concat([head, ...Array<Buffer>(times).fill(compressedPart(part)), LAST_BLOCK, end]);
}

/** Zeros, of which streams of 256 MB are made. */
const ZEROS = Buffer.alloc(MB);

function pngChunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([latin(kind), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Returns a PNG file with this head and these compressed pixels; by default, pixels that are far too few. */
export function pngFile({
  width = 60_000,
  height = 60_000,
  bits = 8,
  kind = 6,
  data = deflateSync(Buffer.alloc(10)),
  more = [] as Buffer[],
} = {}) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([bits, kind], 8);
  const parts = [pngChunk('IHDR', head), ...more, pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

/** Returns a complete picture of a size, which has hardly any bytes. */
export const blankPng = (side: number, more: Buffer[] = []) =>
  pngFile({ width: side, height: side, data: deflateRepeated(Buffer.alloc(1 + 4 * side), side), more });

/** Returns a JPEG file with a head only. */
export const jpegFile = (width: number, height: number) => {
  const frame = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108000000000301220002110103110100ffd9', 'hex');
  frame.writeUInt16BE(height, 25);
  frame.writeUInt16BE(width, 27);
  return frame;
};

function webpFile(width: number, height: number): Buffer {
  const file = Buffer.alloc(30);
  file.write('RIFF', 0);
  file.writeUInt32LE(22, 4);
  file.write('WEBPVP8X', 8);
  file.writeUInt32LE(10, 16);
  file.writeUIntLE(width - 1, 24, 3);
  file.writeUIntLE(height - 1, 27, 3);
  return file;
}

function gifFile(width: number, height: number): Buffer {
  const file = Buffer.alloc(13);
  file.write('GIF89a', 0);
  file.writeUInt16LE(width, 6);
  file.writeUInt16LE(height, 8);
  return file;
}

type PdfObject = string | { readonly dict: string; readonly content: Buffer };

/** Returns a PDF of numbered objects; the first one is the catalog. `end` replaces the trailer. */
export function pdfFile(objects: readonly PdfObject[], end = 'trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n'): Buffer {
  const parts = objects.map((object, index) => {
    if (typeof object === 'string') return latin(`${index + 1} 0 obj\n${object}\nendobj\n`);
    const { dict, content } = object;
    return Buffer.concat([
      latin(`${index + 1} 0 obj\n<<${dict}/Length ${content.length}>>\nstream\n`),
      content,
      latin('\nendstream\nendobj\n'),
    ]);
  });
  return Buffer.concat([latin('%PDF-1.7\n'), ...parts, latin(end)]);
}

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';
const TREE = '<</Type/Pages/Kids[3 0 R]/Count 1>>';
const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>';
const flate = (more: string, content: Buffer, times = 1) => ({
  dict: `/Filter/FlateDecode${more}`,
  content: deflateRepeated(content, times),
});
/** Returns a PDF of one page with this content and these objects. */
const pdfWith = (content: PdfObject, ...more: PdfObject[]) => pdfFile([CATALOG, TREE, PAGE, content, ...more]);
const EMPTY = { dict: '', content: Buffer.alloc(0) };

/** Returns a PDF whose tree of pages lists each node ten times, so that few nodes are any number of pages. */
function repeatedPages(depth: number, leaf: string): Buffer {
  const kids = (next: number) => `<</Type/Pages/Count 1/Kids[${`${next} 0 R `.repeat(10)}]>>`;
  return pdfFile([CATALOG, ...Array.from({ length: depth }, (_, level) => kids(level + 3)), leaf, EMPTY]);
}

/** PDF files of a few kilobytes that need more time or memory than a server has. */
export function hostilePdfs(): HostileFile[] {
  const objects = (count: number) => {
    const numbers = Array.from({ length: count }, (_, index) => `${index + 10} ${index * 2} `).join('');
    return flate(`/Type/ObjStm/N ${count}/First ${numbers.length}`, latin(numbers + '1 '.repeat(count)));
  };
  return [
    {
      name: 'PDF whose objects unpack to 256 MB',
      content: pdfWith(EMPTY, flate('/Type/ObjStm/N 1/First 4', Buffer.alloc(MB, '1 0 '), 256)),
    },
    {
      name: 'PDF whose references unpack to 256 MB',
      content: pdfWith(EMPTY, flate('/Type/XRef/Size 4/W[1 2 1]/Root 1 0 R', ZEROS, 256)),
    },
    {
      name: 'PDF with a thousand million references',
      content: pdfWith(EMPTY, flate('/Type/XRef/Size 1000000000/W[1 2 1]/Index[0 1000000000]/Root 1 0 R', Buffer.alloc(4))),
    },
    {
      name: 'PDF with references of a thousand million bytes',
      content: pdfWith(EMPTY, flate('/Type/XRef/Size 4/W[1000000000 1000000000 1]/Root 1 0 R', Buffer.alloc(4))),
    },
    { name: 'PDF with a million objects in a stream', content: pdfWith(EMPTY, objects(350_000)) },
    { name: 'PDF with a million objects in an array', content: pdfWith(EMPTY, `[${'[]'.repeat(1_000_000)}]`) },
    { name: 'PDF with nested arrays', content: pdfWith(EMPTY, '['.repeat(1_000_000)) },
    { name: 'PDF with a page of 256 MB', content: pdfWith(flate('', Buffer.alloc(MB, ' '), 256)) },
    {
      name: 'PDF with a page that unpacks twice',
      content: pdfWith({ dict: '/Filter[/FlateDecode/FlateDecode]', content: deflateSync(deflateRepeated(ZEROS, 256)) }),
    },
    { name: 'PDF with a hundred million pages', content: repeatedPages(8, PAGE) },
    { name: 'PDF with a hundred million nodes without a page', content: repeatedPages(8, '<</Type/Pages/Count 0/Kids[]>>') },
    { name: 'PDF whose pages contain themselves', content: pdfFile([CATALOG, '<</Type/Pages/Count 1/Kids[2 0 R]>>']) },
  ];
}

/** Returns a PDF that takes the PDF library hours to read: each of its objects is searched for its end in the whole file. */
export const endlessPdf = () => latin(`%PDF-1.7\n${'1 0 obj\n<<'.repeat(300_000)}`);

/** Pictures whose heads or streams promise far more than the file has. */
export function hostilePictures(): HostileFile[] {
  const text = pngChunk('zTXt', Buffer.concat([latin('k\0\0'), deflateRepeated(ZEROS, 256)]));
  const frames = Buffer.alloc(8);
  frames.writeUInt32BE(100_000, 0);
  return [
    { name: 'PNG of 60,000 by 60,000 pixels in 68 bytes', content: pngFile() },
    { name: 'PNG of 60,000 by 60,000 gray pixels', content: pngFile({ bits: 1, kind: 0 }) },
    { name: 'PNG of 4,000 by 4,000 pixels without pixels', content: pngFile({ width: 4_000, height: 4_000 }) },
    { name: 'PNG of one row of pixels', content: pngFile({ width: 2_000_000_000, height: 1 }) },
    { name: 'PNG of 7,746 by 7,746 pixels', content: blankPng(7_746) },
    {
      name: 'PNG of one pixel that unpacks to 256 MB',
      content: pngFile({ width: 1, height: 1, data: deflateRepeated(ZEROS, 256) }),
    },
    { name: 'PNG with a text of 256 MB', content: blankPng(1, [text]) },
    { name: 'PNG with a hundred thousand frames', content: blankPng(2_000, [pngChunk('acTL', frames)]) },
    { name: 'JPEG of 65,000 by 65,000 pixels', content: jpegFile(65_000, 65_000) },
    {
      name: 'JPEG of segments without an end',
      content: Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.from('ffe00002'.repeat(500_000), 'hex')]),
    },
    { name: 'GIF of 65,000 by 65,000 pixels', content: gifFile(65_000, 65_000) },
    { name: 'WebP of 16,000 by 16,000 pixels', content: webpFile(16_000, 16_000) },
  ];
}

/** Compressed and text files that grow, nest or never end. */
export function hostileTexts(): HostileFile[] {
  const cells = 2 * MB;
  const xml = (body: string, head = '') =>
    latin(`<?xml version="1.0"?>${head}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">${body}</Document>`);
  const entities = Array.from({ length: 9 }, (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`).join('');
  return [
    { name: 'gzip of 256 MB', content: gzipRepeated(ZEROS, 256) },
    { name: 'ZIP of 64 MB', content: Buffer.from(zipSync({ 'items.csv': new Uint8Array(64 * MB) })) },
    { name: 'XML with entities of entities', content: xml('&e9;', `<!DOCTYPE a [<!ENTITY e0 "ha">${entities}]>`) },
    { name: 'XML of a million levels', content: xml('<a>'.repeat(1_000_000)) },
    { name: 'XML with a tag that never ends', content: xml(`<a ${'b="c" '.repeat(500_000)}`) },
    { name: 'OFX with a value that never ends', content: latin(`OFXHEADER:100\n<OFX><MEMO>${'x'.repeat(4 * MB)}`) },
    { name: 'OFX of two million tags', content: latin(`OFXHEADER:100\n<OFX>${'<A>'.repeat(2_000_000)}`) },
    { name: 'MT940 with a line of 4 MB', content: latin(`:20:A\n:25:1\n:60F:C260101USD0,\n:61:${'2601010101C1,NMSC'.repeat(250_000)}`) },
    { name: 'BAI2 of spaces', content: latin(`01,A,B,260101,0000,1,,,2/\n02,${' '.repeat(4 * MB)}x`) },
    { name: 'CSV of four million columns', content: latin(`name,price${','.repeat(2 * cells)}\nx,1\n`) },
    { name: 'CSV with a cell of 4 MB', content: latin(`name,price\n"${'x'.repeat(2 * cells)}",1\n`) },
    { name: 'CSV of quotation marks', content: latin(`name,price\n${'"'.repeat(2 * cells + 1)}`) },
    { name: 'CSV of unclosed rows', content: latin(`name,price\n${'"a\n'.repeat(700_000)}`) },
    { name: 'CSV of a million empty lines', content: latin(`name,price\n${'\r\n'.repeat(1_000_000)}`) },
    { name: 'JSON of a million levels', content: latin('['.repeat(1_000_000)) },
    { name: 'JSON of one line of 4 MB', content: latin(`{"header":${'[0,'.repeat(cells / 2)}`) },
    { name: 'JSON with a text that never ends', content: latin(`{"a":"${'\\"'.repeat(cells)}`) },
  ];
}
