import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const USER = { userId: 'usr_1', email: 'a@example.com', role: 'owner', tenantId: 'ten_1' };
const ORIGIN = 'http://127.0.0.1';

interface Sent {
  readonly method: string;
  readonly token: string | null;
  readonly key: string | null;
  readonly answer: (status: number) => void;
}

let sent: Sent[];

beforeEach(() => {
  sent = [];
  vi.stubGlobal('location', { origin: ORIGIN });
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal(
    'BroadcastChannel',
    class extends EventTarget {
      postMessage() {}
    },
  );
  vi.stubGlobal('fetch', ({ method, headers, signal }: Request) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    signal.addEventListener('abort', () => reject(signal.reason));
    sent.push({
      method,
      token: headers.get('Authorization'),
      key: headers.get('Idempotency-Key'),
      answer: (status) => resolve(new Response(null, { status })),
    });
    return promise;
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

async function load() {
  const { authorizedFetch } = await import('../../../renderer/base/client/api.ts');
  const credentials = await import('../../../renderer/base/client/credentials.ts');
  const signIn = (token: string) => credentials.setCredential({ token, refreshToken: `ses_${token}.1`, user: USER });
  return { authorizedFetch, signIn, ...credentials };
}

const sale = () => new Request(`${ORIGIN}/api/v1/transactions/sale`, { method: 'POST', headers: { 'Idempotency-Key': 'k1' }, body: '{}' });
const list = () => new Request(`${ORIGIN}/api/v1/transactions`);
const underWay = (count: number) => expect.poll(() => sent).toHaveLength(count);

test('repeats a read after unlocking, without sending the ended credential', async () => {
  const { authorizedFetch, signIn, dropCredential } = await load();
  signIn('one');
  const reading = authorizedFetch(list());
  await underWay(1);
  dropCredential();
  signIn('two');
  await underWay(2);
  sent[1]?.answer(200);
  expect((await reading).status).toBe(200);
  expect(sent.map(({ token }) => token)).toEqual(['Bearer one', 'Bearer two']);
});

test('keeps a sale under way when the screen locks, and repeats it under the same key after a new sign-in', async () => {
  const { authorizedFetch, signIn, dropCredential } = await load();
  signIn('one');
  const selling = authorizedFetch(sale());
  await underWay(1);
  dropCredential();
  sent[0]?.answer(401);
  signIn('two');
  await underWay(2);
  sent[1]?.answer(201);
  expect((await selling).status).toBe(201);
  expect(sent.map(({ method, token, key }) => [method, token, key])).toEqual([
    ['POST', 'Bearer one', 'k1'],
    ['POST', 'Bearer two', 'k1'],
  ]);
});

test('sends no request of the former user in the name of the next one', async () => {
  const { authorizedFetch, signIn, dropCredential, dropRequests } = await load();
  signIn('one');
  const refused = authorizedFetch(sale());
  const reading = authorizedFetch(list());
  await underWay(2);
  dropCredential();
  const waiting = authorizedFetch(sale());
  dropRequests();
  sent[0]?.answer(401);
  signIn('two');
  for (const request of [refused, reading, waiting]) await expect(request).rejects.toMatchObject({ name: 'AbortError' });
  expect(sent).toHaveLength(2);
});

test('lets a caller cancel its read', async () => {
  const { authorizedFetch, signIn } = await load();
  signIn('one');
  const caller = new AbortController();
  const reading = authorizedFetch(new Request(list(), { signal: caller.signal }));
  await underWay(1);
  caller.abort();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});
