import { useNavigate, useParams } from 'react-router';
import { addressSchema, matching, oneOf, useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';

export const TABS = [
  { id: 'discrepancies', name: t('Discrepancies') },
  { id: 'matched', name: t('Matched', { context: 'lines' }) },
  { id: 'all', name: t('All', { context: 'lines' }) },
] as const;
export type TabId = (typeof TABS)[number]['id'];

/** State of the screen, kept in the address so that reload, back and a copied link restore it. */
interface View {
  /** Undefined for today. */
  readonly date: string | undefined;
  readonly tab: TabId;
  readonly page: number;
  /** Key of the line that is open. */
  readonly line: string | undefined;
  /** True for all merchants, false for the selected one. */
  readonly isWhole: boolean;
}

export interface ViewInAddress extends View {
  /** Changes the state. Another day or tab starts at its first page with no line open. */
  readonly go: (change: Partial<View>) => void;
}

const ADDRESS = addressSchema({
  merchants: oneOf(['all']),
  tab: oneOf(
    TABS.map(({ id }) => id),
    'discrepancies',
  ),
  line: matching(/^.{1,200}$/),
});

export function useView(): ViewInAddress {
  const { date } = useParams();
  const { values } = useAddress(ADDRESS);
  const navigate = useNavigate();
  const { merchants, ...shown } = values;
  const view: View = { date, ...shown, isWhole: merchants === 'all' };
  const go = (change: Partial<View>) => {
    const isElsewhere = 'date' in change || 'tab' in change || 'isWhole' in change;
    void navigate(addressOf({ ...view, ...(isElsewhere && { page: 1, line: undefined }), ...change }));
  };
  return { ...view, go };
}

/** Returns the address of a view. */
export function addressOf({ date, isWhole, ...shown }: View): { pathname: string; search: string } {
  return {
    pathname: date === undefined ? '/reconciliation' : `/reconciliation/${date}`,
    search: ADDRESS.search({ ...shown, merchants: isWhole ? 'all' : undefined }),
  };
}
