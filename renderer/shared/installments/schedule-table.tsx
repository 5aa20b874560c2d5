import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { t } from '#renderer/base/language';
import { dayText, MoneyText } from '#renderer/kit/ui';

interface ScheduleRow {
  readonly number: number;
  readonly dueDate: string;
  readonly amount: number;
  readonly note?: ReactNode;
  readonly status?: ReactNode;
}

/** Numbered installments with their dates and amounts. */
export function ScheduleTable({ label, currency, rows }: { label: string; currency: string; rows: readonly ScheduleRow[] }) {
  const hasStatus = rows.some(({ status }) => status !== undefined);
  return (
    <Box
      component="table"
      aria-label={label}
      sx={(theme) => ({
        width: '100%',
        borderCollapse: 'collapse',
        fontSize: 13,
        fontVariantNumeric: 'tabular-nums',
        '& th, & td': { py: 1.5, px: 0, textAlign: 'start', verticalAlign: 'middle', fontWeight: 400 },
        '& td + td, & th + th': { paddingInlineStart: 3 },
        '& thead th': { fontSize: 12, fontWeight: 600, color: 'text.secondary' },
        '& tbody tr': { borderTop: `1px solid ${theme.vars.palette.divider}` },
        '& .amount': { textAlign: 'end', whiteSpace: 'nowrap' },
      })}
    >
      <thead>
        <tr>
          <th scope="col">{t('No.')}</th>
          <th scope="col">{t('Date')}</th>
          {hasStatus && <th scope="col">{t('Status')}</th>}
          <th scope="col" className="amount">
            {t('Amount, {{currency}}', { currency })}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ number, dueDate, amount, status, note }) => (
          <tr key={number}>
            <td>{number}</td>
            <td>{dayText(dueDate)}</td>
            {hasStatus && <td>{status}</td>}
            <td className="amount">
              <MoneyText amount={amount} currency={currency} sx={{ fontWeight: 600 }} />
              {note !== undefined && <Box sx={{ color: 'text.secondary', fontSize: 12 }}>{note}</Box>}
            </td>
          </tr>
        ))}
      </tbody>
    </Box>
  );
}
