import { addressSchema, matching, oneOf, text, useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';
import { SORTS, type Sort, type Status } from './queries.ts';

/** Tabs of the list. An ended subscription is canceled or expired. */
export const TABS = [
  { id: 'active', name: t('Active', { context: 'subscriptions' }), status: 'active' },
  { id: 'past-due', name: t('Past due', { context: 'subscriptions' }), status: 'past_due' },
  { id: 'paused', name: t('Paused'), status: 'paused' },
  { id: 'ended', name: t('Ended', { context: 'subscriptions' }), status: 'cancelled' },
  { id: 'all', name: t('All', { context: 'subscriptions' }), status: undefined },
] as const;
export type TabId = (typeof TABS)[number]['id'];

/** Statuses of ended subscriptions. */
export const ENDINGS = ['cancelled', 'expired'] as const;
export type Ending = (typeof ENDINGS)[number];

export interface View {
  readonly tab: TabId;
  readonly status: Status | undefined;
  readonly ending: Ending;
  readonly q: string;
  readonly sort: Sort;
  readonly page: number;
  /** Query part of the URL that an open subscription keeps: "?tab=paused". */
  readonly search: string;
  /** Customer of a new subscription, from a link. */
  readonly newFor: string | undefined;
  readonly isNewOpen: boolean;
}

export interface ViewInAddress extends View {
  /** Changes the view; starts again at page 1 unless a page is given. */
  readonly change: (next: Partial<Pick<View, 'tab' | 'ending' | 'q' | 'sort' | 'page'>>) => void;
}

const ADDRESS = addressSchema({
  tab: oneOf(
    TABS.map(({ id }) => id),
    'active',
  ),
  ended: oneOf(ENDINGS, 'cancelled'),
  q: text,
  sort: oneOf(SORTS, '-createdAt'),
  new: oneOf(['1']),
  customerId: matching(/^\w{1,60}$/),
});

/** State of the list in its URL. */
export function useView(): ViewInAddress {
  const { values, go } = useAddress(ADDRESS);
  const { tab, ended: ending, q, sort, page, new: isNew, customerId } = values;
  const view = { tab, ending, q, sort, page };
  return {
    ...view,
    status: tab === 'ended' ? ending : TABS.find(({ id }) => id === tab)?.status,
    search: ADDRESS.search(valuesOf(view)),
    newFor: customerId,
    isNewOpen: isNew === '1',
    change: (next) => go(valuesOf({ ...view, page: 1, ...next })),
  };
}

const valuesOf = ({ ending, ...view }: Pick<View, 'tab' | 'ending' | 'q' | 'sort' | 'page'>) => ({
  ...view,
  ...(view.tab === 'ended' ? { ended: ending } : {}),
});
