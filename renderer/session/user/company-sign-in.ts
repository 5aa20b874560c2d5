import { queryOptions } from '@tanstack/react-query';
import { api, type SignedIn, takeData } from '#renderer/base/client';
import { openSession } from './session.ts';

const STORAGE_KEY = 'paydesk.company-sign-in';
/** Path of the address at which a provider of OpenID Connect returns. */
const RETURN_PATH = '/company-sign-in';
/** Interval at which the desktop application asks whether the browser of the system has received the answer. */
const POLL_MS = 3_000;

/** Answer of a provider, as it arrives in the address of the page. */
export interface ProviderAnswer {
  readonly state: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
}

/** Accounts whose users can sign in at a provider. */
export const companySignInsQuery = queryOptions({
  queryKey: ['company-sign-ins'],
  queryFn: async () => (await takeData(api.GET('/api/v1/auth/company'))).accounts,
});

/**
 * Returns the answer with which the page was opened, and removes it from the address, where the history would keep it; undefined if there is none, such as
 * after a sign-out at the provider.
 */
export function takeProviderAnswer(): ProviderAnswer | undefined {
  if (location.pathname !== RETURN_PATH) return undefined;
  const query = new URLSearchParams(location.search);
  history.replaceState(null, '', '/#/');
  const value = (name: string) => query.get(name) ?? undefined;
  const [code, iss, error] = [value('code'), value('iss'), value('error')];
  if (!query.has('state')) return undefined;
  return { state: query.get('state') ?? '', ...(code && { code }), ...(iss && { iss }), ...(error && { error }) };
}

/**
 * Opens the provider of an account in this window. With `openProvider`, the desktop application opens it in the browser of the system, and the session starts
 * when its answer has arrived.
 */
export async function beginCompanySignIn(tenantId: string, openProvider?: (address: string) => Promise<void>): Promise<void> {
  const body = { tenantId, ...(openProvider !== undefined && { desktop: true }) };
  const begun = await takeData(api.POST('/api/v1/auth/company/begin', { body }));
  if (openProvider === undefined) {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ state: begun.state, browserKey: begun.browserKey }));
    location.assign(begun.url);
    return;
  }
  await openProvider(begun.url);
  while (Date.now() < Date.parse(begun.expiresAt)) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (await finish({ state: begun.state }, begun.browserKey)) return;
  }
}

/**
 * Finishes the sign-in of this browser. An answer of another program's sign-in is handed to the desktop application on this computer, and `handed` is
 * returned.
 */
export async function finishCompanySignIn(answer: ProviderAnswer): Promise<'signed-in' | 'handed'> {
  const begun = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as { readonly state?: string; readonly browserKey?: string };
  sessionStorage.removeItem(STORAGE_KEY);
  if (begun.browserKey === undefined || begun.state !== answer.state) {
    await takeData(api.POST('/api/v1/auth/company/deliver', { body: answer }));
    return 'handed';
  }
  await finish(answer, begun.browserKey);
  return 'signed-in';
}

async function finish(answer: ProviderAnswer, browserKey: string): Promise<boolean> {
  const finished = await takeData<SignedIn | { readonly pending: true }>(
    api.POST('/api/v1/auth/company/finish', { body: { ...answer, browserKey } }),
  );
  if (!('token' in finished)) return false;
  await openSession(finished);
  return true;
}
