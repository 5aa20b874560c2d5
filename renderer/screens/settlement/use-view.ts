import { addressSchema, day, matching, oneOf, useAddress } from '#renderer/address';

/** The ways to look at the money on its way to the bank. */
export const TABS = [
  { id: 'history', name: 'History' },
  { id: 'payouts', name: 'Payouts' },
  { id: 'batches', name: 'Batches' },
  { id: 'unsettled', name: 'Unsettled' },
  { id: 'funding', name: 'Funding report' },
] as const;
export type TabId = (typeof TABS)[number]['id'];

const ADDRESS = addressSchema({
  tab: oneOf(
    TABS.map(({ id }) => id),
    'history',
  ),
  only: oneOf(['unpaid', '30-days']),
  from: day,
  to: day,
  currency: matching(/^[A-Z]{3}$/),
});

export interface View {
  readonly tab: TabId;
  /** Only the parts of a total of the header: unpaid settlements, or what was paid in 30 days. */
  readonly isNarrowed: boolean;
  /** Of the funding report; thirty days until today unless both are given. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Of the funding report; the merchant's unless another is chosen. */
  readonly currency: string | undefined;
  readonly page: number;
}

export interface ViewInAddress extends View {
  /** What of the address a thing that is open keeps: "?tab=payouts". */
  readonly search: string;
  /** Another view begins at its first page. */
  readonly change: (next: Partial<View>) => void;
}

/** What is looked at, from the address and into it. */
export function useView(): ViewInAddress {
  const { values, go } = useAddress(ADDRESS);
  const { only, ...shown } = values;
  const view: View = { ...shown, isNarrowed: only !== undefined };
  return { ...view, search: searchOf(view), change: (next) => go(valuesOf({ ...view, page: 1, ...next })) };
}

const ONLY = { history: 'unpaid', payouts: '30-days' } as const;

/** Days and currency are the funding report's. */
function valuesOf({ tab = 'history', isNarrowed, page, ...report }: Partial<View>) {
  const only = isNarrowed && (tab === 'history' || tab === 'payouts') ? ONLY[tab] : undefined;
  return { tab, only, page, ...(tab === 'funding' ? report : {}) };
}

/** The address of a view. */
export const searchOf = (view: Partial<View>): string => ADDRESS.search(valuesOf(view));
