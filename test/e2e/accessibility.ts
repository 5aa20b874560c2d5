import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Expects that axe finds no fault of WCAG 2.2 AA in what is on screen now. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  // A colour that is still fading in is nobody's last word.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    where,
  ).toEqual([]);
}

export const SCHEMES = ['light', 'dark'] as const;
