import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, takeData } from '#renderer/base/client';
import { serviceText } from '#renderer/base/language';
import { useMerchant } from '#renderer/session/user';

/** Facts of the card that decide about its surcharge; each is empty until it is known. */
interface CardFacts {
  readonly firstDigits: string;
  readonly token: string;
  readonly zip: string;
  readonly state: string;
}

/** Surcharge of the card of a payment. */
export interface Surcharge {
  /** Percentage that applies; 0 while the card is not known. */
  readonly percent: number;
  /** Reason for no surcharge, in words; null if there is one or if it is not known yet. */
  readonly refusal: string | null;
}

const NONE: Surcharge = { percent: 0, refusal: null };
/** Any amount: only the percentage of the quote is used, so that it does not have to be requested for each amount. */
const SAMPLE_AMOUNT = '100';

interface QuotedCard {
  readonly merchantId: string;
  readonly facts: Partial<CardFacts> & { readonly terminalId?: string };
  readonly isCardPresent: boolean;
}

function surchargeQuery({ merchantId, facts: { firstDigits, token, terminalId, zip, state }, isCardPresent }: QuotedCard) {
  const body = {
    merchantId,
    amount: SAMPLE_AMOUNT,
    billing: { ...(zip ? { zip } : {}), ...(state ? { state } : {}) },
    ...(terminalId ? { terminalId } : token ? { token } : { firstDigits: firstDigits ?? '' }),
    cardPresent: isCardPresent,
  };
  return queryOptions({
    queryKey: ['surcharge', body],
    queryFn: () => takeData(api.POST('/api/v1/transactions/surcharge-quote', { body })),
    staleTime: 60_000,
  });
}

/** Returns the highest surcharge that a card reader adds, after it has read a credit card. */
export function useReaderSurcharge(terminalId: string | undefined): Surcharge {
  const { merchantId, amountSettings } = useMerchant();
  const isAsked = terminalId !== undefined && amountSettings.surchargePercent > 0 && amountSettings.surchargeCheck === 'rule';
  const facts = terminalId === undefined ? {} : { terminalId };
  const { data } = useQuery({ ...surchargeQuery({ merchantId, facts, isCardPresent: true }), enabled: isAsked });
  if (!isAsked || data === undefined) return NONE;
  return { percent: data.surchargePercent, refusal: data.message && serviceText(data.message) };
}

/**
 * Returns the surcharge as soon as the range of the card is known. The service computes it; only first digits are sent. During an outage there is none,
 * because a payment that is charged later has no surcharge.
 */
export function useSurcharge(facts: CardFacts, mode: 'card' | 'saved' | 'bank', isCardPresent: boolean, isOutage: boolean): Surcharge {
  const { merchantId, amountSettings } = useMerchant();
  const hasRule = !isOutage && amountSettings.surchargePercent > 0 && amountSettings.surchargeCheck === 'rule';
  const { firstDigits, token, zip, state } = facts;
  const isKnown = mode === 'card' ? firstDigits !== '' : mode === 'saved' && token !== '';
  const card = mode === 'saved' ? { token } : { firstDigits, zip, state };
  const isAsked = hasRule && isKnown;
  const { data } = useQuery({ ...surchargeQuery({ merchantId, facts: card, isCardPresent }), enabled: isAsked });
  if (!isAsked || data === undefined) return NONE;
  return { percent: data.surchargePercent, refusal: data.message && serviceText(data.message) };
}
