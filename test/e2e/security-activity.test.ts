import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('an owner sees failed sign-ins under System → Security activity and filters them @full', async ({ signedIn: page, service }) => {
  const email = 'owner-activity@demo.example';
  const answer = await fetch(`${service.baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'X-Tenant-ID': service.tenantId, 'Content-Type': 'application/json', 'User-Agent': 'Guesser/1' },
    body: JSON.stringify({ email, password: 'a wrong password' }),
  });
  expect(answer.status).toBe(401);
  // Wide enough for the column of devices.
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto('/#/system');
  await page.getByRole('tab', { name: 'Security activity' }).click();
  const table = page.getByRole('grid', { name: 'Security activity' });
  await expect(table.getByRole('row').filter({ hasText: 'Guesser/1' }).first()).toContainText('Wrong credentials');
  await expect(table.getByRole('row').filter({ hasText: 'Signed in' }).first().locator('[data-field=details]')).toHaveText(/^Kind: /);
  await page.getByRole('button', { name: 'Kind' }).click();
  await page.getByRole('menuitemradio', { name: 'Failed sign-in' }).click();
  await expect(table.getByRole('row').filter({ hasText: 'Guesser/1' })).toHaveCount(1);
  await expect(table.getByRole('row').filter({ hasText: 'Signed in' })).toHaveCount(0);
  await expectAccessible(page, 'security activity');
});
