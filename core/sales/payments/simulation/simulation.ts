import { lit, queriesOn, TENANT } from '#core/database';
import { type Actor, type Currency, idFloor, money, parseCurrency, parseMoney, storedCurrency, toNumber } from '#core/kernel';
import type { RoutingAttributes } from '#core/processing/gateways';
import { type FraudSettings, fraudChangeFrom, type Merchant, type RoutingRule } from '#core/processing/merchants';
import { READABLE_CARDS } from '#core/records/vault';
import type { Dependencies } from '../dependencies.ts';
import { checkAfterAuthorization, checkBeforeAuthorization, type FraudDecline, type FraudRule } from '../fraud/rules.ts';
import { TRANSACTIONS, type TransactionRow } from '../schema.ts';
import type { FraudSimulation, SimulatedRoute } from './records.ts';

const LAST_SALES = 20;
const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;
const EXAMINED_MAX = 10_000;
const SAMPLE_MAX = 20;
const BIN_DIGITS = 6;

/** Data of a simulated payment. */
export interface SimulatedSale {
  readonly amount: string | number;
  readonly currency?: string;
  readonly cardNumber?: string;
  readonly paymentMethod?: 'card' | 'ach' | 'token';
  readonly type?: 'sale' | 'auth';
  readonly email?: string;
  readonly metadata?: Record<string, unknown>;
}

type SaleRow = TransactionRow & { readonly bin: string | null; readonly fingerprint: string | null };

/** Returns the payments of a merchant since a time, newest first, with the card details that the vault may reveal. */
function salesOf(deps: Dependencies, tenantId: string, merchantId: string, sinceMs: number, limit: number): Promise<SaleRow[]> {
  return deps.database.read(tenantId).rows(
    queriesOn(TRANSACTIONS, READABLE_CARDS)
      .selectFrom('transactions as t')
      .leftJoin('vault_entries as v', (join) => join.onRef('v.tenant_id', '=', 't.tenant_id').onRef('v.id', '=', 't.token'))
      .selectAll('t')
      .select(['v.bin', 'v.fingerprint'])
      .where('t.tenant_id', '=', TENANT)
      .where('t.merchant_id', '=', merchantId)
      .where('t.id', '>=', idFloor('txn', Math.max(0, sinceMs)))
      .where('t.type', '<>', lit('credit'))
      .orderBy('t.id', 'desc')
      .limit(limit),
  );
}

/** Simulates routing rules, the saved ones or others, on a simulated payment or on the last twenty payments. Nothing is saved or sent. */
export async function simulateRouting(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  input: { readonly rules?: readonly RoutingRule[]; readonly sale?: SimulatedSale },
): Promise<SimulatedRoute[]> {
  const merchant = await deps.merchantFor(actor, merchantId);
  if (input.sale) return [await simulatedRoute(deps, actor, merchant, null, attributesOfSale(merchant, input.sale), input.rules)];
  const rows = await salesOf(deps, actor.tenantId, merchantId, 0, LAST_SALES);
  // Rules are checked even if there is no payment.
  if (rows.length === 0 && input.rules) await deps.route(merchant, actor.tenantId, attributesOfSale(merchant, { amount: 1 }), input.rules);
  return Promise.all(rows.map((row) => simulatedRoute(deps, actor, merchant, row.id, attributesOfRow(row), input.rules)));
}

async function simulatedRoute(
  deps: Dependencies,
  actor: Actor,
  merchant: Merchant,
  transactionId: string | null,
  attributes: RoutingAttributes,
  rules: readonly RoutingRule[] | undefined,
): Promise<SimulatedRoute> {
  const { candidates, trace, passedOver } = await deps.route(merchant, actor.tenantId, attributes, rules);
  const [first, ...others] = candidates;
  return {
    transactionId,
    amount: attributes.amount,
    currency: attributes.currency,
    gateway: first?.name ?? null,
    rule: first?.rule ?? null,
    fallbacks: others.map(({ name }) => name),
    trace,
    passedOver,
  };
}

function attributesOfSale(merchant: Merchant, sale: SimulatedSale): RoutingAttributes {
  const currency = sale.currency === undefined ? merchant.currency : parseCurrency(sale.currency);
  const { cardNumber } = sale;
  return {
    amount: toNumber(parseMoney(sale.amount, currency)),
    currency,
    card:
      cardNumber === undefined
        ? undefined
        : {
            brand: BRANDS.find(([pattern]) => pattern.test(cardNumber))?.[1],
            bin: cardNumber.slice(0, BIN_DIGITS),
            last4: cardNumber.length > 10 ? cardNumber.slice(-4) : undefined,
          },
    paymentMethod: sale.paymentMethod ?? 'card',
    type: sale.type ?? 'sale',
    customer: { email: sale.email },
    metadata: sale.metadata,
  };
}

/** Card brands by the first six digits, which suffice for a simulated payment. */
const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^(6011|64[4-9]|65)/, 'discover'],
];

function attributesOfRow(row: SaleRow): RoutingAttributes {
  return {
    amount: toNumber({ minor: row.amount_minor, currency: storedCurrency(row.currency) }),
    currency: row.currency,
    card: row.card_brand === null ? undefined : { brand: row.card_brand, bin: row.bin ?? undefined, last4: row.last4 },
    paymentMethod: row.method,
    type: row.type,
    customer: { email: row.customer_email ?? undefined },
    metadata: row.metadata === null ? undefined : (JSON.parse(row.metadata) as Record<string, unknown>),
  };
}

/** Simulates fraud rules on the approved payments of the last seven days, in order: how many would have been declined, and by which rule. */
export async function simulateFraudSettings(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  changes: Partial<FraudSettings>,
): Promise<FraudSimulation> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const settings = { ...merchant.fraud, ...fraudChangeFrom(merchant.fraud, changes, merchant.currency) };
  const since = deps.clockOf(actor.tenantId).now() - WEEK_MS;
  const rows = (await salesOf(deps, actor.tenantId, merchantId, since, EXAMINED_MAX)).filter((row) => row.status !== 'failed').reverse();
  const uses = new Map<string, { atMs: number; row: SaleRow }[]>();
  const byRule: Partial<Record<FraudRule, number>> = {};
  const sample: { transactionId: string; rule: FraudRule; reason: string }[] = [];
  let examined = 0;
  for (const row of rows) {
    const atMs = Date.parse(row.created_at);
    const earlierUses = uses.get(row.fingerprint ?? row.id) ?? [];
    if (row.status === 'approved' || row.status === 'voided') {
      examined += 1;
      const decline = declineOf(settings, merchant.currency, row, atMs, earlierUses);
      if (decline) {
        byRule[decline.rule] = (byRule[decline.rule] ?? 0) + 1;
        if (sample.length < SAMPLE_MAX) sample.push({ transactionId: row.id, rule: decline.rule, reason: decline.reason });
      }
    }
    uses.set(row.fingerprint ?? row.id, [...earlierUses.filter((use) => use.atMs > atMs - 24 * HOUR_MS), { atMs, row }]);
  }
  return { examined, stopped: Object.values(byRule).reduce((sum, n) => sum + n, 0), byRule, sample };
}

function declineOf(
  settings: FraudSettings,
  ownCurrency: Currency,
  row: SaleRow,
  atMs: number,
  earlierUses: readonly { readonly atMs: number; readonly row: SaleRow }[],
): { rule: FraudRule; reason: string } | null {
  const isDuplicate = earlierUses.some(
    (use) =>
      use.row.status === 'approved' &&
      use.row.amount_minor === row.amount_minor &&
      use.row.currency === row.currency &&
      use.atMs > atMs - settings.duplicateWindowSeconds * 1_000,
  );
  if (settings.duplicateWindowSeconds > 0 && isDuplicate && row.rerun_of === null)
    return { rule: 'duplicateWindowSeconds', reason: 'The same card paid the same amount within the window.' };
  const decline: FraudDecline | null =
    checkBeforeAuthorization(settings, {
      amount: money(row.amount_minor, storedCurrency(row.currency)),
      ownCurrency,
      bin: row.bin ?? undefined,
      email: row.customer_email ?? undefined,
      usesInHour: earlierUses.filter((use) => use.atMs > atMs - HOUR_MS).length,
    }) ?? checkAfterAuthorization(settings, { avsResponse: row.avs_response ?? undefined, cvvResponse: row.cvv_response ?? undefined });
  return decline ? { rule: decline.rule, reason: decline.declineReason } : null;
}
