import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { mergePages } from '../../../core/platform/received-files/pages.ts';

test('numbers attached pages in strips of their own, above and below the page as it is displayed', async () => {
  const source = await PDFDocument.create();
  source.addPage([595, 842]);
  source.addPage([595, 842]).setRotation(degrees(90));
  const letter = await PDFDocument.create();
  letter.addPage([612, 792]);
  const { pdf, pages } = await mergePages(await letter.save(), [{ title: 'Delivery (Müller №7 東京.pdf)', pdf: await source.save() }]);
  expect(pages).toBe(3);
  const merged = await PDFDocument.load(pdf);
  const sizes = merged.getPages().map((page) => {
    const { x, y, width, height } = page.getCropBox();
    return [x, y, width, height];
  });
  expect(sizes).toEqual([
    [0, 0, 612, 792],
    [0, -28, 595, 898],
    [-28, 0, 651, 842],
  ]);
});
