import type { Core } from '#core';
import { type Actor, type Money, money, serviceActor, tenantTime } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { SamplePayment, SampleStep } from '#core/sales/payments';
import type { Composition } from '#server/operation';
import { seededRandom } from './random.ts';
import { createSampleMethods, type SampleMethods } from './sample-methods.ts';
import { sampleActor } from './sample-sales.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Time of day at which midnight has passed in every shop's time zone and no shop is open yet. */
const DAY_START_MS = 12 * HOUR_MS;
const OPENS_MS = 13 * HOUR_MS;
const OPEN_HOURS = 9;
/** Lifetime of an authorization without a capture. */
const HOLD_MS = 7 * DAY_MS;
/** Steps that are written in one transaction. */
const BLOCK = 5_000;
const PAYOUT_EVERY_DAYS = 7;
/** Share of all sales that one peak day has. */
const PEAK_SHARE = 0.1;
const PEAK_POSITION = 0.7;
const WEEKDAYS = [0.8, 0.9, 1, 1, 1.1, 1.3, 0.9];
/** Cents of amounts that the sandbox gateway reports wrongly on purpose; only few sales keep them. */
const FAULTY_CENTS = new Set([13, 14, 15]);

const OTHER_SHOPS = [
  { name: 'Harbor Street Roastery', currency: 'USD', timezone: 'America/Chicago' },
  { name: 'Harbor Street London', currency: 'GBP', timezone: 'Europe/London' },
] as const;
/** Cumulative share of each shop in the sales. */
const SHARES = [0.64, 0.95, 1];

/** Size of a sample history. */
export interface HistoryOptions {
  readonly transactions: number;
  readonly days: number;
  /** Seed: the same number creates the same sales with times, payment methods and outcomes. Identifiers are always new. */
  readonly seed: number;
  /** Called with the number of transactions written. */
  readonly progress?: (written: number) => void;
}

/**
 * Creates a history of three shops with settlements and payouts that ends yesterday. The rows are the same as after the real operations, but
 * payments are written thousands at a time. It includes voids, captures, refunds and expired authorizations; one peak day has a tenth of all
 * sales.
 */
export async function createHistory(composition: Composition, tenantId: string, options: HistoryOptions): Promise<void> {
  const clock = { at: 0, now: () => tenantTime(clock.at) };
  const core = composition.coreAt(clock);
  await core.identity.tenants.load();
  const now = Date.now();
  const end = now - ((now - OPENS_MS - OPEN_HOURS * HOUR_MS) % DAY_MS) - OPENS_MS - OPEN_HOURS * HOUR_MS;
  const first = end - (options.days - 1) * DAY_MS;
  const actor = sampleActor(tenantId);
  // Created now, so that the account's own merchant stays its first.
  clock.at = now;
  const shops = await createShops(core, actor);
  clock.at = first;
  await core.settlement.beginAt(tenantId, first);
  const generator = new HistoryGenerator(options, shops, await createSampleMethods(core, actor, seededRandom(options.seed)), actor, end);
  const moveTo = (ms: number) => {
    clock.at = ms;
  };
  let written = 0;
  for (const [index, count] of dailyCounts(options).entries()) {
    const midnight = first + index * DAY_MS;
    moveTo(midnight + DAY_START_MS);
    await core.settlement.catchUp(tenantId);
    if (index % PAYOUT_EVERY_DAYS === PAYOUT_EVERY_DAYS - 1) await payOut(core, actor, shops);
    const steps = generator.stepsOfDay(midnight, count);
    for (let at = 0; at < steps.length; at += BLOCK) {
      await core.sandbox.addSampleHistory(actor, steps.slice(at, at + BLOCK), moveTo, now);
    }
    written += count;
    options.progress?.(written);
  }
  moveTo(now);
  await core.settlement.catchUp(tenantId);
}

/** Returns the number of transactions of each day: by weekday, slowly rising, with one day that has a tenth of them. */
function dailyCounts({ transactions, days }: HistoryOptions): number[] {
  const weights = Array.from({ length: days }, (_, day) => (WEEKDAYS[day % WEEKDAYS.length] as number) * (1 + day / days / 2));
  const peak = Math.floor(days * PEAK_POSITION);
  const others = weights.reduce((sum, weight) => sum + weight, 0) - (weights[peak] as number);
  weights[peak] = days === 1 ? 1 : (others * PEAK_SHARE) / (1 - PEAK_SHARE);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let before = 0;
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    const until = Math.round((transactions * sum) / total);
    const count = until - before;
    before = until;
    return count;
  });
}

interface Shop {
  readonly merchant: Merchant;
  readonly via: SamplePayment['via'];
}

async function createShops(core: Core, actor: Actor): Promise<Shop[]> {
  for (const shop of OTHER_SHOPS) await core.merchants.create(actor, shop);
  const shops: Shop[] = [];
  for (const merchant of await core.merchants.merchantsOf(actor)) {
    const { candidates } = await core.merchants.route(merchant, actor.tenantId, {
      amount: 1,
      currency: merchant.currency,
      paymentMethod: 'card',
      type: 'sale',
    });
    const [first] = candidates;
    if (first) shops.push({ merchant, via: { gateway: first.name, gateway_id: first.gatewayId } });
  }
  return shops;
}

async function payOut(core: Core, actor: Actor, shops: readonly Shop[]): Promise<void> {
  for (const { merchant } of shops) {
    const { settledUnpaid } = await core.settlement.summary(actor, merchant.merchantId);
    if (settledUnpaid.amount.minor > 0) await core.settlement.payOut(actor, { merchantId: merchant.merchantId });
  }
}

/** Generates sales day by day, and their later changes. */
class HistoryGenerator {
  readonly #random: () => number;
  readonly #shops: readonly Shop[];
  readonly #methods: SampleMethods;
  readonly #actor: Actor;
  readonly #endMs: number;
  #pendingSteps: SampleStep[] = [];
  #serial = 0;

  constructor({ seed }: HistoryOptions, shops: readonly Shop[], methods: SampleMethods, actor: Actor, endMs: number) {
    this.#random = seededRandom(seed + 1);
    this.#shops = shops;
    this.#methods = methods;
    this.#actor = actor;
    this.#endMs = endMs;
  }

  /** Returns the steps from one day start to the next, in order. */
  stepsOfDay(midnight: number, count: number): SampleStep[] {
    const until = midnight + DAY_START_MS + DAY_MS;
    const steps = this.#pendingSteps.filter(({ atMs }) => atMs < until);
    this.#pendingSteps = this.#pendingSteps.filter(({ atMs }) => atMs >= until);
    for (let index = 0; index < count; index += 1) {
      const atMs = Math.floor(midnight + OPENS_MS + ((index + this.#random()) / count) * OPEN_HOURS * HOUR_MS);
      const payment = this.#payment();
      steps.push({ kind: 'pay', atMs, actor: this.#actor, payment });
      const followUp = this.#followUp(payment, atMs);
      if (followUp === null || followUp.atMs > this.#endMs) continue;
      if (followUp.atMs < until) steps.push(followUp);
      else this.#pendingSteps.push(followUp);
    }
    return steps.sort((one, other) => one.atMs - other.atMs);
  }

  #payment(): SamplePayment {
    const random = this.#random;
    const [shopRoll, kindRoll] = [random(), random()];
    const shop = this.#shops[SHARES.findIndex((share) => shopRoll < share)] as Shop;
    const { source, token, isSwiped } = this.#methods.pickMethod(random);
    const person = this.#methods.pickPerson(random);
    this.#serial += 1;
    const billing = source.kind === 'card' && !isSwiped ? person.billing : undefined;
    return {
      ...shop,
      type: source.kind === 'card' && kindRoll < 0.04 ? 'auth' : 'sale',
      amount: this.#amount(shop.merchant),
      source,
      token,
      channel: isSwiped ? 'counter' : 'phone',
      billing,
      details: {
        customer_name: person.name,
        customer_email: person.email,
        billing: billing ? JSON.stringify(billing) : null,
        order_id: random() < 0.7 ? `H-${100_000 + this.#serial}` : null,
        description: person.item,
        source: isSwiped ? 'swiped' : 'keyed',
      },
      row: null,
    };
  }

  #amount({ currency }: Merchant): Money {
    const minor = 450 + Math.floor(this.#random() ** 2 * 18_000);
    return money(FAULTY_CENTS.has(minor % 100) && this.#random() > 0.02 ? minor + 3 : minor, currency);
  }

  /** Generates later changes of some payments: a void, a capture or a refund. */
  #followUp(payment: SamplePayment, atMs: number): SampleStep | null {
    const [chance, delay, part] = [this.#random(), this.#random(), this.#random()];
    const step = { actor: this.#actor, payment };
    if (payment.type === 'auth') {
      if (chance < 0.85) return { ...step, kind: 'capture', atMs: Math.floor(atMs + (2 + delay * 40) * HOUR_MS) };
      const actor = serviceActor(this.#actor.tenantId);
      return { kind: 'void', actor: actor, payment, atMs: atMs + HOLD_MS, reason: 'authorization_expired' };
    }
    const laterMs = Math.floor(atMs + (5 + delay ** 2 * 700) * HOUR_MS);
    if (chance < 0.01) return { ...step, kind: 'void', atMs: atMs + HOUR_MS / 2, reason: 'Wrong amount keyed' };
    if (chance < 0.03) return { ...step, kind: 'refund', atMs: laterMs, reason: 'Returned' };
    const amountMinor = Math.max(1, Math.floor(payment.amount.minor * part));
    return chance < 0.04 ? { ...step, kind: 'refund', atMs: laterMs, amountMinor, reason: 'Part returned' } : null;
  }
}
