import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/**
 * Expects that axe finds no fault of WCAG 2.2 AA in what is on screen now. The schemes differ in their colours alone: in the dark one only contrast is looked
 * at, so a screen is to be shown in both.
 */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  // A colour that is still fading in is nobody's last word.
  await expect.poll(() => page.evaluate(countMoving)).toBe(0);
  const axe = new AxeBuilder({ page });
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  if (isDark) axe.withRules(['color-contrast']);
  else axe.withTags(RULES);
  // Without frames nothing has to be gathered from them, which takes longer than to look.
  const { violations } = await axe.setLegacyMode(page.frames().length === 1).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    where,
  ).toEqual([]);
}

export const SCHEMES = ['light', 'dark'] as const;

/** Runs in the page. What turns for ever, a sign of waiting, does not count. */
function countMoving(): number {
  return document.getAnimations().filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations === 1)
    .length;
}
