import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import type { PeriodClose } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { MoneyText, StatusChip } from '#renderer/kit/ui';
import type { Figure, OpenFigure, Side } from './queries.ts';
import { FIGURE_NAMES, SIDE_NAMES } from './texts.ts';

const SIDES: readonly Side[] = ['ledger', 'processor', 'bank'];

/** Figures of a period on the three sides, one row for each figure and currency. Each amount opens its lines. */
export function FigureTable({ close, onOpen }: { close: PeriodClose; onOpen: (figure: OpenFigure) => void }) {
  const currencies = [...new Set(close.figures.map(({ currency }) => currency))];
  const isOne = currencies.length === 1;
  const suffix = isOne ? `, ${currencies[0]}` : '';
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Box
        component="table"
        aria-label={t('Figures')}
        sx={(theme) => ({
          width: '100%',
          borderCollapse: 'collapse',
          fontSize: 14,
          '& th, & td': { py: 2, px: 2, borderBottom: `1px solid ${theme.vars.palette.divider}`, textAlign: 'end', whiteSpace: 'nowrap' },
          '& th:first-of-type': { textAlign: 'start' },
          '& thead th': { fontSize: 12, fontWeight: 600, color: theme.vars.palette.text.secondary },
          '& td:last-of-type, & th:last-of-type': { textAlign: 'start' },
        })}
      >
        <thead>
          <tr>
            <th scope="col">{t('Figure')}</th>
            {SIDES.map((side) => (
              <th key={side} scope="col">
                {SIDE_NAMES[side]}
                {suffix}
              </th>
            ))}
            <th scope="col">{t('Difference')}</th>
            <th scope="col">{t('State')}</th>
          </tr>
        </thead>
        <tbody>
          {close.figures.map((figure) => (
            <tr key={`${figure.currency} ${figure.name}`}>
              <Box component="th" scope="row" sx={{ fontWeight: 500 }}>
                {FIGURE_NAMES[figure.name]}
              </Box>
              {SIDES.map((side) => (
                <td key={side}>
                  <Amount figure={figure} side={side} isCoded={!isOne} onOpen={onOpen} />
                </td>
              ))}
              <td>
                {figure.difference === 0 ? (
                  '–'
                ) : (
                  <MoneyText amount={figure.difference} currency={figure.currency} code={!isOne} sx={{ fontWeight: 600 }} />
                )}
              </td>
              <td>{figure.name === 'fees' || figure.name === 'disputes' ? null : <StatusChip state={figure.state} />}</td>
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}

interface AmountProps {
  readonly figure: Figure;
  readonly side: Side;
  readonly isCoded: boolean;
  readonly onOpen: (figure: OpenFigure) => void;
}

function Amount({ figure, side, isCoded, onOpen }: AmountProps) {
  const { name, currency } = figure;
  const amount = figure[side];
  if (amount === null)
    return (
      <Box component="span" sx={{ color: 'text.secondary' }}>
        –
      </Box>
    );
  return (
    <ButtonBase
      onClick={() => onOpen({ name, side, currency })}
      aria-label={t('{{amount}}, {{figure}}, {{side}}. Show lines', {
        figure: FIGURE_NAMES[name],
        side: SIDE_NAMES[side],
        amount: writeMoney(amount, currency),
      })}
      sx={{
        font: 'inherit',
        borderRadius: 0.5,
        px: 1,
        mx: -1,
        color: 'primary.main',
        '&:hover': { textDecoration: 'underline' },
      }}
    >
      <MoneyText amount={amount} currency={currency} code={isCoded} />
    </ButtonBase>
  );
}
