import { addressSchema, day, matching, oneOf, useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';

/** Tabs of the screen. */
export const TABS = [
  { id: 'payouts', name: t('Payouts') },
  { id: 'history', name: t('Settlements') },
  { id: 'unsettled', name: t('Unsettled') },
  { id: 'funding', name: t('Funding report') },
] as const;
export type TabId = (typeof TABS)[number]['id'];

const ADDRESS = addressSchema({
  // Batches had a list of their own once, which saved views and bookmarks still name.
  tab: oneOf([...TABS.map(({ id }) => id), 'batches'], 'payouts'),
  only: oneOf(['unpaid', '30-days']),
  from: day,
  to: day,
  currency: matching(/^[A-Z]{3}$/),
});

export interface View {
  readonly tab: TabId;
  /** Limits the list to the parts of a total in the header: unpaid settlements, or those paid within 30 days. */
  readonly isNarrowed: boolean;
  /** Period of the funding report; the thirty days until today unless both are given. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Currency of the funding report; by default the merchant's. */
  readonly currency: string | undefined;
  readonly page: number;
}

export interface ViewInAddress extends View {
  /** Query part of the address that an open record keeps: "?tab=payouts". */
  readonly search: string;
  /** Changes the view and returns to the first page. */
  readonly change: (next: Partial<View>) => void;
}

/** State of the list in its address. */
export function useView(): ViewInAddress {
  const { values, go } = useAddress(ADDRESS);
  const { only, ...shown } = values;
  const view: View = { ...shown, tab: shown.tab === 'batches' ? 'payouts' : shown.tab, isNarrowed: only !== undefined };
  return { ...view, search: searchOf(view), change: (next) => go(valuesOf({ ...view, page: 1, ...next })) };
}

const ONLY = { history: 'unpaid', payouts: '30-days' } as const;

/** Returns the address values of a view. Dates and currency are kept only for the funding report. */
function valuesOf({ tab = 'payouts', isNarrowed, page, ...report }: Partial<View>) {
  const only = isNarrowed && (tab === 'history' || tab === 'payouts') ? ONLY[tab] : undefined;
  return { tab, only, page, ...(tab === 'funding' ? report : {}) };
}

/** Returns the query of the address of a view. */
export const searchOf = (view: Partial<View>): string => ADDRESS.search(valuesOf(view));
