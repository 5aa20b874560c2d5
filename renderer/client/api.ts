import createClient from 'openapi-fetch';
import { currentCredential, personAtScreen, renewCredential, sessionAtHand } from './credentials.ts';
import { ApiFailure, failureOf, unreachable } from './failure.ts';
import type { ClientPaths } from './paths.ts';
import type { Credential, PageOf } from './shapes.ts';

/** Paths that are asked without a credential. */
const OPEN =
  /^\/(?:health|api\/v1\/(?:setup(?:\/.+)?|auth\/(?:logout|verify-otp|resend-otp|forgot-password|reset-password)|public\/accesstoken))$/;

/**
 * Sends a request with the credential of the session. An expired one is renewed once and the same request, key and all, goes again. What was only being
 * read when the session ended is read again after the next sign-in; rejects with an AbortError when its person leaves instead.
 */
export async function authorizedFetch(request: Request): Promise<Response> {
  if (OPEN.test(new URL(request.url).pathname)) return send(request);
  const person = personAtScreen();
  const credential = await currentCredential(person);
  const response = await sendWithin(request.clone(), credential);
  if (response !== undefined && response.status !== 401) return response;
  return send(request, await renewCredential(credential, person));
}

/** Undefined where the session ended before there was an answer. A change is never called off: whether it was made would be open. */
async function sendWithin(request: Request, credential: Credential): Promise<Response | undefined> {
  if (request.method !== 'GET') return send(request, credential);
  const session = sessionAtHand();
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
  // A session of the screens is not refreshed once it was idle.
  request.headers.set('X-Paydesk-Client', 'screen');
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

/** Client of the service, typed by its OpenAPI document. Wrap a call in `take` to get its body or an ApiFailure. */
export const api = createClient<ClientPaths>({ baseUrl: location.origin, fetch: authorizedFetch });

interface Given<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

/** The whole body of an answer. A decline is a body too (`success: false` with data); everything else that failed is thrown as ApiFailure. */
export async function take<Body>(call: Promise<Given<Body>>): Promise<Body> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (cause instanceof ApiFailure || (cause instanceof DOMException && cause.name === 'AbortError')) throw cause;
    throw new ApiFailure('UNREADABLE', 'The service gave an answer that cannot be read.', { cause });
  });
  if (!response.ok || data === undefined) throw failureOf(response, error, Date.now());
  return data;
}

/** The `data` of an answer's envelope. */
export async function takeData<Data>(call: Promise<Given<{ data: Data }>>): Promise<Data> {
  return (await take(call)).data;
}

interface Paged<Item> {
  data: Item[];
  pagination: { page: number; limit: number; total: number };
}

/** A page of a list. */
export async function takePage<Item>(call: Promise<Given<Paged<Item>>>): Promise<PageOf<Item>> {
  const { data, pagination } = await take(call);
  return { items: data, page: pagination.page, limit: pagination.limit, total: pagination.total };
}
