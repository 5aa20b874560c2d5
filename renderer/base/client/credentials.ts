import { onReset } from '#renderer/base/module-state';
import { ApiFailure, failureOf, unreachable } from './failure.ts';
import type { Credential, SignedIn } from './shapes.ts';
import { onTabMessage, postToTabs, underTabLock } from './tabs.ts';

const STORAGE_KEY = 'paydesk.session';
/** Idle time after which a session asks for the password again. */
export const IDLE_LIMIT_MS = 15 * 60_000;

let current: Credential | undefined;
let renewal: Promise<void> | undefined;
let waitingRequests: ((credential: Credential) => void)[] = [];
let session = new AbortController();
let person = new AbortController();
const endListeners = new Set<() => void>();
onReset(() => {
  waitingRequests = [];
});

/** Stores the credential of a sign-in. Requests that waited for one continue. */
export function setCredential(signedIn: Pick<SignedIn, 'token' | 'refreshToken' | 'user'>): Credential {
  const credential = { token: signedIn.token, refreshToken: signedIn.refreshToken, tenantId: signedIn.user.tenantId };
  activate(credential);
  postToTabs({ kind: 'renewed', credential });
  return credential;
}

/** Removes and returns the credential. Later requests wait for the next sign-in of the same user. */
export function dropCredential(): Credential | undefined {
  const dropped = current;
  current = undefined;
  sessionStorage.removeItem(STORAGE_KEY);
  session.abort();
  session = new AbortController();
  return dropped;
}

/** Drops the pending requests of the former user, so that none is sent in the name of the next one. */
export function dropRequests(): void {
  person.abort();
  person = new AbortController();
}

/** Aborted when the current credential is dropped. */
export const sessionSignal = (): AbortSignal => session.signal;

/** Aborted when the user signs out. */
export const personSignal = (): AbortSignal => person.signal;

/** Returns the current credential. While the screen is locked, it waits for the next one. @throws the abort reason if the user signs out. */
export async function currentCredential(signal: AbortSignal = person.signal): Promise<Credential> {
  signal.throwIfAborted();
  if (current) return current;
  return new Promise((resolve, reject) => {
    waitingRequests.push(resolve);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Called when the service no longer accepts the session, so that the password is requested. */
export function onSessionEnd(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

/**
 * Renews an expired token once for all requests and tabs. A session that was dropped in the meantime is not renewed: the request waits for
 * the next sign-in.
 */
export async function renewCredential(expired: Credential, signal: AbortSignal = person.signal): Promise<Credential> {
  if (isCurrent(expired)) {
    renewal ??= underTabLock(async () => {
      if (isCurrent(expired)) await refresh(expired);
    }).finally(() => {
      renewal = undefined;
    });
    await renewal;
  }
  return currentCredential(signal);
}

/** Resumes the session of this tab after a reload; undefined if there is none or it was idle too long. */
export async function resumeCredential(nowMs: number): Promise<Credential | undefined> {
  const stored = readStored();
  if (!stored || nowMs - stored.activeAtMs > IDLE_LIMIT_MS) {
    sessionStorage.removeItem(STORAGE_KEY);
    return undefined;
  }
  try {
    return setCredential(await requestRenewal(stored));
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.isUnconfirmed && failure.status !== 401) throw failure;
    sessionStorage.removeItem(STORAGE_KEY);
    return undefined;
  }
}

/** Stores the time of the last activity, so that the idle limit also applies after a reload. */
export function noteActivity(nowMs: number): void {
  if (current) store(current, nowMs);
}

/** A user who locks, signs out or signs in again in the meantime is not affected by the result. */
async function refresh(expired: Credential): Promise<void> {
  try {
    const signedIn = await requestRenewal(expired);
    if (isCurrent(expired)) setCredential(signedIn);
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.status !== 401) throw failure;
    if (!isCurrent(expired)) return;
    dropCredential();
    for (const notify of endListeners) notify();
  }
}

const isCurrent = (credential: Credential): boolean => current?.token === credential.token;

async function requestRenewal({ refreshToken, tenantId }: Omit<Credential, 'token'>): Promise<SignedIn> {
  const response = await fetch('/api/v1/auth/refresh', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Tenant-ID': tenantId, 'X-Paydesk-Client': 'screen' },
    body: JSON.stringify({ refreshToken }),
  }).catch((cause: unknown) => {
    throw unreachable(cause);
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw await failureOf(response, body, Date.now());
  return (body as { data: SignedIn }).data;
}

function activate(credential: Credential): void {
  current = credential;
  store(credential, Date.now());
  const resumed = waitingRequests;
  waitingRequests = [];
  for (const resume of resumed) resume(credential);
}

/** Stores what a reload of the tab needs; it is lost when the tab closes. The access token stays in memory. */
function store({ refreshToken, tenantId }: Credential, activeAtMs: number): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ refreshToken, tenantId, activeAtMs }));
}

function readStored(): { refreshToken: string; tenantId: string; activeAtMs: number } | undefined {
  const text = sessionStorage.getItem(STORAGE_KEY);
  if (text === null) return undefined;
  const stored: unknown = JSON.parse(text);
  const isComplete =
    typeof stored === 'object' &&
    stored !== null &&
    'refreshToken' in stored &&
    'tenantId' in stored &&
    'activeAtMs' in stored &&
    typeof stored.refreshToken === 'string' &&
    typeof stored.tenantId === 'string' &&
    typeof stored.activeAtMs === 'number';
  return isComplete ? (stored as { refreshToken: string; tenantId: string; activeAtMs: number }) : undefined;
}

/** A duplicated tab shares its session. It must use the tokens that the other tab renews, because a used refresh token ends the session. */
onTabMessage((message) => {
  if (!current || sessionOf(current) !== sessionOf(message.credential)) return;
  activate(message.credential);
});

/** Returns the session ID, with which a refresh token begins. */
function sessionOf({ refreshToken }: Credential): string {
  return refreshToken.split('.', 1)[0] ?? refreshToken;
}
