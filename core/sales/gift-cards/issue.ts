import { lit, queriesOn, TENANT, UniqueViolation, type Work } from '#core/database';
import {
  type Actor,
  type Currency,
  currencyOfPayment,
  dateIn,
  isoTime,
  type Money,
  money,
  newId,
  parseMoney,
  ServiceError,
  startOfDate,
  storedCurrency,
  type TenantTime,
} from '#core/kernel';
import { dueAt } from '#core/platform/scheduling';
import { checkOpen } from '#core/processing/merchants';
import { changeBalance, type GiftCardEvent, lockCard, toGiftCard } from './card.ts';
import {
  CODES,
  type CodeHashes,
  type CodeInput,
  checkPrintedCode,
  countedCode,
  hashesOf,
  lastCharactersOf,
  neighborsOf,
  newCode,
} from './code.ts';
import type { Dependencies } from './dependencies.ts';
import { countCodeInUse } from './guesses.ts';
import { checkCanLoad, checkIsActive, findCard, inWork, lockStoreCredit } from './operation.ts';
import type { GiftCard, IssuedGiftCard } from './records.ts';
import { GIFT_CARD_ENTRIES, GIFT_CARDS, type GiftCardRow } from './schema.ts';

const queries = queriesOn(GIFT_CARDS, GIFT_CARD_ENTRIES);

/** Input of a gift: a new card, store credit of a customer, or a balance that a card gets without a payment. */
export interface NewGift {
  readonly amount: string | number;
  readonly currency?: string;
  readonly reason: string;
  /** Code of a card that the merchant has printed; by default a new code. */
  readonly code?: string;
  readonly pin?: string;
  /** Customer who gets store credit instead of a card with a code. */
  readonly customerId?: string;
  readonly merchantId?: string;
}

/** A code with its hashes. */
export interface PreparedCode {
  readonly hashes: CodeHashes;
  readonly last4: string;
  /** Code to show; null if the request named it. */
  readonly shown: string | null;
}

/**
 * Returns the code of a new card: the printed one of a request, or a random one. A printed one that is in use is counted here and refused when the card is
 * stored. @throws ServiceError VALIDATION_ERROR, RATE_LIMIT_EXCEEDED.
 */
export async function prepareCode(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  printed: Partial<CodeInput>,
): Promise<PreparedCode> {
  const key = await deps.secrets.hashKey(actor.tenantId, CODES);
  if (printed.code === undefined) {
    if (printed.pin !== undefined) throw new ServiceError('VALIDATION_ERROR', 'Send `pin` only with `code`.', { field: 'pin' });
    const code = newCode();
    return { hashes: hashesOf(key, { code }), last4: lastCharactersOf(code), shown: code };
  }
  const named = { code: printed.code, pin: printed.pin };
  checkPrintedCode(named);
  const hashes = hashesOf(key, named);
  if (await countCodeInUse(deps, actor, merchantId, hashes, neighborsOf(key, named))) throw countedCode();
  return { hashes, last4: lastCharactersOf(named.code), shown: null };
}

/** Returns the row of a new card without a balance; `code` is null for store credit. */
export function newCardRow(
  actor: Pick<Actor, 'tenantId' | 'name'>,
  merchantId: string,
  currency: Currency,
  now: TenantTime,
  code: PreparedCode | null,
  card: Pick<GiftCardRow, 'status' | 'customer_id'>,
): GiftCardRow {
  return {
    tenant_id: actor.tenantId,
    id: newId('gcd', now),
    merchant_id: merchantId,
    kind: code === null ? 'store_credit' : 'gift_card',
    ...card,
    code_hash: code?.hashes.code_hash ?? null,
    number_hash: code?.hashes.number_hash ?? null,
    last4: code?.last4 ?? null,
    currency,
    balance_minor: 0,
    replaced_by: null,
    block_reason: null,
    expires_on: null,
    expired_minor: 0,
    ...dueAt(null),
    created_by: actor.name,
    created_at: isoTime(now),
    updated_at: isoTime(now),
  };
}

/** Runs a unit of work that inserts a code. @throws ServiceError RESOURCE_CONFLICT if a card of the merchant has the code. */
export async function withFreeCode<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw new ServiceError('RESOURCE_CONFLICT', 'Another gift card has this code.', { field: 'code', details: { reason: 'code_in_use' } });
  }
}

/**
 * Gives a gift card, or store credit to a customer, without a payment. @throws ApprovalRequired; ServiceError INVALID_AMOUNT, VALIDATION_ERROR,
 * CUSTOMER_NOT_FOUND, RESOURCE_CONFLICT.
 */
export async function give(deps: Dependencies, actor: Actor, input: NewGift): Promise<IssuedGiftCard> {
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId));
  const { merchantId } = merchant;
  const amount = parseMoney(input.amount, currencyOfPayment(input.currency, merchant));
  const reason = checkReason(input.reason);
  const { customerId } = input;
  if (customerId !== undefined) await deps.customers.payerAt(actor, merchantId, customerId);
  if (customerId !== undefined && input.code !== undefined)
    throw new ServiceError('VALIDATION_ERROR', 'Store credit has no code. Leave `code` or `customerId` out.', { field: 'code' });
  const code = customerId === undefined ? await prepareCode(deps, actor, merchantId, input) : null;
  const { issuedGiftCard } = await withFreeCode(() =>
    inWork(deps, actor, async (work) => {
      await lockGifts(work, merchantId);
      // The lock refuses a customer that was deleted in the meantime.
      if (customerId !== undefined) await deps.customers.lock(work, customerId);
      const details = { reason, ...(customerId !== undefined && { customerId }) };
      await checkGift(deps, work, actor, merchantId, { amount, details, resource: 'gift-cards' });
      const found = customerId === undefined ? null : await lockStoreCredit(work, merchantId, customerId, amount.currency);
      if (found !== null) checkIsActive(found);
      const row =
        found ??
        newCardRow(actor, merchantId, amount.currency, deps.clockOf(actor.tenantId).now(), code, {
          status: 'active',
          customer_id: customerId ?? null,
        });
      if (found === null) work.insert(GIFT_CARDS, row);
      const changed = await changeBalance(
        deps,
        work,
        row,
        gift(actor, amount, reason, found === null ? 'gift_card.issued' : 'gift_card.loaded'),
      );
      return { issuedGiftCard: { ...toGiftCard(changed), code: code?.shown ?? null } };
    }),
  );
  return issuedGiftCard;
}

/** Gives an amount to a card or to store credit. @throws as `give()`; ServiceError NOT_FOUND. */
export async function giveTo(
  deps: Dependencies,
  actor: Actor,
  giftCardId: string,
  input: Pick<NewGift, 'amount' | 'reason'>,
): Promise<GiftCard> {
  const { currency, merchant_id: merchantId } = await findCard(deps, actor, giftCardId);
  const amount = parseMoney(input.amount, storedCurrency(currency));
  const reason = checkReason(input.reason);
  const { giftCard } = await inWork(deps, actor, async (work) => {
    await lockGifts(work, merchantId);
    const row = await lockCard(work, giftCardId);
    checkCanLoad(row);
    const { customer_id: customerId } = row;
    const details = { reason, giftCardId, ...(customerId !== null && { customerId }) };
    await checkGift(deps, work, actor, merchantId, { amount, details, resource: `gift-cards/${giftCardId}` });
    return { giftCard: toGiftCard(await changeBalance(deps, work, row, gift(actor, amount, reason, 'gift_card.loaded'))) };
  });
  return giftCard;
}

const gift = (actor: Actor, amount: Money, reason: string, event: GiftCardEvent) =>
  ({ kind: 'given', changeMinor: amount.minor, event, transfer: 'gift_card_given', actor, subjectId: null, reason }) as const;

interface Gift {
  readonly amount: Money;
  /** Facts for the approver. */
  readonly details: Readonly<Record<string, string>>;
  /** Path of the resource that the approver sees. */
  readonly resource: string;
}

/** Checks in the unit of work of a gift that the caller may give it, alone or under an approval. */
export async function checkGift(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchantId: string,
  { amount, details, resource }: Gift,
): Promise<void> {
  const total = await giftsOfDay(deps, work, merchantId, amount);
  await deps.checkApproval(work, actor, { kind: 'gift_card', merchantId, resource, amount, total, details });
  await deps.claimSpending(work, actor, amount);
}

/** Locks the gifts of a merchant until the end of the unit of work, so that parallel ones count each other. Taken before any card. */
export const lockGifts = (work: Work, merchantId: string) => work.advisoryLock(`gifts ${work.tenantId} ${merchantId}`);

/** Returns the sum of what the merchant has given and reinstated today in one currency, with a new gift. */
async function giftsOfDay(
  { clockOf, merchantFor }: Pick<Dependencies, 'clockOf' | 'merchantFor'>,
  work: Work,
  merchantId: string,
  amount: Money,
): Promise<Money> {
  const tenantId = work.tenantId ?? '';
  const { timezone } = await merchantFor({ tenantId, merchantId: null }, merchantId);
  const today = dateIn(timezone, clockOf(tenantId).now());
  const given = await work.row(
    queries
      .selectFrom('gift_card_entries as entry')
      .innerJoin('gift_cards as card', (join) =>
        join.onRef('card.tenant_id', '=', 'entry.tenant_id').onRef('card.id', '=', 'entry.gift_card_id'),
      )
      .select(({ fn }) => fn.sum<number | null>('entry.amount_minor').as('sum'))
      .where('entry.tenant_id', '=', TENANT)
      .where('entry.kind', 'in', [lit('given'), lit('reinstated')])
      .where('entry.created_at', '>=', isoTime(startOfDate(timezone, today)))
      .where('card.merchant_id', '=', merchantId)
      .where('card.currency', '=', amount.currency),
  );
  return money(Number(given?.sum ?? 0) + amount.minor, amount.currency);
}

export function checkReason(reason: string): string {
  const text = reason.trim();
  if (text === '') throw new ServiceError('REQUIRED_FIELD_MISSING', '`reason` is required.', { field: 'reason' });
  return text;
}
