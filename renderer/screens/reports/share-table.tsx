import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { Link } from 'react-router';
import { numberText, t } from '#renderer/base/language';
import { MoneyText } from '#renderer/kit/ui';

interface ShareRow {
  readonly key: string;
  readonly name: string;
  /** Address of its transactions; absent for users who may not see them. */
  readonly to: string | undefined;
  /** Absent for a part of other amounts. */
  readonly count?: number;
  readonly amount?: number;
}

/** Breakdown of a day. */
export function ShareTable({ title, currency, rows }: { title: string; currency?: string; rows: readonly ShareRow[] }) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography variant="h3" id={id} sx={{ mb: 1.5 }}>
        {title}
        {currency && rows.length > 0 && (
          <Box component="span" sx={{ fontWeight: 400, color: 'text.secondary' }}>
            , {currency}
          </Box>
        )}
      </Typography>
      {rows.length === 0 ? (
        <Box sx={(theme) => ({ borderTop: `1px solid ${theme.vars.palette.divider}`, py: 2, fontSize: 13, color: 'text.secondary' })}>
          {t('None')}
        </Box>
      ) : (
        <Box component="table" aria-labelledby={id} sx={TABLE}>
          <tbody>
            {rows.map(({ key, name, to, count, amount }) => (
              <tr key={key} data-row={key}>
                <th scope="row">
                  {to !== undefined && count !== undefined && count > 0 ? (
                    <MuiLink component={Link} to={to}>
                      {name}
                    </MuiLink>
                  ) : (
                    name
                  )}
                </th>
                <td>{count === undefined ? '' : count === 0 ? '–' : numberText(count)}</td>
                {currency && amount !== undefined && <td>{amount === 0 ? '–' : <MoneyText amount={amount} currency={currency} />}</td>}
              </tr>
            ))}
          </tbody>
        </Box>
      )}
    </Box>
  );
}

const TABLE = {
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: 13,
  '& th, & td': { py: 1.75, px: 0, borderTop: '1px solid', borderColor: 'divider', lineHeight: '20px' },
  '& th': { textAlign: 'start', fontWeight: 400 },
  '& td': { textAlign: 'end', fontVariantNumeric: 'tabular-nums', width: 88, paddingInlineStart: 2 },
  '& td:nth-of-type(1):not(:last-of-type)': { width: 40 },
} as const;
