import { request } from 'undici';
import { expect } from 'vitest';
import { checkResponse } from './response-check.ts';

/** The envelope of every JSON response; `success` determines which parts are present. */
export interface Envelope<Data> {
  success: boolean;
  data: Data;
  pagination: { page: number; limit: number; total: number; pages: number; nextCursor: string | null };
  error: { code: string; message: string; field?: string; details?: Record<string, unknown>; docUrl: string };
}

/** A response of the server. */
export interface Answer<Data = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text read as JSON. @throws Error if it is not JSON. */
  readonly body: Envelope<Data>;
}

type Sent = Record<string, string>;

/**
 * The methods of one surface. Paths are relative to its prefix; given headers replace the headers of the surface, an empty string removes
 * one.
 */
export interface Surface {
  get<Data = Record<string, unknown>>(path: string, headers?: Sent): Promise<Answer<Data>>;
  post<Data = Record<string, unknown>>(path: string, body?: unknown, headers?: Sent): Promise<Answer<Data>>;
  put<Data = Record<string, unknown>>(path: string, body?: unknown, headers?: Sent): Promise<Answer<Data>>;
  delete<Data = Record<string, unknown>>(path: string, headers?: Sent, body?: unknown): Promise<Answer<Data>>;
}

/** Sends a request with any method. */
export function ask(surface: Surface, verb: string, path: string, body?: unknown, headers?: Sent): Promise<Answer> {
  switch (verb) {
    case 'get':
      return surface.get(path, headers);
    case 'delete':
      return surface.delete(path, headers, body);
    case 'put':
      return surface.put(path, body, headers);
    default:
      return surface.post(path, body, headers);
  }
}

interface Message {
  readonly method: string;
  readonly headers: Sent;
  readonly body: string | undefined;
}
type Received = Pick<Answer, 'status' | 'headers' | 'text'>;

async function sendForm(url: string, { method, headers }: Message, body: FormData): Promise<Received> {
  const response = await fetch(url, { method, headers, body, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/**
 * Sends a request without `fetch`, whose streams take as much processor time as the rest of a short request. A stream of events, which has no end,
 * is closed without its text.
 */
export async function sendRequest(url: string, { method, headers, body }: Message): Promise<Received> {
  const {
    statusCode: status,
    headers: fields,
    body: content,
  } = await request(url, { method: method as 'GET', headers: { accept: '*/*', 'user-agent': 'node', ...headers }, body });
  const received = new Headers(
    Object.entries(fields).flatMap(([name, value]) => [value ?? []].flat().map((each): [string, string] => [name, each])),
  );
  const isEndless = received.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (isEndless) content.on('error', () => {}).destroy();
  const text = isEndless ? '' : await content.text();
  checkResponse({ method, url, status, headers: received, text });
  return { status, headers: received, text };
}

/** Returns a surface whose own headers (credentials, tenant) are evaluated for each request. A string or a form as body is sent
 * unchanged. */
export function surfaceOf(baseUrl: string, prefix: string, ownHeaders: () => Promise<Sent> | Sent): Surface {
  const send = async <Data>(method: string, path: string, body: unknown, headers: Sent = {}): Promise<Answer<Data>> => {
    const url = `${baseUrl}${prefix}${path}`;
    const isForm = body instanceof FormData;
    const content: Sent = body === undefined || isForm ? {} : { 'content-type': 'application/json' };
    const all = { ...content, ...lowerCased(await ownHeaders()), ...lowerCased(headers) };
    const message = {
      method,
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    };
    const receive = isForm ? sendForm(url, message, body) : sendRequest(url, message);
    const received = await receive.catch((cause: Error) => {
      // Errors of a connection name neither the request nor the server.
      throw new Error(`${method} ${url}: ${cause.message}`, { cause });
    });
    return {
      ...received,
      get body() {
        return JSON.parse(received.text) as Envelope<Data>;
      },
    };
  };
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    delete: (path, headers, body) => send('DELETE', path, body, headers),
  };
}

/** Expects the error envelope with this status and code, and with the field as the caller spells it if one is named. Returns the error. */
export async function expectError(answer: Answer<unknown> | Promise<Answer<unknown>>, status: number, code: string, field?: string) {
  const { status: actual, text, body } = await answer;
  expect({ status: actual, success: body.success, code: body.error?.code }, text).toEqual({ status, success: false, code });
  if (field !== undefined) expect(body.error.field).toBe(field);
  return body.error;
}

/** Expects the success envelope with status 200, or another one, and returns its data. */
export async function expectData<Data>(answer: Answer<Data> | Promise<Answer<Data>>, status = 200): Promise<Data> {
  const { status: actual, text, body } = await answer;
  expect(actual, text).toBe(status);
  expect(body.success, text).toBe(true);
  return body.data;
}

function lowerCased(headers: Sent): Sent {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
