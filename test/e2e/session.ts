import type { Page } from '@playwright/test';

/** A server of one test file: a separate process with sample data, as `npm run serve -- --demo` starts it. */
export interface Service {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
}

/** The fields of a sign-in response that the tests use. */
export interface Session {
  readonly token: string;
  readonly refreshToken: string;
  readonly user: { readonly tenantId: string };
}

/** Access tokens are valid for fifteen minutes. */
const FRESH_MS = 10 * 60_000;
const sessions = new Map<string, { readonly beganAt: number; readonly session: Promise<Session> }>();

/**
 * The administrator's session at a server. One serves many tests, because sign-ins are limited by address and password hashing is
 * slow by design.
 */
export async function sessionOf(service: Service): Promise<Session> {
  const known = sessions.get(service.baseUrl);
  if (known !== undefined && Date.now() - known.beganAt < FRESH_MS) return known.session;
  const session = signIn(service);
  sessions.set(service.baseUrl, { beganAt: Date.now(), session });
  return session;
}

/** The administrator's session, or a new one if a test ended it. */
export async function sessionFor(service: Service): Promise<Session> {
  const session = await sessionOf(service);
  if (await isTaken(service, session)) return session;
  sessions.delete(service.baseUrl);
  return sessionOf(service);
}

/** Forgets the session at a server that stops. Another server can have its address later. */
export const forgetSession = ({ baseUrl }: Service): void => void sessions.delete(baseUrl);

/** Opens pages as for a user who has signed in on this tab: the response that renews the session is provided. */
export async function resumeIn(page: Page, service: Service): Promise<void> {
  await page.addInitScript(keepSession, { session: await sessionFor(service), origin: service.baseUrl });
}

/** Stores the session that the page renewed, because a refresh token that is used twice would end the session. */
export async function takeBack(page: Page, service: Service): Promise<void> {
  const known = sessions.get(service.baseUrl);
  const isThere = !page.isClosed() && page.url().startsWith(service.baseUrl);
  const kept = !isThere ? null : await page.evaluate(() => sessionStorage.getItem('paydesk.session')).catch(() => null);
  if (known === undefined || kept === null) {
    sessions.delete(service.baseUrl);
    return;
  }
  const session = await known.session;
  const { refreshToken } = JSON.parse(kept) as { refreshToken: string };
  sessions.set(service.baseUrl, { beganAt: known.beganAt, session: Promise.resolve({ ...session, refreshToken }) });
}

async function signIn({ baseUrl, tenantId, adminEmail, adminPassword }: Service): Promise<Session> {
  const response = await fetch(`${baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenant-id': tenantId, 'x-paydesk-client': 'screen' },
    body: JSON.stringify({ email: adminEmail, password: adminPassword }),
  });
  if (!response.ok) throw new Error(`the administrator's sign-in was answered with ${response.status}`);
  return ((await response.json()) as { data: Session }).data;
}

/** A test may have ended this session or all sessions. */
async function isTaken({ baseUrl, tenantId }: Service, { token }: Session): Promise<boolean> {
  const response = await fetch(`${baseUrl}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}`, 'x-tenant-id': tenantId } });
  return response.ok;
}

/** Runs in the page before its own scripts. Provides the session once per tab. */
function keepSession({ session: first, origin }: { session: Session; origin: string }): void {
  const mark = 'test.resumed';
  const resume = (session: Session) => {
    sessionStorage.setItem(mark, 'yes');
    const { refreshToken, user } = session;
    sessionStorage.setItem('paydesk.session', JSON.stringify({ refreshToken, tenantId: user.tenantId, activeAtMs: Date.now() }));
    const ask = window.fetch;
    window.fetch = (input, init) => {
      if (!String(input).endsWith('/auth/refresh')) return ask(input, init);
      window.fetch = ask;
      return Promise.resolve(Response.json({ success: true, data: session }));
    };
  };
  Object.defineProperty(window, '__resume', { value: resume });
  if (location.origin === origin && sessionStorage.getItem(mark) === null) resume(first);
}
