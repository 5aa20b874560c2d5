import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';

/** Rules beyond WCAG by which screen readers lead through a page. */
const STRUCTURE = ['heading-order', 'empty-heading', 'empty-table-header', 'landmark-no-duplicate-banner', 'landmark-unique'];
const WCAG_AA: RunOptions = {
  resultTypes: ['violations'],
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  rules: Object.fromEntries(STRUCTURE.map((rule) => [rule, { enabled: true }])),
};
const CONTRAST: RunOptions = { resultTypes: ['violations'], runOnly: { type: 'rule', values: ['color-contrast'] } };

type Violations = Pick<AxeResults, 'violations'>['violations'];

/**
 * Expects that the current screen has no violation of WCAG 2.2 AA, in the light and in the dark color scheme.
 * The schemes differ only in their colors, so the dark scheme is checked for contrast only.
 */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(waitForColors, 'any');
  await expectNoViolation(page, where, WCAG_AA);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(waitForColors, 'dark');
  await expectNoViolation(page, `${where}, dark`, CONTRAST);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function expectNoViolation(page: Page, where: string, options: RunOptions): Promise<void> {
  const violations = page.frames().length === 1 ? await checkDocument(page, options) : await checkFrames(page, options);
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    where,
  ).toEqual([]);
}

/** Checks a page without frames. axe is loaded once per document, because AxeBuilder loads it four times for two checks. */
async function checkDocument(page: Page, options: RunOptions): Promise<Violations> {
  const found = await page.evaluate(runAxe, options);
  if (found !== null) return found;
  await page.evaluate(axe.source);
  const foundAfterLoading = await page.evaluate(runAxe, options);
  if (foundAfterLoading === null) throw new Error('The document was replaced while axe was being loaded.');
  return foundAfterLoading;
}

/** Checks a page with frames, whose results AxeBuilder collects in a page of its own. */
async function checkFrames(page: Page, options: RunOptions): Promise<Violations> {
  return (await new AxeBuilder({ page }).options(options).analyze()).violations;
}

/** Runs in the page. Returns null if the document has not loaded axe yet. */
async function runAxe(options: RunOptions): Promise<Violations | null> {
  const loaded = Reflect.get(window, 'axe') as typeof axe | undefined;
  return loaded === undefined ? null : (await loaded.run(document, options)).violations;
}

/**
 * Runs in the page. Resolves when the application has switched to the scheme and every animation has ended; endless ones, such as progress indicators, are
 * ignored. Transitions are turned off for good: a field that is enabled while axe runs would otherwise keep its disabled color until the next frame.
 */
async function waitForColors(scheme: string): Promise<void> {
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { transition: none !important }');
  document.adoptedStyleSheets = [still];
  const root = document.documentElement;
  // The payment pages have no such attribute: they follow the system by their styles alone.
  const hasScheme = () => scheme === 'any' || root.dataset.scheme === undefined || root.dataset.scheme === scheme;
  if (!hasScheme()) {
    await new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        if (!hasScheme()) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(root, { attributeFilter: ['data-scheme'] });
    });
  }
  const moving = () =>
    document.getAnimations().filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations === 1);
  for (let animations = moving(); animations.length > 0; animations = moving()) {
    await Promise.allSettled(animations.map(({ finished }) => finished));
  }
}
