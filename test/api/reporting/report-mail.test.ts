import { expect, test } from 'vitest';
import { createPerson } from '../../support/approvals.ts';
import { type ApiFixture, describeOnBothDatabases, expectData, expectError, type Surface } from '../../support/server.ts';
import { createMerchant, sell } from '../../support/settlements.ts';

interface Sent {
  readonly messageId: string;
}
interface MessageRecord extends Sent {
  readonly to: string;
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
}

let sent = 0;
/** Returns an address of its own, because messages to an address are counted. */
function addressOf(name: string): string {
  sent += 1;
  return `${name}${sent}@books.example`;
}
const mail = (as: Surface, body: object) => as.post<Sent>('/reporting/email', { email: addressOf('owner'), ...body });
const messageOf = (as: Surface, messageId: string) => as.get<MessageRecord>(`/notifications/messages/${messageId}`);

async function shopWithSale(service: ApiFixture) {
  const merchantId = await createMerchant(service, { name: 'Harbor Books' });
  await sell(service, merchantId, 40);
  return {
    merchantId,
    manager: await createPerson(service, 'manager', merchantId),
    cashier: await createPerson(service, 'cashier', merchantId),
  };
}

describeOnBothDatabases('reports by email', (fixture) => {
  test('sends each report with its filters and totals, and records it', async () => {
    const { merchantId, manager } = await shopWithSale(fixture());
    const textOf = async (body: object) => {
      const { messageId } = await expectData(mail(manager.as, { merchantId, ...body }));
      return expectData(messageOf(manager.as, messageId));
    };
    const revenue = await textOf({ report: 'revenue', groupBy: 'month' });
    expect(revenue).toMatchObject({ kind: 'report', subject: expect.stringMatching(/^Revenue \d{4}-\d\d-\d\d to /) });
    expect(revenue.body).toMatch(
      /^Report "Revenue" of Harbor Books from .*, in USD\.\n\n(?:.*: sales .*\n)+\nTotal: sales 1, gross 40\.00, refunds 0\.00, /,
    );
    expect((await textOf({ report: 'transactions' })).body).toContain('Total: payments 1, approved 1, declined 0');
    expect((await textOf({ report: 'refunds' })).body).toContain('Total: refunds 0, amount 0.00');
    expect((await textOf({ report: 'declines' })).body).toContain('There is nothing to report in this period.\n\nTotal: 0');
    expect((await textOf({ report: 'items' })).body).toContain('Total: sales 0, amount 0.00');
    expect((await textOf({ report: 'gift-cards', groupBy: 'week' })).body).toContain('owed at the end 0.00');
    const entries = await expectData(
      fixture().api.admin.get<{ action: string; after: object }[]>('/audit-logs?resource=reporting/revenue'),
    );
    expect(entries[0]).toMatchObject({ action: 'report.sent', after: { to: revenue.to } });
  });

  test('has at most 200 lines, and says how many there are', async () => {
    const { merchantId, manager } = await shopWithSale(fixture());
    const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const { messageId } = await expectData(mail(manager.as, { merchantId, report: 'revenue', ...days }));
    const { body } = await expectData(messageOf(manager.as, messageId));
    expect(body.match(/: sales /g)).toHaveLength(201);
    expect(body).toContain('and 165 more. The report in Paydesk contains all lines.');
  });

  test('refuses cashiers, viewers, keys and people of other merchants, and shows and sends them nothing', async () => {
    const { api } = fixture();
    const { merchantId, manager, cashier } = await shopWithSale(fixture());
    const other = await createPerson(fixture(), 'manager', await createMerchant(fixture()));
    const viewer = await createPerson(fixture(), 'viewer', merchantId);
    const request = { merchantId, report: 'revenue' };
    for (const person of [cashier, viewer]) await expectError(mail(person.as, request), 403, 'PERMISSION_DENIED');
    await expectError(mail(other.as, request), 403, 'MERCHANT_NOT_AUTHORIZED');
    expect((await api.public.post('/reporting/email', { ...request, email: addressOf('key') })).status).toBe(404);

    const { messageId } = await expectData(mail(manager.as, request));
    const { to, ...seen } = await expectData(messageOf(cashier.as, messageId));
    expect(seen).toMatchObject({ kind: 'report', body: '' });
    const listed = await cashier.as.get<MessageRecord[]>(`/notifications/messages?kind=report`);
    expect(listed.body.data.map(({ body }) => body)).toEqual(['']);
    expect(listed.text).not.toContain('gross');
    await expectError(messageOf(other.as, messageId), 403, 'MERCHANT_NOT_AUTHORIZED');
    const resend = (as: Surface, body: object) => as.post(`/notifications/messages/${messageId}/resend`, body);
    for (const body of [{}, { to: addressOf('cashier') }]) await expectError(resend(cashier.as, body), 403, 'PERMISSION_DENIED');
    const stolen = await expectError(resend(manager.as, { to: addressOf('stranger') }), 409, 'RESOURCE_CONFLICT');
    expect(stolen.details).toMatchObject({ reason: 'address_on_file' });
    expect((await expectData(messageOf(manager.as, messageId))).to).toBe(to);
  });

  test('hides the text of a funding report from cashiers, too', async () => {
    const { merchantId, manager, cashier } = await shopWithSale(fixture());
    const { messageId } = await expectData(
      manager.as.post<Sent>('/settlement/funding-report/email', { merchantId, email: addressOf('funding') }),
    );
    expect((await expectData(messageOf(cashier.as, messageId))).body).toBe('');
    expect((await expectData(messageOf(manager.as, messageId))).body).toContain('Settlements of Harbor Books');
  });

  test('refuses addresses, reports and groupings that do not exist', async () => {
    const { merchantId, manager } = await shopWithSale(fixture());
    const request = { merchantId, report: 'revenue' };
    await expectError(mail(manager.as, { ...request, email: 'nobody' }), 400, 'INVALID_EMAIL', 'email');
    await expectError(mail(manager.as, { ...request, email: 'a@b.example, c@d.example' }), 400, 'INVALID_EMAIL', 'email');
    await expectError(mail(manager.as, { ...request, report: 'ledger' }), 400, 'VALIDATION_ERROR', 'report');
    await expectError(mail(manager.as, { ...request, report: 'gift-cards', groupBy: 'brand' }), 400, 'VALIDATION_ERROR', 'groupBy');
    await expectError(mail(manager.as, { ...request, startDate: '2000-01-01' }), 400, 'VALIDATION_ERROR');
  });
});
