import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, type Person, setPin, setRules, type Waiting } from '../../support/approvals.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, expectData, expectError, startTestServer } from '../../support/server.ts';

const PIN = '481627';

/** An account in which changes of access need two people, and an admin who wants to act as another one. */
describe.each(ANY_DATABASE)('changes of access that need two people (%s)', (database) => {
  let fixture: ApiFixture;
  let stop: () => Promise<void>;
  let admin: Person;
  let other: Person;
  let clerk: Person;
  let users: string;

  beforeAll(async () => {
    const started = await startTestServer(database, {}, 'small');
    stop = started.stop;
    const { baseUrl, credentials } = started.server;
    if (credentials === undefined) throw new Error('The server has demo credentials.');
    fixture = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
    users = `/merchants/${credentials.merchantId}/users`;
    admin = await createPerson(fixture, 'admin');
    other = await createPerson(fixture, 'admin');
    clerk = await createPerson(fixture, 'cashier', credentials.merchantId);
    await setPin(other, PIN);
    await expectData(other.as.put('/auth/two-factor', { enabled: true, currentPassword: other.password }));
    await setRules(fixture, { accessChanges: true, personSeconds: 86_400 });
  });
  afterAll(() => stop());

  test('wait for an approval wherever one person could act as another', async () => {
    const confirmed = { currentPassword: admin.password };
    for (const attempt of [
      admin.as.post(`${users}/${other.userId}/invite`, {}),
      admin.as.post(`${users}/${clerk.userId}/invite`, {}),
      admin.as.delete(`${users}/${other.userId}/two-factor`, {}, confirmed),
      admin.as.delete(`${users}/${other.userId}/pin`),
      admin.as.put(`${users}/${other.userId}`, { phone: '+12075550142' }),
      admin.as.put(`${users}/${clerk.userId}`, { role: 'admin' }),
      admin.as.put(`${users}/${other.userId}`, { allMerchants: false }),
      admin.as.post(`/users/${clerk.userId}/permissions`, { permissions: ['users'] }),
      admin.as.delete(`${users}/${clerk.userId}`),
      admin.as.post(users, { email: 'third@demo.example', role: 'admin' }),
    ]) {
      const waiting = await expectData(attempt as Promise<never>, 202);
      expect(waiting).toMatchObject({ approvalRequired: true });
    }
    await expectData(admin.as.put(`${users}/${other.userId}`, { name: 'Another name' }));
  });

  test('refuse a password that the creator of a user would know', async () => {
    const body = { email: 'known@demo.example', role: 'admin', password: 'a password of the creator' };
    await expectError(admin.as.post(users, body), 403, 'PERMISSION_DENIED');
  });

  test('show the approved password link of an approver to nobody, and that of other people to the requester', async () => {
    const approved = async (person: Person) => {
      const { approvalId } = await expectData(admin.as.post<Waiting>(`${users}/${person.userId}/invite`, {}), 202);
      await expectData(other.as.post(`/approvals/${approvalId}/approve`, {}));
      const approval = await expectData(admin.as.get<{ result: { data: { inviteUrl?: string } } | null }>(`/approvals/${approvalId}`));
      return JSON.stringify(approval);
    };
    expect(await approved(clerk)).toContain('set-password?token=');
    expect(await approved(other)).not.toContain('set-password?token=');
    const { bare } = fixture.api;
    await expectData(bare.post('/api/v1/auth/forgot-password', { email: other.email }, { 'X-Tenant-ID': fixture.credentials.tenantId }));
    await expectData(bare.post('/api/v1/auth/forgot-password', { email: clerk.email }, { 'X-Tenant-ID': fixture.credentials.tenantId }));
    for (const path of ['/sandbox/messages?limit=200', '/notifications/messages?limit=200']) {
      const messages = await expectData(admin.as.get<{ to: string; body: string }[]>(path));
      for (const person of [other, clerk]) {
        const ofPerson = messages.filter(({ to }) => to === person.email);
        expect(ofPerson.length).toBeGreaterThan(0);
        expect(JSON.stringify(ofPerson)).not.toContain('set-password?token=');
      }
    }
  });
});
