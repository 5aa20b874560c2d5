import type { Page } from '@playwright/test';
import { test } from './business-service.ts';
import { cutCells, cutColumns, cutNames, cutTabs } from './cut-cells.ts';
import { expect } from './fixtures.ts';
import { addressesOfScreens } from './pages/screens.ts';
import { sessionOf } from './session.ts';

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
  ['transactions', ' @full'],
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

/** Returns what scrolls to the side or is cut off on each screen and tab in windows of these widths. */
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
        // On a phone, rows elide their texts, and tabs scroll.
        const cut =
          width < 1024 ? [] : [...(await cutCells(page)), ...(await cutColumns(page)), ...(await cutTabs(page)), ...(await cutNames(page))];
        const sideways = await page.locator('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
        if (cut.length > 0 || sideways > 0) found.push({ where: `${address} ${name}`, width, cut, sideways });
      }
    }
  }
  return found;
}

test('no screen scrolls to the side, and no fact, name or tab is cut off, from 390 to 1920 pixels @full', async ({ signedIn: page }) => {
  test.setTimeout(360_000);
  expect(await cutOff(page, [390, 1024, 1280, 1920])).toEqual([]);
});

test.describe('in Spanish', () => {
  test.use({ locale: 'es-US' });

  test('no screen scrolls to the side, and no fact, name or tab is cut off, at 390 and 1024 pixels @full', async ({ signedIn: page }) => {
    test.setTimeout(240_000);
    expect(await cutOff(page, [390, 1024])).toEqual([]);
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

/** Lists of the screens by their address, each with a text of one of its rows in the demo. */
const LISTS = {
  transactions: 'Keiko Walsh',
  'refund-queue': 'Ines Brandt',
  'refund-queue?tab=waiting': 'Keiko Mori',
  'refund-queue?tab=closed': 'Jonas Moreau',
  'unconfirmed-payments': '24.50',
  customers: 'Grace Tanaka',
  'customers?tab=expiring': 'Ben Okafor',
  recurring: 'Farid Haddad',
  'recurring?tab=past-due': 'Diego Fuentes',
  'recurring?tab=paused': 'Grace Tanaka',
  'recurring/installments': 'Grace Tanaka',
  'recurring/installments?tab=past-due': 'Diego Fuentes',
  invoices: 'INV-000003',
  'invoices?tab=links': 'Private table, deposit',
  disputes: 'Visa',
  'disputes?tab=submitted': 'Visa',
  'disputes?tab=closed': 'Won',
  settlement: 'Paid',
  'settlement?tab=batches': 'Paid',
  messages: 'henry.walsh@customer.example',
  webhooks: 'https://orders.harborstreet.example/paydesk',
  'api-keys': 'Demo merchant key',
  users: 'front-desk@demo.example',
  audit: 'sample data',
  'cash?tab=shifts': 'Counter',
  approvals: 'Tom Reyes',
  'queued-payments?tab=all': 'Ada Marlow',
};

/** Screens without such a list, each with a text of its contents in the demo. */
const OTHER_SCREENS = {
  home: 'Esther Lindqvist',
  reports: 'Net revenue by day',
  'reports/items': 'Flat white',
  'reports/close': 'Daily close',
  reconciliation: 'Discrepancies (',
  'reconciliation/bank': 'HARBOR STREET PROPERTIES RENT',
  'reconciliation/close': 'Settled sales less',
  events: 'transaction.approved',
  'settings/items': 'Cold brew',
  'settings/merchants': 'Harbor Street Coffee',
  'settings/gateways': 'sandbox',
  'users/roles': 'Cashier',
  system: 'Unconfirmed payments',
};

test('fills every other screen of the demo @full', async ({ signedIn }) => {
  for (const [address, text] of Object.entries(OTHER_SCREENS)) {
    await signedIn.goto(`/#/${address}`);
    await expect(signedIn.getByRole('main').getByText(text).first(), `a text at ${address}`).toBeVisible();
  }
});

test('lists on Home what waits for a decision in the demo', async ({ signedIn }) => {
  await signedIn.goto('/#/home');
  await signedIn.getByRole('link', { name: 'Approval, Tom Reyes' }).press('Enter');
  await expect(signedIn.getByRole('heading', { name: 'Credit without original payment' })).toBeVisible();
  await expect(signedIn.getByRole('button', { name: 'Decide' })).toBeVisible();
});

test('fills every list of the demo @full', async ({ signedIn }) => {
  for (const [address, text] of Object.entries(LISTS)) {
    await signedIn.goto(`/#/${address}`);
    await expect(signedIn.locator('[role=row][data-id]').filter({ hasText: text }).first(), `a row at ${address}`).toBeVisible();
  }
  await signedIn.goto('/#/sell');
  await expect(signedIn.getByRole('group', { name: 'Items' })).toContainText('Flat white');
});

test('shows each state of subscriptions and invoices in the demo, and continues when the test clock moves @full', async ({ service }) => {
  const { token } = await sessionOf(service);
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': service.tenantId, 'content-type': 'application/json' };
  const read = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${service.baseUrl}/api/v1${path}`, { headers, ...init });
    expect(response.status, path).toBe(200);
    return ((await response.json()) as { data: unknown }).data;
  };
  const statuses = async (path: string) => [...new Set(((await read(path)) as { status: string }[]).map(({ status }) => status))].sort();
  expect(await statuses('/recurring?limit=100')).toEqual(['active', 'cancelled', 'past_due', 'paused']);
  expect(await statuses('/invoices?limit=100')).toEqual(['cancelled', 'draft', 'overdue', 'paid', 'partially_paid', 'sent']);
  expect(await statuses('/refund-decline-queue?limit=100')).toEqual(expect.arrayContaining(['failed', 'resolved']));
  expect(await statuses('/settlement/batch-payouts?limit=100')).toContain('paid');
  const { ran } = (await read('/sandbox/clock', { method: 'POST', body: JSON.stringify({ advanceSeconds: 7 * 86_400 }) })) as {
    ran: { subscriptions: number; settlements: number };
  };
  expect(ran.subscriptions).toBeGreaterThan(0);
  expect(ran.settlements).toBeGreaterThan(0);
});
