import { ServiceError } from '#core/kernel';

/** Highest sum in minor units, above or below zero: the difference of any two sums is still an exact number. */
export const SUM_MAX = Math.floor(Number.MAX_SAFE_INTEGER / 2);

/** Adds amounts in minor units; VALIDATION_ERROR (422) where they come to more than can be counted. */
export function plus(left: number, right: number): number {
  const sum = left + right;
  if (Math.abs(sum) <= SUM_MAX) return sum;
  throw new ServiceError('VALIDATION_ERROR', 'The amounts of this date come to more than can be counted; it is not compared.', {
    field: 'date',
    status: 422,
  });
}
