// Draws the pictures of the documentation from the demo. With `--all FOLDER` it draws every screen with each of its tabs and a record of its
// list, in both color schemes and three sizes, for review; with `--only PATTERN` those whose address matches it, with `--size 390x844`
// and `--scheme dark` in one size or scheme, and with `--language es` in that language.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page, type Request } from '@playwright/test';
import { startService } from '../test/e2e/demo-server.ts';
import { addressesOfScreens } from '../test/e2e/pages/screens.ts';
import { SellPage } from '../test/e2e/pages/sell-page.ts';
import { resumeIn, type Service } from '../test/e2e/session.ts';
import { findBrowser, QUIET_FLAGS } from '../test/support/browser.ts';
import { buildPagesWhenStale } from './build-when-stale.ts';
import { ROOT } from './bundle.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

const QUIET_MS = 400;
const TICK_MS = 50;
const openRequests = new WeakMap<Page, Set<Request>>();

const IMAGES = join(ROOT, 'docs/images');
const SIZES: readonly Size[] = [
  { width: 1024, height: 700 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
const DOCUMENTED: Size = { width: 1280, height: 800 };
/** The screens that the README and the documentation show, by the name of the picture. */
const PICTURES: Readonly<Record<string, { readonly address: string; readonly prepare?: (page: Page) => Promise<void> }>> = {
  sell: { address: 'sell', prepare: keySale },
  reconciliation: { address: 'reconciliation', prepare: openDiscrepancy },
};

const { values: flags } = parseArgs({
  options: {
    all: { type: 'string' },
    only: { type: 'string', default: '' },
    size: { type: 'string' },
    scheme: { type: 'string' },
    language: { type: 'string', default: 'en' },
  },
});

await buildPagesWhenStale();
const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-screenshots-'));
const { ready, stop } = await startService(dataDir, 'business');
try {
  if (ready.credentials === undefined) throw new Error('The server with sample data did not report its credentials.');
  const found = await findBrowser();
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    args: QUIET_FLAGS,
    env: { ...(process.env as Record<string, string>), ...found.env },
  });
  const service: Service = { baseUrl: ready.baseUrl, ...ready.credentials };
  if (flags.all === undefined) await drawPictures(browser, service);
  else await drawAll(browser, service, flags.all);
  await browser.close();
} finally {
  await stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function drawPictures(browser: Browser, service: Service): Promise<void> {
  await mkdir(IMAGES, { recursive: true });
  const page = await openSignedIn(browser, service, DOCUMENTED, 'light');
  for (const [name, { address, prepare }] of Object.entries(PICTURES)) {
    await show(page, service, address);
    await prepare?.(page);
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  }
  await page.context().close();
}

async function drawAll(browser: Browser, service: Service, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const screens = (await addressesOfScreens()).filter((address) => new RegExp(flags.only).test(address));
  const [width, height] = flags.size?.split('x').map(Number) ?? [];
  const sizes = width !== undefined && height !== undefined ? [{ width, height }] : SIZES;
  for (const scheme of SCHEMES.filter((each) => flags.scheme === undefined || each === flags.scheme))
    for (const size of sizes) {
      const page = await openSignedIn(browser, service, size, scheme);
      for (const address of screens)
        await drawScreen(page, service, address, (part) => join(folder, `${part}-${size.width}-${scheme}.png`));
      await page.context().close();
    }
}

/** Draws a screen, each of its tabs, and the first record of its list. */
async function drawScreen(page: Page, service: Service, address: string, fileOf: (part: string) => string): Promise<void> {
  const name = address.replaceAll('/', '-');
  await show(page, service, address);
  await page.screenshot({ path: fileOf(name) });
  const main = page.locator('[data-area]');
  const tabs = main.getByRole('tablist').first().getByRole('tab', { disabled: false });
  const texts = await tabs.allTextContents();
  for (const [index, text] of texts.entries()) {
    // A tab may lead to another screen, which has its own.
    if (index === 0 || (await tabs.nth(index).textContent()) !== text) continue;
    await tabs.nth(index).click();
    await waitForData(page);
    await page.screenshot({ path: fileOf(`${name}-${text.toLowerCase().replaceAll(/\W+/g, '-')}`) });
  }
  if (texts.length > 0) await show(page, service, address);
  const record = main.getByRole('grid').locator('[role=row][data-id]').first();
  if (!(await record.isVisible())) return;
  await record.click();
  await waitForData(page);
  await page.screenshot({ path: fileOf(`${name}-record`) });
}

async function openSignedIn(browser: Browser, service: Service, viewport: Size, colorScheme: Scheme): Promise<Page> {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    reducedMotion: 'reduce',
    locale: `${flags.language}-US`,
    timezoneId: 'America/New_York',
  });
  const page = await context.newPage();
  countRequests(page);
  await resumeIn(page, service);
  await page.goto(service.baseUrl);
  await page.locator('[data-area] h1').first().waitFor();
  return page;
}

/** Opens a screen and waits until its data and its fonts are there. */
async function show(page: Page, { baseUrl }: Service, address: string): Promise<void> {
  await page.goto(`${baseUrl}/#/${address}`);
  await page.locator(`[data-area="${/^[^/?]+/.exec(address)?.[0]}"]`).waitFor();
  await waitForData(page);
}

/** Waits until no request has been open for a while and nothing shows progress. The feed of changes stays open. */
async function waitForData(page: Page): Promise<void> {
  for (let quietMs = 0; quietMs < QUIET_MS; quietMs += TICK_MS) {
    await page.waitForTimeout(TICK_MS);
    if ((openRequests.get(page)?.size ?? 0) > 0) quietMs = 0;
  }
  await page.waitForFunction(
    () => document.fonts.status === 'loaded' && document.querySelector('[role=progressbar], .MuiSkeleton-root') === null,
  );
}

function countRequests(page: Page): void {
  const open = new Set<Request>();
  openRequests.set(page, open);
  page.on('request', (request) => !request.url().includes('/changes') && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
}

/** Keys a sale up to its last field, as a clerk sees it before the charge. */
async function keySale(page: Page): Promise<void> {
  const sell = new SellPage(page);
  await sell.amount.fill('24.80');
  await sell.number.fill('4242424242424242');
  await sell.expiry.fill('0829');
  await sell.code.fill('123');
  await sell.zip.fill('04101');
}

/** Opens the newest day whose comparison found discrepancies. */
async function openDiscrepancy(page: Page): Promise<void> {
  await page.locator('[data-date][data-state="out"]').last().click();
  await waitForData(page);
}
