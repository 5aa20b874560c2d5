import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnAnyDatabase, expectData } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { type MailServer, startMailServer } from './fake-mail-server.ts';
import { advance, forget, messageTo, sent, setMailServer, settled } from './outbox.ts';

const DAY_SECONDS = 86_400;

let first: MailServer;
let second: MailServer;
beforeAll(async () => {
  [first, second] = await Promise.all([startMailServer(), startMailServer()]);
});
afterAll(async () => {
  await Promise.all([first.stop(), second.stop()]);
});

describeOnAnyDatabase('a change of the email channel', (fixture) => {
  test('notifies every owner through the previous server, and through the new one where there is no previous', async () => {
    const { api, credentials } = fixture();
    await forget(fixture(), 'email');
    const owner = await createUser(fixture(), 'owner');
    const admin = await createUser(fixture(), 'admin', { allMerchants: true });
    const notices = (server: MailServer, to: string) =>
      server.to(to).filter(({ subject }) => subject === 'The email settings of your Paydesk account were changed');
    // The databases share the mail servers and the administrator's address.
    const before = notices(first, credentials.adminEmail).length;
    const since = (to: string) => notices(first, to).length - (to === owner.email ? 0 : before);
    await setMailServer(api, first);
    for (const to of [owner.email, credentials.adminEmail]) await expect.poll(() => since(to)).toBe(1);
    await setMailServer(api, second);
    for (const to of [owner.email, credentials.adminEmail]) {
      await expect.poll(() => since(to)).toBe(2);
    }
    await forget(fixture(), 'email');
    await expect.poll(() => notices(second, owner.email).length).toBe(1);
    expect(notices(second, owner.email)[0]?.text).toContain(credentials.adminEmail);
    expect([...notices(first, admin.email), ...notices(second, admin.email)]).toEqual([]);
  });

  test('holds password links for 24 hours', async () => {
    const { api, credentials } = fixture();
    const path = `/merchants/${credentials.merchantId}/users`;
    const invite = async (email: string) => expectData(api.admin.post(path, { email, role: 'cashier' }), 201);
    const early = `early-${fixture().database}@demo.example`;
    const late = `late-${fixture().database}@demo.example`;
    await setMailServer(api, first);
    await invite(early);
    const held = await settled(api, early, ({ lastError }) => lastError !== null);
    expect(held).toMatchObject({ status: 'queued', attempts: 0, lastError: expect.stringContaining('changed less than 24 hours ago') });
    await advance(api, DAY_SECONDS - 3_600);
    expect(await messageTo(api, early)).toMatchObject({ status: 'queued' });
    expect(first.to(early)).toEqual([]);
    await advance(api, 3_700);
    expect(await sent(api, early)).toMatchObject({ attempts: 1 });
    await invite(late);
    await sent(api, late);
    expect(first.to(late)).toHaveLength(1);
    // A reset link is valid for an hour, so it expires while it is held.
    const user = await createUser(fixture(), 'cashier');
    await setMailServer(api, second);
    await expectData(api.bare.post('/api/v1/auth/forgot-password', { email: user.email }, { 'X-Tenant-ID': credentials.tenantId }));
    await settled(api, user.email, ({ lastError }) => lastError !== null);
    await advance(api, 3_700);
    expect(await messageTo(api, user.email)).toMatchObject({ status: 'expired' });
    expect(second.to(user.email)).toEqual([]);
    await forget(fixture(), 'email');
  });
});
