import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { PayPage } from './pages/pay-page.ts';

const PHONE = { width: 360, height: 640 };

test('creates an update link of a past due subscription by keyboard, and the customer saves a new card with it by keyboard @full', async ({
  signedIn: page,
  service,
  context,
  strokes,
}) => {
  const api = await ApiSession.open(service);
  const { customerId } = await api.post<{ customerId: string }>('/customers', { firstName: 'Nora', lastName: `Update${process.pid}` });
  const card = { number: '4000000000000002', expiryMonth: '12', expiryYear: '2039' };
  await api.post(`/customers/${customerId}/payment-methods`, { card });
  const plan = { customerId, amount: '25.00', frequency: 'monthly' };
  const { subscriptionId } = await api.post<{ subscriptionId: string }>('/recurring', plan);
  await page.goto(`/#/recurring/${subscriptionId}`);
  const drawer = page.getByRole('dialog', { name: 'Subscription' });
  await expect(drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await strokes.reset();
  await page.keyboard.press('l');
  await expect(drawer.getByRole('button', { name: 'Create link' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(drawer.getByText('Copy link')).toBeFocused();
  await expectAccessible(page, 'a created link');
  const url =
    (await drawer
      .getByText(/\/card\//)
      .first()
      .textContent()) ?? '';
  const customer = await context.newPage();
  await customer.setViewportSize(PHONE);
  await customer.goto(new URL(url).pathname);
  await expect(customer.getByText('replaces your Visa ending 0002')).toBeVisible();
  await expectAccessible(customer, 'the page to update a card');
  const form = new PayPage(customer);
  await form.typeInto({ number: '5555555555554444', expiry: '1239' });
  await expect(form.field('number')).toHaveValue('5555 5555 5555 4444');
  await customer.keyboard.press('Enter');
  await expect(customer.getByRole('heading', { name: 'Card saved. Thank you.' })).toBeVisible();
  await expect(drawer.getByText('Active', { exact: true })).toBeVisible();
  expect(strokes.clicks()).toBe(0);
});
