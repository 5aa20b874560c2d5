import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServiceWhenStale } from '../../scripts/build-when-stale.ts';
import { onReady, spawnServer } from '../../scripts/child.ts';
import { ApiSession } from './api-session.ts';
import { dayTextsOf } from './day-text.ts';
import { test as base, expect, type Service } from './fixtures.ts';
import { SettlementPage } from './pages/settlement-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';

const OWNER = { email: 'owner@baeckerei.example', password: 'three loaves rising slowly' };

/** A separate installation in Berlin, whose clock a test may move by months. */
const test = base.extend<{ shop: Service }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  shop: async ({}, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-clock-'));
    const child = spawnServer(['--data-dir', dataDir, '--port', '0', '--log-level', 'error'], { program: await buildServiceWhenStale() });
    const baseUrl = await new Promise<string>((resolve) => onReady(child, (ready) => resolve(ready.baseUrl)));
    const business = { businessName: 'Baeckerei', currency: 'EUR', timezone: 'Europe/Berlin', environment: 'sandbox' };
    const made = await fetch(`${baseUrl}/api/v1/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...business, ...OWNER }),
    });
    const { data } = (await made.json()) as { data: { tenantId: string } };
    await use({ baseUrl, tenantId: data.tenantId, adminEmail: OWNER.email, adminPassword: OWNER.password });
    child.kill('SIGTERM');
    await once(child, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  },
});

/** The last Sunday of a month with 31 days, of this year or the next, but not within two days. */
function lastSunday(month: number, afterMs: number): string {
  for (let year = new Date(afterMs).getUTCFullYear(); ; year += 1) {
    const end = new Date(Date.UTC(year, month, 0));
    const sunday = end.getTime() - end.getUTCDay() * 86_400_000;
    if (sunday > afterMs + 2 * 86_400_000) return new Date(sunday).toISOString().slice(0, 10);
  }
}

const before = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
const after = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

interface Night {
  readonly month: number;
  /** Ten in the evening of the day before. */
  readonly eve: string;
  readonly left: RegExp;
  readonly cutoff: string;
  readonly shown: string;
  readonly next: RegExp;
}

/** 02:30 is skipped: from ten until the clocks show three it takes five hours less one, then 23 and a half hours to the next cutoff. */
const SHORT: Night = {
  month: 3,
  eve: 'T21:00:00Z',
  left: /in 3 h 5\d min/,
  cutoff: 'T01:00:00Z',
  shown: '3:00 AM',
  next: /in 23 h 2\d min/,
};
/** 02:30 occurs twice: the first time is four and a half hours after ten, and the next cutoff is 25 hours later. */
const LONG: Night = { month: 10, eve: 'T20:00:00Z', left: /in 4 h 2\d min/, cutoff: 'T00:30:00Z', shown: '2:30 AM', next: /in 1 d/ };

test('shows the right countdown, settlement date and "today" in the nights of a clock change @full', async ({ page, shop }) => {
  const api = await ApiSession.open(shop);
  const { data: me } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const schedule = (fields: object) => api.put(`/settlement/schedule/${me.merchants[0]?.merchantId}`, fields);
  const moveTo = (atMs: number) => api.post('/sandbox/clock', { now: new Date(atMs).toISOString() });
  const settlementPage = new SettlementPage(page);
  await page.goto(shop.baseUrl);
  await new SignInPage(page).enter(OWNER.email, OWNER.password);
  await expect(page.getByRole('navigation').first()).toBeVisible();
  await page.goto(`${shop.baseUrl}/#/settlement?tab=history`);
  // Until the screen is loaded, the address is the former one, which a reload would open.
  await expect(settlementPage.heading).toBeVisible();

  for (const { month, eve, left, cutoff, shown, next } of [SHORT, LONG]) {
    const { data: clock } = await api.read<{ now: string }>('/sandbox/clock');
    const night = lastSunday(month, Date.parse(clock.now));
    await schedule({ frequency: 'manual' });
    await api.post('/settlement/settle', {});
    await moveTo(Date.parse(`${before(night)}${eve}`));
    await schedule({ frequency: 'daily', cutoffTime: '02:30' });
    await api.sell({ amount: '25.00' });
    await page.reload();
    await expect(settlementPage.cutoff).toContainText(left);
    await expect(settlementPage.cutoff).toContainText('1 payment, 25.00');
    const dayText = await dayTextsOf(api);
    await expect(settlementPage.cutoff).toContainText(`${dayText(night)}, ${shown}`);

    const cutoffMs = Date.parse(`${night}${cutoff}`);
    await moveTo(cutoffMs - 60_000);
    await api.sell({ amount: '30.00' });
    await moveTo(cutoffMs + 60_000);
    await api.sell({ amount: '7.00' });
    await page.reload();
    await expect(settlementPage.rows.first()).toContainText(dayText(night));
    await expect(settlementPage.rows.first()).toContainText('55.00');
    await expect(settlementPage.cutoff).toContainText(next);
    await expect(settlementPage.cutoff).toContainText('1 payment, 7.00');
    await expect(settlementPage.cutoff).toContainText(`${dayText(after(night))}, 2:30 AM`);
  }
  // Months after the day of this computer.
  await page.goto(`${shop.baseUrl}/#/sell`);
  await expect(page.getByRole('button', { name: /^Receipt for .*7\.00$/ })).toBeVisible();
  await page.goto(`${shop.baseUrl}/#/transactions?period=today`);
  await expect(page.locator('[role=row][data-id]').first()).toContainText('7.00');
  // The server stops now, and an open screen would send failing requests.
  await page.close();
});
