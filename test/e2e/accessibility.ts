import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/** Expects that axe finds no fault of WCAG 2.2 AA in what is on screen now, in either scheme. They differ in their colours alone: of the dark one the contrast is looked at. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  await expectNoFault(page, where, (axe) => axe.withTags(RULES));
  await page.emulateMedia({ colorScheme: 'dark' });
  // Pages for customers follow the system by their styles alone.
  await page.waitForFunction(() => [undefined, 'dark'].includes(document.documentElement.dataset.scheme));
  await expectNoFault(page, `${where}, dark`, (axe) => axe.withRules(['color-contrast']));
  await page.emulateMedia({ colorScheme: 'light' });
}

async function expectNoFault(page: Page, where: string, limit: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  // A colour that is still fading in is nobody's last word.
  await expect.poll(() => page.evaluate(countMoving)).toBe(0);
  // What is in order is not written down, and without frames nothing has to be gathered from them: both take longer than to look.
  const { violations } = await limit(new AxeBuilder({ page }).options({ resultTypes: ['violations'] }))
    .setLegacyMode(page.frames().length === 1)
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    where,
  ).toEqual([]);
}

/** Runs in the page. What turns for ever, a sign of waiting, does not count. */
function countMoving(): number {
  return document.getAnimations().filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations === 1)
    .length;
}
