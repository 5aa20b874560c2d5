import type { Source } from '#core/records/vault';
import type { HttpClient } from '../http-client.ts';
import type { GatewayAccount } from '../processor.ts';
import { withoutSecrets } from '../redaction.ts';
import { type Element, readXml, textOf } from './xml.ts';

const ORIGINS = { test: 'https://sandbox.nmi.com', live: 'https://secure.nmi.com' } as const;
const PAYMENT_PATH = '/api/transact.php';
const QUERY_PATH = '/api/query.php';
const FORM = 'application/x-www-form-urlencoded';
/** Largest number of characters of a response to a payment, which has about 20 short fields. */
const PAYMENT_RESPONSE_MAX = 65_536;
/** Time limit of the whole call, in milliseconds; after it the outcome is unknown. */
export const TIMEOUT_MS = 60_000;
/** Time limit of a question to a card reader, which is asked every two seconds. */
const DEVICE_TIMEOUT_MS = 15_000;
const TOO_MANY_REQUESTS = 429;
const QUERY_ROOT = 'nm_response';
const CVV_SHAPE = /^\d{3,4}$/;

/** Form fields to send; undefined members are left out. */
export type Form = Readonly<Record<string, string | undefined>>;

/** A complete response of the Payment API as names and values, or the reason why there is none. */
export type ProcessorResponse =
  | { readonly kind: 'answer'; readonly answer: ReadonlyMap<string, string> }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** Response of the Query API; `refused` if it contains an error. */
type QueryResponse =
  | { readonly kind: 'answer'; readonly root: Element }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** Response of the API of card readers with its status; `lost` without one, or if it cannot be read. */
export type DeviceResponse =
  | { readonly kind: 'answer'; readonly status: number; readonly answer: unknown }
  | { readonly kind: 'not-sent' | 'lost'; readonly reason: string };

/** Client for one account at the processor. */
export interface Client {
  readonly host: string;
  /** Processor of the account to use; undefined for the account's default. */
  readonly processorId: string | undefined;
  pay(form: Form): Promise<ProcessorResponse>;
  query(form: Form): Promise<QueryResponse>;
  /** Calls the API of card readers, which takes and returns JSON: with a body by POST, without one by GET. */
  device(path: string, body?: Readonly<Record<string, string>>): Promise<DeviceResponse>;
  /** Removes secrets from a text of the processor. */
  clean(text: string, source?: Source): string;
}

export function createClient({ credentials, mode, origin = ORIGINS[mode] }: GatewayAccount, httpClient: HttpClient): Client {
  const { securityKey = '', processorId } = credentials;

  function send(path: string, form: Form) {
    const body = new URLSearchParams({ security_key: securityKey });
    for (const [name, value] of Object.entries(form)) if (value !== undefined && value !== '') body.set(name, value);
    return httpClient.post({ url: `${origin}${path}`, contentType: FORM, body: body.toString(), timeoutMs: TIMEOUT_MS });
  }

  function clean(text: string, source?: Source): string {
    const numbers = source?.kind === 'card' ? [source.number] : source?.kind === 'ach' ? [source.accountNumber, source.routingNumber] : [];
    const cvv = source?.kind === 'card' ? source.cvv : undefined;
    const masked = cvv === undefined || !CVV_SHAPE.test(cvv) ? text : text.replace(new RegExp(`(?<!\\d)${cvv}(?!\\d)`, 'g'), '[redacted]');
    return withoutSecrets(masked, [securityKey, ...numbers]);
  }

  return {
    host: new URL(origin).hostname,
    processorId: processorId === '' ? undefined : processorId,
    clean,
    async pay(form) {
      const response = await send(PAYMENT_PATH, form);
      if (response.kind !== 'answered') return response;
      if (response.status === TOO_MANY_REQUESTS)
        return { kind: 'not-sent', reason: 'The processor limits the number of requests. Try again later.' };
      if (response.status !== 200) return { kind: 'lost', reason: `The processor responded with HTTP ${response.status}.` };
      const answer = fieldsOf(response.body);
      return answer === null ? { kind: 'lost', reason: 'The response of the processor could not be read.' } : { kind: 'answer', answer };
    },
    async device(path, body) {
      const request = { url: `${origin}${path}`, authorization: `Bearer ${securityKey}`, timeoutMs: DEVICE_TIMEOUT_MS };
      const response = await (body === undefined
        ? httpClient.get(request)
        : httpClient.post({ ...request, contentType: 'application/json', body: JSON.stringify(body) }));
      if (response.kind !== 'answered') return response;
      const answer = response.body.length > PAYMENT_RESPONSE_MAX ? undefined : jsonOf(response.body);
      if (answer === undefined) return { kind: 'lost', reason: 'The response of the processor could not be read.' };
      return { kind: 'answer', status: response.status, answer };
    },
    async query(form) {
      const response = await send(QUERY_PATH, form);
      if (response.kind !== 'answered') return { kind: 'lost', reason: response.reason };
      if (response.status !== 200) return { kind: 'lost', reason: `The processor responded with HTTP ${response.status}.` };
      const root = readXml(response.body);
      if (root?.name !== QUERY_ROOT) return { kind: 'lost', reason: 'The response of the processor could not be read.' };
      const refused = textOf(root, 'error_response');
      return refused === undefined ? { kind: 'answer', root } : { kind: 'refused', reason: clean(refused) };
    },
  };
}

/** Returns the value of a JSON text; undefined if it is none. */
function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Returns the fields of a response; null if it is too long, or if a name occurs twice, because it is then unclear which value counts. */
function fieldsOf(body: string): ReadonlyMap<string, string> | null {
  if (body.length > PAYMENT_RESPONSE_MAX) return null;
  const pairs = [...new URLSearchParams(body.trim())];
  const answer = new Map(pairs);
  return answer.size === pairs.length && answer.has('response') ? answer : null;
}
