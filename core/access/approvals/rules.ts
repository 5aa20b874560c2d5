import type { Read } from '#core/database';
import {
  type Actor,
  type ApprovalSubject,
  formatDecimal,
  type Money,
  parseMoneyOrZero,
  ServiceError,
  storedCurrency,
  toNumber,
} from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { ApprovalRules } from './records.ts';
import { APPROVAL_RULES, type ApprovalRulesRow } from './schema.ts';

/** The scope of the rules of the whole account. */
export const ACCOUNT_SCOPE = '*';

/** Hundredths of a percent in 1 %, and in 100 %. */
const PERCENT = 100;
const HUNDRED_PERCENT = 100 * PERCENT;
const DISCOUNT_MAX = 100;
const TIP_MAX = 1_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const MINUTES_MAX = 43_200;
const PERSON_SECONDS = { min: 15, max: 86_400 } as const;
const KEY_SECONDS = { min: 60, max: 604_800 } as const;

/** Rules that are amounts in the currency of the rules. */
export const AMOUNTS = ['refundAbove', 'payOutAbove'] as const;

export const NO_RULES: ApprovalRules = {
  refundAbove: null,
  payOutAbove: null,
  currency: null,
  voidAfterMinutes: null,
  unlinkedCredit: false,
  drawerOpening: false,
  discountAbovePercent: null,
  maxTipPercent: 100,
  accessChanges: false,
  personSeconds: 60,
  keySeconds: 86_400,
  approversExempt: true,
};

/** Rules of a live account that has set none. */
const LIVE_RULES: ApprovalRules = { ...NO_RULES, unlinkedCredit: true };

/** True if the caller is a user or an API key. Paydesk's own jobs need no approval. */
export const isPerson = ({ credentialId }: Pick<Actor, 'credentialId'>) => credentialId.startsWith('usr_');
const isKey = ({ credentialId }: Pick<Actor, 'credentialId'>) => credentialId.startsWith('key_');
export const needsRules = (actor: Pick<Actor, 'credentialId'>) => isPerson(actor) || isKey(actor);

/**
 * Returns the reason why an operation needs an approval, as a sentence; null if it needs none. An operation above the limits of an API key
 * always needs one, because its key asks for it.
 */
export function reasonFor(
  rules: ApprovalRules,
  subject: ApprovalSubject,
  actor: Pick<Actor, 'credentialId' | 'permissions'>,
  nowMs: number,
): string | null {
  const { kind, amount, total, creditsOfDay, paidAt } = subject;
  if (kind === 'key_limit') return 'This amount is above the spending limits of the API key.';
  if (kind === 'access_change') return rules.accessChanges ? 'Changes of access need two people on this account.' : null;
  // A session by PIN lacks this permission, so a stolen PIN gives nothing away.
  if (kind === 'gift_card' && !actor.permissions.has('gift-cards:manage'))
    return subject.resource.startsWith('gift-cards')
      ? 'Gift cards and store credit without a payment need two people.'
      : 'Refunds to store credit need two people.';
  if (rules.approversExempt && isPerson(actor) && actor.permissions.has('approvals:write')) return null;
  if (kind === 'unlinked_credit' && rules.unlinkedCredit) return 'Credits without an original payment need two people.';
  if (kind === 'drawer_opening') return rules.drawerOpening ? 'Opening the drawer without a sale needs two people.' : null;
  if (kind === 'discount') return discountReason(rules.discountAbovePercent, subject);
  if (kind === 'tip') return tipReason(rules.maxTipPercent, subject);
  if (kind === 'pay_out') return payOutReason(rules, subject);
  // Tips within the limit belong to the staff, who may lower them.
  if (subject.tip !== undefined && tipReason(rules.maxTipPercent, subject) === null) return null;
  if (kind === 'gift_card') return giftReason(rules, subject);
  if (kind === 'refund' || kind === 'unlinked_credit') {
    const refunded = total ?? amount;
    if (rules.refundAbove === null || refunded === null) return null;
    const { currency } = refunded;
    if (rules.currency !== null && currency !== rules.currency)
      return `Refunds in ${currency} need two people, because the limit is ${rules.refundAbove} ${rules.currency}.`;
    if (toNumber(refunded) <= rules.refundAbove) {
      if (creditsOfDay === undefined || toNumber(creditsOfDay) <= rules.refundAbove) return null;
      return `Refunds above ${rules.refundAbove} ${currency} need two people. With this credit, the credits of today are ${formatDecimal(creditsOfDay)} ${currency}.`;
    }
    if (subject.resource.startsWith('orders/'))
      return `Refunds above ${rules.refundAbove} ${currency} need two people. With this refund, ${formatDecimal(refunded)} ${currency} of the order are refunded.`;
    return kind === 'refund'
      ? `Refunds above ${rules.refundAbove} ${currency} need two people. With this refund, ${formatDecimal(refunded)} ${currency} of the payment are refunded.`
      : `Refunds above ${rules.refundAbove} ${currency} need two people. With this credit, refunds and credits of the payment are ${formatDecimal(refunded)} ${currency}.`;
  }
  if (rules.voidAfterMinutes === null || paidAt === undefined) return null;
  if (nowMs - Date.parse(paidAt) <= rules.voidAfterMinutes * MINUTE_MS) return null;
  return `Voids and canceled captures later than ${rules.voidAfterMinutes} minutes after the payment need two people.`;
}

/** Compares in whole numbers, so that exactly the percentage needs no approval. */
function isAbovePercent(part: Money, price: Money, percent: number): boolean {
  return BigInt(part.minor) * BigInt(HUNDRED_PERCENT) > BigInt(price.minor) * BigInt(hundredths(percent));
}

function tipReason(maxPercent: number | null, { tip, price }: ApprovalSubject): string | null {
  if (maxPercent === null || tip === undefined || price === undefined || !isAbovePercent(tip, price, maxPercent)) return null;
  return `Tips above ${maxPercent} percent need two people. This one is ${formatDecimal(tip)} ${tip.currency} on ${formatDecimal(price)} ${tip.currency}.`;
}

function payOutReason({ payOutAbove, currency }: ApprovalRules, { total }: ApprovalSubject): string | null {
  if (payOutAbove === null || total === undefined) return null;
  if (currency !== null && total.currency !== currency)
    return `Pay-outs in ${total.currency} need two people, because the limit is ${payOutAbove} ${currency}.`;
  if (toNumber(total) <= payOutAbove) return null;
  if (payOutAbove === 0) return 'Pay-outs from a drawer need two people.';
  return `Pay-outs above ${payOutAbove} ${total.currency} need two people. With this one, ${formatDecimal(total)} ${total.currency} are paid out of the drawer today.`;
}

function giftReason({ refundAbove, currency }: ApprovalRules, { total }: ApprovalSubject): string | null {
  if (refundAbove === null || total === undefined) return null;
  if ((currency === null || total.currency === currency) && toNumber(total) <= refundAbove) return null;
  const limit = `${refundAbove} ${currency ?? total.currency}`;
  return `Gift cards and store credit without a payment above ${limit} a day need two people. With this gift, ${formatDecimal(total)} ${total.currency} are given today.`;
}

function discountReason(abovePercent: number | null, { amount, price }: ApprovalSubject): string | null {
  if (abovePercent === null || amount === null || price === undefined || !isAbovePercent(amount, price, abovePercent)) return null;
  const { currency } = amount;
  const rule = abovePercent === 0 ? 'Discounts' : `Discounts above ${abovePercent} percent`;
  return `${rule} need two people. This one takes ${formatDecimal(amount)} ${currency} off ${formatDecimal(price)} ${currency}.`;
}

const hundredths = (percent: number) => Math.round(percent * PERCENT);

/** Returns the time for an approval of the caller's request. */
export const timeLimitOf = (rules: ApprovalRules, actor: Pick<Actor, 'credentialId'>) =>
  (isPerson(actor) ? rules.personSeconds : rules.keySeconds) * SECOND_MS;

/** Returns the rules of a scope; undefined if it has none of its own. */
export async function storedRules(read: Read, scope: string): Promise<ApprovalRules | undefined> {
  const row = await read.one(APPROVAL_RULES, { scope });
  return row === null ? undefined : fromRow(row);
}

/** Returns the rules that apply to a merchant, or to the whole account: a merchant's own, else those of the account, else the default. */
export async function rulesOf(
  { environmentOf }: Pick<Dependencies, 'environmentOf'>,
  read: Read,
  tenantId: string,
  merchantId: string | null,
): Promise<ApprovalRules> {
  const own = merchantId === null ? undefined : await storedRules(read, merchantId);
  return own ?? (await storedRules(read, ACCOUNT_SCOPE)) ?? (environmentOf(tenantId) === 'live' ? LIVE_RULES : NO_RULES);
}

function fromRow(row: ApprovalRulesRow): ApprovalRules {
  return {
    refundAbove: row.refund_above === null ? null : Number(row.refund_above),
    payOutAbove: row.pay_out_above === null ? null : Number(row.pay_out_above),
    currency: row.currency === null ? null : storedCurrency(row.currency),
    voidAfterMinutes: row.void_after_minutes,
    unlinkedCredit: row.unlinked_credit === 1,
    drawerOpening: row.drawer_opening === 1,
    discountAbovePercent: row.discount_above === null ? null : row.discount_above / PERCENT,
    maxTipPercent: row.max_tip === null ? null : row.max_tip / PERCENT,
    accessChanges: row.access_changes === 1,
    personSeconds: row.person_seconds,
    keySeconds: row.key_seconds,
    approversExempt: row.approvers_exempt === 1,
  };
}

export function toRow(tenantId: string, scope: string, rules: ApprovalRules, by: string, at: string): ApprovalRulesRow {
  return {
    tenant_id: tenantId,
    scope,
    refund_above: rules.refundAbove === null ? null : String(rules.refundAbove),
    pay_out_above: rules.payOutAbove === null ? null : String(rules.payOutAbove),
    currency: rules.currency,
    void_after_minutes: rules.voidAfterMinutes,
    unlinked_credit: Number(rules.unlinkedCredit),
    drawer_opening: Number(rules.drawerOpening),
    discount_above: rules.discountAbovePercent === null ? null : hundredths(rules.discountAbovePercent),
    max_tip: rules.maxTipPercent === null ? null : hundredths(rules.maxTipPercent),
    access_changes: Number(rules.accessChanges),
    person_seconds: rules.personSeconds,
    key_seconds: rules.keySeconds,
    approvers_exempt: Number(rules.approversExempt),
    updated_by: by,
    updated_at: at,
  };
}

/** Checks rules of a request. @throws ServiceError VALIDATION_ERROR, INVALID_AMOUNT. */
export function checkRules(rules: ApprovalRules, merchantId: string | null): void {
  if (rules.accessChanges && merchantId !== null)
    throw new ServiceError('VALIDATION_ERROR', '`accessChanges` is a rule of the whole account. Send it without `merchantId`.', {
      field: 'accessChanges',
    });
  for (const field of AMOUNTS) {
    const amount = rules[field];
    if (amount !== null && rules.currency !== null) parseMoneyOrZero(amount, rules.currency, field);
  }
  checkPercent('discountAbovePercent', rules.discountAbovePercent ?? 0, DISCOUNT_MAX);
  checkPercent('maxTipPercent', rules.maxTipPercent ?? 0, TIP_MAX);
  checkRange('voidAfterMinutes', rules.voidAfterMinutes ?? 0, { min: 0, max: MINUTES_MAX });
  checkRange('personSeconds', rules.personSeconds, PERSON_SECONDS);
  checkRange('keySeconds', rules.keySeconds, KEY_SECONDS);
}

function checkPercent(field: string, percent: number, max: number): void {
  // A decimal such as 8.35 has no exact product with 100, so the text decides.
  if (percent >= 0 && percent <= max && /^\d+(\.\d{1,2})?$/.test(String(percent))) return;
  throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must be a number from 0 to ${max} with at most 2 decimals.`, { field });
}

function checkRange(field: string, value: number, { min, max }: { readonly min: number; readonly max: number }): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new ServiceError('VALIDATION_ERROR', `\`${field}\` must be a whole number from ${min} to ${max}.`, { field });
}
