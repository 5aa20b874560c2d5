import { expect, test } from 'vitest';
import { type ApiFixture, DATABASES, describeOnSmallData, expectData } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { createUser, type SignedInUser } from '../../support/users.ts';
import { openPage, pathOf } from '../pages/pay-page-client.ts';
import { confirmed, linkTo, newCustomer, type PageLinkRecord, submit } from './customer-page-client.ts';

type Link = PageLinkRecord & { revokedBy: string | null; createdBy: string };

const linkBy = (service: ApiFixture, { headers }: Pick<SignedInUser, 'headers'>, customerId: string) =>
  service.api.bare.post<Link>(`/api/v1/customers/${customerId}/page-links`, {}, headers);
const statusOf = async (service: ApiFixture, { url }: PageLinkRecord) => (await openPage(service, pathOf(url))).status;
const linksOf = ({ api }: ApiFixture, customerId: string) => expectData(api.admin.get<Link[]>(`/customers/${customerId}/page-links`));

describeOnSmallData('links to customer pages after their creator lost access', DATABASES, (fixture, inFull) => {
  test('are revoked with their sessions when the person is removed, and those of others stay', async () => {
    const service = fixture();
    const { api, credentials } = service;
    const [customer, other] = [await newCustomer(service), await newCustomer(service)];
    const thief = await createUser(service, 'manager');
    const made = await expectData(linkBy(service, thief, customer.customerId), 201);
    const second = await expectData(linkBy(service, thief, other.customerId), 201);
    const kept = await linkTo(service, customer.customerId);
    const path = pathOf(made.url);
    const { headers, key } = await confirmed(service, path, String(customer.email));
    await expectData(api.admin.delete(`/merchants/${credentials.merchantId}/users/${thief.userId}`));
    expect([await statusOf(service, made), await statusOf(service, second), await statusOf(service, kept)]).toEqual([410, 410, 200]);
    expect((await submit(service, `${path}/end`, [['key', key]], headers)).status).toBe(410);
    const links = await linksOf(service, customer.customerId);
    expect(links.map(({ linkId, status, revokedBy }) => [linkId, status, revokedBy])).toEqual([
      [kept.linkId, 'open', null],
      [made.linkId, 'revoked', credentials.adminEmail],
    ]);
    const [entry] = await expectData(
      api.admin.get<{ resource: string; after: object }[]>('/audit-logs?action=customer_page.links_revoked&limit=1'),
    );
    expect(entry).toMatchObject({ resource: `users/${thief.userId}`, after: { revoked: 2 } });
  });

  test('are revoked when the person may make none any more, at all or for this merchant, and stay with more rights', inFull, async () => {
    const service = fixture();
    const { api, credentials } = service;
    const merchantId = await createMerchant(service, { name: 'Elsewhere' });
    const { customerId } = await newCustomer(service);
    const after = async (
      change: object,
      { rights = {}, at = credentials.merchantId }: { rights?: Record<string, unknown>; at?: string } = {},
    ) => {
      const user = await createUser(service, 'manager', rights);
      const link = await expectData(linkBy(service, user, customerId), 201);
      await expectData(api.admin.put(`/merchants/${at}/users/${user.userId}`, change));
      return statusOf(service, link);
    };
    expect(await after({ permissions: ['customers:read'] })).toBe(410);
    expect(await after({ role: 'viewer' })).toBe(410);
    expect(await after({ allMerchants: false }, { rights: { allMerchants: true }, at: merchantId })).toBe(410);
    expect(await after({ allMerchants: false }, { rights: { allMerchants: true } })).toBe(200);
    expect(await after({ role: 'admin' })).toBe(200);
    expect(await after({ name: 'Ben' })).toBe(200);
  });

  test('are not left behind by requests that are sent during the removal', inFull, async () => {
    const service = fixture();
    const { api, credentials } = service;
    const { customerId } = await newCustomer(service);
    const thief = await createUser(service, 'manager');
    await linkBy(service, thief, customerId);
    const removal = api.admin.delete(`/merchants/${credentials.merchantId}/users/${thief.userId}`);
    const answers = await Promise.all([...Array.from({ length: 10 }, () => linkBy(service, thief, customerId)), removal]);
    expect(answers.at(-1)?.status).toBe(200);
    expect(answers.slice(0, -1).filter(({ status }) => status !== 201 && status !== 401)).toEqual([]);
    expect((await linksOf(service, customerId)).filter(({ status }) => status === 'open')).toEqual([]);
  });
});
