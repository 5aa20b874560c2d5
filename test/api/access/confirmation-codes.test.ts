import { TOTP } from 'otpauth';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Answer, type ApiFixture, describeOnAnyDatabase, expectData, expectError, FULL } from '../../support/server.ts';
import { createUser, type SignedInUser, signInAs } from '../../support/users.ts';

const PARALLEL = 8;

// The server runs in this process, so that its real time can be moved.
const startedAt = Date.now();
let elapsed = 0;
const wait = (seconds: number) => {
  elapsed += seconds;
  vi.useFakeTimers({ toFake: ['Date'], now: startedAt + elapsed * 1_000 });
};
beforeEach(() => wait(31));
afterEach(() => {
  vi.useRealTimers();
});

/** A code of the app; a new one each time, because each works once. */
function nextCode(secret: string): string {
  wait(30);
  return new TOTP({ secret }).generate();
}

interface UserWithApp {
  readonly user: SignedInUser;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

async function withApp(fixture: ApiFixture, role = 'admin'): Promise<UserWithApp> {
  const { bare } = fixture.api;
  const user = await createUser(fixture, role);
  const enrollment = bare.post<{ secret: string }>('/api/v1/auth/two-factor/totp', { currentPassword: user.password }, user.headers);
  const { secret } = await expectData(enrollment);
  const path = '/api/v1/auth/two-factor/totp/confirm';
  const { recoveryCodes } = await expectData(bare.post<{ recoveryCodes: string[] }>(path, { code: nextCode(secret) }, user.headers));
  return { user, secret, recoveryCodes };
}

type Confirmed = (more: object, index: number) => Promise<Answer<unknown>>;
let names = 0;

/** Operations that require the password and a code. */
function operationsOf({ api: { bare }, credentials: { merchantId } }: ApiFixture, { user }: UserWithApp): Record<string, Confirmed> {
  const currentPassword = user.password;
  return {
    'enrolls another app': (code) => bare.post('/api/v1/auth/two-factor/totp', { currentPassword, ...code }, user.headers),
    'changes the password': (code, index) =>
      bare.put('/api/v1/auth/password', { currentPassword, newPassword: `another long password ${index}`, ...code }, user.headers),
    'replaces the recovery codes': (code) =>
      bare.post('/api/v1/auth/two-factor/recovery-codes', { currentPassword, ...code }, user.headers),
    'turns the second factor off': (code) =>
      bare.put('/api/v1/auth/two-factor', { currentPassword, enabled: false, ...code }, user.headers),
    'creates an API key': (code) =>
      bare.post('/api/v1/api-keys', { name: `key ${++names}`, scope: 'merchant', merchantId, currentPassword, ...code }, user.headers),
  };
}
const OPERATIONS = Object.keys(operationsOf({ api: {}, credentials: {} } as ApiFixture, { user: {} } as UserWithApp));
/** Operations of `npm test`; the full tier confirms all. */
const EVERY_DAY = ['creates an API key', 'turns the second factor off'];
const isAccepted = ({ status }: { status: number }) => status === 200 || status === 201;

describeOnAnyDatabase('a code of an authenticator app that confirms an operation', (fixture) => {
  const confirmOnce = async (name: string) => {
    for (const kind of ['app', 'recovery-code'] as const) {
      const withCodes = await withApp(fixture());
      const operation = operationsOf(fixture(), withCodes)[name] as Confirmed;
      const currentCode = kind === 'app' ? nextCode(withCodes.secret) : withCodes.recoveryCodes[0];
      const answers = await Promise.all(Array.from({ length: PARALLEL }, (_, index) => operation({ currentCode }, index)));
      const accepted = answers.filter(isAccepted).length;
      // A request that is handled after the first one has ended needs no code any more.
      if (name === 'turns the second factor off') expect(accepted).toBeGreaterThan(0);
      else expect(accepted, name).toBe(1);
      for (const answer of answers.filter((each) => !isAccepted(each)))
        await expectError(answer, 400, 'VALIDATION_ERROR', name === 'changes the password' ? undefined : 'currentCode');
      if (name === 'turns the second factor off' || name === 'changes the password') continue;
      await expectError(operation({ currentCode }, PARALLEL), 400, 'VALIDATION_ERROR', 'currentCode');
    }
  };
  test.each(EVERY_DAY)('%s once with a code, in parallel and again', confirmOnce);
  test.each(OPERATIONS.filter((name) => !EVERY_DAY.includes(name)))('%s once with a code, in parallel and again', FULL, confirmOnce);

  test('refuses the code of one operation for another, and for a sign-in', async () => {
    const { api, credentials } = fixture();
    const withCodes = await withApp(fixture());
    const operations = operationsOf(fixture(), withCodes);
    const currentCode = nextCode(withCodes.secret);
    await expectData(operations['creates an API key']?.({ currentCode }, 0) as Promise<Answer<unknown>>, 201);
    for (const name of OPERATIONS)
      await expectError(operations[name]?.({ currentCode }, 0) as Promise<Answer<unknown>>, 400, 'VALIDATION_ERROR', 'currentCode');
    const { user } = withCodes;
    const { otpId } = (await signInAs(fixture(), user.email, user.password, credentials.tenantId)) as unknown as { otpId: string };
    await expectError(api.bare.post('/api/v1/auth/verify-otp', { otpId, code: currentCode }), 400, 'VALIDATION_ERROR', 'code');
  });

  test('confirms a new app once for parallel requests, and then refuses its first code', async () => {
    const { bare } = fixture().api;
    const withCodes = await withApp(fixture());
    const { user, secret } = withCodes;
    const currentPassword = user.password;
    const enrollment = { currentPassword, currentCode: nextCode(secret) };
    const next = await expectData(bare.post<{ secret: string }>('/api/v1/auth/two-factor/totp', enrollment, user.headers));
    const code = new TOTP({ secret: next.secret }).generate();
    const confirm = () => bare.post<{ recoveryCodes: string[] }>('/api/v1/auth/two-factor/totp/confirm', { code }, user.headers);
    const answers = await Promise.all(Array.from({ length: PARALLEL }, confirm));
    expect(answers.filter(isAccepted)).toHaveLength(1);
    await expectError(confirm(), 409, 'RESOURCE_CONFLICT');
    const operation = operationsOf(fixture(), withCodes)['creates an API key'] as Confirmed;
    await expectError(operation({ currentCode: code }, 0), 400, 'VALIDATION_ERROR', 'currentCode');
    await expectError(operation({ currentCode: nextCode(secret) }, 0), 400, 'VALIDATION_ERROR', 'currentCode');
    await expectData(operation({ currentCode: nextCode(next.secret) }, 0), 201);
  });

  test('changes a password once for parallel requests with the former one', async () => {
    const { bare } = fixture().api;
    const user = await createUser(fixture(), 'cashier');
    const change = (index: number) =>
      bare.put('/api/v1/auth/password', { currentPassword: user.password, newPassword: `another long password ${index}` }, user.headers);
    const answers = await Promise.all(Array.from({ length: PARALLEL }, (_, index) => change(index)));
    expect(answers.filter(isAccepted)).toHaveLength(1);
    for (const answer of answers.filter((each) => !isAccepted(each))) await expectError(answer, 400, 'VALIDATION_ERROR', 'currentPassword');
    const accepted = answers.findIndex(isAccepted);
    const { credentials } = fixture();
    expect(await signInAs(fixture(), user.email, `another long password ${accepted}`, credentials.tenantId)).toHaveProperty('token');
  });
});
