import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER_PERMISSIONS } from '#core/kernel';
import { ANY_DATABASE, sized, startTestServer } from '../../support/server.ts';

type Sent = Record<string, string>;

/** A credential of a non-owner, which calls operations. */
interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
  readonly headers: Sent;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of all identity operations.
  readonly data: any;
}

interface Account {
  userId: string;
  email: string;
  phone: string | null;
  role: string;
  permissions: string[];
}

const OPERATIONS = [
  'create user',
  'change user',
  'change oneself',
  'set permissions',
  'invite',
  'remove user',
  'create role',
  'change role',
  'create key',
  'change key',
  'request password link',
  'read messages',
  'change message channel',
  'revoke session',
] as const;

const step = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  who: fc.nat(30),
  whom: fc.nat(30),
  role: fc.oneof({ weight: 1, arbitrary: fc.constant('owner') }, { weight: 2, arbitrary: fc.constantFrom('admin', 'manager', 'own') }),
  permissions: fc.subarray([...OWNER_PERMISSIONS, 'owner', 'users', 'roles:write', 'notifications', 'settings:write', 'audit:read'], {
    minLength: 1,
    maxLength: 2,
  }),
  everywhere: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Every operation by an admin against an owner, so that each of them is always tested. */
const EVERYTHING: readonly Step[] = OPERATIONS.map((operation) => ({
  operation,
  who: 0,
  whom: 0,
  role: 'owner',
  permissions: ['owner:users'],
  everywhere: true,
}));

describe.each(ANY_DATABASE)('identity operations by non-owners (%s)', (database) => {
  let started: Awaited<ReturnType<typeof startTestServer>>;
  let owner: Caller;
  let victim: Caller;
  let requests = 0;
  let names = 0;
  const outcomes = { accepted: 0, refused: 0 };

  /** Sends a request from its own address, because sign-ins are limited per address. */
  async function ask(headers: Sent, method: string, path: string, body?: object): Promise<Answer> {
    requests += 1;
    const response = await fetch(`${started.server.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        ...headers,
        'X-Forwarded-For': `10.1.${requests >> 8}.${requests & 255}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, data: JSON.parse(text).data };
  }

  const tenant = () => ({ 'X-Tenant-ID': started.server.credentials?.tenantId ?? '' });
  const users = () => `/merchants/${started.server.credentials?.merchantId}/users`;

  async function signIn(userId: string, email: string, password: string): Promise<Caller | undefined> {
    const { status, data } = await ask(tenant(), 'POST', '/auth/login', { email, password });
    if (status !== 200 || data.token === undefined) return undefined;
    return { userId, email, password, headers: { ...tenant(), Authorization: `Bearer ${data.token}` } };
  }

  async function newCaller(role: string, everywhere: boolean): Promise<Caller> {
    names += 1;
    const [email, password] = [`caller${names}@demo.example`, `a long password ${names}`];
    const { data } = await ask(owner.headers, 'POST', users(), { email, role, password, allMerchants: everywhere });
    const caller = await signIn(data.userId, email, password);
    if (!caller) throw new Error(`The new ${role} cannot sign in.`);
    return caller;
  }

  beforeAll(async () => {
    started = await startTestServer(database, { trustedProxy: 'loopback' }, 'small');
    const { credentials } = started.server;
    if (!credentials) throw new Error('The server has demo credentials.');
    const signedIn = await signIn('', credentials.adminEmail, credentials.adminPassword);
    if (!signedIn) throw new Error('The owner cannot sign in.');
    const me = await ask(signedIn.headers, 'GET', '/auth/me');
    owner = { ...signedIn, userId: me.data.user.userId };
    victim = await newCaller('owner', true);
  });
  afterAll(() => started.stop());

  /** Links and codes in messages to owners, as an owner of the sandbox account sees them. */
  async function secretsOfOwners(): Promise<string[]> {
    const { data } = await ask(owner.headers, 'GET', '/notifications/messages?limit=200');
    const messages = (data as { to: string; body: string; isSecret: boolean }[]).filter(
      ({ to, isSecret }) => isSecret && [owner.email, victim.email].includes(to),
    );
    return messages.flatMap(({ body }) => body.match(/https?:\/\/\S+|\b\d{6}\b/g) ?? []);
  }

  /** Performs one operation and returns the response that the caller got. Resulting credentials are added to the callers. */
  async function run(callers: Caller[], { operation, who, whom, role, permissions, everywhere }: Step, ids: Record<string, string[]>) {
    const actor = callers[who % callers.length] as Caller;
    // Owners come first, because the sequence targets them.
    const targets = [victim.userId, owner.userId, ...callers.map(({ userId }) => userId)];
    const target = targets[whom % targets.length] as string;
    const pick = (kind: string) => ids[kind]?.[whom % (ids[kind]?.length || 1)] ?? 'none';
    const named = role === 'own' ? pick('roles') : role;
    const currentPassword = actor.password;
    const send = (method: string, path: string, body?: object) =>
      ask(actor.headers, method, path, body === undefined ? undefined : { ...body, currentPassword });
    names += 1;
    switch (operation) {
      case 'create user': {
        const [email, password] = [`made${names}@demo.example`, `a long password ${names}`];
        const answer = await send('POST', users(), { email, role: named, password, allMerchants: everywhere });
        const made = answer.status === 201 ? await signIn(answer.data.userId, email, password) : undefined;
        if (made) callers.push(made);
        return [answer];
      }
      case 'change user':
        return [await send('PUT', `${users()}/${target}`, { role: named, permissions, allMerchants: everywhere })];
      case 'change oneself':
        return [await send('PUT', `${users()}/${actor.userId}`, { role: named })];
      case 'set permissions':
        return [await send('POST', `/users/${target}/permissions`, { permissions })];
      case 'invite': {
        const answer = await send('POST', `${users()}/${target}/invite`, {});
        const token = /[?&/=]([\w-]{20,})$/.exec(answer.data?.inviteUrl ?? '')?.[1];
        const account = callers.find(({ userId }) => userId === target);
        if (token === undefined) return [answer];
        const password = `a taken password ${names}`;
        await ask({}, 'POST', '/auth/reset-password', { token, password });
        const email = account?.email ?? (target === victim.userId ? victim.email : owner.email);
        const taken = await signIn(target, email, password);
        if (taken) callers.push(taken);
        return [answer];
      }
      case 'remove user':
        return [await send('DELETE', `${users()}/${target}`)];
      case 'create role': {
        const answer = await send('POST', '/roles', { name: `role ${names}`, permissions });
        if (answer.status === 201) ids.roles?.push(answer.data.id);
        return [answer];
      }
      case 'change role':
        return [await send('PUT', `/roles/${pick('roles')}`, { permissions })];
      case 'create key': {
        const answer = await send('POST', '/api-keys', { name: `key ${names}`, scope: 'tenant', permissions });
        if (answer.status === 201) ids.keys?.push(answer.data.id);
        return [answer];
      }
      case 'change key':
        return [await send('PUT', `/api-keys/${pick('keys')}`, { permissions })];
      case 'request password link':
        return [await ask(tenant(), 'POST', '/auth/forgot-password', { email: victim.email })];
      case 'read messages':
        return Promise.all([send('GET', '/sandbox/messages?limit=200'), send('GET', '/notifications/messages?limit=200')]);
      case 'change message channel': {
        const settings = { host: '127.0.0.1', port: 2525, security: 'none', fromAddress: 'desk@demo.example' };
        return [await send('PUT', '/notifications/channels/email', settings)];
      }
      default: {
        const sessions = await send('GET', `/user-sessions?userId=${target}`);
        const id = Array.isArray(sessions.data) ? sessions.data[0]?.id : undefined;
        return id === undefined ? [sessions] : [await send('DELETE', `/user-sessions/${id}`)];
      }
    }
  }

  const hasOwnerRight = (permissions: readonly string[]) => permissions.some((permission) => permission.startsWith('owner'));

  async function everyAccount(): Promise<Account[]> {
    const accounts: Account[] = [];
    for (let page = 1; accounts.length === (page - 1) * 200; page += 1)
      accounts.push(...(await ask(owner.headers, 'GET', `${users()}?limit=200&page=${page}`)).data);
    return accounts;
  }

  async function checkNobodyEscalated(callers: readonly Caller[], texts: readonly string[]): Promise<void> {
    for (const { headers, email } of callers) {
      const { status, data } = await ask(headers, 'GET', '/auth/me');
      if (status === 200)
        expect({ email, role: data.user.role, isOwner: hasOwnerRight(data.user.permissions) }).toMatchObject({ isOwner: false });
      expect((await ask(headers, 'GET', '/security-activity')).status, email).not.toBe(200);
    }
    const everybody = await everyAccount();
    const owners = everybody.filter(({ role, permissions }) => role === 'owner' || hasOwnerRight(permissions));
    expect(owners.map(({ userId }) => userId).sort()).toEqual([owner.userId, victim.userId].sort());
    expect(owners.map(({ role, phone }) => [role, phone])).toEqual(owners.map(() => ['owner', null]));
    for (const path of ['/roles?limit=200', '/api-keys?limit=200']) {
      const records: { name: string; permissions: string[] }[] = (await ask(owner.headers, 'GET', path)).data;
      expect(records.filter(({ name, permissions }) => name !== 'owner' && hasOwnerRight(permissions))).toEqual([]);
    }
    // The owners still have their original passwords and sessions.
    expect((await ask(victim.headers, 'GET', '/auth/me')).status).toBe(200);
    expect(await signIn(victim.userId, victim.email, victim.password)).toBeDefined();
    const secrets = await secretsOfOwners();
    for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
  }

  test('never give a non-owner an owner right, an owner credential, or a message that contains one', async () => {
    const sequence = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const callers = [
        await newCaller('admin', true),
        await newCaller('admin', false),
        await newCaller('manager', true),
        await newCaller('viewer', true),
      ];
      const ids: Record<string, string[]> = { roles: [], keys: [] };
      const texts: string[] = [];
      for (const each of steps) {
        const answers = await run(callers, each, ids);
        for (const { status, text } of answers) {
          outcomes[status < 300 ? 'accepted' : 'refused'] += 1;
          texts.push(text);
          expect(status, text).toBeLessThan(500);
        }
      }
      await checkNobodyEscalated(callers, texts);
    });
    await fc.assert(sequence, { numRuns: sized(16, 300), examples: [[[...EVERYTHING]]] });
    expect(outcomes.accepted).toBeGreaterThan(5);
    expect(outcomes.refused).toBeGreaterThan(5);
    expect((await secretsOfOwners()).length).toBeGreaterThan(0);
  });
});
