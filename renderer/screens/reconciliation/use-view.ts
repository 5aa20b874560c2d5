import { useNavigate, useParams, useSearchParams } from 'react-router';

export const TABS = [
  { id: 'discrepancies', name: 'Discrepancies' },
  { id: 'matched', name: 'Matched' },
  { id: 'all', name: 'All' },
] as const;
export type TabId = (typeof TABS)[number]['id'];

/** What is looked at. It lives in the address, so that reload, back and a copied link keep it. */
interface View {
  /** Undefined for today. */
  readonly date: string | undefined;
  readonly tab: TabId;
  readonly page: number;
  /** Key of the line that is open. */
  readonly line: string | undefined;
  /** All merchants together, in place of the one that the desk works for. */
  readonly isWhole: boolean;
}

export interface ViewInAddress extends View {
  /** Another day or tab begins at its first page, with nothing open. */
  readonly go: (change: Partial<View>) => void;
}

export function useView(): ViewInAddress {
  const { date } = useParams();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const page = Number(params.get('page') ?? '1');
  const view: View = {
    date,
    tab: TABS.find(({ id }) => id === params.get('tab'))?.id ?? 'discrepancies',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    line: params.get('line') ?? undefined,
    isWhole: params.get('merchants') === 'all',
  };
  const go = (change: Partial<View>) => {
    const isElsewhere = 'date' in change || 'tab' in change || 'isWhole' in change;
    void navigate(addressOf({ ...view, ...(isElsewhere && { page: 1, line: undefined }), ...change }));
  };
  return { ...view, go };
}

/** The address of a view; what goes without saying is left out. */
export function addressOf({ date, tab, page, line, isWhole }: View): { pathname: string; search: string } {
  const search = new URLSearchParams({
    ...(isWhole && { merchants: 'all' }),
    ...(tab !== 'discrepancies' && { tab }),
    ...(page > 1 && { page: String(page) }),
    ...(line !== undefined && { line }),
  }).toString();
  return { pathname: date === undefined ? '/reconciliation' : `/reconciliation/${date}`, search: search === '' ? '' : `?${search}` };
}
