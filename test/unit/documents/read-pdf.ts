import jsQR from 'jsqr';
import { extractImages, extractLinks, extractText, getDocumentProxy, getMeta } from 'unpdf';

interface ReadPdf {
  readonly pages: readonly string[];
  readonly text: string;
  readonly links: readonly string[];
  /** The contents of its QR codes. */
  readonly codes: readonly string[];
  readonly info: Record<string, unknown>;
}

/** Reads a PDF like a PDF viewer: its text, links and codes. */
export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text: pages, totalPages } = await extractText(document, { mergePages: false });
  const { links } = await extractLinks(document);
  const { info } = await getMeta(document);
  const codes: string[] = [];
  for (let page = 1; page <= totalPages; page += 1) {
    for (const { data, width, height, channels } of await extractImages(document, page)) {
      const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
      for (let at = 0; at < width * height; at += 1)
        for (let part = 0; part < 3; part += 1) pixels[at * 4 + part] = data[at * channels + (channels < 3 ? 0 : part)] ?? 255;
      const code = jsQR(pixels, width, height);
      if (code) codes.push(code.data);
    }
  }
  return { pages, text: pages.join('\n'), links, codes, info: info as Record<string, unknown> };
}
