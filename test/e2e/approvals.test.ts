import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { TransactionsPage } from './pages/transactions-page.ts';
import { createPerson, giveReason, PIN, signInElsewhere, switchTo } from './people.ts';
import { actOn } from './record-actions.ts';

/** Waits for an approval of an amount below the bell of the header, and closes it again. */
async function expectInBell(page: Page, amount: string): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^To do: \d+$/ })
    .click();
  const list = page.getByRole('dialog', { name: 'To do' });
  await expect(list.locator('[data-to-do=approval]').filter({ hasText: amount })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
}

test('a manager approves voids by PIN and from another screen, and people switch at one workstation by PIN @full', async ({
  service,
  browser,
  faults,
}) => {
  faults.expect(/40[013]/);
  const api = await ApiSession.open(service);
  const [cashier, manager] = ['till@demo.example', 'boss@demo.example'];
  await createPerson(service, 'cashier', cashier);
  await createPerson(service, 'manager', manager);
  await api.put('/approvals/rules', { voidAfterMinutes: 0, personSeconds: 600, currentPassword: service.adminPassword });
  const page = await signInElsewhere(browser, service, cashier);
  const list = new TransactionsPage(page);
  const prompt = page.getByRole('dialog', { name: 'A second person must approve this' });
  const refund = async (amount: string) => {
    const { orderId } = await api.sell({ amount });
    await list.find(orderId);
    await page.keyboard.press('r');
    await expect(list.amount).toBeFocused();
    await page.keyboard.press('Enter');
    await giveReason(page, `Wrong size ${amount}`);
    await expect(prompt).toBeVisible();
  };

  await refund('81.00');
  await expect(prompt.getByLabel('PIN')).toBeFocused();
  await expectAccessible(page, 'approval prompt');
  await page.keyboard.type('1739');
  await page.keyboard.press('Enter');
  await expect(prompt).toContainText('The PIN is wrong.');
  await expect(prompt.getByLabel('PIN')).toBeFocused();
  await page.keyboard.type(PIN);
  await page.keyboard.press('Enter');
  await expect(list.drawer.getByText('Voided 81.00 USD. The customer isn’t charged.')).toBeVisible();
  await expect(list.drawer).toContainText(`approved by ${manager}`);

  // A cashier may not make unlinked credits.
  await list.action('More').click();
  await expect(page.getByRole('menuitem', { name: 'Rerun' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Credit the card' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  const second = await signInElsewhere(browser, service, manager);
  await refund('82.00');
  await expectInBell(second, '82.00');
  await second.keyboard.press('Control+Shift+A');
  const decision = second.getByRole('dialog', { name: 'Approve: Void?' });
  await expect(decision).toContainText(cashier);
  await expect(decision).toContainText('82.00');
  await expect(decision).toContainText('Wrong size 82.00');
  await expect(decision.getByRole('link')).toHaveText(/82\.00 USD$/);
  await expect(decision).toContainText(/Requests of this person that day\s*2: 163\.00/);
  await expectAccessible(second, 'decision');
  await second.keyboard.press('Control+Enter');
  await expect(list.drawer.getByText('Voided 82.00 USD. The customer isn’t charged.')).toBeVisible();

  await refund('83.00');
  await expectInBell(second, '83.00');
  await second.keyboard.press('Control+Shift+A');
  // The person who asked learns why, so a rejection needs a reason.
  await second.keyboard.press('Control+Backspace');
  await expect(decision.getByLabel('Reason for rejecting')).toBeFocused();
  await second.keyboard.type('No receipt');
  await second.keyboard.press('Control+Backspace');
  await expect(list.drawer).toContainText(`${manager} rejected this: No receipt`);
  await second.goto('/#/approvals');
  const row = second.getByRole('grid', { name: 'Approvals' }).getByRole('row').filter({ hasText: 'Rejected' });
  await expect(row).toContainText(cashier);
  await row.click();
  await expect(second.getByRole('dialog', { name: 'Approval' }).getByRole('link')).toHaveText(/83\.00 USD$/);
  await second.context().close();

  await page.goto('/#/transactions');
  await expect(list.drawer).toBeHidden();
  await switchTo(page, manager);
  await page.goto('/#/settings/profile');
  await expect(page.getByText('You took over this workstation with a PIN. To change settings', { exact: false })).toBeVisible();
  await page.keyboard.press('Control+L');
  await expect(page.getByLabel('PIN', { exact: true })).toBeFocused();
  await page.keyboard.type(PIN);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: `Signed in as ${manager}` })).toBeVisible();
  await api.put('/approvals/rules', { voidAfterMinutes: null, currentPassword: service.adminPassword });
  await page.context().close();
});

test('a cashier opens the drawer with the PIN of a manager, whose PIN the owner then removes', async ({ service, browser, signedIn }) => {
  const api = await ApiSession.open(service);
  const [cashier, manager] = ['drawer-till@demo.example', 'drawer-boss@demo.example'];
  await createPerson(service, 'cashier', cashier);
  await createPerson(service, 'manager', manager);
  await createPerson(service, 'manager', 'drawer-bell@demo.example');
  await api.put('/approvals/rules', { drawerOpening: true, personSeconds: 600, currentPassword: service.adminPassword });
  const page = await signInElsewhere(browser, service, cashier);
  await page.keyboard.press('Control+o');
  await expect(page.getByRole('dialog').getByLabel('Reason')).toBeFocused();
  await page.keyboard.type('Notes for change');
  await page.keyboard.press('Enter');
  const prompt = page.getByRole('dialog', { name: 'A second person must approve this' });
  await expect(prompt).toContainText('Opening the drawer without a sale needs two people.');
  await prompt.getByLabel('Approver').press('Enter');
  // Addresses of others are masked for people who may not see users, and stay different.
  await expect(page.getByRole('option', { name: 'drawer-be***@demo.example' })).toBeVisible();
  await page.getByRole('option', { name: 'drawer-bo***@demo.example' }).press('Enter');
  await prompt.getByLabel('PIN').fill(PIN);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Opening of Drawer 1 recorded')).toBeVisible();
  await page.context().close();
  await api.put('/approvals/rules', { drawerOpening: false, currentPassword: service.adminPassword });

  await signedIn.goto('/#/users');
  await signedIn.getByRole('row', { name: new RegExp(manager) }).click();
  await actOn(signedIn.getByRole('dialog', { name: 'User' }), 'Remove PIN');
  await expect(signedIn.getByText('Use this if others know the PIN.', { exact: false })).toBeVisible();
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByText('PIN removed.')).toBeVisible();
  await expect(signedIn.getByRole('button', { name: 'Remove PIN' })).toBeHidden();
});

test('asks before unsaved rules of the merchant are left for those of the account @full', async ({ signedIn }) => {
  await signedIn.goto('/#/settings/approvals');
  await signedIn.getByLabel('Credits without an original payment').press('Space');
  await expect(signedIn.getByText('1 change', { exact: true })).toBeVisible();
  await signedIn.getByRole('button', { name: 'Whole account' }).press('Enter');
  const leave = signedIn.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(leave).toContainText('One change is not saved.');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByLabel('Changes of access need two people')).toBeVisible();
  await expect(signedIn.getByRole('button', { name: 'Save' })).toHaveCount(1);
});
