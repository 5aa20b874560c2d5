import type { Page } from '@playwright/test';
import { test } from './business-service.ts';
import { cutCells, cutColumns, cutNames, cutTabs } from './cut-cells.ts';
import { expect } from './fixtures.ts';
import { addressesOfScreens } from './pages/screens.ts';

/** Opens a screen and waits until its data is there. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(`/#/${address}`);
  await expect(page.locator(`[data-area="${address.split('/')[0]}"] h1`)).toBeAttached();
  await expect(page.locator('main').getByRole('progressbar')).toHaveCount(0);
  await expect(page.locator('main .MuiSkeleton-root')).toHaveCount(0);
}

/** Returns the headings of a page whose level is more than one below the heading before, and the number of main headings. */
const headingsOf = (page: Page) =>
  page.evaluate(() => {
    const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter((each) => each.getClientRects().length > 0);
    const levels = headings.map(({ tagName }) => Number(tagName.slice(1)));
    return {
      main: levels.filter((level) => level === 1).length,
      skipped: headings.filter((_, index) => (levels[index] ?? 0) > (levels[index - 1] ?? 0) + 1).map(({ textContent }) => textContent),
    };
  });

test('every screen and tab has one main heading, and no level of headings is skipped @full', async ({ signedIn: page }) => {
  test.setTimeout(180_000);
  const wrong: unknown[] = [];
  const check = async (where: string) => {
    const { main, skipped } = await headingsOf(page);
    if (main !== 1 || skipped.length > 0) wrong.push({ where, main, skipped });
  };
  for (const address of await addressesOfScreens()) {
    await open(page, address);
    await check(address);
    // Buttons name their keys in tooltips.
    expect(await page.locator('main button kbd').count(), `${address}: key caps on buttons`).toBe(0);
    const tabs = page.locator('main').getByRole('tablist').first().getByRole('tab', { disabled: false });
    for (const name of (await tabs.allTextContents()).slice(1)) {
      const tab = tabs.filter({ hasText: name }).first();
      // The tab of another screen leaves this list.
      if (!(await tab.isVisible())) break;
      await tab.click();
      await expect(page.locator('main .MuiSkeleton-root')).toHaveCount(0);
      await check(`${address}, ${name}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Returns the name of the focused element if something else covers each of its corners and its middle, or it is out of the window. */
const coveredFocus = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    // A hidden checkbox or radio button shows its focus on its label.
    const shown = focused instanceof HTMLInputElement && focused.type !== 'text' ? (focused.closest('label, span') ?? focused) : focused;
    if (shown === null || shown === document.body) return null;
    const { left, top, width, height } = shown.getBoundingClientRect();
    const points = [0.1, 0.5, 0.9].flatMap((x) => [0.2, 0.5, 0.8].map((y) => [left + x * width, top + y * height] as const));
    const isShown = points.some(([x, y]) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && (shown.contains(hit) || hit.contains(shown));
    });
    return isShown ? null : (focused?.getAttribute('aria-label') ?? focused?.textContent ?? '');
  });

for (const [address, tag] of [
  ['sell', ''],
  ['transactions', ''],
  ['home', ' @full'],
  ['to-do', ' @full'],
  ['settings/profile', ' @full'],
] as const)
  test(`covers no focused element of ${address} at 200 % zoom${tag}`, async ({ signedIn: page }) => {
    await page.setViewportSize({ width: 640, height: 400 });
    await open(page, address);
    for (let stop = 0; stop < 40; stop += 1) {
      await page.keyboard.press('Tab');
      // What is loaded after the screen may move the element.
      await expect.poll(() => coveredFocus(page)).toBeNull();
    }
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });

/** Returns what scrolls to the side or is cut off on each screen and tab. */
async function cutOff(page: Page, widths: readonly number[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const address of await addressesOfScreens()) {
    await open(page, address);
    const tabs = page.locator('main').getByRole('tablist').first().getByRole('tab', { disabled: false });
    for (const name of ['', ...(await tabs.allTextContents()).slice(1)]) {
      const tab = tabs.filter({ hasText: name }).first();
      if (name !== '' && !(await tab.isVisible())) break;
      if (name !== '') await tab.click();
      await expect(page.locator('main .MuiSkeleton-root')).toHaveCount(0);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        // A list measures itself after the window has its size.
        const columns = expect.poll(() => cutColumns(page), { timeout: 3000 });
        await columns.toEqual([]).catch(() => {});
        const cut = [...(await cutCells(page)), ...(await cutColumns(page)), ...(await cutTabs(page)), ...(await cutNames(page))];
        const sideways = await page.locator('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
        if (cut.length > 0 || sideways > 0) found.push({ where: `${address} ${name}`, width, cut, sideways });
      }
    }
  }
  return found;
}

test('no screen scrolls to the side, and no fact, name or tab is cut off, at 1024, 1280 and 1920 pixels @full', async ({
  signedIn: page,
}) => {
  test.setTimeout(240_000);
  expect(await cutOff(page, [1024, 1280, 1920])).toEqual([]);
});

test.describe('in Spanish', () => {
  test.use({ locale: 'es-US' });

  test('no screen scrolls to the side, and no fact, name or tab is cut off, at 1024 pixels @full', async ({ signedIn: page }) => {
    test.setTimeout(240_000);
    expect(await cutOff(page, [1024])).toEqual([]);
  });

  test('the column of Settings shows long names whole, without scrolling to the side @full', async ({ signedIn: page }) => {
    await page.setViewportSize({ width: 1024, height: 700 });
    await open(page, 'settings/profile');
    const column = page.getByRole('navigation', { name: 'Configuración' });
    await expect(column.getByRole('link').first()).toBeVisible();
    expect(await column.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    const cut = await column.getByRole('link').evaluateAll((links) => links.filter((link) => link.scrollWidth > link.clientWidth).length);
    expect(cut).toBe(0);
  });
});
