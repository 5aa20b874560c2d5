import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';
import { useMay } from '#renderer/session/user';
import { shiftQuery } from './queries.ts';

/** Returns the name of a shift: the number of its Z report, if it is closed, and its drawer. */
export const shiftName = ({ zNumber, drawer }: { zNumber: number | null; drawer: string }) =>
  zNumber === null ? drawer : t('Z report {{number}}: {{drawer}}', { number: zNumber, drawer });

/** Names the shift of a payment. Links to the payments of the shift and to its report. */
export function ShiftLinks({ shiftId }: { shiftId: string }) {
  const may = useMay();
  const { data } = useQuery(shiftQuery(shiftId));
  const name = data === undefined ? t('Payments of the shift') : shiftName(data);
  return (
    <>
      {may('transactions:read') ? (
        <Link component={RouterLink} to={`/transactions?shiftId=${shiftId}`} sx={{ font: 'inherit' }}>
          {name}
        </Link>
      ) : (
        name
      )}
      {' · '}
      <Link component={RouterLink} to={`/cash/${shiftId}?tab=shifts`} sx={{ font: 'inherit' }}>
        {t('Shift report')}
      </Link>
    </>
  );
}
