import { type ApiFixture, expectData } from './server.ts';

export interface SignedInUser {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly refreshToken: string;
  readonly headers: Record<string, string>;
}

export interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

let made = 0;

export function signInAs({ api }: ApiFixture, email: string, password: string, tenantId: string): Promise<Tokens> {
  return expectData(api.bare.post<Tokens>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId }));
}

/** Creates a user of the demo tenant and signs it in. */
export async function createUser(
  fixture: ApiFixture,
  role: string,
  more: Record<string, unknown> = {},
  merchantId?: string,
): Promise<SignedInUser> {
  const { api, credentials } = fixture;
  made += 1;
  const email = `${role.toLowerCase().replace(/[^a-z]/g, '')}${made}@demo.example`;
  const password = `a long password ${made}`;
  const path = `/merchants/${merchantId ?? credentials.merchantId}/users`;
  const { userId } = await expectData(api.admin.post<{ userId: string }>(path, { email, role, password, ...more }), 201);
  const { token, refreshToken } = await signInAs(fixture, email, password, credentials.tenantId);
  const headers = { 'X-Tenant-ID': credentials.tenantId, Authorization: `Bearer ${token}` };
  return { userId, email, password, token, refreshToken, headers };
}
