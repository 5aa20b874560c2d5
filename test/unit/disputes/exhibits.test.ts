import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { addExhibits } from '../../../core/disputes/evidence/exhibits.ts';

test('numbers attached pages in strips of their own, above and below the page as it is displayed', async () => {
  const source = await PDFDocument.create();
  source.addPage([595, 842]);
  source.addPage([595, 842]).setRotation(degrees(90));
  const merged = await PDFDocument.create();
  merged.addPage([612, 792]);
  const content = Buffer.from(await source.save());
  await addExhibits(merged, [{ title: 'Delivery (Müller №7 東京.pdf)', mediaType: 'application/pdf', content }]);
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
