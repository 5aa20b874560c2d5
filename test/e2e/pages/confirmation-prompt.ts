import type { Page } from '@playwright/test';

/** Answers the prompt that asks for the password before a sensitive change. */
export async function confirmWithPassword(page: Page, password: string): Promise<void> {
  const prompt = page.getByRole('dialog', { name: 'Confirm with your password' });
  await prompt.getByLabel('Your password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}
