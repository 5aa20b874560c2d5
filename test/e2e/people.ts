import type { Browser, Page } from '@playwright/test';
import { ApiSession } from './api-session.ts';
import { expect, type Service } from './fixtures.ts';
import { SignInPage } from './pages/sign-in-page.ts';

const PASSWORD = 'a long password of the shop';
export const PIN = '481627';

/** Creates a person with a PIN at the first merchant. */
export async function createPerson(service: Service, role: string, email: string): Promise<void> {
  const api = await ApiSession.open(service);
  const { data: me } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  await api.post(`/merchants/${me.merchants[0]?.merchantId}/users`, { email, role, password: PASSWORD });
  const login = await fetch(`${service.baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenant-id': service.tenantId },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { data } = (await login.json()) as { data: { token: string } };
  const set = await fetch(`${service.baseUrl}/api/v1/auth/pin`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-tenant-id': service.tenantId, authorization: `Bearer ${data.token}` },
    body: JSON.stringify({ pin: PIN, currentPassword: PASSWORD }),
  });
  expect(set.status).toBe(200);
}

/** Returns a page of its own context, at which a person of `createPerson()` has signed in. */
export async function signInElsewhere(browser: Browser, { baseUrl }: Service, email: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: baseUrl })).newPage();
  await page.goto('/');
  await new SignInPage(page).enter(email, PASSWORD);
  await expect(page.getByRole('button', { name: `Signed in as ${email}` })).toBeVisible();
  return page;
}

/** Gives the reason of an operation that needs an approval. */
export async function giveReason(page: Page, reason: string): Promise<void> {
  await expect(page.getByRole('dialog', { name: 'Ask a second person for approval' }).getByLabel('Reason')).toBeFocused();
  await page.keyboard.type(reason);
  await page.keyboard.press('Enter');
}

/** Lets a person of `createPerson()` take over the screen of another one. */
export async function switchTo(page: Page, email: string): Promise<void> {
  await page.keyboard.press('Control+Shift+S');
  const dialog = page.getByRole('dialog', { name: 'Switch person' });
  await expect(dialog.getByLabel('PIN')).toBeFocused();
  // Other people of the service have a PIN as well. The list masks addresses ("dra***@demo.example").
  await dialog.getByLabel('Person').press('Enter');
  const options = page.getByRole('option');
  await expect(options.first()).toBeVisible();
  const shown = await options.allTextContents();
  const [start, end] =
    shown.map((text) => text.split('***')).find(([from = email, to = '']) => email.startsWith(from) && email.endsWith(to)) ?? [];
  await options.filter({ hasText: `${start}***${end}` }).click();
  await expect(dialog.getByLabel('PIN')).toBeFocused();
  await page.keyboard.type(PIN);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Signed in as ${email}` })).toBeVisible();
}
