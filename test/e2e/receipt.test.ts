import type { Page } from '@playwright/test';
import { receiptContent } from '../../core/billing/receipts/content.ts';
import { receiptDocument } from '../../core/billing/receipts/html.ts';
import { SUBJECT } from '../unit/receipts/receipt-subject.ts';
import { expect, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';

const MM_PER_POINT = 25.4 / 72;

const content = receiptContent({ ...SUBJECT, copy: 'merchant', isSandbox: true });

test.describe('on paper', () => {
  // Without a server, which these tests don't need.
  test.use({ baseURL: undefined });

  for (const [width, widthMm, tag] of [
    ['58mm', 58, ''],
    ['80mm', 80, ' @full'],
    ['letter', 215.9, ' @full'],
  ] as const) {
    test(`the ${width} receipt prints ${widthMm} mm wide and no content exceeds it${tag}`, async ({ page }) => {
      await page.setContent(receiptDocument(content, width));
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      const [, right = '0'] = /\/MediaBox\s*\[\s*[\d.]+\s+[\d.]+\s+([\d.]+)/.exec(pdf) ?? [];
      expect(Math.abs(Number(right) * MM_PER_POINT - widthMm)).toBeLessThan(1);
      await page.setViewportSize({ width: Math.floor((widthMm / 25.4) * 96), height: 800 });
      await page.emulateMedia({ media: 'print' });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
    });
  }
});

test('marks the second print of a copy as DUPLICATE, but not the other copy @full', async ({ signedIn }) => {
  const sell = new SellPage(signedIn);
  const printed = await catchPrints(signedIn);
  await sell.open();
  await sell.sell({ amount: '91' });
  await expect(sell.approved).toBeVisible();
  for (const [index, key] of ['p', 'p', 'm'].entries()) {
    await signedIn.keyboard.press(key);
    await expect.poll(() => printed.length).toBe(index + 1);
    await expect(signedIn.getByText(/copy sent to the printer/).first()).toBeVisible();
  }
  const [first, second, merchant] = printed;
  expect(first).toContain('Customer copy');
  expect(first).toContain('SANDBOX');
  expect(first).not.toContain('DUPLICATE');
  expect(second).toContain('DUPLICATE');
  expect(merchant).toContain('Phone order, no signature');
  expect(merchant).not.toContain('DUPLICATE');
  for (const receipt of printed) {
    expect(receipt).toContain('****1111');
    // The whole expiry date in each spelling, and the first six digits: shorter digit sequences may occur in a reference by chance.
    expect(receipt).not.toMatch(/12\s?[/-]\s?(20)?28|2028-12|411111|4111 11/);
  }

  await signedIn.keyboard.press('F8');
  await expect.poll(() => printed.length).toBe(4);
  expect(printed[3]).toContain('DUPLICATE');
});

test('previews a receipt as it will be printed, with typed markup as text @full', async ({ signedIn }) => {
  const sell = new SellPage(signedIn);
  const printed = await catchPrints(signedIn);
  await sell.open();
  await sell.more.click();
  await sell.description.fill(`<img src=x onerror="top.hurt = 1"><script>top.hurt = 1</script> brake pads`);
  await sell.amount.focus();
  await sell.sell({ amount: '92' });
  await expect(sell.approved).toBeVisible();
  await signedIn.keyboard.press('Enter');
  await signedIn.getByRole('button', { name: /^Receipt for .*92\.00$/ }).click();
  const dialog = signedIn.getByRole('dialog', { name: 'Receipt' });
  const paper = dialog.frameLocator('iframe[title=Receipt]');
  await expect(paper.getByText('brake pads')).toBeVisible();
  await expect(paper.getByText('Customer copy')).toBeVisible();
  await expect(paper.getByText('DUPLICATE')).toBeHidden();
  await dialog.getByRole('button', { name: 'Merchant copy', exact: true }).click();
  await expect(paper.getByText('Phone order, no signature')).toBeVisible();
  const widthOf = async () => (await dialog.locator('iframe').boundingBox())?.width ?? 0;
  const wide = await widthOf();
  await dialog.getByRole('button', { name: '58 mm' }).click();
  await expect.poll(widthOf).toBeLessThan(wide);
  await dialog.getByRole('button', { name: 'Print merchant copy' }).click();
  await expect.poll(() => printed.length).toBe(1);
  expect(printed[0]).toContain('brake pads');
  expect(printed[0]).not.toContain('DUPLICATE');
  expect(await signedIn.evaluate(() => Reflect.get(window, 'hurt'))).toBeUndefined();
});

/** Collects the text of every frame that is printed, instead of opening the browser's dialog. */
async function catchPrints(page: Page): Promise<string[]> {
  const printed: string[] = [];
  await page.exposeFunction('tellPrint', (text: string) => void printed.push(text));
  await page.addInitScript(() => {
    window.print = () => void (Reflect.get(window.top ?? window, 'tellPrint') as (text: string) => void)(document.body.textContent ?? '');
  });
  await page.reload();
  return printed;
}
