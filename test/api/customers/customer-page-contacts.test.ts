import { expect, test } from 'vitest';
import { storeCard } from '../../support/customers.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { advanceClock } from '../../support/webhooks.ts';
import { openPage, submitForm } from '../pages/pay-page-client.ts';
import { confirmed, pageWithInvoices, requestCode, submit } from './customer-page-client.ts';

const DAY = 86_400;

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `moved-${addresses}-${Date.now().toString(36)}@customer.example`;
};

const change = ({ api }: ApiFixture, customerId: string, fields: object) => expectData(api.admin.put(`/customers/${customerId}`, fields));

const messagesTo = async ({ api }: ApiFixture, address: string) => {
  const messages = await expectData(api.admin.get<{ to: string; body: string }[]>('/sandbox/messages?limit=200'));
  return messages.filter(({ to }) => to === address).map(({ body }) => body);
};

describeOnAnyDatabase('changed addresses of the page of a customer', (fixture) => {
  test('accepts no code that was sent to a former address', async () => {
    const service = fixture();
    for (const fields of [{ email: newAddress() }, { email: null }]) {
      const { customer, path, email } = await pageWithInvoices(service, []);
      const sent = await requestCode(service, path, email);
      await change(service, customer.customerId, fields);
      const answer = await submitForm(service, `${path}/confirm`, sent);
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([409, null]);
      expect(answer.text).toContain('was changed after the code was sent');
    }
  });

  test('opens no session that outlives a change of the address, in ten attempts in parallel', async () => {
    const service = fixture();
    for (let nth = 0; nth < 10; nth += 1) {
      const { customer, path, email } = await pageWithInvoices(service, []);
      const sent = await requestCode(service, path, email);
      const [answer] = await Promise.all([
        submitForm(service, `${path}/confirm`, sent),
        change(service, customer.customerId, { email: newAddress() }),
      ]);
      const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
      expect((await openPage(service, path, { cookie })).text).not.toContain('name="key"');
    }
  });

  test('ends sessions when the email address or the phone number changes, and keeps them otherwise', async () => {
    const service = fixture();
    for (const [fields, isKept] of [
      [{ email: newAddress() }, false],
      [{ phone: '+15555550142' }, false],
      [{ notes: 'Prefers the morning.' }, true],
    ] as const) {
      const { customer, path, email } = await pageWithInvoices(service, []);
      const card = await storeCard(service, customer.customerId);
      const { headers, key } = await confirmed(service, path, email);
      await change(service, customer.customerId, fields);
      const answer = await submit(service, `${path}/change/remove/${card.paymentMethodId}`, [['key', key]], headers);
      expect(answer.status).toBe(isKept ? 303 : 403);
    }
  });

  test('sends no code to an address for 24 hours after it was changed, and says why', async () => {
    const service = fixture();
    const { customer, path, email } = await pageWithInvoices(service, []);
    const address = newAddress();
    await change(service, customer.customerId, { email: address });
    const refused = await submit(service, `${path}/code`, []);
    expect(refused.status).toBe(409);
    for (const { text } of [refused, await openPage(service, path)]) {
      expect(text).toContain('was changed less than 24 hours ago');
      expect(text).not.toContain('Send a code');
    }
    expect((await messagesTo(service, address)).filter((body) => /code for/.test(body))).toEqual([]);
    const notices = await messagesTo(service, email);
    expect(notices.filter((body) => body.includes('changed the email address or phone number'))).toHaveLength(1);
    expect(notices.join()).not.toContain(address);
    await advanceClock(service, DAY + 60);
    expect((await confirmed(service, path, address)).key).not.toBe('');
  });

  test('sends codes to the phone number that stays while the email address is new', async () => {
    const service = fixture();
    const phone = '+15555550143';
    const { customer, path } = await pageWithInvoices(service, [], { phone });
    await change(service, customer.customerId, { email: newAddress() });
    expect((await openPage(service, path)).text).toContain('•••43');
    expect((await requestCode(service, path, phone)).code).toMatch(/^\d{6}$/);
  });

  test('sends no code to the first address of a customer for 24 hours, if staff add it later', async () => {
    const service = fixture();
    const { customer, path } = await pageWithInvoices(service, [], { email: null });
    await change(service, customer.customerId, { email: newAddress() });
    expect((await submit(service, `${path}/code`, [])).status).toBe(409);
  });
});
