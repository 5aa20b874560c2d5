import { type Actor, isId, ServiceError } from '#core/kernel';
import { type Channel, DESK_CHANNELS, type DeskChannel, STANDING_CHANNELS } from '#shared/channels';
import type { TransactionSource } from '../schema.ts';

/** Facts that decide about the channel of a new payment. */
export interface ChannelFacts {
  readonly source: TransactionSource;
  /** Channel that the request names. */
  readonly named?: Channel | undefined;
  /** True if a signed-in person sent the request, not an API key. */
  readonly isPerson: boolean;
  /** True if the card or account was stored before. */
  readonly isStored: boolean;
  /** True if the payer entered the stored card on a page within the last hour. */
  readonly isEnteredOnPage: boolean;
  /** True if the request has the security code of the stored card, so the customer takes part. */
  readonly hasCode: boolean;
  /** True for a payment of an installment plan. */
  readonly isInstallment: boolean;
  /** Channel of the merchant's Sell screen. */
  readonly deskChannel: DeskChannel;
}

export const isPerson = ({ credentialId }: Pick<Actor, 'credentialId'>): boolean => isId('usr', credentialId);

/**
 * Returns the channel of a new payment: the one that the request names, or that of its way into the product. @throws ServiceError VALIDATION_ERROR for a
 * channel that the caller, or the payment method, cannot have.
 */
export function channelOf(facts: ChannelFacts): Channel {
  const { named } = facts;
  if (named === undefined) return defaultChannel(facts);
  const refusal = refusalOf(named, facts);
  if (refusal !== null) throw new ServiceError('VALIDATION_ERROR', refusal, { field: 'channel', details: { channel: named } });
  return named;
}

function defaultChannel({ source, isPerson, isStored, isEnteredOnPage, hasCode, isInstallment, deskChannel }: ChannelFacts): Channel {
  if (source === 'recurring') return isInstallment ? 'installment' : 'recurring';
  if (source === 'link' || source === 'api' || isEnteredOnPage) return 'internet';
  if (source === 'swiped' || source === 'terminal') return 'counter';
  // A program that charges a stored card without its security code does so without the customer.
  return !isPerson && isStored && !hasCode ? 'unscheduled' : deskChannel;
}

function refusalOf(channel: Channel, { source, isPerson, isStored }: ChannelFacts): string | null {
  if (source === 'link' || source === 'recurring') return 'The channel of this payment is fixed.';
  if ((DESK_CHANNELS as readonly Channel[]).includes(channel)) return null;
  if (channel === 'internet') return isPerson ? 'A person who enters a payment for a customer cannot name the channel `internet`.' : null;
  if (channel === 'recurring' && isPerson) return 'Only a subscription, or an API key, charges with the channel `recurring`.';
  if (channel === 'recurring' || channel === 'unscheduled')
    return isStored ? null : `The channel \`${channel}\` requires a stored card or bank account.`;
  return (STANDING_CHANNELS as readonly Channel[]).includes(channel)
    ? 'Installments are charged by installment plans only.'
    : `Only a card reader reports the channel \`${channel}\`.`;
}
