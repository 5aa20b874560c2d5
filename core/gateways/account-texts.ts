import { isTimeZone } from '#core/kernel';
import type { AccountCheck, GatewayAccount } from './processor.ts';

const CURRENCY = /^[A-Z]{3}$/;
const CURRENCIES_MAX = 50;
const ZONE_LENGTH_MAX = 64;

/** The codes of currencies among the words of a processor's, each once. */
export function currenciesAmong(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => word.trim()).filter((word) => CURRENCY.test(word)))].slice(0, CURRENCIES_MAX);
}

/** The IANA zone that a text of a processor's names; undefined where it names none. */
export function zoneNamed(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= ZONE_LENGTH_MAX && isTimeZone(text) ? text : undefined;
}

/** A refused key, with the usual mistake where there are two worlds of keys. */
export function keyRefused({ mode }: Pick<GatewayAccount, 'mode'>, reason: string, field: string): AccountCheck {
  return { kind: 'refused', reason: mode === 'live' ? followedBy(reason, 'Or are these the keys of the test world?') : reason, field };
}

/** Joins a reason of the processor, with or without its full stop, and a sentence. */
export function followedBy(reason: string, sentence: string): string {
  return `${reason}${/[.!?]$/.test(reason) ? '' : '.'} ${sentence}`;
}
