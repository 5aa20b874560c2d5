import { isTimeZone } from '#core/kernel';
import type { AccountCheck, GatewayAccount } from './processor.ts';

const CURRENCY = /^[A-Z]{3}$/;
const CURRENCIES_MAX = 50;
const ZONE_LENGTH_MAX = 64;

/** Returns the distinct currency codes among texts of a processor. */
export function currenciesAmong(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((word) => CURRENCY.test(word)))].slice(0, CURRENCIES_MAX);
}

/** Returns the IANA time zone that a text of a processor contains; undefined if it contains none. */
export function timeZoneIn(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= ZONE_LENGTH_MAX && isTimeZone(text) ? text : undefined;
}

/** Returns the result for a refused key. For a live account it mentions the usual mistake, a key of the test environment. */
export function keyRefused({ mode }: Pick<GatewayAccount, 'mode'>, reason: string, field: string): AccountCheck {
  return {
    kind: 'refused',
    reason: mode === 'live' ? joinSentences(reason, 'Check that these are not the keys of the test environment.') : reason,
    field,
  };
}

/** Joins a reason of the processor, which may lack its full stop, and a sentence. */
export function joinSentences(reason: string, sentence: string): string {
  return `${reason}${/[.!?]$/.test(reason) ? '' : '.'} ${sentence}`;
}
