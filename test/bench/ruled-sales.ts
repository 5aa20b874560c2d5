import { createHash, createSecretKey } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  type Actor,
  atLeastOneUnit,
  currencyOfPayment,
  isoTime,
  newId,
  parseMoney,
  systemClock,
  toNumber,
} from '../../core/kernel/index.ts';
import { outcomeOf, paymentEntry } from '../../core/processing/gateways/sandbox/entry.ts';
import { decide } from '../../core/processing/gateways/sandbox/outcomes.ts';
import { toMerchant } from '../../core/processing/merchants/merchant.ts';
import { refusalOf, routePayment } from '../../core/processing/merchants/routing.ts';
import type { GatewayRow, MerchantRow } from '../../core/processing/merchants/schema.ts';
import { difference, toMaskedJson } from '../../core/records/audit/fields.ts';
import { checkCard } from '../../core/records/vault/checks.ts';
import { keyedHash, seal } from '../../core/records/vault/sealing.ts';
import { eventRow } from '../../core/records/webhooks/emit.ts';
import { newAttempt } from '../../core/sales/payments/attempts/attempts.ts';
import { auditEntryOf, transferOf } from '../../core/sales/payments/audit-and-ledger.ts';
import { decidedEvent } from '../../core/sales/payments/events.ts';
import { checkAfterAuthorization, checkBeforeAuthorization } from '../../core/sales/payments/fraud/rules.ts';
import type { TerminalOutcome } from '../../core/sales/payments/outcome.ts';
import { concludedRow } from '../../core/sales/payments/outcomes/conclude.ts';
import { NO_PARTS } from '../../core/sales/payments/parts/parts.ts';
import { chargeRequestOf, newTransaction } from '../../core/sales/payments/sale/submit-payment.ts';
import { toTransaction } from '../../core/sales/payments/transaction.ts';
import { readIdempotencyKey } from '../../server/hooks/index.ts';
import { check, knownFieldsOf, type Route, responseBody } from '../../server/http/index.ts';
import { publicPayments } from '../../server/routes/payments/public.ts';
import { billingOf } from '../../server/schemas/index.ts';
import type { SaleRows } from './rows.ts';

const TENANT = 'ten_bench';
const CREDENTIAL = 'key_bench';
const KEY = createSecretKey(Buffer.alloc(32, 7));
const API_KEY = `pk_sandbox_${'0'.repeat(40)}`;
const BIN_DIGITS = 6;
const RESPONSE_LIFETIME_MS = 86_400_000;
const NEEDS = { clockOf: () => systemClock, gateways: { answersWithinMs: () => 60_000 } };
const ROUTE = publicPayments.find(({ id }) => id === 'public.createTransaction') as Route & { readonly body: NonNullable<Route['body']> };

/** The fields of a body that a sale in the bench may have. */
interface SaleBody {
  readonly Amount: string;
  readonly Currency?: string;
  readonly CardNumber: string;
  readonly ExpiryMonth: string;
  readonly ExpiryYear: string;
  readonly CVV?: string;
  readonly BillingCustomerName?: string;
  readonly BillingEmail?: string;
  readonly BillingAddress?: string;
  readonly BillingCity?: string;
  readonly BillingState?: string;
  readonly BillingPostalCode?: string;
}

const hashOf = (apiKey: string) => createHash('sha256').update(apiKey).digest('hex');

/**
 * Returns a function that turns a request into the rows of an approved sale, with the rules of Paydesk and its own functions for them, one after the other:
 * credential, validation with the search for card numbers and misspelled fields, fingerprints, encryption of the card, routing, fraud rules, the sandbox's
 * decision, audit entry, event and response. It has no hooks, rights to compare, limits to count, recovery, or parts that can be replaced. The rows are those of
 * `saleRows()`, with all columns that Paydesk fills.
 */
export function ruledSales(merchantRow: MerchantRow, gateways: readonly GatewayRow[]): (request: FastifyRequest) => SaleRows {
  const merchant = { ...toMerchant(merchantRow), isLocalOnly: true };
  const credentials = new Map([[hashOf(API_KEY), { credentialId: CREDENTIAL, name: 'bench', merchantId: merchant.merchantId }]]);
  let number = 0;
  return (request) => {
    const credential = credentials.get(hashOf(API_KEY));
    if (credential === undefined) throw new Error('The key is not known.');
    const body = knownFieldsOf(ROUTE, request.body as object).body as SaleBody;
    check(ROUTE.body, body);
    const idempotencyKey = readIdempotencyKey(request, ROUTE, CREDENTIAL, KEY);
    if (idempotencyKey === null) throw new Error('The bench sends keys.');
    const actor: Actor = {
      ...credential,
      tenantId: TENANT,
      permissions: new Set(),
      requestId: request.id,
      ip: request.ip,
      userAgent: null,
      drawer: null,
      idempotencyKey,
    };
    const now = systemClock.now();
    const at = isoTime(now);
    const amount = atLeastOneUnit(parseMoney(body.Amount, currencyOfPayment(body.Currency, merchant)));
    const source = checkCard({ number: body.CardNumber, expiryMonth: body.ExpiryMonth, expiryYear: body.ExpiryYear, cvv: body.CVV }, now);
    const token = newId('tok', now);
    const [bin, last4] = [source.number.slice(0, BIN_DIGITS), source.number.slice(-4)];
    const card = {
      tenant_id: TENANT,
      id: token,
      kind: 'card',
      owner: null,
      merchant_id: merchant.merchantId,
      key_version: 1,
      sealed: seal(KEY, `${TENANT}|${token}|card|1`, source.number),
      fingerprint: keyedHash(KEY, source.number),
      brand: source.brand,
      bin,
      last4,
      expiry_month: source.expiryMonth,
      expiry_year: source.expiryYear,
      account_type: null,
      created_at: at,
    };
    const route = routePayment(merchant.routing, gateways, {
      amount: toNumber(amount),
      currency: amount.currency,
      card: { brand: source.brand, bin, last4 },
      paymentMethod: 'card',
      type: 'sale',
      customer: { email: body.BillingEmail },
    });
    const [first] = route.candidates;
    if (first === undefined) throw refusalOf(route);
    const via = { gateway: first.name, gateway_id: first.gatewayId };
    const billing = billingOf(body);
    const payment = {
      type: 'sale',
      method: 'card',
      amount,
      parts: NO_PARTS,
      merchant,
      source,
      sealed: null,
      token,
      billing,
      email: body.BillingEmail,
      channel: 'internet',
      details: {
        customer_name: body.BillingCustomerName ?? null,
        customer_email: body.BillingEmail?.toLowerCase() ?? null,
        billing: billing ? JSON.stringify(billing) : null,
        source: 'api',
      },
    } as const;
    const row = newTransaction(NEEDS, actor, payment, via);
    const intended = {
      transactionId: row.id,
      operation: 'sale',
      via,
      amountMinor: row.amount_minor,
      parts: NO_PARTS,
      currency: row.currency,
    } as const;
    const attempt = newAttempt(NEEDS as never, actor, intended, row.processor_ref);
    const before = { amount, ownCurrency: merchant.currency, bin, email: body.BillingEmail, usesInHour: 0 };
    if (checkBeforeAuthorization(merchant.fraud, before)) throw new Error('A rule declines the sale.');
    const charge = chargeRequestOf(row, payment);
    const ledger = paymentEntry('sale', charge, decide(charge), now);
    const outcome = outcomeOf(ledger) as Extract<TerminalOutcome, { kind: 'approved' }>;
    if (checkAfterAuthorization(merchant.fraud, outcome)) throw new Error('A rule declines the sale.');
    const final = concludedRow(row, outcome, at);
    const transaction = toTransaction(final);
    const answer = responseBody(ROUTE, transaction);
    const transfer = transferOf(merchant, attempt, row.id, 'capture', row.amount_minor, now);
    const entry = auditEntryOf(attempt, final, 'approved');
    const decided = { tenantId: TENANT, merchantId: merchant.merchantId, resourceId: row.id, atMs: now, ...decidedEvent(transaction) };
    number += 1;
    const rows = {
      answer,
      intent: {
        idempotency_keys: {
          tenant_id: TENANT,
          credential_id: CREDENTIAL,
          key: idempotencyKey.key,
          route: idempotencyKey.route,
          fingerprint: idempotencyKey.fingerprint,
          state: 'running',
          status: null,
          body: null,
          created_at: at,
          expires_ms: now + RESPONSE_LIFETIME_MS,
        },
        vault_entries: card,
        transactions: row,
        attempts: attempt,
      },
      ledger,
      event: { ...eventRow(decided, false), n: number },
      transfer: {
        tenant_id: TENANT,
        id: transfer.id,
        merchant_id: transfer.merchantId,
        currency: transfer.amount.currency,
        kind: transfer.kind,
        debit: 'processor',
        credit: 'unsettled',
        amount_minor: transfer.amount.minor,
        subject_id: transfer.subjectId,
        day: transfer.day,
        at: transfer.at,
      },
      audit: {
        tenant_id: TENANT,
        n: number,
        id: newId('aud', now),
        at,
        actor: actor.name,
        actor_id: actor.credentialId,
        action: entry.action,
        resource: entry.resource,
        merchant_id: merchant.merchantId,
        before: null,
        after: toMaskedJson(difference(null, entry.after ?? null).after),
        ip: actor.ip,
        request_id: actor.requestId,
        previous_hash: '',
        hash: '',
      },
      result: { tenant_id: TENANT, id: row.id, attempt: attempt.id, key: idempotencyKey.key, at, day: row.day, answer },
    };
    return rows as unknown as SaleRows;
  };
}
