import { type Actor, ServiceError } from '#core/kernel';
import { secCodeOf } from '#core/processing/gateways';
import type { Merchant } from '#core/processing/merchants';
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
  const { channel, agreedBy, currency } = charges;
  const holder = await holderOf(deps, actor, merchant, charges);
  const { refusal } = await deps.route(merchant, actor.tenantId, {
    // The rules order the gateways, and the amount matters to them only.
    amount: 1,
    currency,
    paymentMethod: holder === null ? 'card' : 'ach',
    type: 'sale',
    channel: { channel, secCode: holder === null ? undefined : secCodeOf(channel, holder, agreedBy) },
  });
  if (refusal?.reason !== 'channel') return;
  throw new ServiceError('VALIDATION_ERROR', `${refusal.text} Nothing was saved.`, {
    field: holder === null ? undefined : 'agreementChannel',
    details: { reason: 'channel_not_accepted' },
  });
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
