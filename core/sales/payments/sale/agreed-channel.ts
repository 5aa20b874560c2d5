import { type Actor, ServiceError } from '#core/kernel';
import { secCodeOf } from '#core/processing/gateways';
import type { Merchant, Route } from '#core/processing/merchants';
import type { AccountHolder, Channel } from '#shared/channels';
import type { Dependencies } from '../dependencies.ts';

/** Charges that a merchant will make without the customer. */
export interface AgreedCharges {
  readonly channel: 'recurring' | 'installment';
  readonly customerId: string;
  readonly currency: string;
  /** Channel of the agreement; null if it was not recorded. */
  readonly agreedBy: Channel | null;
  /** Payment method to charge: a new one, or the token of a stored one. */
  readonly method:
    | { readonly card: unknown }
    | { readonly bankAccount: { readonly accountHolderType?: AccountHolder } }
    | { readonly token: string; readonly type?: 'card' | 'ach' };
}

/**
 * Checks that a gateway of the merchant takes the channel of later charges, before the agreement to them is stored. @throws ServiceError VALIDATION_ERROR with the
 * reason `channel_not_accepted`; on `agreementChannel` for a bank debit, whose SEC code the channel of the agreement decides.
 */
export async function checkAgreedChannel(deps: Dependencies, actor: Actor, merchant: Merchant, charges: AgreedCharges): Promise<void> {
  const holder = await holderOf(deps, actor, merchant, charges);
  const refusal = await refusalFor(deps, actor, merchant, charges, holder);
  if (refusal?.reason !== 'channel') return;
  throw new ServiceError('VALIDATION_ERROR', `${refusal.text} Nothing was saved.`, {
    field: holder === null ? undefined : 'agreementChannel',
    details: { reason: 'channel_not_accepted' },
  });
}

/** Returns the number of later charges that no gateway of the merchant would take, because of its settings, and the reason of the first one. */
export async function countRefusedCharges(
  deps: Dependencies,
  actor: Actor,
  merchant: Merchant,
  all: readonly AgreedCharges[],
): Promise<{ readonly count: number; readonly reason: string | null }> {
  const reasons = new Map<string, string | null>();
  let count = 0;
  let reason: string | null = null;
  for (const charges of all) {
    const isCard = !('bankAccount' in charges.method) && !('type' in charges.method && charges.method.type === 'ach');
    // The holder decides about the code of a debit by phone only, so no other account has to be opened.
    const holder = isCard ? null : charges.agreedBy === 'phone' ? await holderOf(deps, actor, merchant, charges) : 'person';
    const kind = `${charges.channel} ${charges.currency} ${holder} ${isCard ? '' : charges.agreedBy}`;
    if (!reasons.has(kind)) reasons.set(kind, reasonOf(await refusalFor(deps, actor, merchant, charges, holder)));
    const found = reasons.get(kind) ?? null;
    if (found === null) continue;
    count += 1;
    reason ??= found;
  }
  return { count, reason };
}

/** Returns the reason for which the settings of the gateways refuse a payment; null if they don't. An outage is no setting. */
function reasonOf(refusal: Route['refusal']): string | null {
  switch (refusal?.reason) {
    case 'channel':
      return refusal.text;
    case 'currency':
      return `No gateway of this merchant accepts ${refusal.currency}.`;
    case 'bank-account':
      return 'No gateway of this merchant accepts bank payments.';
    case 'none':
      return 'No payment gateway is set up for this merchant.';
    default:
      return null;
  }
}

async function refusalFor(
  deps: Dependencies,
  actor: Actor,
  merchant: Merchant,
  { channel, agreedBy, currency }: AgreedCharges,
  holder: AccountHolder | null,
): Promise<Route['refusal']> {
  const { refusal } = await deps.route(merchant, actor.tenantId, {
    // The rules order the gateways, and the amount matters to them only.
    amount: 1,
    currency,
    paymentMethod: holder === null ? 'card' : 'ach',
    type: 'sale',
    channel: { channel, secCode: holder === null ? undefined : secCodeOf(channel, holder, agreedBy) },
  });
  return refusal;
}

/** Returns the holder of a bank account; null for a card. */
async function holderOf(
  deps: Dependencies,
  actor: Actor,
  { merchantId }: Merchant,
  { method, customerId }: AgreedCharges,
): Promise<AccountHolder | null> {
  if ('bankAccount' in method) return method.bankAccount.accountHolderType ?? 'person';
  // Only a bank account has to be opened; a card stays sealed.
  if ('card' in method || method.type === 'card') return null;
  const source = await deps.vault.openFor(actor, method.token, { owner: customerId, merchantId });
  return source.kind === 'ach' ? source.holder : null;
}
