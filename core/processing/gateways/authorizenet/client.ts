import { newProcessorRef } from '#core/kernel';
import type { HttpClient } from '../http-client.ts';
import type { GatewayAccount } from '../processor.ts';
import { withoutSecrets } from '../redaction.ts';

const ORIGINS = { test: 'https://apitest.authorize.net', live: 'https://api2.authorize.net' } as const;
const PATH = '/xml/v1/request.api';
/** Time limit of the whole call, in milliseconds; after it the outcome is unknown. */
export const TIMEOUT_MS = 60_000;
const BYTE_ORDER_MARK = '\ufeff';

/** Any object of the processor. Unknown members are ignored. */
export type Json = Readonly<Record<string, unknown>>;

/** A complete response, or the reason why there is none. */
export type ProcessorResponse =
  | { readonly kind: 'response'; readonly body: Json }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** Client for one account at the processor. */
export interface Client {
  /** Sends a request with a reference, by default one of its own, which the processor repeats. A response with another reference belongs to another request and is lost. */
  send(operation: string, members: Json, refId?: string): Promise<ProcessorResponse>;
  /** Removes secrets from a text of the processor. */
  readonly clean: Clean;
}

/** Makes a text of the processor safe to store. */
type Clean = (text: string, secrets?: readonly string[]) => string;

export function createClient({ credentials, mode, origin }: GatewayAccount, httpClient: HttpClient): Client {
  const { loginId = '', transactionKey = '' } = credentials;
  const url = `${origin ?? ORIGINS[mode]}${PATH}`;
  return {
    async send(operation, members, refId = newProcessorRef()) {
      const body = JSON.stringify({ [operation]: { merchantAuthentication: { name: loginId, transactionKey }, refId, ...members } });
      const response = await httpClient.post({ url, contentType: 'application/json', body, timeoutMs: TIMEOUT_MS });
      if (response.kind !== 'answered') return response;
      // Declines and errors have status 200 too, so any other status does not reveal the outcome.
      if (response.status !== 200) return { kind: 'lost', reason: `The processor responded with HTTP ${response.status}.` };
      const answer = parse(response.body);
      if (answer === null) return { kind: 'lost', reason: 'The response of the processor could not be read.' };
      const repeated = textOf(answer.refId);
      if (repeated !== undefined && repeated !== refId) return { kind: 'lost', reason: 'The processor responded to another request.' };
      return { kind: 'response', body: answer };
    },
    clean: (text, secrets = []) => withoutSecrets(text, [loginId, transactionKey, ...secrets]),
  };
}

function parse(body: string): Json | null {
  try {
    return objectOf(JSON.parse(body.startsWith(BYTE_ORDER_MARK) ? body.slice(1) : body));
  } catch {
    return null;
  }
}

export function objectOf(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

/** Returns the text of a member that may be a string or a number. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Returns the value of a flag, which may be a string or a boolean. */
export function isTrue(value: unknown): boolean {
  return value === true || textOf(value)?.toLowerCase() === 'true';
}

/** Returns the ID of a transaction: digits; `0` for none. */
export function referenceOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^(?:0|[1-9]\d{0,19})$/.test(text) ? text : undefined;
}

/** Returns the authorization code of the issuer. */
export function authCodeOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^[A-Za-z0-9]{1,10}$/.test(text) ? text : undefined;
}

/** Returns a time of the processor, which is UTC with or without a time zone. */
export function timeOf(value: unknown): number | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf).filter((item) => item !== null) : [];
}

/** Returns the first code and text of the envelope of a response. */
export function messageOf(answer: Json): { isOk: boolean; code: string; text: string } {
  const messages = objectOf(answer.messages);
  const [first] = listOf(messages?.message);
  return { isOk: textOf(messages?.resultCode) === 'Ok', code: textOf(first?.code) ?? '', text: textOf(first?.text) ?? '' };
}
