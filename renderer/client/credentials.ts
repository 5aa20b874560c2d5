import { ApiFailure, failureOf, unreachable } from './failure.ts';
import type { Credential, SignedIn } from './shapes.ts';
import { tellTabs, underTabLock, whenTabTells } from './tabs.ts';

const KEPT = 'paydesk.session';
/** A session left alone for so long asks for the password again (decisions 3). */
export const IDLE_LIMIT_MS = 15 * 60_000;

let held: Credential | undefined;
let renewal: Promise<void> | undefined;
let waiting: ((credential: Credential) => void)[] = [];
let session = new AbortController();
let person = new AbortController();
const endListeners = new Set<() => void>();

/** Stores the credential of a sign-in. Requests that waited for one continue. */
export function holdCredential(signedIn: Pick<SignedIn, 'token' | 'refreshToken' | 'user'>): Credential {
  const credential = { token: signedIn.token, refreshToken: signedIn.refreshToken, tenantId: signedIn.user.tenantId };
  adopt(credential);
  tellTabs({ kind: 'renewed', credential });
  return credential;
}

/** Forgets the credential and answers it. Requests from now on wait for the next sign-in of the same person. */
export function dropCredential(): Credential | undefined {
  const dropped = held;
  held = undefined;
  sessionStorage.removeItem(KEPT);
  session.abort();
  session = new AbortController();
  return dropped;
}

/** Drops the pending requests of the former user, so that none is sent in the name of the next one. */
export function dropRequests(): void {
  person.abort();
  person = new AbortController();
}

/** Aborted when the credential at hand is dropped. */
export const sessionAtHand = (): AbortSignal => session.signal;

/** Aborted when the person at the screen leaves. */
export const personAtScreen = (): AbortSignal => person.signal;

/** The credential at hand, or the next one: while the screen is locked a request waits instead of failing, until its person leaves. */
export async function currentCredential(of: AbortSignal = person.signal): Promise<Credential> {
  of.throwIfAborted();
  if (held) return held;
  return new Promise((resolve, reject) => {
    waiting.push(resolve);
    of.addEventListener('abort', () => reject(of.reason), { once: true });
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
export async function renewCredential(expired: Credential, of: AbortSignal = person.signal): Promise<Credential> {
  if (isAtHand(expired)) {
    renewal ??= underTabLock(async () => {
      if (isAtHand(expired)) await refresh(expired);
    }).finally(() => {
      renewal = undefined;
    });
    await renewal;
  }
  return currentCredential(of);
}

/** Resumes the session of this tab after a reload; undefined if there is none or it was idle too long. */
export async function resumeCredential(nowMs: number): Promise<Credential | undefined> {
  const kept = readKept();
  if (!kept || nowMs - kept.activeAtMs > IDLE_LIMIT_MS) {
    sessionStorage.removeItem(KEPT);
    return undefined;
  }
  try {
    return holdCredential(await renewed(kept));
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.isOpen && failure.status !== 401) throw failure;
    sessionStorage.removeItem(KEPT);
    return undefined;
  }
}

/** Notes that a person is at work; the limit of idleness outlives a reload by this note. */
export function noteActivity(nowMs: number): void {
  if (held) keep(held, nowMs);
}

/** A user who locks, signs out or signs in again in the meantime is not affected by the result. */
async function refresh(expired: Credential): Promise<void> {
  try {
    const signedIn = await renewed(expired);
    if (isAtHand(expired)) holdCredential(signedIn);
  } catch (failure) {
    if (!(failure instanceof ApiFailure) || failure.status !== 401) throw failure;
    if (!isAtHand(expired)) return;
    dropCredential();
    for (const tell of endListeners) tell();
  }
}

const isAtHand = (credential: Credential): boolean => held?.token === credential.token;

async function renewed({ refreshToken, tenantId }: Omit<Credential, 'token'>): Promise<SignedIn> {
  const response = await fetch('/api/v1/auth/refresh', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Tenant-ID': tenantId, 'X-Paydesk-Client': 'screen' },
    body: JSON.stringify({ refreshToken }),
  }).catch((cause: unknown) => {
    throw unreachable(cause);
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw failureOf(response, body, Date.now());
  return (body as { data: SignedIn }).data;
}

function adopt(credential: Credential): void {
  held = credential;
  keep(credential, Date.now());
  const released = waiting;
  waiting = [];
  for (const release of released) release(credential);
}

/** The access token stays in memory; the tab keeps what a reload needs, and loses it when it closes. */
function keep({ refreshToken, tenantId }: Credential, activeAtMs: number): void {
  sessionStorage.setItem(KEPT, JSON.stringify({ refreshToken, tenantId, activeAtMs }));
}

function readKept(): { refreshToken: string; tenantId: string; activeAtMs: number } | undefined {
  const text = sessionStorage.getItem(KEPT);
  if (text === null) return undefined;
  const kept: unknown = JSON.parse(text);
  const isKept =
    typeof kept === 'object' &&
    kept !== null &&
    'refreshToken' in kept &&
    'tenantId' in kept &&
    'activeAtMs' in kept &&
    typeof kept.refreshToken === 'string' &&
    typeof kept.tenantId === 'string' &&
    typeof kept.activeAtMs === 'number';
  return isKept ? (kept as { refreshToken: string; tenantId: string; activeAtMs: number }) : undefined;
}

/** A tab that was duplicated shares its session: what one renews, the other must use, since a used refresh token ends both. */
whenTabTells((message) => {
  if (!held || sessionOf(held) !== sessionOf(message.credential)) return;
  adopt(message.credential);
});

/** The refresh token begins with the id of its session. */
function sessionOf({ refreshToken }: Credential): string {
  return refreshToken.split('.', 1)[0] ?? refreshToken;
}
