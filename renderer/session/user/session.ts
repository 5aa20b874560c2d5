import { queryOptions } from '@tanstack/react-query';
import {
  ApiFailure,
  api,
  type Credential,
  dropCredential,
  dropRequests,
  IDLE_LIMIT_MS,
  type Me,
  onSessionEnd,
  queryClient,
  resumeCredential,
  type SignedIn,
  setCredential,
  switchLocked,
  takeData,
} from '#renderer/base/client';
import { showIn, showInLanguageOfComputer, t } from '#renderer/base/language';
import { createStore, onReset } from '#renderer/base/module-state';
import { hasHeldRequest, sendHeldRequest, setPeople } from '#renderer/kit/ui';

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
export const useSession = createStore<SessionStore>()(() => ({ state: { phase: 'starting' } }));

const MERCHANT_KEY = 'paydesk.merchant';
/** Longest time that a change that waits for Undo delays the end of a session. */
const HELD_WAIT_MS = 2_000;

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
  setState({ phase: 'starting' });
  try {
    const { required } = await takeData(api.GET('/api/v1/setup'));
    if (required) return setState({ phase: 'first-run' });
    const credential = await resumeCredential(Date.now());
    if (!credential) return showSignIn();
    setState(await signedInState());
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    setState({ phase: 'unreachable', failure });
  }
}

/** A one-time code that must be entered to complete the sign-in. */
export interface SentCode {
  readonly otpId: string;
  /** Masked address that it was sent to; null for an authenticator app. */
  readonly destination: string | null;
  readonly channel: 'email' | 'sms' | 'totp';
}

/** Signs in with a password. Returns details of the code that was sent if the user has a second factor. The caller shows a failure. */
export async function signIn(input: SignInInput): Promise<SentCode | undefined> {
  const answer = await login(input);
  if (!('token' in answer)) return answer;
  await openSession(answer);
  return undefined;
}

/** Completes a sign-in with the code that was sent. */
export async function signInByCode(otpId: string, code: string): Promise<void> {
  await openSession(await takeData(api.POST('/api/v1/auth/verify-otp', { body: { otpId, code } })));
}

/** Sends another code instead of the last one. */
export async function resendCode(otpId: string): Promise<void> {
  await takeData(api.POST('/api/v1/auth/resend-otp', { body: { otpId } }));
}

/** Requests a link to set a new password. The response does not reveal whether the user exists. */
export async function forgotPassword(email: string): Promise<void> {
  await takeData(api.POST('/api/v1/auth/forgot-password', { body: { email } }));
}

/** Sets a password with the token of the link that was sent. */
export async function setPassword(token: string, password: string): Promise<void> {
  await takeData(api.POST('/api/v1/auth/reset-password', { body: { token, password } }));
}

/** Reads the user again after a change of a role, a merchant or its settings. */
export async function refreshMe(): Promise<void> {
  const { state } = useSession.getState();
  if (state.phase !== 'signed-in') return;
  const me = await takeData(api.GET('/api/v1/auth/me'));
  if (me.merchants.length === 0) return signOut();
  const now = useSession.getState().state;
  if (now.phase !== 'signed-in' || now.me.user.userId !== me.user.userId) return;
  setState({ ...now, me });
  showIn(me.user.language);
}

/** Starts the session of a setup or sign-in response. */
export async function openSession(signedIn: SignedIn): Promise<void> {
  setCredential(signedIn);
  setState(await signedInState());
}

/** People who can take over the screen with their PIN. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: async () => (await takeData(api.GET('/api/v1/auth/people'))).people,
});

/** Session of a screen that was locked by hand. Only a take-over uses it, and it ends with the lock or when the screen is idle. */
let lockedCredential: Credential | undefined;
let idleTimer: ReturnType<typeof setTimeout> | undefined;
onReset(() => {
  clearTimeout(idleTimer);
  lockedCredential = undefined;
  dropCredential();
  dropRequests();
  queryClient.clear();
});

const discards: (() => void)[] = [];

/** Registers a function that discards secrets of the person at the screen when that person signs out, or when another one takes over. */
export function onDiscard(discard: () => void): void {
  discards.push(discard);
}

/** Discards all data that was read for the person at the screen. */
function discardData(): void {
  dropRequests();
  queryClient.clear();
  for (const discard of discards) discard();
}

/** Returns true if people can take over the locked screen with a PIN. */
export const canTakeOverLocked = () => lockedCredential !== undefined;

/**
 * Starts the session of a person who enters a PIN, on the running or the locked screen. Data of another person is discarded. The caller shows a
 * failure.
 */
export async function takeOver(userId: string, pin: string): Promise<void> {
  await endHeld();
  const { state } = useSession.getState();
  const held = lockedCredential;
  const signedIn =
    held === undefined
      ? await takeData(api.POST('/api/v1/auth/switch', { body: { userId, pin } }))
      : await switchLocked(held, { userId, pin });
  lockedCredential = undefined;
  clearTimeout(idleTimer);
  if (state.phase === 'locked' && state.me.user.userId === signedIn.user.userId) {
    open(signedIn);
    return refreshMe();
  }
  discardData();
  await openSession(signedIn);
}

/** Sends the change that waits for Undo while its user is still signed in. */
const endHeld = () => Promise.race([sendHeldRequest(), new Promise<void>((resolve) => setTimeout(resolve, HELD_WAIT_MS))]);

/** Ends the session that a lock by hand left for a take-over. */
function endLockedSession(): void {
  clearTimeout(idleTimer);
  if (lockedCredential) endSession(lockedCredential);
  lockedCredential = undefined;
}

/** Locks the screen and ends the session at the service, unless people can take over with a PIN. Mounted components stay, without a credential. */
export function lock(reason: LockReason): void {
  const { state } = useSession.getState();
  if (state.phase !== 'signed-in') return;
  if (reason === 'asked' && hasHeldRequest()) return void endHeld().then(() => lock(reason));
  const hasPeople = (queryClient.getQueryData(peopleQuery.queryKey) ?? []).length > 0;
  const isKept = reason === 'asked' && hasPeople;
  // Before the lock screen renders, because it shows people only if they can take over.
  if (isKept) lockedCredential = dropCredential();
  setState({ ...state, phase: 'locked', lockReason: reason });
  if (!isKept) {
    revokeSession();
    return;
  }
  idleTimer = setTimeout(endLockedSession, IDLE_LIMIT_MS);
}

/** Unlocks the screen for the same user, or returns details of the code that was sent first. */
export async function unlock(password: string): Promise<SentCode | undefined> {
  const { state } = useSession.getState();
  if (state.phase !== 'locked') return undefined;
  const answer = await login({ email: state.me.user.email, password, tenantId: state.me.tenant.tenantId });
  if (!('token' in answer)) return answer;
  endLockedSession();
  open(answer);
  return undefined;
}

/** Unlocks the screen with the code that was sent. */
export async function unlockByCode(otpId: string, code: string): Promise<void> {
  open(await takeData(api.POST('/api/v1/auth/verify-otp', { body: { otpId, code } })));
}

function open(signedIn: SignedIn): void {
  const { state } = useSession.getState();
  if (state.phase !== 'locked') return;
  setState({ ...state, phase: 'signed-in' });
  setCredential(signedIn);
}

/** Returns true if a sign-in at the company's provider takes the place of the user's password. */
export function signedInAtCompany(): boolean {
  const { state } = useSession.getState();
  return 'me' in state && state.me.user.byCompany;
}

/** Time for the address at which the session at the provider ends; without it, only the session here ends. */
const PROVIDER_WAIT_MS = 3_000;

/** Signs out and discards all data that was read. In a browser, a user of the company is signed out at the provider, too, so that it asks the next one. */
export async function signOut(): Promise<void> {
  await endHeld();
  const isAtProvider = signedInAtCompany() && window.paydesk === undefined;
  const address = isAtProvider ? await logoutAddress() : null;
  endHere();
  if (address !== null) location.assign(address);
}

async function logoutAddress(): Promise<string | null> {
  const { url } = await takeData(api.GET('/api/v1/auth/company/logout-url', { signal: AbortSignal.timeout(PROVIDER_WAIT_MS) })).catch(
    () => ({ url: null }),
  );
  return url;
}

function endHere(): void {
  endLockedSession();
  revokeSession();
  discardData();
  showSignIn();
}

/** Shows the sign-in page in the language of the computer. The page is loaded again if its last user had another one. */
function showSignIn(): void {
  setState({ phase: showInLanguageOfComputer() ? 'starting' : 'signed-out' });
}

/** Chooses the merchant that sales and lists are for; remembered on this workstation. */
export function chooseMerchant(merchantId: string): void {
  const { state } = useSession.getState();
  if (state.phase !== 'signed-in') return;
  localStorage.setItem(`${MERCHANT_KEY}.${state.me.tenant.tenantId}`, merchantId);
  setState({ ...state, merchantId });
}

async function login({ email, password, tenantId }: SignInInput): Promise<SignedIn | SentCode> {
  const body = { email, password, ...(tenantId && { tenantId }) };
  return takeData<SignedIn | SentCode>(api.POST('/api/v1/public/accesstoken', { body }));
}

async function signedInState(): Promise<SessionState> {
  // A lock right after the sign-in offers these people, who cannot be asked for then.
  const people = queryClient.prefetchQuery(peopleQuery);
  const me = await takeData(api.GET('/api/v1/auth/me'));
  await people;
  if (me.merchants.length === 0) {
    dropCredential();
    throw new ApiFailure('MERCHANT_NOT_AUTHORIZED', t('Your merchant is closed.'));
  }
  // Nothing is shown in the language before.
  if (showIn(me.user.language)) return { phase: 'starting' };
  const storedId = localStorage.getItem(`${MERCHANT_KEY}.${me.tenant.tenantId}`);
  const merchant = me.merchants.find(({ merchantId }) => merchantId === storedId) ?? me.merchants[0];
  return { phase: 'signed-in', me, merchantId: merchant?.merchantId ?? '', lockReason: 'asked' };
}

/** Ends the session at the service without waiting: the screen closes immediately, and the page may be loaded again. */
function revokeSession(): void {
  const dropped = dropCredential();
  if (dropped) endSession(dropped);
}

function endSession({ refreshToken }: Credential): void {
  const ending = api.POST('/api/v1/auth/logout', { body: { refreshToken }, keepalive: true });
  ending.catch(() => undefined);
}

function setState(state: SessionState): void {
  if ('me' in state) setPeople(state.me.people);
  useSession.setState({ state });
}

onSessionEnd(() => lock('ended'));
