import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useContext } from 'react';
import { t } from '#renderer/base/language';
import { NarrowListContext } from './narrow-list.ts';

export const FOOTER_PX = 38;

interface ListFooterProps {
  readonly page: number;
  /** Rows of a full page. */
  readonly limit: number;
  readonly total: number;
  /** Names of columns that are hidden because the list is too narrow. */
  readonly leftOut: readonly string[];
  readonly onPage: (page: number) => void;
  /** Another way to go to a page. */
  readonly goTo: ReactNode;
  /** Opens the choice of columns. */
  readonly onColumns: () => void;
  /** Totals, or actions on selected rows. */
  readonly children: ReactNode;
}

/** Totals, hidden columns and pages of a list. */
export function ListFooter({ page, limit, total, leftOut, onPage, goTo, onColumns, children }: ListFooterProps) {
  const isNarrow = useContext(NarrowListContext);
  const first = (page - 1) * limit + 1;
  const last = Math.min(total, page * limit);
  return (
    <Box
      sx={(theme) => ({
        minHeight: FOOTER_PX,
        flexShrink: 0,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'flex-end',
        columnGap: 3,
        px: 2.5,
        fontSize: 13,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderTop: 0,
        borderEndStartRadius: 4,
        borderEndEndRadius: 4,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      {/* Without room for a line beside the pages, it has a line of its own. */}
      <Box sx={{ flex: '1 0 auto', maxWidth: '100%', py: 1 }}>{children}</Box>
      {leftOut.length > 0 && (
        <Button size="small" variant="text" title={leftOut.join(', ')} onClick={onColumns} sx={{ color: 'text.secondary' }}>
          {isNarrow
            ? t('{{count, number}} hidden', { count: leftOut.length })
            : t('{{count, number}} columns hidden', { count: leftOut.length })}
        </Button>
      )}
      {total > limit && goTo}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexShrink: 0 }}>
        <Box component="span" className="figures" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
          {t('{{first, number}}–{{last, number}} of {{total, number}}', { first, last, total })}
        </Box>
        {total > limit && (
          <>
            <IconButton aria-label={t('Go to previous page')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
              <ChevronLeft size={16} aria-hidden />
            </IconButton>
            <IconButton aria-label={t('Go to next page')} disabled={last >= total} onClick={() => onPage(page + 1)}>
              <ChevronRight size={16} aria-hidden />
            </IconButton>
          </>
        )}
      </Box>
    </Box>
  );
}
