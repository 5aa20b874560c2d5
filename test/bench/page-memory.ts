import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { buildPagesWhenStale } from '../../scripts/build-when-stale.ts';
import { SellPage } from '../e2e/pages/sell-page.ts';
import { TransactionsPage } from '../e2e/pages/transactions-page.ts';
import { resumeIn } from '../e2e/session.ts';
import { findBrowser, QUIET_FLAGS } from '../support/browser.ts';
import type { Ready } from './api-client.ts';
import { start } from './processes.ts';
import type { BenchResult, Rate } from './results.ts';

/** An hour of a cashier who sells every twelve seconds. */
const ROUNDS = 300;
const ROUND_SECONDS = 12;
const SAMPLES = 10;
const BYTES_PER_MIB = 1_048_576;
/** Samples until the code of all screens is loaded and the cache of responses, which are kept for five minutes, is full. */
const WARM_SAMPLES = 2;

interface Memory {
  readonly heapMib: number;
  readonly nodes: number;
  readonly listeners: number;
}

/**
 * Measures the memory of the page during an hour of a cashier: sales, the list of transactions, one of them, a search, reports and settings. The page's
 * clock moves forward after each round, so that the hour takes some minutes. The argument is another number of rounds.
 */
export async function benchPageMemory(rounds = String(ROUNDS)): Promise<BenchResult> {
  await buildPagesWhenStale();
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-page-memory-'));
  const server = await start<Ready>('server/serve.ts', ['--data-dir', folder, '--port', '0', '--demo', '--log-level', 'silent'], null);
  const { executablePath, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args: QUIET_FLAGS, env: { ...(process.env as Record<string, string>), ...env } });
  try {
    const page = await browser.newPage({ baseURL: server.line.baseUrl, viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    await page.clock.install();
    await resumeIn(page, { baseUrl: server.line.baseUrl, ...server.line.credentials });
    await page.goto('/');
    const browserSession = await page.context().newCDPSession(page);
    const samples: Memory[] = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      for (let round = 0; round < Number(rounds) / SAMPLES; round += 1) await doRound(page, 1 + sample * 1_000 + round);
      await show(page, 'home');
      samples.push(await memoryOf(browserSession));
    }
    return resultOf(samples, Number(rounds));
  } finally {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** One round of a cashier. The amount differs from that of other rounds, which would be duplicates. */
async function doRound(page: Page, number: number): Promise<void> {
  const amount = (number / 100 + 1).toFixed(2);
  await show(page, 'sell');
  const sell = new SellPage(page);
  await sell.amount.click();
  await sell.sell({ amount });
  await sell.approved.waitFor();
  await sell.newSale();
  const transactions = new TransactionsPage(page);
  await show(page, 'transactions');
  await transactions.rows.first().click();
  await transactions.drawer.waitFor();
  await page.keyboard.press('Escape');
  await transactions.drawer.waitFor({ state: 'detached' });
  await transactions.search.fill(amount);
  await transactions.rows.filter({ hasText: amount }).first().waitFor();
  await transactions.search.fill('');
  await show(page, 'reports');
  await show(page, 'settings');
  await page.clock.fastForward(ROUND_SECONDS * 1_000);
}

/** Clicks an entry of the navigation and waits for its screen. */
async function show(page: Page, area: string): Promise<void> {
  await page.locator(`nav a[href^="#/${area}"]`).first().click();
  await page.locator(`[data-area="${area}"] h1`).first().waitFor();
}

/** Returns the memory of the page after a garbage collection. */
async function memoryOf(browserSession: CDPSession): Promise<Memory> {
  await browserSession.send('HeapProfiler.collectGarbage');
  const { usedSize } = await browserSession.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await browserSession.send('Memory.getDOMCounters');
  return { heapMib: usedSize / BYTES_PER_MIB, nodes, listeners: jsEventListeners };
}

function resultOf(samples: readonly Memory[], rounds: number): BenchResult {
  const figures: Record<string, Record<string, Rate>> = {};
  for (const [index, { heapMib, nodes, listeners }] of samples.entries()) {
    const load = `after ${((index + 1) * rounds) / SAMPLES} rounds`;
    figures[`heap ${load}`] = { page: { mib: heapMib } };
    figures[`nodes ${load}`] = { page: { count: nodes } };
    figures[`listeners ${load}`] = { page: { count: listeners } };
  }
  const warm = samples[WARM_SAMPLES - 1];
  const last = samples.at(-1);
  const growth = (of: (memory: Memory) => number) => (last && warm ? of(last) / of(warm) : Number.NaN);
  const ratios = (['heapMib', 'nodes', 'listeners'] as const).map((name) => ({
    name: `${name === 'heapMib' ? 'heap' : name} at the end / after a fifth of the rounds`,
    value: growth((memory) => memory[name]),
    must: 1.2,
    goal: 1.05,
    isBelow: true,
  }));
  return { figures, ratios };
}
