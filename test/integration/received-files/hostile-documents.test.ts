import { expect, test } from 'vitest';
import type { ServiceError } from '#core/kernel';
import { readDocument } from '#core/platform/received-files';
import { blankPng, hostilePdfs, hostilePictures, jpegFile, pdfFile } from '../../support/hostile-files.ts';

/** Growth of this process that a file may cause, with the thread that reads it. */
const MEMORY_GROWTH_MAX = 700_000_000;
/** A file that is refused by its own limits needs a fraction of the time after which its thread would be ended. */
const TIME_OUT = expect.stringContaining('too much time or memory');

test.each([...hostilePictures(), ...hostilePdfs()])('reads or refuses a $name within its limits', async ({ content }) => {
  const memory = process.memoryUsage.rss();
  const refusal = await readDocument('tenant', content).then(
    ({ pages, pdf }) => {
      expect(pages).toBe(1);
      expect(pdf.length).toBeLessThan(100_000);
      return null;
    },
    ({ code, message }: ServiceError) => `${code}: ${message}`,
  );
  if (refusal !== null) expect(refusal).toMatch(/^VALIDATION_ERROR: (The (file|picture|PDF) |`file` must)/);
  expect(refusal).not.toEqual(TIME_OUT);
  expect(process.memoryUsage.rss() - memory).toBeLessThan(MEMORY_GROWTH_MAX);
});

test.each([
  ['a PNG file of 16 million pixels', blankPng(4_000), 'image/png'],
  ['a JPEG file', jpegFile(4_000, 3_000), 'image/jpeg'],
  [
    'a PDF',
    pdfFile(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>']),
    'application/pdf',
  ],
])('reads %s as pages that decompress nothing when they are opened', async (_name, content, type) => {
  const { pdf, ...read } = await readDocument('tenant', content);
  expect(read).toEqual({ type, pages: 1 });
  expect(Buffer.from(pdf).toString('latin1')).not.toMatch(/ObjStm|\/XRef/);
});
