import { test as base, expect, type Page } from '@playwright/test';
import { copySeeded, FileServices, type ServiceKind } from './file-services.ts';
import { PageWatch } from './page-watch.ts';
import type { Service } from './session.ts';
import { SharedPage } from './shared-page.ts';

export { expect } from '@playwright/test';
export type { Service } from './session.ts';

/** Counts keystrokes and clicks, so that a test can state how many a task takes. */
interface Strokes {
  /** Keys pressed since the last reset, held ones once. */
  keys(): number;
  /** Pointer presses since the last reset. */
  clicks(): number;
  reset(): Promise<void>;
}

/** Errors that no page may have. A test fails if one remains that it did not expect. */
export interface Faults {
  /** Allows errors whose text matches, such as console errors that a test provokes. Requests to other computers are never allowed. */
  expect(pattern: RegExp): void;
}

export interface Fixtures {
  /** Kind of the server of the test's file. */
  serviceKind: ServiceKind;
  /** The server of the test's file. */
  service: Service;
  /** Data directory of that server. */
  dataDir: string;
  strokes: Strokes;
  faults: Faults;
  /**
   * A page, signed in as the administrator of the demo tenant and ready for keys. The tests of a file use it one after another (test/README.md), so it
   * is not the page of the fixture `page`.
   */
  signedIn: Page;
}

export interface WorkerFixtures {
  services: FileServices;
  watch: PageWatch;
  sharedPage: SharedPage;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  // Not of the worker: files of each kind share the workers, in the order of their names.
  serviceKind: [{ prepare: copySeeded }, { option: true }],

  services: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      const services = new FileServices();
      await use(services);
      await services.close();
    },
    { scope: 'worker' },
  ],

  service: async ({ services, serviceKind }, use, { file }) => use((await services.of(file, serviceKind)).service),

  dataDir: async ({ services, serviceKind }, use, { file }) => use((await services.of(file, serviceKind)).dataDir),

  baseURL: ({ service }, use) => use(service.baseUrl),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  watch: [({}, use) => use(new PageWatch()), { scope: 'worker' }],

  sharedPage: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, use) => {
      const sharedPage = new SharedPage();
      await use(sharedPage);
      await sharedPage.close();
    },
    { scope: 'worker' },
  ],

  context: async ({ context, watch }, use) => {
    await watch.watch(context);
    await use(context);
    // A response of the test itself may still be pending when it ends.
    await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
  },

  faults: [
    async ({ watch }, use) => {
      const expected: RegExp[] = [];
      watch.startTest();
      await use({ expect: (pattern) => void expected.push(pattern) });
      expect(watch.strayRequests, 'requests that left this machine').toEqual([]);
      expect(
        watch.errors.filter((text) => !expected.some((pattern) => pattern.test(text))),
        'errors on the console',
      ).toEqual([]);
    },
    { auto: true },
  ],

  strokes: ({ watch }, use) => use({ keys: () => watch.keys, clicks: () => watch.clicks, reset: () => watch.resetStrokes() }),

  signedIn: async ({ browser, service, watch, sharedPage, locale, viewport, colorScheme, timezoneId }, use, testInfo) => {
    const key = JSON.stringify([service.baseUrl, locale, viewport, colorScheme, timezoneId]);
    const request = { browser, service, watch, key };
    await use(await sharedPage.take(request));
    await sharedPage.giveBack(request, testInfo.status === testInfo.expectedStatus);
  },
});
