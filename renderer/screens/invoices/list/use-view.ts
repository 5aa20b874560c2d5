import { useMemo } from 'react';
import { addressSchema, day, oneOf, text, useAddress } from '#renderer/base/address';
import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { STATUS_OPTIONS } from '../texts.ts';
import { type CreatedFilter, PERIODS } from './period.ts';

/** Tabs of the list. A link is an invoice that was created with only an amount. */
export const TABS = [
  { id: 'invoices', name: t('Invoices'), kind: 'invoice' },
  { id: 'to_do', name: t('To do'), kind: 'invoice' },
  { id: 'links', name: t('Links'), kind: 'link' },
  { id: 'all', name: t('All'), kind: undefined },
] as const;
export type TabId = (typeof TABS)[number]['id'];

/** Orders of the list. */
export const SORTS = ['createdAt', '-createdAt', 'amount', '-amount', 'dueDate', '-dueDate'] as const;

export interface View {
  readonly tab: TabId;
  readonly status: Invoice['status'] | undefined;
  readonly created: CreatedFilter;
  readonly q: string;
  readonly sort: (typeof SORTS)[number];
  readonly page: number;
}

export interface ViewInAddress extends View {
  readonly kind: Invoice['kind'] | undefined;
  readonly view: 'to_do' | undefined;
  /** True if a filter besides the tab is set. */
  readonly isNarrowed: boolean;
  /** Query part of the URL that an open invoice keeps: "?tab=links". */
  readonly search: string;
  /** Changes the view; starts again at page 1 unless a page is given. */
  readonly change: (next: Partial<View>) => void;
  readonly clear: () => void;
}

const ADDRESS = addressSchema({
  tab: oneOf(
    TABS.map(({ id }) => id),
    'invoices',
  ),
  status: oneOf(STATUS_OPTIONS.map(({ value }) => value)),
  made: oneOf(PERIODS.map(({ value }) => value)),
  from: day,
  to: day,
  q: text,
  sort: oneOf(SORTS, '-createdAt'),
});

/** State of the list in its URL. */
export function useView(): ViewInAddress {
  const { values, search, go } = useAddress(ADDRESS);
  return useMemo(() => {
    const { tab, status, made: period, from, to, q, sort, page } = values;
    const view: View = { tab, status, created: period ? { period } : { startDate: from, endDate: to }, q, sort, page };
    const change = (next: Partial<View>) => {
      const { created: made, ...other } = { ...view, page: 1, ...next };
      go({ ...other, made: made.period, from: made.startDate, to: made.endDate });
    };
    return {
      ...view,
      kind: TABS.find(({ id }) => id === tab)?.kind,
      view: tab === 'to_do' ? tab : undefined,
      isNarrowed: q !== '' || status !== undefined || Object.values(view.created).some((value) => value !== undefined),
      search,
      change,
      clear: () => go({ tab, sort }),
    };
  }, [values, search, go]);
}
