import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pause } from '../../support/until.ts';

const USER = { userId: 'usr_1', email: 'a@example.com', role: 'owner', tenantId: 'ten_1' };
const signedIn = (token: string, refreshToken: string) => ({ token, refreshToken, user: USER });

/** Tabs of one browser, which receive each other's messages immediately. */
function tabs() {
  const all = new Set<EventTarget>();
  return class Tab extends EventTarget {
    constructor() {
      super();
      all.add(this);
    }

    postMessage(data: unknown) {
      for (const tab of all) if (tab !== this) tab.dispatchEvent(new MessageEvent('message', { data }));
    }
  };
}

let refreshes: string[];
let answer: () => Response;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('BroadcastChannel', tabs());
  refreshes = [];
  answer = () => Response.json({ success: true, data: signedIn(`token-${refreshes.length + 1}`, `ses_1.${refreshes.length + 1}`) });
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    refreshes.push((JSON.parse(body) as { refreshToken: string }).refreshToken);
    return answer();
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const load = () => import('../../../renderer/base/client/credentials.ts');

test('renews an expired token once for many requests', async () => {
  const { setCredential, renewCredential } = await load();
  const expired = setCredential(signedIn('token-1', 'ses_1.1'));
  const renewed = await Promise.all(Array.from({ length: 10 }, () => renewCredential(expired)));
  expect(refreshes).toEqual(['ses_1.1']);
  expect(new Set(renewed.map(({ token }) => token))).toEqual(new Set(['token-2']));
});

test('uses a renewed token for a request that learns late of the expiry', async () => {
  const { setCredential, renewCredential } = await load();
  const expired = setCredential(signedIn('token-1', 'ses_1.1'));
  await renewCredential(expired);
  expect((await renewCredential(expired)).token).toBe('token-2');
  expect(refreshes).toHaveLength(1);
});

test('uses the token that another tab renewed, because a second use would end both sessions', async () => {
  const one = await load();
  const expired = one.setCredential(signedIn('token-1', 'ses_1.1'));
  vi.resetModules();
  const other = await load();
  other.setCredential(signedIn('token-1', 'ses_1.1'));
  await one.renewCredential(expired);
  expect((await other.renewCredential(expired)).token).toBe('token-2');
  expect(refreshes).toHaveLength(1);
});

test('leaves a tab with its own session alone', async () => {
  const one = await load();
  one.setCredential(signedIn('token-1', 'ses_1.1'));
  vi.resetModules();
  const other = await load();
  other.setCredential(signedIn('token-7', 'ses_7.1'));
  expect((await one.currentCredential()).token).toBe('token-1');
});

test('reports a session that the service ended, and makes requests wait for the next sign-in', async () => {
  const { currentCredential, setCredential, onSessionEnd, renewCredential } = await load();
  const ended = vi.fn();
  onSessionEnd(ended);
  const expired = setCredential(signedIn('token-1', 'ses_1.1'));
  answer = () => Response.json({ success: false, error: { code: 'TOKEN_INVALID', message: 'no' } }, { status: 401 });
  const waiting = renewCredential(expired);
  await expect.poll(() => ended).toHaveBeenCalledOnce();
  setCredential(signedIn('token-9', 'ses_2.1'));
  expect((await waiting).token).toBe('token-9');
  expect((await currentCredential()).token).toBe('token-9');
});

test('keeps the session if the service does not answer', async () => {
  const { currentCredential, setCredential, onSessionEnd, renewCredential } = await load();
  const ended = vi.fn();
  onSessionEnd(ended);
  const expired = setCredential(signedIn('token-1', 'ses_1.1'));
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed to fetch')));
  await expect(renewCredential(expired)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(ended).not.toHaveBeenCalled();
  expect((await currentCredential()).token).toBe('token-1');
});

test('ignores a renewal that ends after the screen was locked', async () => {
  const { currentCredential, dropCredential, setCredential, onSessionEnd, renewCredential } = await load();
  const ended = vi.fn();
  onSessionEnd(ended);
  for (const [round, status] of [200, 401].entries()) {
    const expired = setCredential(signedIn(`token-${round}`, `ses_${round}.1`));
    const late = Promise.withResolvers<Response>();
    vi.stubGlobal('fetch', () => late.promise);
    const renewal = renewCredential(expired);
    dropCredential();
    if (status === 401) setCredential(signedIn('token-9', 'ses_9.1'));
    late.resolve(Response.json({ success: status === 200, data: signedIn('token-late', `ses_${round}.2`) }, { status }));
    if (status === 200) {
      await expect(Promise.race([renewal, pause(20).then(() => 'waits')])).resolves.toBe('waits');
      setCredential(signedIn('token-8', 'ses_8.1'));
    }
    expect((await renewal).token).toBe(status === 200 ? 'token-8' : 'token-9');
  }
  expect(ended).not.toHaveBeenCalled();
  expect((await currentCredential()).token).toBe('token-9');
});

test('resumes after a reload within fifteen minutes only', async () => {
  const { setCredential, IDLE_LIMIT_MS, noteActivity, resumeCredential } = await load();
  setCredential(signedIn('token-1', 'ses_1.1'));
  noteActivity(1_000_000);
  expect((await resumeCredential(1_000_000 + IDLE_LIMIT_MS))?.token).toBe('token-2');
  noteActivity(1_000_000);
  expect(await resumeCredential(1_000_001 + IDLE_LIMIT_MS)).toBeUndefined();
  expect(refreshes).toHaveLength(1);
});
