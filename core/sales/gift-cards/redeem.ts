import type { Read, Work } from '#core/database';
import { type Actor, amountAboveLimit, type Money, money, ServiceError, storedCurrency } from '#core/kernel';
import type { AuditActor } from '#core/records/audit';
import { changeBalance, lockCard } from './card.ts';
import { CODES, type CodeInput, hashesOf } from './code.ts';
import type { Dependencies } from './dependencies.ts';
import { statusAt } from './expiry.ts';
import { cardWithCode } from './guesses.ts';
import { checkIsActive, findCard, isClosed } from './operation.ts';
import type { GiftCardBalance } from './records.ts';
import { GIFT_CARDS, type GiftCardRow } from './schema.ts';

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
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const row = await findByCode(deps, actor, merchant.merchantId, input);
  const status = statusAt(row, merchant, deps.clockOf(actor.tenantId).now());
  const currency = storedCurrency(row.currency);
  return {
    giftCardId: row.id,
    merchantId: row.merchant_id,
    status,
    // After the last day nothing can be spent, also if the job that expires the card is late.
    balance: money(status === 'expired' ? 0 : row.balance_minor, currency),
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
  const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  // The last day decides, also if the job that expires the card is late.
  checkIsActive({ ...row, status: statusAt(row, merchant, deps.clockOf(row.tenant_id).now()) });
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

/** Error of a refund that would put money on the store credit of a deleted customer. */
export const storeCreditClosed = (giftCardId: string): ServiceError =>
  new ServiceError(
    'NOT_REFUNDABLE',
    'The customer of this store credit was deleted, so nobody could spend the refund. Refund the payment to a gift card (`POST /gift-cards/refund`).',
    { details: { reason: 'store_credit_closed', giftCardId } },
  );

/** Returns true if the card that paid is store credit of a deleted customer, so that refunds need another target. */
export async function isReturnClosed(read: Read, giftCardId: string): Promise<boolean> {
  let row = await read.one(GIFT_CARDS, { id: giftCardId });
  while (row !== null && row.replaced_by !== null) row = await read.one(GIFT_CARDS, { id: row.replaced_by });
  return row !== null && isClosed(row);
}

/** Returns a refund of a payment to its card, or to the card that replaced it, in the unit of work of the refund. @throws ServiceError NOT_REFUNDABLE for store credit of a deleted customer. */
export async function restore(deps: Dependencies, work: Work, actor: AuditActor, payment: GiftCardPayment): Promise<void> {
  let row = await lockCard(work, payment.giftCardId);
  while (row.replaced_by !== null) row = await lockCard(work, row.replaced_by);
  if (isClosed(row)) throw storeCreditClosed(row.id);
  await changeBalance(deps, work, row, {
    kind: 'refunded',
    changeMinor: payment.amount.minor,
    event: 'gift_card.refunded',
    transfer: null,
    actor,
    subjectId: payment.subjectId,
  });
}
