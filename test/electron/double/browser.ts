import type { Browser } from '@playwright/test';

let browser: Promise<Browser> | undefined;

/** The one Chromium behind the double's windows, started for the first of them: an application without windows is not slowed by it. */
export function openBrowser(): Promise<Browser> {
  browser ??= launch();
  return browser;
}

export function closeBrowser(): void {
  void browser?.then((opened) => opened.close()).catch(() => {});
}

async function launch(): Promise<Browser> {
  const [{ chromium }, { findBrowser, QUIET_FLAGS }] = await Promise.all([import('@playwright/test'), import('../../support/browser.ts')]);
  const { executablePath, env } = await findBrowser();
  return chromium.launch({ executablePath, env: { ...process.env, ...env } as Record<string, string>, args: QUIET_FLAGS });
}
