import { useSearchParams } from 'react-router';
import type { Status } from './queries.ts';

/** The ways to look at the plans. What has ended is one of two things. */
export const TABS = [
  { id: 'active', name: 'Active', status: 'active' },
  { id: 'past-due', name: 'Past due', status: 'past_due' },
  { id: 'paused', name: 'Paused', status: 'paused' },
  { id: 'ended', name: 'Ended', status: 'cancelled' },
  { id: 'all', name: 'All', status: undefined },
] as const;
export type TabId = (typeof TABS)[number]['id'];

/** The two ways in which a plan ends. */
export const ENDINGS = ['cancelled', 'expired'] as const;
export type Ending = (typeof ENDINGS)[number];

export interface View {
  readonly tab: TabId;
  readonly status: Status | undefined;
  readonly ending: Ending;
  readonly q: string;
  readonly page: number;
  /** What of the address an opened plan keeps: "?tab=paused". */
  readonly search: string;
  /** The customer that a new plan begins with. */
  readonly newFor: string | undefined;
  readonly isNewOpen: boolean;
}

export interface ViewInAddress extends View {
  /** Another view begins at its first page. */
  readonly change: (next: Partial<Pick<View, 'tab' | 'ending' | 'q' | 'page'>>) => void;
}

/** What is looked at, from the address and into it. */
export function useView(): ViewInAddress {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find(({ id }) => id === params.get('tab')) ?? TABS[0];
  const ending = ENDINGS.find((each) => each === params.get('ended')) ?? 'cancelled';
  const page = Number(params.get('page') ?? '1');
  const view = {
    tab: tab.id,
    ending,
    q: params.get('q')?.trim() ?? '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
  return {
    ...view,
    status: tab.id === 'ended' ? ending : tab.status,
    search: searchOf(view),
    newFor: params.get('customerId') ?? undefined,
    isNewOpen: params.get('new') === '1',
    change: (next) => setParams(searchOf({ ...view, page: 1, ...next })),
  };
}

function searchOf({ tab, ending, q, page }: Pick<View, 'tab' | 'ending' | 'q' | 'page'>): string {
  const said = new URLSearchParams([
    ...(tab === 'active' ? [] : [['tab', tab]]),
    ...(tab === 'ended' && ending === 'expired' ? [['ended', ending]] : []),
    ...(q === '' ? [] : [['q', q]]),
    ...(page > 1 ? [['page', String(page)]] : []),
  ]);
  return said.size === 0 ? '' : `?${said}`;
}
