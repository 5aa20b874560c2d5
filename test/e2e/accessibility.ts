import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Expects that axe finds no fault of WCAG 2.2 AA in what is on screen now. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  // A colour that is still fading in is nobody's last word.
  await expect.poll(() => page.evaluate(countMoving)).toBe(0);
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze();
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
