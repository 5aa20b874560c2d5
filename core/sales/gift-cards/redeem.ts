import type { Work } from '#core/database';
import { type Actor, amountAboveLimit, type Money, money, ServiceError, storedCurrency } from '#core/kernel';
import type { AuditActor } from '#core/records/audit';
import { changeBalance, lockCard } from './card.ts';
import { CODES, type CodeInput, hashesOf } from './code.ts';
import type { Dependencies } from './dependencies.ts';
import { isPastExpiry } from './expiry.ts';
import { cardWithCode } from './guesses.ts';
import { checkIsActive, findCard } from './operation.ts';
import type { GiftCardBalance } from './records.ts';
import type { GiftCardRow } from './schema.ts';

/** Names the card that pays: by its code, or as the store credit of a customer. */
export interface GiftCardReference {
  readonly giftCardCode?: string | undefined;
  readonly giftCardPin?: string | undefined;
  /** Store credit, together with its customer. */
  readonly giftCardId?: string | undefined;
  readonly customerId?: string | undefined;
}

/**
 * Returns the card with a code. Unknown codes, wrong PINs, and codes of other merchants and of cards that were never paid or were replaced have one answer, and are
 * counted per caller and per code. @throws ServiceError NOT_FOUND, RATE_LIMIT_EXCEEDED.
 */
export async function findByCode(deps: Dependencies, actor: Actor, merchantId: string, input: CodeInput): Promise<GiftCardRow> {
  const row = await cardWithCode(deps, actor, merchantId, hashesOf(await deps.secrets.hashKey(actor.tenantId, CODES), input));
  if (row === null)
    throw new ServiceError('NOT_FOUND', 'No gift card of this merchant has this code.', { details: { reason: 'unknown_code' } });
  return row;
}

/** Returns the balance of the card with a code. @throws as `findByCode()`. */
export async function balanceByCode(
  deps: Dependencies,
  actor: Actor,
  input: CodeInput & { readonly merchantId?: string },
): Promise<GiftCardBalance> {
  const { merchantId } = await deps.merchantFor(actor, input.merchantId);
  const row = await findByCode(deps, actor, merchantId, input);
  const currency = storedCurrency(row.currency);
  return {
    giftCardId: row.id,
    merchantId: row.merchant_id,
    status: row.status,
    balance: money(row.balance_minor, currency),
    currency,
    lastCharacters: row.last4,
    expiresOn: row.expires_on,
  };
}

/** Returns the ID of the card that pays. @throws ServiceError NOT_FOUND, REQUIRED_FIELD_MISSING, VALIDATION_ERROR, RATE_LIMIT_EXCEEDED. */
export async function referredCard(deps: Dependencies, actor: Actor, merchantId: string, reference: GiftCardReference): Promise<string> {
  const { giftCardCode, giftCardPin, giftCardId, customerId } = reference;
  if (giftCardCode !== undefined) {
    if (giftCardId !== undefined)
      throw new ServiceError('VALIDATION_ERROR', 'Send `giftCardCode` or `giftCardId`, not both.', { field: 'giftCardId' });
    return (await findByCode(deps, actor, merchantId, { code: giftCardCode, pin: giftCardPin })).id;
  }
  if (giftCardId === undefined) throw new ServiceError('REQUIRED_FIELD_MISSING', '`giftCardCode` is required.', { field: 'giftCardCode' });
  const row = await findCard(deps, actor, giftCardId);
  if (row.kind === 'gift_card')
    throw new ServiceError('VALIDATION_ERROR', 'A gift card pays by its code only. Send `giftCardCode`.', { field: 'giftCardId' });
  if (row.merchant_id !== merchantId || row.customer_id !== customerId)
    throw new ServiceError('VALIDATION_ERROR', 'Store credit pays for its customer only. Send `customerId` of its owner.', {
      field: 'customerId',
    });
  return row.id;
}

/** Payment by a card, or its refund. */
export interface GiftCardPayment {
  readonly giftCardId: string;
  /** Tender, or refund of a tender. */
  readonly subjectId: string;
  readonly amount: Money;
}

/** Takes a payment off a card in the unit of work of its tender. @throws ServiceError RESOURCE_CONFLICT; INVALID_AMOUNT with `details.balance`. */
export async function redeem(deps: Dependencies, work: Work, actor: AuditActor, payment: GiftCardPayment): Promise<GiftCardRow> {
  const { giftCardId, subjectId, amount } = payment;
  const row = await lockCard(work, giftCardId);
  checkIsActive(row);
  const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  // The last day decides, also if the job that expires the card is late.
  if (isPastExpiry(row, merchant, deps.clockOf(row.tenant_id).now())) checkIsActive({ ...row, status: 'expired' });
  if (row.currency !== amount.currency)
    throw new ServiceError('VALIDATION_ERROR', `This gift card is in ${row.currency}.`, { field: 'currency', details: { giftCardId } });
  if (amount.minor > row.balance_minor)
    throw amountAboveLimit('The payment exceeds the balance of the gift card.', {
      balance: money(row.balance_minor, amount.currency),
      requestedAmount: amount,
    });
  return changeBalance(deps, work, row, {
    kind: 'redeemed',
    changeMinor: -amount.minor,
    event: 'gift_card.redeemed',
    transfer: null,
    actor,
    subjectId,
  });
}

/** Returns a refund of a payment to its card, or to the card that replaced it, in the unit of work of the refund. */
export async function restore(deps: Dependencies, work: Work, actor: AuditActor, payment: GiftCardPayment): Promise<void> {
  let row = await lockCard(work, payment.giftCardId);
  while (row.replaced_by !== null) row = await lockCard(work, row.replaced_by);
  await changeBalance(deps, work, row, {
    kind: 'refunded',
    changeMinor: payment.amount.minor,
    event: 'gift_card.refunded',
    transfer: null,
    actor,
    subjectId: payment.subjectId,
  });
}
