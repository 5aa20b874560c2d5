import type { Core } from '#core';
import { type Actor, type Money, money, serviceActor, tenantTime } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { SamplePayment, SampleStep } from '#core/payments';
import type { Composition } from '../compose.ts';
import { dice } from './dice.ts';
import { makeWallet, type Wallet } from './past-wallet.ts';
import { clerk } from './sample-sales.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Every shop's midnight lies behind it, and no shop is open. */
const DAWN_MS = 12 * HOUR_MS;
const OPENS_MS = 13 * HOUR_MS;
const OPEN_HOURS = 9;
/** Lifetime of an authorization without a capture. */
const HOLD_MS = 7 * DAY_MS;
/** Steps that are written in one transaction. */
const BLOCK = 5_000;
const PAYOUT_EVERY_DAYS = 7;
/** One day of them all has a tenth of the trade. */
const PEAK_SHARE = 0.1;
const PEAK_AT = 0.7;
const WEEKDAYS = [0.8, 0.9, 1, 1, 1.1, 1.3, 0.9];
/** Cents with which the sandbox's report goes wrong on purpose; a few stay. */
const FAULTY_CENTS = new Set([13, 14, 15]);

const OTHER_SHOPS = [
  { name: 'Harbor Street Roastery', currency: 'USD', timezone: 'America/Chicago' },
  { name: 'Harbor Street London', currency: 'GBP', timezone: 'Europe/London' },
] as const;
/** Cumulative share of each shop in the sales. */
const SHARES = [0.64, 0.95, 1];

/** Size of a sample history. */
export interface PastTrade {
  readonly transactions: number;
  readonly days: number;
  /** Seed: the same number creates the same sales with times, payment methods and outcomes. Identifiers are always new. */
  readonly seed: number;
  /** Called with the number of transactions written. */
  readonly progress?: (written: number) => void;
}

/**
 * Years of trade of three shops, with settlements and payouts, that end with yesterday: every row as the operations would have left it, but payments written
 * thousands at a time. Voids, captures, refunds and expired authorizations among them; one day has a tenth of it all.
 */
export async function makePastTrade(composition: Composition, tenantId: string, of: PastTrade): Promise<void> {
  const clock = { at: 0, now: () => tenantTime(clock.at) };
  const core = composition.coreAt(clock);
  await core.identity.tenants.load();
  const now = Date.now();
  const end = now - ((now - OPENS_MS - OPEN_HOURS * HOUR_MS) % DAY_MS) - OPENS_MS - OPEN_HOURS * HOUR_MS;
  const first = end - (of.days - 1) * DAY_MS;
  const actor = clerk(tenantId);
  // As new as the account's own, which stays its first.
  clock.at = now;
  const shops = await openShops(core, actor);
  clock.at = first;
  await core.settlement.beginAt(tenantId, first);
  const trade = new Trade(of, shops, await makeWallet(core, actor, dice(of.seed)), actor, end);
  const moveTo = (ms: number) => {
    clock.at = ms;
  };
  let written = 0;
  for (const [index, count] of countsOf(of).entries()) {
    const midnight = first + index * DAY_MS;
    moveTo(midnight + DAWN_MS);
    await core.settlement.catchUp(tenantId);
    if (index % PAYOUT_EVERY_DAYS === PAYOUT_EVERY_DAYS - 1) await payOut(core, actor, shops);
    const steps = trade.day(midnight, count);
    for (let at = 0; at < steps.length; at += BLOCK) {
      await core.sandbox.addPast(actor, steps.slice(at, at + BLOCK), moveTo, now);
    }
    written += count;
    of.progress?.(written);
  }
  moveTo(now);
  await core.settlement.catchUp(tenantId);
}

/** Returns the number of transactions of each day: by weekday, slowly rising, with one day that has a tenth of them. */
function countsOf({ transactions, days }: PastTrade): number[] {
  const weights = Array.from({ length: days }, (_, day) => (WEEKDAYS[day % WEEKDAYS.length] as number) * (1 + day / days / 2));
  const peak = Math.floor(days * PEAK_AT);
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

async function openShops(core: Core, actor: Actor): Promise<Shop[]> {
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
    const { settledUnpaid } = await core.settlement.standing(actor, merchant.merchantId);
    if (settledUnpaid.amount.minor > 0) await core.settlement.payOut(actor, { merchantId: merchant.merchantId });
  }
}

/** Generates sales day by day, and their later changes. */
class Trade {
  readonly #roll: () => number;
  readonly #shops: readonly Shop[];
  readonly #wallet: Wallet;
  readonly #by: Actor;
  readonly #endMs: number;
  #later: SampleStep[] = [];
  #serial = 0;

  constructor({ seed }: PastTrade, shops: readonly Shop[], wallet: Wallet, actor: Actor, endMs: number) {
    this.#roll = dice(seed + 1);
    this.#shops = shops;
    this.#wallet = wallet;
    this.#by = actor;
    this.#endMs = endMs;
  }

  /** The steps from one dawn to the next, in their order. */
  day(midnight: number, count: number): SampleStep[] {
    const until = midnight + DAWN_MS + DAY_MS;
    const steps = this.#later.filter(({ atMs }) => atMs < until);
    this.#later = this.#later.filter(({ atMs }) => atMs >= until);
    for (let index = 0; index < count; index += 1) {
      const atMs = Math.floor(midnight + OPENS_MS + ((index + this.#roll()) / count) * OPEN_HOURS * HOUR_MS);
      const payment = this.#payment();
      steps.push({ kind: 'pay', atMs, by: this.#by, payment });
      const sequel = this.#sequel(payment, atMs);
      if (sequel === null || sequel.atMs > this.#endMs) continue;
      if (sequel.atMs < until) steps.push(sequel);
      else this.#later.push(sequel);
    }
    return steps.sort((one, other) => one.atMs - other.atMs);
  }

  #payment(): SamplePayment {
    const roll = this.#roll;
    const [shopRoll, kindRoll] = [roll(), roll()];
    const shop = this.#shops[SHARES.findIndex((share) => shopRoll < share)] as Shop;
    const { source, token, isSwiped } = this.#wallet.pay(roll);
    const person = this.#wallet.person(roll);
    this.#serial += 1;
    const billing = source.kind === 'card' && !isSwiped ? person.billing : undefined;
    return {
      ...shop,
      type: source.kind === 'card' && kindRoll < 0.04 ? 'auth' : 'sale',
      amount: this.#amount(shop.merchant),
      source,
      token,
      billing,
      details: {
        customer_name: person.name,
        customer_email: person.email,
        billing: billing ? JSON.stringify(billing) : null,
        order_id: roll() < 0.7 ? `H-${100_000 + this.#serial}` : null,
        description: person.item,
        source: isSwiped ? 'swiped' : 'keyed',
      },
      row: null,
    };
  }

  #amount({ currency }: Merchant): Money {
    const minor = 450 + Math.floor(this.#roll() ** 2 * 18_000);
    return money(FAULTY_CENTS.has(minor % 100) && this.#roll() > 0.02 ? minor + 3 : minor, currency);
  }

  /** Generates later changes of some payments: a void, a capture or a refund. */
  #sequel(payment: SamplePayment, atMs: number): SampleStep | null {
    const [chance, delay, part] = [this.#roll(), this.#roll(), this.#roll()];
    const step = { by: this.#by, payment };
    if (payment.type === 'auth') {
      if (chance < 0.85) return { ...step, kind: 'capture', atMs: Math.floor(atMs + (2 + delay * 40) * HOUR_MS) };
      const actor = serviceActor(this.#by.tenantId);
      return { kind: 'void', by: actor, payment, atMs: atMs + HOLD_MS, reason: 'authorization_expired' };
    }
    const laterMs = Math.floor(atMs + (5 + delay ** 2 * 700) * HOUR_MS);
    if (chance < 0.01) return { ...step, kind: 'void', atMs: atMs + HOUR_MS / 2, reason: 'Wrong amount keyed' };
    if (chance < 0.03) return { ...step, kind: 'refund', atMs: laterMs, reason: 'Returned' };
    const amountMinor = Math.max(1, Math.floor(payment.amount.minor * part));
    return chance < 0.04 ? { ...step, kind: 'refund', atMs: laterMs, amountMinor, reason: 'Part returned' } : null;
  }
}
