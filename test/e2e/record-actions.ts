import { expect, type Locator } from '@playwright/test';

/** Returns the entry of the menu More of a record with a name; opens the menu. */
async function entryOf(panel: Locator, name: string): Promise<Locator> {
  const menu = panel.page().getByRole('menu', { name: 'More' });
  if (!(await menu.isVisible())) await panel.getByRole('button', { name: 'More', exact: true }).press('Enter');
  return menu.getByRole('menuitem').filter({ has: panel.page().getByText(name, { exact: true }) });
}

/** Runs an action of an open record: by its button, or in the menu More. */
export async function actOn(panel: Locator, name: string): Promise<void> {
  const button = panel.getByRole('button', { name, exact: true });
  await expect(button.or(panel.getByRole('button', { name: 'More', exact: true })).first()).toBeVisible();
  await ((await button.isVisible()) ? button : await entryOf(panel, name)).press('Enter');
}

/** Checks that an action of an open record is not possible, and that the menu More gives the reason. */
export async function expectRefused(panel: Locator, name: string, reason: string): Promise<void> {
  const entry = await entryOf(panel, name);
  await expect(entry).toHaveAttribute('aria-disabled', 'true');
  await expect(entry).toContainText(reason);
  await panel.page().keyboard.press('Escape');
}
