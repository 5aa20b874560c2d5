import Box from '@mui/material/Box';
import { Link } from 'react-router';
import type { ToDoItem } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { formatDuration, MoneyText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { actionText, dueText, KINDS, reasonText, titleOf } from './texts.ts';
import { useWorkThrough } from './work-through.ts';

interface ToDoLineProps {
  readonly item: ToDoItem;
  /** The list that shows the item, for the way to the next one. */
  readonly list: readonly ToDoItem[];
  readonly nowMs: number;
  /** True if the line has columns for the deadline, the age and the action. */
  readonly isWide?: boolean;
}

/** An item of To do. The whole line leads to its record. */
export function ToDoLine({ item, list, nowMs, isWide = false }: ToDoLineProps) {
  const { timezone, currency: usual } = useMerchant();
  const open = useWorkThrough((state) => state.open);
  const { icon: Icon } = KINDS[item.kind];
  const due = dueText(item, timezone, nowMs);
  const reason = reasonText(item, timezone, nowMs);
  // The deadline has a column of its own in wide lines, unless the window is narrow.
  const deadline = due !== '' && reason !== '' ? `${due} · ` : due;
  return (
    <Box
      component={Link}
      to={item.link}
      onClick={() => open(item, list)}
      data-to-do={item.kind}
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: isWide ? WIDE_COLUMNS : '20px minmax(0, 1fr) auto',
        alignItems: 'center',
        columnGap: 3,
        minHeight: isWide ? 48 : 44,
        px: isWide ? 4 : 0,
        py: 1,
        color: 'inherit',
        textDecoration: 'none',
        borderRadius: 1,
        '&:hover': { backgroundColor: theme.vars.palette.wash },
        '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
        '& > svg': { color: item.isUrgent ? theme.vars.palette.tone.error.main : theme.vars.palette.tone.warning.main },
      })}
    >
      <Icon size={18} strokeWidth={1.9} aria-hidden />
      <Box sx={{ minWidth: 0 }}>
        <Box
          data-field="title"
          title={[titleOf(item), `${deadline}${reason}`].filter(Boolean).join(': ')}
          sx={{ fontSize: 14, fontWeight: 500, lineHeight: '18px', overflowWrap: 'anywhere' }}
        >
          {titleOf(item)}
        </Box>
        {(reason !== '' || due !== '') && (
          <Box sx={[{ fontSize: 12, color: 'text.secondary', lineHeight: '16px' }, isWide ? linesOf(2) : REASON_LINES]} title={reason}>
            {deadline !== '' && (
              <Box component="span" sx={isWide ? { display: { md: 'none' } } : {}}>
                {deadline}
              </Box>
            )}
            {reason}
          </Box>
        )}
      </Box>
      {isWide && (
        <>
          <Box sx={{ ...WIDE_ONLY, color: item.isUrgent ? 'tone.error.main' : 'text.primary', fontWeight: item.isUrgent ? 550 : 450 }}>
            {due}
          </Box>
          <Box sx={{ ...WIDE_ONLY, color: 'text.secondary' }}>
            {item.since !== null && formatDuration(Math.max(0, nowMs - Date.parse(item.since)))}
          </Box>
        </>
      )}
      <Box sx={{ textAlign: 'end', fontWeight: 600 }}>
        {item.amount !== null && <MoneyText amount={item.amount} currency={item.currency ?? ''} code={item.currency !== usual} />}
      </Box>
      {isWide && (
        <Box sx={{ ...WIDE_ONLY, display: { xs: 'none', lg: 'block' }, color: 'primary.main', fontWeight: 500 }}>{actionText(item)}</Box>
      )}
    </Box>
  );
}

const WIDE_COLUMNS = {
  xs: '20px minmax(0, 1fr) auto',
  md: '20px minmax(0, 1fr) 72px 88px 104px',
  lg: '20px minmax(0, 1fr) 88px 96px 112px 168px',
} as const;

/** Headings of the columns of wide lines. */
export function ToDoHeadings() {
  return (
    <Box
      aria-hidden
      sx={{
        display: { xs: 'none', md: 'grid' },
        gridTemplateColumns: WIDE_COLUMNS,
        columnGap: 3,
        px: 5,
        pb: 1,
        fontSize: 12,
        color: 'text.secondary',
      }}
    >
      <span />
      <span>{t('Item')}</span>
      <span>{t('Due')}</span>
      <span>{t('Waiting')}</span>
      <Box component="span" sx={{ textAlign: 'end' }}>
        {t('Amount')}
      </Box>
      <Box component="span" sx={{ display: { xs: 'none', lg: 'inline' } }}>
        {t('Action')}
      </Box>
    </Box>
  );
}

const linesOf = (count: number) =>
  ({ display: '-webkit-box', WebkitBoxOrient: 'vertical', WebkitLineClamp: count, overflow: 'hidden' }) as const;
/** The narrow column of Home has room for the title only; the reason is in its tooltip. */
const NARROW_COLUMN = '@media (min-width: 900px) and (max-width: 1199px)';
const REASON_LINES = { ...linesOf(1), [NARROW_COLUMN]: { display: 'none' } } as const;
const WIDE_ONLY = { display: { xs: 'none', md: 'block' }, fontSize: 13 } as const;
