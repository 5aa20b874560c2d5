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

/** A whole answer, or why there is none. */
export type Heard =
  | { readonly kind: 'answer'; readonly answer: Json }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

/** One account's way to the processor. */
export interface Client {
  ask(operation: string, members: Json): Promise<Heard>;
  /** Removes secrets from a text of the processor. */
  readonly clean: Clean;
}

/** Makes a text of the processor safe to store. */
type Clean = (text: string, ofQuestion?: readonly string[]) => string;

export function createClient({ credentials, mode, origin }: GatewayAccount, wire: HttpClient): Client {
  const { loginId = '', transactionKey = '' } = credentials;
  const url = `${origin ?? ORIGINS[mode]}${PATH}`;
  return {
    async ask(operation, members) {
      const body = JSON.stringify({ [operation]: { merchantAuthentication: { name: loginId, transactionKey }, ...members } });
      const heard = await wire.post({ url, contentType: 'application/json', body, timeoutMs: TIMEOUT_MS });
      if (heard.kind !== 'answered') return heard;
      // Declines and errors come with 200 too: anything else was not their last word.
      if (heard.status !== 200) return { kind: 'lost', reason: `The processor answered with HTTP ${heard.status}.` };
      const answer = parse(heard.body);
      return answer === null ? { kind: 'lost', reason: 'The answer of the processor could not be read.' } : { kind: 'answer', answer };
    },
    clean: (text, ofQuestion = []) => withoutSecrets(text, [loginId, transactionKey, ...ofQuestion]),
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

/** A member that may be a string here and a number there. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A flag, which may be a word here and a boolean there. */
export function isTrue(value: unknown): boolean {
  return value === true || textOf(value)?.toLowerCase() === 'true';
}

/** The name of a transaction: digits, `0` for none. */
export function referenceOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^(?:0|[1-9]\d{0,19})$/.test(text) ? text : undefined;
}

/** The issuer's code of an approval. */
export function authCodeOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^[A-Za-z0-9]{1,10}$/.test(text) ? text : undefined;
}

/** One of their times, with or without its zone: UTC in either case. */
export function timeOf(value: unknown): number | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const time = Date.parse(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf).filter((item) => item !== null) : [];
}

/** The first code and text around an answer. */
export function messageOf(answer: Json): { isOk: boolean; code: string; text: string } {
  const messages = objectOf(answer.messages);
  const [first] = listOf(messages?.message);
  return { isOk: textOf(messages?.resultCode) === 'Ok', code: textOf(first?.code) ?? '', text: textOf(first?.text) ?? '' };
}
