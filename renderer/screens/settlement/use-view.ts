import { useSearchParams } from 'react-router';

/** The ways to look at the money on its way to the bank. */
export const TABS = [
  { id: 'history', name: 'History' },
  { id: 'payouts', name: 'Payouts' },
  { id: 'batches', name: 'Batches' },
  { id: 'unsettled', name: 'Unsettled' },
  { id: 'funding', name: 'Funding report' },
] as const;
export type TabId = (typeof TABS)[number]['id'];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const CURRENCY = /^[A-Z]{3}$/;

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
  const [params, setParams] = useSearchParams();
  const page = Number(params.get('page') ?? '1');
  const day = (name: string) => (DAY.test(params.get(name) ?? '') ? (params.get(name) ?? undefined) : undefined);
  const view: View = {
    tab: TABS.find(({ id }) => id === params.get('tab'))?.id ?? 'history',
    isNarrowed: params.get('only') !== null,
    from: day('from'),
    to: day('to'),
    currency: CURRENCY.exec(params.get('currency') ?? '')?.[0],
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
  return { ...view, search: searchOf(view), change: (next) => setParams(searchOf({ ...view, page: 1, ...next })) };
}

const ONLY: Readonly<Partial<Record<TabId, string>>> = { history: 'unpaid', payouts: '30-days' };

/** The address of a view; what goes without saying is left unsaid. */
export function searchOf({ tab, isNarrowed, from, to, currency, page }: Partial<View>): string {
  const only = tab && isNarrowed ? ONLY[tab] : undefined;
  const isReport = tab === 'funding';
  const said = new URLSearchParams([
    ...(tab === undefined || tab === 'history' ? [] : [['tab', tab]]),
    ...(only === undefined ? [] : [['only', only]]),
    ...(isReport && from ? [['from', from]] : []),
    ...(isReport && to ? [['to', to]] : []),
    ...(isReport && currency ? [['currency', currency]] : []),
    ...(page !== undefined && page > 1 ? [['page', String(page)]] : []),
  ]);
  return said.size === 0 ? '' : `?${said}`;
}
