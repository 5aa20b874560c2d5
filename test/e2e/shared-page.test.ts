import type { Browser, Page } from '@playwright/test';
import { ApiSession } from './api-session.ts';
import { expect, type Service, test } from './fixtures.ts';
import type { PageWatch } from './page-watch.ts';
import { SellPage } from './pages/sell-page.ts';
import { TransactionsPage } from './pages/transactions-page.ts';
import { SharedPage } from './shared-page.ts';

/** Part of a test that runs as if it were a test with a signed-in page. */
interface Part {
  readonly run: (page: Page) => Promise<unknown>;
  readonly fails?: boolean;
}

/** Runs the parts one after another and returns their pages. */
async function runInPages(
  { browser, service, watch }: { browser: Browser; service: Service; watch: PageWatch },
  parts: readonly Part[],
): Promise<Page[]> {
  const sharedPage = new SharedPage();
  const request = { browser, service, watch, key: 'parts' };
  const pages: Page[] = [];
  for (const { run, fails = false } of parts) {
    const page = await sharedPage.take(request);
    pages.push(page);
    await run(page);
    await sharedPage.giveBack(request, !fails);
  }
  await sharedPage.close();
  return pages;
}

test('gives the next test the page as a load shows it @full', async ({ browser, service, watch, faults }) => {
  // A part of the test refuses requests, of which the page may still send one.
  faults.expect(/net::ERR_FAILED/);
  const { transactionId } = await (await ApiSession.open(service)).sell({ amount: '12.00' });
  const readState = async (page: Page) => ({
    fields: await page.locator('input').evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
    stored: await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage).toSorted()]),
    focused: await page.evaluate(() => document.activeElement?.outerHTML.replaceAll(/(id|class|for)="[^"]*"/g, '')),
    hovered: await page.locator(':hover').count(),
    scheme: await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches),
    motion: await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches),
    size: page.viewportSize(),
    location: await page.evaluate(() => [location.hash, history.state?.usr ?? null]),
    navigation: await page.getByRole('navigation', { name: 'Main' }).boundingBox(),
  });
  const states: Awaited<ReturnType<typeof readState>>[] = [];
  const read = async (page: Page) => {
    const sell = new SellPage(page, service);
    await expect(sell.amount).toBeFocused();
    await expect(page.getByRole('button', { name: 'Show icons only' })).toBeVisible();
    // A reset leaves the pointer in the corner. Only the packaged browser has it there from the start.
    if (states.length === 0) await page.mouse.move(0, 0);
    states.push(await readState(page));
  };
  const [first, ...others] = await runInPages({ browser, service, watch }, [
    { run: read },
    {
      run: async (page) => {
        const sell = new SellPage(page, service);
        await sell.sell({ amount: '14.00' });
        await expect(sell.approved).toBeVisible();
        await page.getByRole('button', { name: 'Show icons only' }).click();
        await new TransactionsPage(page).open(`?q=${transactionId}`);
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' });
        await page.setViewportSize({ width: 1000, height: 600 });
        await page.route('**/api/v1/**', (route) => route.abort());
        await page.keyboard.press('Control+k');
        await page.keyboard.type('cust');
      },
    },
    { run: read },
  ]);
  expect(others.every((page) => page === first)).toBe(true);
  expect(states[1]).toEqual(states[0]);
});

test('replaces a page that cannot be reset, or whose test failed @full', async ({ browser, service, watch }) => {
  const pages = await runInPages({ browser, service, watch }, [
    { run: (page) => page.evaluate(() => Reflect.set(window, 'print', () => undefined)) },
    { run: (page) => page.evaluate(() => document.body.append(document.createElement('section'))) },
    { run: (page) => page.addInitScript(() => undefined) },
    { run: async () => undefined, fails: true },
    { run: async () => undefined },
  ]);
  expect(new Set(pages).size).toBe(pages.length);
});
