import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { ApiSession, type Payment } from './api-session.ts';
import { expect, type Service, test } from './fixtures.ts';
import { ReportsPage } from './pages/reports-page.ts';

const DECLINING = '4000000000000002';
const NO_FUNDS = '4000000000009995';
const SCREENS = [
  { width: 1280, height: 720 },
  { width: 640, height: 400 },
];

interface Analysis<Sums> {
  readonly startDate: string;
  readonly endDate: string;
  readonly totals: Sums;
  readonly series: readonly (Sums & { readonly key: string })[];
}
interface Payments {
  readonly count: number;
  readonly approved: number;
  readonly declined: number;
  readonly declines: readonly { readonly code: string; readonly count: number }[];
}
interface Money {
  readonly gross: number;
  readonly refunds: number;
  readonly net: number;
}

/** Creates a day with sales, a refund and declines; returns the API session and the refunded payment. */
async function createDayOfSales(service: Service): Promise<{ api: ApiSession; refunded: Payment }> {
  const api = await ApiSession.open(service);
  await api.sell({ amount: '120.00' });
  await api.sell({ amount: '80.50', card: '5555555555554444' });
  await api.sell({ amount: '15.00', card: DECLINING });
  await api.sell({ amount: '16.00', card: NO_FUNDS });
  const refunded = await api.sell({ amount: '20.00' });
  await api.post(`/transactions/${refunded.transactionId}/refund`, {});
  return { api, refunded };
}

interface Share {
  readonly key: string;
  readonly count: number;
  readonly amount: number;
}
interface Close {
  readonly date: string;
  readonly salesCount: number;
  readonly paymentsCount: number;
  readonly averageSaleAmount: number;
  readonly salesAmount: number;
  readonly refundsCount: number;
  readonly refundsAmount: number;
  readonly voidsCount: number;
  readonly openAuthorizationsCount: number;
  readonly openAuthorizationsAmount: number;
  readonly declinedCount: number;
  readonly feesAmount: number;
  readonly netAmount: number;
  readonly byMethod: readonly Share[];
  readonly byBrand: readonly Share[];
  readonly declines: readonly { readonly code: string; readonly count: number }[];
}

const PAPERS = [
  ['58mm', 58],
  ['80mm', 80],
  ['letter', 215.9],
] as const;
const MM_PER_POINT = 25.4 / 72;
const PX_PER_MM = 96 / 25.4;

/** Collects every printed document, instead of opening the browser's dialog. */
async function catchPapers(page: Page): Promise<string[]> {
  const papers: string[] = [];
  await page.exposeFunction('tellPaper', (html: string) => void papers.push(html));
  await page.addInitScript(() => {
    window.print = () =>
      void (Reflect.get(window.top ?? window, 'tellPaper') as (html: string) => void)(document.documentElement.outerHTML);
  });
  return papers;
}

/** Returns the lines of a printed daily close by the title above them: "Totals" to [["Sales", "3", "220.50"], …]. */
async function partsOf(sheet: Page): Promise<Record<string, string[][]>> {
  const parts = await sheet.locator('h2 + table').evaluateAll((tables) =>
    tables.map((table) => {
      const rows = [...table.querySelectorAll('tr')].map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent));
      return [table.previousElementSibling?.textContent ?? '', rows] as const;
    }),
  );
  return Object.fromEntries(parts);
}

const written = (amount: number) => amount.toLocaleString('en-US', { minimumFractionDigits: 2 }).replace('-', '−');
/** A printer with few characters has no true minus sign. */
const onPaper = (amount: number) => written(amount).replace('−', '-').replace('-0.00', '0.00');
const cents = (amount: number) => Math.round(amount * 100);
const totalOf = async (api: ApiSession, query: string) => (await api.read(`/transactions?${query}&limit=1`)).pagination.total;

test('shows the figures of the service in the table under the chart, with the sum of its rows as total', async ({
  signedIn: page,
  service,
}) => {
  const { api } = await createDayOfSales(service);
  const reports = new ReportsPage(page);
  await reports.open('/revenue');
  const { data: me } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  let lastDay = '';
  // Other tests sell for further merchants, and the service concludes their payments meanwhile: then both are read again.
  await expect(async () => {
    await page.reload();
    await expect(reports.table.locator('tbody tr')).toHaveCount(30);
    const { data } = await api.read<Analysis<Money>>(`/analytics/revenue?groupBy=day&merchantId=${me.merchants[0]?.merchantId}`);
    lastDay = data.endDate;
    const today = data.series.at(-1);
    expect((await reports.cells(lastDay)).slice(0, 2)).toEqual([written(today?.gross ?? 0), written(today?.refunds ?? 0)]);
    expect((await reports.cells('total')).slice(0, 2)).toEqual([written(data.totals.gross), written(data.totals.refunds)]);
    const cents = (await reports.table.locator('tbody tr td:nth-of-type(1)').allTextContents()).map((text) =>
      Number(text.replace(/[,.]/g, '').replace('−', '-')),
    );
    expect(cents.reduce((sum, each) => sum + each, 0)).toBe(Math.round(data.totals.gross * 100));
  }).toPass();
  await expect(reports.table.locator(`tr[data-row="${lastDay}"]`)).toContainText('so far');
  await expect(page.locator('[data-bar]')).toHaveCount(30);
  await expect(page.locator(`[data-bar="${lastDay}"]`)).toHaveAttribute('fill', /^url\(#/);
});

test('reads, moves and groups the chart by keyboard only, and opens the transactions of a point @full', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  const { api } = await createDayOfSales(service);
  const reports = new ReportsPage(page);
  await reports.open('/transactions?period=7-days');
  await expect(reports.chart).toBeVisible();
  await strokes.reset();
  await reports.chart.focus();
  const { data } = await api.read<Analysis<Payments>>('/analytics/transactions?groupBy=day');
  const approved = data.series.at(-1)?.approved;
  await expect(reports.chart.getByRole('option', { selected: true })).toHaveText(new RegExp(`, so far: Approved ${approved}, Declined`));
  await page.keyboard.press('ArrowLeft');
  await expect(reports.chart.getByRole('option').nth(5)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Home');
  await expect(reports.chart.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('g');
  await expect(reports.announcement).toHaveText('Grouped by week');
  await expect(page.getByRole('button', { name: 'Group by: Week' })).toBeVisible();
  await page.keyboard.press('[');
  await expect(page).toHaveURL(/from=.*to=.*group=week/);
  const earlier = page.url();
  await expect(page.getByRole('button', { name: 'Later period' })).toBeEnabled();
  await page.keyboard.press(']');
  await expect(page).not.toHaveURL(earlier);
  await expect(page.getByRole('button', { name: 'Later period' })).toBeDisabled();
  await page.keyboard.press(']');
  await expect(reports.announcement).toHaveText('The period already ends today.');
  await reports.chart.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Transactions', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/startDate=\d{4}-\d\d-\d\d&endDate=/);
  expect(strokes.clicks()).toBe(0);
});

test('declines by code sum to the declines of the list, and a code opens exactly its payments @full', async ({
  signedIn: page,
  service,
}) => {
  const { api } = await createDayOfSales(service);
  const reports = new ReportsPage(page);
  await reports.open('/declines');
  const { data } = await api.read<Analysis<Payments>>('/analytics/transactions?groupBy=day');
  const days = `startDate=${data.startDate}&endDate=${data.endDate}&status=declined`;
  await expect(reports.table.locator('tr[data-row=total] td').first()).toHaveText(String(await totalOf(api, days)));
  const count = data.totals.declines.find(({ code }) => code === 'insufficient_funds')?.count;
  expect(await totalOf(api, `${days}&declineCode=insufficient_funds`)).toBe(count);
  await reports.table.getByRole('link', { name: 'Insufficient funds' }).click();
  await expect(page.getByText(`${count} ${count === 1 ? 'transaction matches' : 'transactions match'} the filter`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Decline: Insufficient funds' })).toBeVisible();
});

test('opens the payments refunded on a day, and the payments of a card brand @full', async ({ signedIn: page, service }) => {
  const { api, refunded } = await createDayOfSales(service);
  const reports = new ReportsPage(page);
  await reports.open('/refunds');
  const { startDate, endDate } = (await api.read<Analysis<Payments>>('/analytics/transactions')).data;
  await reports.table.locator(`tr[data-row="${endDate}"]`).getByRole('link').click();
  await expect(page.getByRole('button', { name: /^Refunded: / })).toBeVisible();
  await expect(page.locator(`[role=row][data-id="${refunded.transactionId}"]`)).toBeVisible();
  await reports.open('/revenue?group=brand');
  const mastercard = reports.table.getByRole('link', { name: 'Mastercard' });
  await expect(mastercard).toBeVisible();
  const [sales] = await reports.cells('mastercard');
  await mastercard.click();
  const own = `brand=mastercard&capturedFrom=${startDate}&capturedTo=${endDate}`;
  const total = await totalOf(api, own);
  await expect(page.getByText(new RegExp(`^${total} transactions? match`))).toBeVisible();
  let captured = 0;
  for (let at = 1; at <= Math.ceil(total / 200); at += 1)
    for (const payment of (await api.read<{ capturedAmount: number }[]>(`/transactions?${own}&limit=200&page=${at}`)).data)
      captured += cents(payment.capturedAmount);
  expect(sales).toBe(written(captured / 100));
});

test('X exports the transactions of the table as CSV @full', async ({ signedIn: page, service }) => {
  const { api } = await createDayOfSales(service);
  const reports = new ReportsPage(page);
  await reports.open('/declines');
  await expect(reports.table).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.keyboard.press('x');
  const file = await saved;
  const { data } = await api.read<Analysis<Payments>>('/analytics/transactions');
  expect(file.suggestedFilename()).toBe(`transactions ${data.startDate} to ${data.endDate}.csv`);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(1 + data.totals.declined);
});

test('sends a report with its filters by email, by key', async ({ signedIn: page }) => {
  await page.goto('/#/reports/transactions?group=week');
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeEnabled();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Send report' });
  await expect(dialog).toContainText(/Transactions, .*, with totals\./);
  await dialog.getByLabel('Email').fill('books@shop.example');
  await expectAccessible(page, 'the email of a report');
  await expect(dialog.getByRole('alert')).toContainText('Email isn’t set up, so emails wait in the outbox.');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('Waits until email is set up');
  await dialog.getByRole('link', { name: 'Open the message' }).press('Enter');
  await expect(page.getByLabel('Message text')).toContainText('Report "Transactions" of');
});

test('prints the daily close by key, and opens the payments of a line @full', async ({ signedIn: page, service }) => {
  const { api } = await createDayOfSales(service);
  const reports = new ReportsPage(page);
  const papers = await catchPapers(page);
  await page.reload();
  await reports.open();
  const { data } = await api.read<{ salesAmount: number; declines: readonly { code: string; count: number }[] }>(
    '/reporting/daily-summary',
  );
  await expect(reports.figures).toContainText(`${written(data.salesAmount)} USD`);
  // A day that is not over is compared with nothing here.
  await expect(reports.figures).not.toContainText('vs.');
  for (const { code, count } of data.declines)
    await expect(reports.part('Declines').locator(`tr[data-row="${code}"] td`)).toHaveText(String(count));
  await page.keyboard.press('p');
  await expect(page.getByText('Day so far sent to the printer')).toBeVisible();
  await expect.poll(() => papers.length).toBe(1);
  expect(papers[0]).toContain('<title>Day so far');
  expect(papers[0]).toContain(written(data.salesAmount));
  await page.keyboard.press('[');
  await expect(page).toHaveURL(/date=/);
  await expect(reports.figures).toContainText('Compared with');
  await page.keyboard.press(']');
  await expect(page.getByRole('heading', { name: 'Today so far' })).toBeVisible();
  await reports.part('Declines').getByRole('link', { name: 'Insufficient funds' }).click();
  await expect(page.getByRole('button', { name: 'Decline: Insufficient funds' })).toBeVisible();
});

test('compares a report with the previous period, as bars, as a line and on paper @full', async ({ signedIn: page, service }) => {
  await createDayOfSales(service);
  const reports = new ReportsPage(page);
  await page.addInitScript(() => {
    window.print = () => Reflect.set(window, 'printed', document.documentElement.dataset.scheme);
  });
  await page.reload();
  await reports.open('/revenue?period=7-days&compare=previous');
  await expect(page.locator('[data-comparison]')).toHaveCount(7);
  // Today is not over, so neither its row nor the total has a change.
  await expect(reports.table.locator('tbody tr').last().locator('td').last()).toHaveText('');
  await expect(reports.table.locator('tfoot td').last()).toHaveText('');
  await expect(page.getByText('The last row is not over')).toBeVisible();
  await page.getByRole('button', { name: 'Line' }).click();
  await expect(page.locator('[data-point]')).toHaveCount(7);
  await page.keyboard.press('p');
  expect(await page.evaluate(() => Reflect.get(window, 'printed'))).toBeDefined();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await expect(page.getByRole('button', { name: /^Period:/ })).toBeHidden();
  await expect(reports.table).toBeVisible();
});

test('prints the daily close on every paper width with the figures of the day, the summary and the ledger @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const { data: me } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const merchant = `merchantId=${me.merchants[0]?.merchantId}`;
  const books = async () => {
    const { data } = await api.read<{ merchants: { currency: string; accounts: Record<string, number> }[] }>(
      `/settlement/ledger?${merchant}`,
    );
    const { processor = 0, fees = 0 } = data.merchants.find(({ currency }) => currency === 'USD')?.accounts ?? {};
    const { data: day } = await api.read<Close>(`/reporting/daily-summary?${merchant}`);
    return { day, taken: cents(processor), fees: cents(fees) };
  };
  const before = await books();
  await createDayOfSales(service);
  await api.post('/settlement/settle', {});
  await api.post('/gift-cards', { amount: 25, reason: 'Late delivery' });
  const now = await books();
  const { day } = now;
  // The additional amounts that the processor owes and that it retains, according to the ledger.
  const grown = (field: 'salesAmount' | 'refundsAmount' | 'feesAmount') => cents(day[field]) - cents(before.day[field]);
  expect(now.taken - before.taken).toBe(grown('salesAmount') - grown('refundsAmount'));
  expect(before.fees - now.fees).toBe(grown('feesAmount'));
  expect(cents(day.netAmount)).toBe(cents(day.salesAmount) - cents(day.refundsAmount) - cents(day.feesAmount));

  const days = `startDate=${day.date}&endDate=${day.date}`;
  const giftCards = await api.read<{ totals: Record<'issuedAmount' | 'redeemedAmount' | 'expiredAmount' | 'openAmount', number> }>(
    `/reporting/gift-cards?${merchant}&${days}&groupBy=month`,
  );
  expect(giftCards.data.totals.issuedAmount).toBeGreaterThan(0);
  const papers = await catchPapers(page);
  const reports = new ReportsPage(page);
  await reports.open();
  for (const [at, [width, widthMm]] of PAPERS.entries()) {
    const kept = JSON.stringify({ state: { receiptWidth: width }, version: 1 });
    await page.evaluate((text) => localStorage.setItem('paydesk.workstation', text), kept);
    await page.reload();
    await expect(reports.figures).toContainText(written(day.salesAmount));
    await expect(page.getByRole('button', { name: 'Print daily close' })).toBeEnabled();
    await page.keyboard.press('p');
    await expect.poll(() => papers.length).toBe(at + 1);
    const sheet = await page.context().newPage();
    await sheet.setContent(`<!doctype html>${papers[at]}`);
    const parts = await partsOf(sheet);
    expect(parts.Totals).toEqual([
      ['Sales', String(day.salesCount), onPaper(day.salesAmount)],
      ['Number of payments', String(day.paymentsCount), ''],
      ['Average sale', '', onPaper(day.averageSaleAmount)],
      ['Refunds', String(day.refundsCount), onPaper(-day.refundsAmount)],
      ['Fees', '', onPaper(-day.feesAmount)],
      ['Net', '', onPaper(day.netAmount)],
      ...(day.openAuthorizationsCount === 0
        ? []
        : [['Open authorizations', String(day.openAuthorizationsCount), onPaper(day.openAuthorizationsAmount)]]),
      ['Voided', String(day.voidsCount), ''],
      ['Declined', String(day.declinedCount), ''],
    ]);
    const { totals } = giftCards.data;
    expect(parts['Gift cards']).toEqual(
      expect.arrayContaining([
        ['Issued', '', onPaper(totals.issuedAmount)],
        ['Redeemed', '', onPaper(totals.redeemedAmount)],
        ['Expired', '', onPaper(totals.expiredAmount)],
        ['Owed at the end', '', onPaper(totals.openAmount)],
      ]),
    );
    const figures = (title: string) => parts[title]?.map(([, ...cells]) => cells);
    const shares = (list: readonly Share[]) => list.map(({ count, amount }) => [String(count), onPaper(amount)]);
    expect(figures('Payments by method')).toEqual(shares(day.byMethod));
    expect(figures('Payments by brand')).toEqual(shares(day.byBrand));
    expect(figures('Declines')).toEqual(day.declines.map(({ count }) => [String(count), '']));
    const pdf = (await sheet.pdf({ preferCSSPageSize: true })).toString('latin1');
    const [, right = '0'] = /\/MediaBox\s*\[\s*[\d.]+\s+[\d.]+\s+([\d.]+)/.exec(pdf) ?? [];
    expect(Math.abs(Number(right) * MM_PER_POINT - widthMm)).toBeLessThan(1);
    await sheet.setViewportSize({ width: Math.floor(widthMm * PX_PER_MM), height: 800 });
    await sheet.emulateMedia({ media: 'print' });
    expect(await sheet.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
    await sheet.close();
  }
});

test("counts a payment authorized days ago and captured today as today's, and opens it from its line @full", async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const held = await api.sell({ amount: '64.00', type: 'auth' });
  await api.post('/sandbox/clock', { advanceSeconds: 2 * 86_400 });
  await api.post(`/transactions/${held.transactionId}/capture`, {});
  const reports = new ReportsPage(page);
  await reports.open();
  await reports.part('Payments by type').getByRole('link', { name: 'Captured authorizations' }).click();
  await expect(page.locator(`[role=row][data-id="${held.transactionId}"]`)).toBeVisible();
});

test('the reports are reachable by keyboard, have enough contrast and are not cut off in either color scheme @full', async ({
  signedIn: page,
  service,
}) => {
  await createDayOfSales(service);
  const reports = new ReportsPage(page);
  for (const path of [
    '/daily-close',
    '/revenue?compare=year&chart=line',
    '/revenue?group=brand',
    '/transactions?period=7-days',
    '/refunds',
    '/declines',
    '/settlements',
    '/revenue?from=2019-01-01&to=2019-01-31',
  ]) {
    await reports.open(path);
    if (path.includes('2019')) await expect(page.getByText('Nothing to report')).toBeVisible();
    else if (path === '/settlements') await expect(page.getByRole('table', { name: 'Settlements' }).locator('tbody tr')).not.toHaveCount(0);
    else await expect(path === '/daily-close' ? reports.part('Declines') : reports.chart).toBeVisible();
    await expectAccessible(page, path);
    for (const size of SCREENS) {
      await page.setViewportSize(size);
      await expect
        .poll(() => page.locator('main').evaluate((main) => main.scrollWidth <= main.clientWidth), `${path} at ${size.width}`)
        .toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
    await page.setViewportSize(SCREENS[0] ?? { width: 1280, height: 720 });
  }
});
