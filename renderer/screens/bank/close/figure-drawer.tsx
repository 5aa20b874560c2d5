import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { serviceText, t } from '#renderer/base/language';
import { RecordHeader, RecordPanel } from '#renderer/kit/record';
import { dayText, EmptyState, MoneyText, QueryContent, useHeadingFocus } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { figureLinesQuery, type OpenFigure } from './queries.ts';
import { FIGURE_NAMES, lineAddress, SIDE_NAMES } from './texts.ts';

interface FigureDrawerProps {
  readonly period: string;
  readonly figure: OpenFigure | undefined;
  readonly onClose: () => void;
}

const idOf = ({ name, side, currency }: OpenFigure) => `${name}/${side}/${currency}`;

/** Lines of which a figure consists. */
export function FigureDrawer({ period, figure, onClose }: FigureDrawerProps) {
  return (
    <RecordPanel label={t('Lines of the figure')} openId={figure && idOf(figure)} onClose={onClose}>
      {(id, isOpen) => {
        const [name, side, currency] = id.split('/') as [OpenFigure['name'], OpenFigure['side'], string];
        return <Lines period={period} figure={{ name, side, currency }} takesFocus={isOpen} />;
      }}
    </RecordPanel>
  );
}

/** Returns the text of a line: that of the bank as it is, any other in the language of the screens. */
const textOf = ({ kind, text }: { readonly kind: string; readonly text: string }) => (kind === 'bank_line' ? text : serviceText(text));

/** Adds keys to lines: one bank line can have equal movements, after a match was undone. */
function keyed<Line extends { readonly id: string; readonly text: string }>(lines: readonly Line[]): { key: string; line: Line }[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const name = `${line.id} ${line.text}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { key: `${name} ${count}`, line };
  });
}

function Lines({ period, figure, takesFocus }: { period: string; figure: OpenFigure; takesFocus: boolean }) {
  const { merchantId } = useMerchant();
  const heading = useHeadingFocus(takesFocus);
  const lines = useQuery(figureLinesQuery(merchantId, period, figure));
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <RecordHeader title={`${FIGURE_NAMES[figure.name]}, ${SIDE_NAMES[figure.side]}`} headingRef={heading} />
      <QueryContent
        query={lines}
        isEmpty={(data) => data.length === 0}
        empty={<EmptyState title={t('No lines')}>{t('Nothing makes up this figure.')}</EmptyState>}
      >
        {(data) => (
          <Box component="ul" aria-label={t('Lines')} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2, fontSize: 14 }}>
            {keyed(data).map(({ key, line }) => {
              const to = lineAddress(line);
              return (
                <Box component="li" key={key} sx={{ display: 'flex', gap: 3 }}>
                  <Box sx={{ width: 96, color: 'text.secondary' }}>{dayText(line.date)}</Box>
                  <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                    {to === null ? (
                      textOf(line)
                    ) : (
                      <Link component={RouterLink} to={to}>
                        {textOf(line)}
                      </Link>
                    )}
                  </Box>
                  <MoneyText amount={line.amount} currency={line.currency} />
                </Box>
              );
            })}
          </Box>
        )}
      </QueryContent>
    </Box>
  );
}
