import { expect } from 'vitest';
import { expectData, expectError, onAnyDatabase } from '../../support/server.ts';

interface SignedIn {
  token: string;
  refreshToken: string;
}
interface LoggedOut {
  loggedOut: boolean;
  sessionIds: string[];
}

onAnyDatabase('ends the session of the access token alone, and says what ended', async ({ api, credentials }) => {
  const tenant = { 'X-Tenant-ID': credentials.tenantId };
  const { adminEmail: email, adminPassword: password } = credentials;
  const login = () => expectData(api.bare.post<SignedIn>('/api/v1/auth/login', { email, password }, tenant));
  const [first, second] = [await login(), await login()];
  const me = (token: string) => api.bare.get('/api/v1/auth/me', { ...tenant, Authorization: `Bearer ${token}` });
  const logout = (body: object | undefined, token?: string) =>
    api.bare.post<LoggedOut>('/api/v1/auth/logout', body, token === undefined ? {} : { Authorization: `Bearer ${token}` });
  expect(await expectData(logout(undefined, first.token))).toEqual({ loggedOut: true, sessionIds: [expect.stringMatching(/^ses_/)] });
  await expectError(me(first.token), 401, 'TOKEN_INVALID');
  await expectError(api.bare.post('/api/v1/auth/refresh', { refreshToken: first.refreshToken }), 401, 'TOKEN_INVALID');
  await expectData(me(second.token));
  expect(await expectData(logout({ refreshToken: first.refreshToken }))).toEqual({ loggedOut: false, sessionIds: [] });
  expect(await expectData(logout({ refreshToken: first.refreshToken }, second.token))).toMatchObject({ loggedOut: true });
  await expectError(me(second.token), 401, 'TOKEN_INVALID');
  await expectError(logout({}), 401, 'UNAUTHORIZED');
  for (const token of ['forged', credentials.apiKey]) await expectError(logout({}, token), 401, 'TOKEN_INVALID');
});
