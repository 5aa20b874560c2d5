import { t } from '#renderer/base/language';
import type { FilterOption } from '#renderer/kit/ui';
import { brandName } from '#shared/card-brands';
import { BRANDS } from './filter.ts';

/** Brand filter options with display names; reports link to the list with them. */
export const BRAND_OPTIONS: readonly FilterOption[] = BRANDS.map((value) => ({
  value,
  name: value === 'ach' ? t('Bank account') : brandName(value),
}));
