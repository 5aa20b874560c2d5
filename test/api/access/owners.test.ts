import { expect, test } from 'vitest';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

describeOnBothDatabases('owners', (fixture) => {
  const at = () => `/merchants/${fixture().credentials.merchantId}/users`;

  test('keeps the last owner, also when two owners remove each other in parallel', async () => {
    const { api } = fixture();
    const me = await expectData(api.admin.get<{ user: { userId: string } }>('/auth/me'));
    const refused = await expectError(api.admin.delete(`${at()}/${me.user.userId}`), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toEqual({ reason: 'last_owner' });
    await expectError(api.admin.put(`${at()}/${me.user.userId}`, { role: 'admin' }), 409, 'RESOURCE_CONFLICT');
    const second = await createUser(fixture(), 'owner');
    // An invited owner without a password does not count, because this owner cannot sign in.
    await expectData(api.admin.post(at(), { email: 'invited@demo.example', role: 'owner' }), 201);
    const answers = await Promise.all([
      api.admin.delete(`${at()}/${second.userId}`),
      api.bare.delete(`/api/v1${at()}/${me.user.userId}`, second.headers),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const stays = answers[0]?.status === 200 ? api.admin.get('/auth/me') : api.bare.get('/api/v1/auth/me', second.headers);
    await expectData(stays);
  });
});
