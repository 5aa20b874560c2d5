import { create } from 'zustand';
import {
  ApiFailure,
  api,
  dropCredential,
  dropRequests,
  holdCredential,
  type Me,
  onSessionEnd,
  queryClient,
  resumeCredential,
  type SignedIn,
  takeData,
} from '#renderer/client';

/** Reason for the lock: by hand, 15 idle minutes, or the service ended the session. */
export type LockReason = 'asked' | 'idle' | 'ended';

type SessionState =
  | { readonly phase: 'starting' }
  | { readonly phase: 'unreachable'; readonly failure: ApiFailure }
  | { readonly phase: 'first-run' }
  | { readonly phase: 'signed-out' }
  | { readonly phase: 'signed-in' | 'locked'; readonly me: Me; readonly merchantId: string; readonly lockReason: LockReason };

interface SignInInput {
  readonly email: string;
  readonly password: string;
  /** Set only if the email address belongs to several accounts. */
  readonly tenantId?: string;
}

interface SessionStore {
  readonly state: SessionState;
}

/** Session of the user at the screen. Read by the hooks of this folder, changed by the functions below. */
export const useSession = create<SessionStore>()(() => ({ state: { phase: 'starting' } }));

const MERCHANT_KEPT = 'paydesk.merchant';

/** Finds the initial state: a service that is not set up, a session to resume after a reload, or a sign-in. */
export function startSession(): Promise<void> {
  // A second request would use the refresh token twice, which ends the session.
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

/** A code was sent; it is asked for before anybody is in. */
export interface CodeSent {
  readonly otpId: string;
  /** Masked address that it was sent to; null for an authenticator app. */
  readonly destination: string | null;
  readonly channel: 'email' | 'sms' | 'totp';
}

/** Signs in with a password. Returns details of the code that was sent if the user has a second factor. The caller shows a failure. */
export async function signIn(input: SignInInput): Promise<CodeSent | undefined> {
  const answer = await login(input);
  if (!('token' in answer)) return answer;
  await enter(answer);
  return undefined;
}

/** Finishes a sign-in by the code that was sent. */
export async function signInByCode(otpId: string, code: string): Promise<void> {
  await enter(await takeData(api.POST('/api/v1/auth/verify-otp', { body: { otpId, code } })));
}

/** Sends another code instead of the last one. */
export async function resendCode(otpId: string): Promise<void> {
  await takeData(api.POST('/api/v1/auth/resend-otp', { body: { otpId } }));
}

/** Requests a link to set a new password. The response does not reveal whether the user exists. */
export async function forgotPassword(email: string): Promise<void> {
  await takeData(api.POST('/api/v1/auth/forgot-password', { body: { email } }));
}

/** Sets a password by the link that was sent. */
export async function setPassword(token: string, password: string): Promise<void> {
  await takeData(api.POST('/api/v1/auth/reset-password', { body: { token, password } }));
}

/** Reads the user again after a change of a role, a merchant or its settings. */
export async function renewMe(): Promise<void> {
  const { state } = useSession.getState();
  if (state.phase !== 'signed-in') return;
  const me = await takeData(api.GET('/api/v1/auth/me'));
  if (me.merchants.length === 0) return signOut();
  const now = useSession.getState().state;
  if (now.phase === 'signed-in' && now.me.user.userId === me.user.userId) set({ ...now, me });
}

/** Uses the session of another response: that of the setup. */
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

/** Unlocks the screen for the same user, or returns details of the code that was sent first. */
export async function unlock(password: string): Promise<CodeSent | undefined> {
  const { state } = useSession.getState();
  if (state.phase !== 'locked') return undefined;
  const answer = await login({ email: state.me.user.email, password, tenantId: state.me.tenant.tenantId });
  if (!('token' in answer)) return answer;
  open(answer);
  return undefined;
}

/** Opens the locked screen by the code that was sent. */
export async function unlockByCode(otpId: string, code: string): Promise<void> {
  open(await takeData(api.POST('/api/v1/auth/verify-otp', { body: { otpId, code } })));
}

function open(signedIn: SignedIn): void {
  const { state } = useSession.getState();
  if (state.phase !== 'locked') return;
  set({ ...state, phase: 'signed-in' });
  holdCredential(signedIn);
}

/** Leaves: everything read so far is forgotten. */
export function signOut(): void {
  endAtService();
  dropRequests();
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

async function login({ email, password, tenantId }: SignInInput): Promise<SignedIn | CodeSent> {
  const body = { email, password, ...(tenantId && { tenantId }) };
  return takeData<SignedIn | CodeSent>(api.POST('/api/v1/public/accesstoken', { body }));
}

async function signedInState(): Promise<SessionState> {
  const me = await takeData(api.GET('/api/v1/auth/me'));
  if (me.merchants.length === 0) {
    dropCredential();
    throw new ApiFailure('MERCHANT_NOT_AUTHORIZED', 'The merchant that you act for is closed.');
  }
  const kept = localStorage.getItem(`${MERCHANT_KEPT}.${me.tenant.tenantId}`);
  const merchant = me.merchants.find(({ merchantId }) => merchantId === kept) ?? me.merchants[0];
  return { phase: 'signed-in', me, merchantId: merchant?.merchantId ?? '', lockReason: 'asked' };
}

/** Ends the session at the service without waiting: the screen closes immediately. */
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
