import { type AccountHolder, type Channel, isStanding, type SecCode } from '#shared/channels';

/** Market of an account at its processor, which decides about the channels of its card payments. */
export const MARKETS = ['ecommerce', 'moto', 'retail'] as const;
export type Market = (typeof MARKETS)[number];

const SEC_CODES: Readonly<Partial<Record<Channel, SecCode>>> = { phone: 'TEL', mail: 'PPD', counter: 'PPD', internet: 'WEB' };

/**
 * Returns the SEC code of a bank debit. A charge under an agreement has the code of the agreement, whose channel is `agreedBy`; if it was not recorded, PPD,
 * which is the only code of standing debits that both processors take.
 */
export function secCodeOf(channel: Channel, holder: AccountHolder, agreedBy: Channel | null): SecCode {
  if (holder === 'company') return 'CCD';
  const given = isStanding(channel) ? agreedBy : channel;
  return (given === null ? undefined : SEC_CODES[given]) ?? 'PPD';
}

/** Returns the SEC code of a refund or credit to a bank account. */
export const creditSecCode = (holder: AccountHolder): SecCode => (holder === 'company' ? 'CCD' : 'PPD');

/** Facts by which a gateway accepts or refuses the channel of a payment. */
export interface ChannelFacts {
  readonly channel: Channel;
  /** True if the customer presents the card to a reader. */
  readonly isOnReader?: boolean;
  /** Set for a bank debit. */
  readonly secCode?: SecCode | undefined;
}
