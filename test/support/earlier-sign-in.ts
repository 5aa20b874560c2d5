import { vi } from 'vitest';
import { type ApiFixture, expectData } from './server.ts';
import type { SignedInUser, Tokens } from './users.ts';

/** Runs with the real time of this process, and so of its server, moved ahead. */
export async function later<Result>(minutes: number, run: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
  try {
    return await run();
  } finally {
    vi.useRealTimers();
  }
}

/** Refreshes the session of a user and returns the headers of its new access token. */
export async function refreshed({ api, credentials }: ApiFixture, { refreshToken }: SignedInUser): Promise<Record<string, string>> {
  const { token } = await expectData(api.bare.post<Tokens>('/api/v1/auth/refresh', { refreshToken }));
  return { 'X-Tenant-ID': credentials.tenantId, Authorization: `Bearer ${token}` };
}
