import { brandName } from '#renderer/receipt';
import type { FilterOption } from '#renderer/ui';
import { BRANDS } from './filter.ts';

/** The brands with their names; reports lead to the list by them. */
export const BRAND_OPTIONS: readonly FilterOption[] = BRANDS.map((value) => ({
  value,
  name: value === 'ach' ? 'Bank account' : brandName(value),
}));
