import createClient from 'openapi-fetch';
import type { paths } from '#client-types';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { currentCredential, personSignal, renewCredential, sessionSignal } from './credentials.ts';
import { ApiFailure, failureOf, unreachable } from './failure.ts';
import type { Credential, PageOf, SignedIn } from './shapes.ts';

/** Paths that are requested without a credential. */
const PUBLIC_PATHS =
  /^\/(?:health|api\/v1\/(?:setup(?:\/.+)?|auth\/(?:logout|verify-otp|resend-otp|forgot-password|reset-password|company(?:\/(?:begin|finish|deliver))?)|public\/accesstoken))$/;

/**
 * Sends a request with the credential of the session. An expired credential is renewed once, and the same request is sent again with the same
 * Idempotency-Key. A GET request that was pending when the session ended is repeated after the next sign-in.
 * @throws AbortError if the user signs out instead.
 */
export async function authorizedFetch(request: Request): Promise<Response> {
  const response = await fetchConfirmed(request);
  const waiting = response.status === 202 ? await requiredApproval(response) : null;
  return waiting === null || approvalHandler === undefined ? response : approvalHandler(waiting);
}

/** An operation that needs the approval of a second person. */
export interface RequiredApproval {
  readonly approvalId: string;
  /** Time at which the request expires, ISO 8601. */
  readonly expiresAt: string;
  readonly reason: string;
}

let approvalHandler: ((approval: RequiredApproval) => Promise<Response>) | undefined;

/** Sets the function that waits for approvals. It returns the response of the operation, as if it had not waited. */
export function handleApprovals(handler: typeof approvalHandler): void {
  approvalHandler = handler;
}

/** Returns the approval that an operation needs; null for every other accepted request. */
async function requiredApproval(response: Response): Promise<RequiredApproval | null> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const data = typeof body === 'object' && body !== null && 'data' in body ? (body.data as Partial<RequiredApproval> | null) : null;
  return data !== null && 'approvalRequired' in data ? (data as RequiredApproval) : null;
}

/** Fields of a request that confirm a sensitive change. */
export interface Confirmation {
  /** Absent if a sign-in at the company's provider takes its place. */
  readonly currentPassword?: string;
  /** Code from the user's authenticator app; absent if the user has none. */
  readonly currentCode?: string;
}

type ConfirmationHandler = (operation: string, send: (given: Confirmation) => Promise<Response>) => Promise<Response>;
let confirmationHandler: ConfirmationHandler | undefined;

/** Sets the function that asks the user to confirm an operation, by its summary, and sends the request again with the answer. */
export function handleConfirmations(handler: ConfirmationHandler): void {
  confirmationHandler = handler;
}

type ReasonHandler = (rule: string, send: (reason: string) => Promise<Response>) => Promise<Response>;
let reasonHandler: ReasonHandler | undefined;

/** Sets the function that asks the user why an operation needs its approval, and sends the request again with the answer. */
export function handleApprovalReasons(handler: ReasonHandler): void {
  reasonHandler = handler;
}

const APPROVAL_REASON = 'Paydesk-Approval-Reason';

/** Sends a request that the service refuses with a question if the approver of its operation would see no reason. */
async function fetchWithReason(request: Request, repeated: Request | undefined): Promise<Response> {
  // An empty reason asks for the question.
  if (repeated !== undefined) request.headers.set(APPROVAL_REASON, '');
  const response = await fetchWithCredential(request);
  const rule = response.status === 403 ? await detailsOfRefusal(response, 'approval_reason_required') : null;
  if (rule === null || repeated === undefined || reasonHandler === undefined) return response;
  return reasonHandler(String(rule.rule), (reason) => {
    const withReason = repeated.clone();
    withReason.headers.set(APPROVAL_REASON, encodeURIComponent(reason));
    return fetchWithCredential(withReason);
  });
}

async function fetchConfirmed(request: Request): Promise<Response> {
  const isRepeatable = request.method !== 'GET' && !(request.headers.get('Content-Type') ?? '').startsWith('multipart/');
  const repeated = isRepeatable ? request.clone() : undefined;
  const response = await fetchWithReason(request, repeated);
  const refusal = response.status === 403 ? await detailsOfRefusal(response, 'confirmation_required') : null;
  if (refusal === null || repeated === undefined || confirmationHandler === undefined) return response;
  return confirmationHandler(String(refusal.operation), async (given) => {
    const confirmed = await withFields(repeated.clone(), given);
    return fetchWithReason(confirmed.clone(), confirmed);
  });
}

/** Returns the details of a refusal with a reason; null for every other refusal. */
async function detailsOfRefusal(response: Response, reason: string): Promise<Readonly<Record<string, unknown>> | null> {
  const body: unknown = await response.clone().json();
  const { details } = await failureOf(response, body, 0);
  return details.reason === reason ? details : null;
}

/** Returns a request with further fields in its JSON body. */
async function withFields(request: Request, fields: object): Promise<Request> {
  const text = await request.text();
  const { method, url, signal } = request;
  const headers = new Headers(request.headers);
  headers.set('Content-Type', 'application/json');
  const sent: object = text === '' ? {} : (JSON.parse(text) as object);
  return new Request(url, { method, headers, signal, keepalive: request.keepalive, body: JSON.stringify({ ...sent, ...fields }) });
}

async function fetchWithCredential(request: Request): Promise<Response> {
  if (PUBLIC_PATHS.test(new URL(request.url).pathname)) return send(request);
  const person = personSignal();
  const credential = await currentCredential(person);
  const response = await sendUntilSessionEnds(request.clone(), credential);
  if (response !== undefined && response.status !== 401) return response;
  return send(request, await renewCredential(credential, person));
}

/** Returns undefined if the session ended before the response. Changes are never aborted, because their outcome would be unknown. */
async function sendUntilSessionEnds(request: Request, credential: Credential): Promise<Response | undefined> {
  if (request.method !== 'GET') return send(request, credential);
  const session = sessionSignal();
  const stop = new AbortController();
  const onEnd = () => stop.abort();
  session.addEventListener('abort', onEnd);
  try {
    return await send(new Request(request, { signal: AbortSignal.any([request.signal, stop.signal]) }), credential);
  } catch (failure) {
    if (!stop.signal.aborted) throw failure;
    return undefined;
  } finally {
    session.removeEventListener('abort', onEnd);
  }
}

async function send(request: Request, credential?: Credential): Promise<Response> {
  // The service does not refresh an idle session of a screen.
  request.headers.set('X-Paydesk-Client', 'screen');
  // Payments of this workstation belong to the open shift of its drawer.
  if (request.method !== 'GET') request.headers.set('Paydesk-Drawer', encodeURIComponent(useWorkstation.getState().drawer));
  if (credential) {
    request.headers.set('Authorization', `Bearer ${credential.token}`);
    request.headers.set('X-Tenant-ID', credential.tenantId);
  }
  try {
    return await fetch(request);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw unreachable(cause);
  }
}

/**
 * Takes over a locked screen with a PIN. The access token of a locked session is at most as old as the lock, so that it is not renewed.
 * @throws ApiFailure
 */
export async function switchLocked(credential: Credential, body: { readonly userId: string; readonly pin: string }): Promise<SignedIn> {
  const headers = { 'Content-Type': 'application/json' };
  const request = new Request(new URL('/api/v1/auth/switch', location.href), { method: 'POST', headers, body: JSON.stringify(body) });
  const response = await send(request, credential);
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw await failureOf(response, answer, Date.now());
  return (answer as { data: SignedIn }).data;
}

/** Client of the service, typed by its OpenAPI document. Wrap a call in `take` to get its body or an ApiFailure. */
export const api = createClient<ClientPaths>({ baseUrl: location.origin, fetch: authorizedFetch });

interface ApiResult<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

/** Returns the body of a response. A decline is a body (`success: false` with data). @throws ApiFailure for every other failure. */
export async function take<Body>(call: Promise<ApiResult<Body>>): Promise<Body> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (cause instanceof ApiFailure || (cause instanceof DOMException && cause.name === 'AbortError')) throw cause;
    throw new ApiFailure('UNREADABLE', t('The server sent an unreadable response.'), { cause });
  });
  if (!response.ok || data === undefined) throw await failureOf(response, error, Date.now());
  return data;
}

/** Returns the `data` of a response envelope. */
export async function takeData<Data>(call: Promise<ApiResult<{ data: Data }>>): Promise<Data> {
  return (await take(call)).data;
}

interface Paged<Item> {
  data: Item[];
  pagination: { page: number; limit: number; total: number };
}

/** Returns one page of a list. */
export async function takePage<Item>(call: Promise<ApiResult<Paged<Item>>>): Promise<PageOf<Item>> {
  const { data, pagination } = await take(call);
  return { items: data, page: pagination.page, limit: pagination.limit, total: pagination.total };
}

/** Header that the session adds to every request. */
type FromSession = 'X-Tenant-ID';

type Headers<Parameters> = Parameters extends { header?: infer Given } ? Omit<NonNullable<Given>, FromSession> : never;

/** The response of an operation that needs a second person is never seen by its caller: `authorizedFetch` waits for the approval. */
type WithoutApproval<Responses> = Responses extends { 200: unknown } | { 201: unknown } ? Omit<Responses, 202> : Responses;

type AsCalled<Operation> = Operation extends { parameters: infer Parameters; responses: infer Responses }
  ? Omit<Operation, 'parameters' | 'responses'> & {
      parameters: Omit<Parameters, 'header'> & { header?: Headers<Parameters> };
      responses: WithoutApproval<Responses>;
    }
  : Operation;

/** Paths of the service without what the session adds and handles. */
type ClientPaths = { [Path in keyof paths]: { [Method in keyof paths[Path]]: AsCalled<paths[Path][Method]> } };
