import { chromium } from '@playwright/test';
import { buildDesktopWhenStale } from '../../scripts/build-when-stale.ts';
import { findBrowser, QUIET_FLAGS } from '../support/browser.ts';

/**
 * Builds the application, and starts one Chromium whose address every double of Electron finds in its environment.
 * Each application connects on its own: its pages are closed when it ends, and no other application sees them.
 */
export default async function setup(): Promise<() => Promise<void>> {
  await buildDesktopWhenStale();
  const { executablePath, env } = await findBrowser();
  const server = await chromium.launchServer({
    executablePath,
    env: { ...process.env, ...env } as Record<string, string>,
    args: QUIET_FLAGS,
    host: '127.0.0.1',
  });
  process.env.PAYDESK_TEST_BROWSER = server.wsEndpoint();
  return async () => {
    delete process.env.PAYDESK_TEST_BROWSER;
    await server.close();
  };
}
