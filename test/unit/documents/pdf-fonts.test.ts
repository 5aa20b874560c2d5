import { expect, test } from 'vitest';
import { createPdf } from '../../../core/platform/documents/pdf.ts';
import { readPdf } from './read-pdf.ts';

const OPTIONS = { title: 'Receipt', author: 'Corner Shop', language: 'en', footer: () => 'Page 1 of 1' } as const;
/** Parts of a file that name the time of its creation. */
const CREATION = /\(D:\d+Z\)|<xmp:CreateDate>[^<]+<|\/ID \[[^\]]+\]/g;

async function contentOf(texts: readonly string[]): Promise<string> {
  const file = await createPdf(OPTIONS, (sheet) => {
    for (const text of texts) sheet.text(text);
  });
  return file.toString('latin1').replaceAll(CREATION, '');
}

test('draws a text in the same way in each PDF, although the fonts remember the layout of words', async () => {
  const texts = ['Front brake pads', 'Größe 3x5, “quoted” fi ffi 12:30 -> 1/2', 'Total 1,234.50 USD'];
  const first = await contentOf(texts);
  await contentOf(['Another receipt with brake pads', 'Total 99.00 USD']);
  expect(await contentOf(texts)).toBe(first);
});

test('draws characters that the font lacks in a compatible form, and a box if there is none', async () => {
  const textOf = async (text: string) => (await readPdf(await createPdf(OPTIONS, (sheet) => sheet.text(text)))).text;
  expect(await textOf('Oﬃce ﬁle ＡＢＣ１２')).toContain('Office file ABC12');
  // Cuneiform.
  expect(await textOf('\u{12000}\u{12001} x')).toContain('□□ x');
});

test.each([
  ['Chinese', '小明王 修理'],
  ['Japanese', '東京のカフェ'],
  ['Korean', '김철수'],
  ['Thai', 'สมชาย'],
  ['Georgian', 'გიორგი'],
  ['Armenian', 'Արմեն'],
  ['Devanagari', 'राम'],
  ['Tamil', 'தமழ'],
  ['emoji', '😀 🍕'],
  ['heart with a selector', '❤️'],
])('draws text that can be copied in %s', async (_, text) => {
  const { text: found } = await readPdf(await createPdf(OPTIONS, (sheet) => sheet.text(`Bill to ${text} 12.50`)));
  expect(found).toContain(`Bill to ${text.replace('\uFE0F', '')} 12.50`);
});

test('opens few parts of fonts for a text with characters of all of them', async () => {
  const text = Array.from({ length: 1_000 }, (_, index) => String.fromCodePoint(0x4e00 + index * 20)).join('');
  const file = await createPdf(OPTIONS, (sheet) => sheet.text(text));
  expect(file.toString('latin1').match(/\/FontFile2/g)?.length).toBeLessThanOrEqual(26);
});

test.each(['\u06a3', '\u06a5\u0651', '\ufdf2\u0651', 'عبد اللّٰه', 'عَبْدُ ٱللَّٰه'])(
  'draws letters with marks that the font cannot place: %s',
  async (text) => {
    const { text: found } = await readPdf(await createPdf(OPTIONS, (sheet) => sheet.text(`Bill to ${text} 12.50`)));
    expect(found).toMatch(/Bill to .+ 12\.50/s);
  },
);
