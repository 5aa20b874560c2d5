import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { buildPagesWhenStale } from '../../scripts/build-when-stale.ts';
import { resumeIn } from '../e2e/session.ts';
import { findBrowser, QUIET_FLAGS } from '../support/browser.ts';
import type { Ready } from './api-client.ts';
import { start, untilIdle } from './processes.ts';
import { type BenchResult, median, type Rate } from './results.ts';
import { serviceArgs } from './sale.ts';
import { copySampleHistory } from './sample-history.ts';

/** Of these, 64,000 payments belong to one business. */
const PAYMENTS = 100_000;
const ROUNDS = 7;
/** Time in which a screen follows a click. */
const SCREEN_MS = 100;
const SCREENS = [
  'home',
  'to-do',
  'transactions',
  'invoices',
  'recurring',
  'customers',
  'cash',
  'settlement',
  'reconciliation',
  'reports',
  'sell',
];

/** Measures the time from a click in the navigation to the screen for the business with the most payments. */
export async function benchNavigation(): Promise<BenchResult> {
  await buildPagesWhenStale();
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-navigation-'));
  const server = await start<Ready>('server/serve.ts', serviceArgs(await copySampleHistory(PAYMENTS, folder)), null);
  const { executablePath, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args: QUIET_FLAGS, env: { ...(process.env as Record<string, string>), ...env } });
  try {
    await untilIdle(server.pid);
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    await resumeIn(page, { baseUrl: server.line.baseUrl, ...server.line.credentials });
    await page.goto(server.line.baseUrl);
    await page.locator('nav a[href="#/transactions"]').waitFor();
    const figures: Record<string, Record<string, Rate>> = {};
    for (const name of SCREENS) figures[name] = { 'first visit': { ms: await open(page, name) } };
    const times = new Map<string, number[]>(SCREENS.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1) for (const [name, all] of times) all.push(await open(page, name));
    for (const [name, all] of times) figures[name] = { ...figures[name], again: { ms: median(all) } };
    const slowest = Math.max(...[...times.values()].map(median));
    return { figures, ratios: [{ name: `slowest screen / ${SCREEN_MS} ms`, value: slowest / SCREEN_MS, must: 1, isBelow: true }] };
  } finally {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Clicks an entry of the navigation and returns the milliseconds until its screen is shown; the first visit also loads its code. */
function open(page: Page, name: string): Promise<number> {
  return page.evaluate(async (area) => {
    const began = performance.now();
    document.querySelector<HTMLElement>(`nav a[href^="#/${area}"]`)?.click();
    while (document.querySelector(`[data-area="${area}"] h1`) === null) {
      if (performance.now() - began > 30_000) throw new Error(`The screen ${area} is not shown.`);
      await new Promise(requestAnimationFrame);
    }
    return performance.now() - began;
  }, name);
}
