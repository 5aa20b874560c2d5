import { ServiceError } from '#core/kernel';

/** Largest absolute value of a sum in minor units, so that the difference of any two sums is still an exact number. */
export const SUM_MAX = Math.floor(Number.MAX_SAFE_INTEGER / 2);

/** Adds amounts in minor units. @throws ServiceError VALIDATION_ERROR (422) if the sum exceeds the supported maximum. */
export function addAmounts(left: number, right: number): number {
  const sum = left + right;
  if (Math.abs(sum) <= SUM_MAX) return sum;
  throw new ServiceError('VALIDATION_ERROR', "The totals of this date exceed the supported maximum, so it can't be compared.", {
    field: 'date',
    status: 422,
  });
}
