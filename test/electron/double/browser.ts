import { type Browser, chromium } from '@playwright/test';
import { findBrowser, QUIET_FLAGS } from '../../support/browser.ts';

let browser: Browser | undefined;

/** The one Chromium behind the double's windows. */
export function currentBrowser(): Browser {
  if (browser === undefined) throw new Error('windows are opened when the application is ready');
  return browser;
}

export async function openBrowser(): Promise<void> {
  const { executablePath, env } = await findBrowser();
  browser = await chromium.launch({ executablePath, env: { ...process.env, ...env } as Record<string, string>, args: QUIET_FLAGS });
}

export function closeBrowser(): void {
  void browser?.close();
}
