import type { Page } from '@playwright/test';
import { TOTP } from 'otpauth';
import { expectAccessible } from './accessibility.ts';
import { expect, type Service, test } from './fixtures.ts';
import { confirmWithPassword } from './pages/confirmation-prompt.ts';
import { SignInPage } from './pages/sign-in-page.ts';

async function newUser({ baseUrl, tenantId, adminEmail, adminPassword }: Service, email: string) {
  const post = async <Data>(path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method: 'POST',
      headers: { 'X-Tenant-ID': tenantId, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { data: Data }).data;
  };
  const { token } = await post<{ token: string }>('/auth/login', { email: adminEmail, password: adminPassword });
  const headers = { Authorization: `Bearer ${token}` };
  const me = await fetch(`${baseUrl}/api/v1/auth/me`, { headers: { 'X-Tenant-ID': tenantId, ...headers } });
  const { merchants } = ((await me.json()) as { data: { merchants: { merchantId: string }[] } }).data;
  const user = { email, role: 'manager', password: 'a careful password' };
  await post(`/merchants/${merchants[0]?.merchantId}/users`, user, headers);
  return user;
}

/** Selects an entry of the user menu. */
async function choose(page: Page, email: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: email }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

test('turns on an authenticator app and signs in with its code and with a recovery code @full', async ({ page, service }) => {
  const user = await newUser(service, 'app@demo.example');
  const signIn = new SignInPage(page);
  await page.goto('/');
  await signIn.enter(user.email, user.password);
  await choose(page, user.email, 'Your account');
  await page.getByRole('radio', { name: 'Password and a code from an authenticator app' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await confirmWithPassword(page, user.password);
  const setUp = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await expect(setUp.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await expectAccessible(page, 'setting up an authenticator app');
  const secret = (await setUp.locator('.mono').first().textContent()) ?? '';
  const app = new TOTP({ secret });
  // A code works once: the second one belongs to the next 30 seconds, which the service accepts in advance.
  await setUp.getByLabel('Code').fill(app.generate());
  await page.keyboard.press('Enter');
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  const [recovery = ''] = ((await codes.getByRole('region', { name: 'Recovery codes' }).textContent()) ?? '').split('\n');
  await expectAccessible(page, 'recovery codes');
  await codes.getByRole('button', { name: 'I’ve saved the codes' }).click();

  await choose(page, user.email, 'Sign out');
  await signIn.enter(user.email, user.password);
  await expect(page.getByText('Open your authenticator app and enter its code for Paydesk.')).toBeVisible();
  await expectAccessible(page, 'code of the app');
  await page.getByLabel('Code').fill(app.generate({ timestamp: Date.now() + 30_000 }));
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();

  await choose(page, user.email, 'Sign out');
  await signIn.enter(user.email, user.password);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await choose(page, user.email, 'Your account');
  await expect(page.getByText('Recovery codes left: 9')).toBeVisible();
  await expectAccessible(page, 'your account');
});
