import type { Channel } from '#shared/channels';
import { isStanding } from '#shared/channels';
import type { ChannelFacts, Market } from '../channels.ts';

interface Retail {
  readonly marketType: string;
  readonly deviceType: string;
}

/** Market type with the device type that it requires: website, virtual terminal, PC-based terminal. */
const RETAIL: Readonly<Record<Market, Retail>> = {
  ecommerce: { marketType: '0', deviceType: '8' },
  moto: { marketType: '1', deviceType: '10' },
  retail: { marketType: '2', deviceType: '5' },
};

/**
 * Markets that can take the card payments of a channel, the preferred one first. A card that is keyed at the counter is a retail payment on a card-present
 * account, and a telephone order on any other.
 */
const MARKETS: Readonly<Record<Channel, readonly Market[]>> = {
  counter: ['retail', 'moto'],
  phone: ['moto'],
  mail: ['moto'],
  internet: ['ecommerce'],
  recurring: ['ecommerce', 'moto'],
  installment: ['ecommerce', 'moto'],
  unscheduled: ['ecommerce', 'moto'],
  chip: ['retail'],
  contactless: ['retail'],
  swipe: ['retail'],
};
/** Accounts whose markets are unknown are taken for card-not-present accounts. */
const UNKNOWN_ACCOUNT: readonly Market[] = ['ecommerce', 'moto'];

/** Names of the market types in account details. */
const NAMES: Readonly<Record<string, Market>> = {
  0: 'ecommerce',
  ecommerce: 'ecommerce',
  'e-commerce': 'ecommerce',
  1: 'moto',
  moto: 'moto',
  2: 'retail',
  retail: 'retail',
};

/** Returns the markets of account details; null if they name none that is known. */
export function marketsFrom(names: readonly string[]): Market[] | null {
  const markets = [...new Set(names.flatMap((name) => NAMES[name.trim().toLowerCase()] ?? []))];
  return markets.length === 0 ? null : markets;
}

/** Returns the `retail` member of a card payment. Charges under an agreement have none: no customer is present in any market. */
export function retailOf(channel: Channel, markets: readonly Market[] | null): Retail | undefined {
  if (isStanding(channel)) return undefined;
  const account = markets ?? UNKNOWN_ACCOUNT;
  const market = MARKETS[channel].find((each) => account.includes(each)) ?? MARKETS[channel][0];
  return market && RETAIL[market];
}

/** Returns the reason why an account cannot take a payment; null if it can. */
export function channelObstacle({ channel, secCode }: ChannelFacts, markets: readonly Market[] | null): string | null {
  if (secCode !== undefined)
    return secCode === 'TEL' && isStanding(channel)
      ? 'Authorize.Net takes a bank debit that was authorized by phone only once. Record a written or online authorization.'
      : null;
  if (markets === null || MARKETS[channel].some((market) => markets.includes(market))) return null;
  return `The account is not set up for payments with the channel \`${channel}\`.`;
}
