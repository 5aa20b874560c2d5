import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { timed } from '../support/timings.ts';
import { SEEDED_DATA, START_TIMEOUT_MS, STOP_TIMEOUT_MS, startService } from './demo-server.ts';
import { resumeIn, type Service, takeBack } from './session.ts';

export { expect } from '@playwright/test';
export type { Service } from './session.ts';

/** Counts keystrokes and clicks, so that a test can state how many a task takes. */
export interface Strokes {
  /** Keys pressed since the last reset, held ones once. */
  keys(): number;
  /** Pointer presses since the last reset. */
  clicks(): number;
  reset(): void;
}

/** Errors that no page may have. A test fails if one remains that it did not expect. */
export interface Faults {
  /** Allows errors whose text matches, such as console errors that a test provokes. Requests to other computers are never allowed. */
  expect(pattern: RegExp): void;
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const STROKE = 'tellStroke';

interface Fixtures {
  strokes: Strokes;
  faults: Faults;
  /** The page, signed in as the administrator of the demo tenant and ready for keys. */
  signedIn: Page;
}

export const test = base.extend<Fixtures, { service: Service }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-e2e-'));
      const seeded = process.env[SEEDED_DATA];
      if (seeded === undefined) throw new Error('The sample data is missing: global-setup.ts did not run.');
      await timed('sample data: copy', () => cp(seeded, dataDir, { recursive: true }));
      const { ready, stop } = await startService(dataDir);
      if (ready.credentials === undefined) throw new Error('The server with sample data did not report its credentials.');
      await use({ baseUrl: ready.baseUrl, ...ready.credentials });
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS + STOP_TIMEOUT_MS },
  ],

  baseURL: ({ service }, use) => use(service.baseUrl),

  faults: [
    async ({ context }, use) => {
      const strayRequests: string[] = [];
      const errors: string[] = [];
      const expected: RegExp[] = [];
      context.on('request', (request) => {
        if (leavesThisMachine(request.url())) strayRequests.push(request.url());
      });
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => errors.push(String(error.error())));
      await use({ expect: (pattern) => void expected.push(pattern) });
      // A response of the test itself may still be pending when it ends.
      await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
      expect(strayRequests, 'requests that left this machine').toEqual([]);
      expect(
        errors.filter((text) => !expected.some((pattern) => pattern.test(text))),
        'errors on the console',
      ).toEqual([]);
    },
    { auto: true },
  ],

  strokes: [
    // Always on: it must listen before the first page opens.
    async ({ context }, use) => {
      let keys = 0;
      let clicks = 0;
      await context.exposeBinding(STROKE, (_source, kind: 'key' | 'click') => {
        if (kind === 'key') keys += 1;
        else clicks += 1;
      });
      await context.addInitScript(listenToStrokes, STROKE);
      await use({
        keys: () => keys,
        clicks: () => clicks,
        reset: () => {
          keys = 0;
          clicks = 0;
        },
      });
    },
    { auto: true },
  ],

  signedIn: async ({ page, service }, use) => {
    await resumeIn(page, service);
    await page.goto('/#/sell');
    // The shortcuts of the shell and of the screen are registered in the same commit that shows the heading.
    await page.locator('[data-area] h1').first().waitFor({ state: 'attached' });
    page.goto = gotoArea(page, page.goto.bind(page));
    await use(page);
    await takeBack(page, service);
  },
});

/** Another hash in the URL loads nothing, and the previous screen stays until the new one is shown: this waits for the new one. */
function gotoArea(page: Page, goto: Page['goto']): Page['goto'] {
  return async (url, options) => {
    const response = await goto(url, options);
    const area = /#\/([^/?]+)/.exec(url)?.[1];
    if (area) await page.locator(`[data-area="${area}"]`).waitFor();
    return response;
  };
}

function leavesThisMachine(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return !['data:', 'blob:', 'about:'].includes(protocol) && !LOOPBACK.has(hostname);
}

/** Runs in the page. Counts only events of a person or the browser driver, not events that a script creates. */
function listenToStrokes(binding: string): void {
  const tell = (kind: 'key' | 'click') => (Reflect.get(window, binding) as (kind: string) => Promise<void>)(kind);
  addEventListener('keydown', (event) => event.isTrusted && !event.repeat && tell('key'), true);
  addEventListener('pointerdown', (event) => event.isTrusted && tell('click'), true);
}
