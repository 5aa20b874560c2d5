import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { Invoice } from '#renderer/client';
import { STATUS_OPTIONS } from '../words.ts';
import { type Made, PERIODS } from './period.ts';

/** The lists. A link is an invoice that was made with its amount alone. */
export const TABS = [
  { id: 'invoices', name: 'Invoices', kind: 'invoice' },
  { id: 'links', name: 'Links', kind: 'link' },
  { id: 'all', name: 'All', kind: undefined },
] as const;
export type TabId = (typeof TABS)[number]['id'];

export interface View {
  readonly tab: TabId;
  readonly status: Invoice['status'] | undefined;
  readonly made: Made;
  readonly q: string;
  readonly page: number;
}

export interface ViewInAddress extends View {
  readonly kind: Invoice['kind'] | undefined;
  /** Whether something beside the tab narrows the list. */
  readonly isNarrowed: boolean;
  /** What of the address an opened invoice keeps: "?tab=links". */
  readonly search: string;
  /** Another view begins at its first page. */
  readonly change: (next: Partial<View>) => void;
  readonly clear: () => void;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const dayOf = (text: string | null) => (text !== null && DAY.test(text) ? text : undefined);

/** What is looked at, from the address and into it. */
export function useView(): ViewInAddress {
  const [params, setParams] = useSearchParams();
  return useMemo(() => {
    const tab = TABS.find(({ id }) => id === params.get('tab')) ?? TABS[0];
    const status = STATUS_OPTIONS.find(({ value }) => value === params.get('status'))?.value as View['status'];
    const page = Number(params.get('page') ?? '1');
    const period = PERIODS.find(({ id }) => id === params.get('made'))?.id;
    const made = period ? { period } : { startDate: dayOf(params.get('from')), endDate: dayOf(params.get('to')) };
    const view: View = {
      tab: tab.id,
      status,
      made,
      q: params.get('q')?.trim() ?? '',
      page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    };
    return {
      ...view,
      kind: tab.kind,
      isNarrowed: view.q !== '' || status !== undefined || Object.values(made).some((value) => value !== undefined),
      search: searchOf(view),
      change: (next: Partial<View>) => setParams(searchOf({ ...view, page: 1, ...next })),
      clear: () => setParams(searchOf({ tab: view.tab, status: undefined, made: {}, q: '', page: 1 })),
    };
  }, [params, setParams]);
}

function searchOf({ tab, status, made, q, page }: View): string {
  const said = new URLSearchParams([
    ...(tab === 'invoices' ? [] : [['tab', tab]]),
    ...(status ? [['status', status]] : []),
    ...(made.period ? [['made', made.period]] : []),
    ...(made.startDate ? [['from', made.startDate]] : []),
    ...(made.endDate ? [['to', made.endDate]] : []),
    ...(q === '' ? [] : [['q', q]]),
    ...(page > 1 ? [['page', String(page)]] : []),
  ]);
  return said.size === 0 ? '' : `?${said}`;
}
