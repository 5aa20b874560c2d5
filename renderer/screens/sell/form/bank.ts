import { t } from '#renderer/base/language';
import { digitsOf } from '#renderer/shared/card-entry';

const ROUTING_DIGITS = 9;
const WEIGHTS = [3, 7, 1] as const;
const ACCOUNT = /^\d{4,17}$/;

/** Returns the problem of a routing number, or null. ABA check: nine digits whose sum, weighted 3, 7, 1, is a multiple of ten. */
export function routingNumberProblem(text: string): string | null {
  const digits = digitsOf(text);
  if (digits.length !== ROUTING_DIGITS) return t('A routing number has nine digits.');
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (WEIGHTS[index % WEIGHTS.length] ?? 0), 0);
  return sum > 0 && sum % 10 === 0 ? null : t('A digit is wrong: compare the number with the check.');
}

/** Returns the problem of an account number, or null. */
export function bankAccountProblem(text: string): string | null {
  return ACCOUNT.test(digitsOf(text)) ? null : t('An account number has 4 to 17 digits.');
}
