import { create } from 'zustand';
import {
  ApiFailure,
  api,
  dropCredential,
  holdCredential,
  type Me,
  onSessionEnd,
  queryClient,
  resumeCredential,
  type SignedIn,
  takeData,
} from '#renderer/client';

/** Why the screen is locked: by hand, by 15 idle minutes, or because the service ended the session. */
export type LockReason = 'asked' | 'idle' | 'ended';

export type SessionState =
  | { readonly phase: 'starting' }
  | { readonly phase: 'unreachable'; readonly failure: ApiFailure }
  | { readonly phase: 'first-run' }
  | { readonly phase: 'signed-out' }
  | { readonly phase: 'signed-in' | 'locked'; readonly me: Me; readonly merchantId: string; readonly lockReason: LockReason };

export interface SignInInput {
  readonly email: string;
  readonly password: string;
  /** Only when the e-mail address belongs to several businesses. */
  readonly tenantId?: string;
}

interface SessionStore {
  readonly state: SessionState;
}

/** Who is at the screen. Read through the hooks of this folder, changed by the functions below. */
export const useSession = create<SessionStore>()(() => ({ state: { phase: 'starting' } }));

const MERCHANT_KEPT = 'paydesk.merchant';

/** Finds out where we stand: a service not set up yet, a session to go on with after a reload, or nobody. */
export function startSession(): Promise<void> {
  // Twice at once would use up the refresh token twice, which ends the session.
  starting ??= start().finally(() => {
    starting = undefined;
  });
  return starting;
}

let starting: Promise<void> | undefined;

async function start(): Promise<void> {
  set({ phase: 'starting' });
  try {
    const { required } = await takeData(api.GET('/api/v1/setup'));
    if (required) return set({ phase: 'first-run' });
    const credential = await resumeCredential(Date.now());
    if (!credential) return set({ phase: 'signed-out' });
    set(await signedInState());
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    set({ phase: 'unreachable', failure });
  }
}

/** Signs in with a password. The failure, INVALID_CREDENTIALS first of all, is the caller's to show. */
export async function signIn(input: SignInInput): Promise<void> {
  await enter(await login(input));
}

/** Takes over a sign-in that came with another answer: the one of set-up. */
export async function enter(signedIn: SignedIn): Promise<void> {
  holdCredential(signedIn);
  set(await signedInState());
}

/** Locks the screen. The session ends at the service too; what is mounted stays, without a credential behind it. */
export function lock(reason: LockReason): void {
  const { state } = useSession.getState();
  if (state.phase !== 'signed-in') return;
  set({ ...state, phase: 'locked', lockReason: reason });
  endAtService();
}

/** Opens the locked screen for the same person. */
export async function unlock(password: string): Promise<void> {
  const { state } = useSession.getState();
  if (state.phase !== 'locked') return;
  const signedIn = await login({ email: state.me.user.email, password, tenantId: state.me.tenant.tenantId });
  set({ ...state, phase: 'signed-in' });
  holdCredential(signedIn);
}

/** Leaves: everything read so far is forgotten. */
export function signOut(): void {
  endAtService();
  queryClient.clear();
  set({ phase: 'signed-out' });
}

/** Chooses the merchant that sales and lists are for; remembered on this workstation. */
export function chooseMerchant(merchantId: string): void {
  const { state } = useSession.getState();
  if (state.phase !== 'signed-in') return;
  localStorage.setItem(`${MERCHANT_KEPT}.${state.me.tenant.tenantId}`, merchantId);
  set({ ...state, merchantId });
}

async function login({ email, password, tenantId }: SignInInput): Promise<SignedIn> {
  return takeData(api.POST('/api/v1/public/accesstoken', { body: { email, password, ...(tenantId && { tenantId }) } }));
}

async function signedInState(): Promise<SessionState> {
  const me = await takeData(api.GET('/api/v1/auth/me'));
  const kept = localStorage.getItem(`${MERCHANT_KEPT}.${me.tenant.tenantId}`);
  const merchant = me.merchants.find(({ merchantId }) => merchantId === kept) ?? me.merchants[0];
  return { phase: 'signed-in', me, merchantId: merchant?.merchantId ?? '', lockReason: 'asked' };
}

/** The service is told, but nobody waits for it: the screen is closed at once. */
function endAtService(): void {
  const dropped = dropCredential();
  if (!dropped) return;
  const ending = api.POST('/api/v1/auth/logout', { body: { refreshToken: dropped.refreshToken } });
  ending.catch(() => undefined);
}

function set(state: SessionState): void {
  useSession.setState({ state });
}

onSessionEnd(() => lock('ended'));
