import type { Browser } from '@playwright/test';

let browser: Promise<Browser> | undefined;

/** Connects to the test run's Chromium when the first window needs it, so that an application without windows does not load Playwright. */
export function openBrowser(): Promise<Browser> {
  browser ??= connect();
  return browser;
}

export function closeBrowser(): void {
  void browser?.then((opened) => opened.close()).catch(() => {});
}

async function connect(): Promise<Browser> {
  const address = process.env.PAYDESK_TEST_BROWSER;
  if (address === undefined) throw new Error('`PAYDESK_TEST_BROWSER` is not set; test/electron/global-setup.ts starts the browser.');
  const { chromium } = await import('@playwright/test');
  return chromium.connect(address);
}
