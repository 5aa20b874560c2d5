/** Names of browsers for `npm test -- --browsers`. `installed` is a Chromium or Chrome of this computer. */
export const BROWSER_NAMES = ['firefox', 'webkit', 'installed'] as const;

export type BrowserName = (typeof BROWSER_NAMES)[number];

/**
 * Returns true if tests shall use a browser. `npm test` names those that were asked for in PAYDESK_TEST_BROWSERS, and none by default, so that a browser
 * that happens to be installed changes no result. Without the variable, as in the full tier, all that are present are used.
 */
export function isAskedFor(name: BrowserName): boolean {
  const { PAYDESK_TEST_BROWSERS } = process.env;
  return PAYDESK_TEST_BROWSERS === undefined || PAYDESK_TEST_BROWSERS.split(',').includes(name);
}

/** True if a missing browser is a failure, because it was asked for by name. */
export const mustBePresent = (process.env.PAYDESK_TEST_BROWSERS ?? '') !== '';
