import type { Browser } from '@playwright/test';

const DEBUGGING_PORT = '--remote-debugging-port=';

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
  const port = process.argv.find((argument) => argument.startsWith(DEBUGGING_PORT));
  if (port !== undefined) return launch(port);
  const address = process.env.PAYDESK_TEST_BROWSER;
  if (address === undefined) throw new Error('`PAYDESK_TEST_BROWSER` is not set; test/electron/global-setup.ts starts the browser.');
  const { chromium } = await import('@playwright/test');
  return chromium.connect(address);
}

/** Starts a Chromium of its own, whose pages another program may drive at the port, as those of Electron. */
async function launch(portFlag: string): Promise<Browser> {
  const [{ chromium }, { findBrowser, QUIET_FLAGS }] = await Promise.all([import('@playwright/test'), import('../../support/browser.ts')]);
  const { executablePath, env } = await findBrowser();
  const environment = { ...process.env, ...env } as Record<string, string>;
  return chromium.launch({ executablePath, env: environment, args: [...QUIET_FLAGS, portFlag] });
}
