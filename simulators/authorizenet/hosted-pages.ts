// Accept Hosted: a request for a token, and the form that a browser opens by posting it.
import { randomBytes } from 'node:crypto';
import { cardForm, messagePage } from '../hosted-pages.ts';
import type { ReceivedRequest, SimulatedPage, SimulatorContext, SimulatorResponse } from '../simulator-server.ts';
import type { TransactionRequest } from './request.ts';
import { transact } from './transactions.ts';

export const PAGE_PATH = '/payment/payment';
export const SUBMIT_PATH = '/payment/submit';
const TITLE = 'Payment form (simulator)';
/** Lifetime of a token, within which its form must be shown. A form that is shown can be sent later. */
const LIFETIME_MS = 15 * 60_000;
const TOKEN_BYTES = 48;

interface Token {
  readonly request: TransactionRequest;
  readonly createdMs: number;
  isPaid: boolean;
}

/** Tokens of each ledger. */
const tokens = new WeakMap<SimulatorContext['ledger'], Map<string, Token>>();

function tokensOf({ ledger }: SimulatorContext): Map<string, Token> {
  const known = tokens.get(ledger) ?? new Map<string, Token>();
  tokens.set(ledger, known);
  return known;
}

export function newToken(request: TransactionRequest, context: SimulatorContext): string {
  const token = randomBytes(TOKEN_BYTES).toString('base64');
  tokensOf(context).set(token, { request, createdMs: context.now(), isPaid: false });
  return token;
}

/** Returns the forms that were requested, with the token in the query, although the form takes it from a posted form only. */
export const hostedPages = (context: SimulatorContext): SimulatedPage[] =>
  [...tokensOf(context)].map(([token, { request }]) => ({
    ourReference: request.order?.invoiceNumber ?? '',
    url: `${PAGE_PATH}?token=${encodeURIComponent(token)}`,
  }));

/** Shows the form of a posted token, or pays it. */
export function answerPayer({ method, path, body }: ReceivedRequest, context: SimulatorContext): SimulatorResponse {
  if (method !== 'POST') return messagePage(TITLE, 'Missing or invalid token.', 405);
  const form = new URLSearchParams(body);
  const token = form.get('token') ?? '';
  const known = tokensOf(context).get(token);
  const isExpired = known !== undefined && path === PAGE_PATH && context.now() - known.createdMs > LIFETIME_MS;
  if (known === undefined || isExpired) return messagePage(TITLE, 'Missing or invalid token.', 400);
  const { request } = known;
  if (known.isPaid) return messagePage(TITLE, 'This payment was already made.', 409);
  const shown = {
    title: TITLE,
    amount: `${request.amount} USD`,
    description: request.order?.description ?? '',
    action: SUBMIT_PATH,
    hidden: { token },
  };
  if (path === PAGE_PATH) return cardForm(shown);
  const field = (name: string) => (form.get(name) ?? '').trim();
  const creditCard = {
    cardNumber: field('number').replaceAll(' ', ''),
    expirationDate: `${field('year')}-${field('month').padStart(2, '0')}`,
    cardCode: field('code'),
  };
  // The processor itself names the market of its form.
  const retail = { marketType: '0', deviceType: '8' };
  const verdict = transact({ ...request, payment: { creditCard }, retail }, context, null);
  if (verdict.response !== '1' && verdict.response !== '4') return cardForm({ ...shown, notice: verdict.message });
  known.isPaid = true;
  return messagePage(TITLE, `Thank you. ${verdict.message}`);
}
