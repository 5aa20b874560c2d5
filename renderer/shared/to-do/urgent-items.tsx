import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { QueryContent, shortTime } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { toDoQuery } from './queries.ts';
import { ToDoLine } from './to-do-line.tsx';

const SHOWN = 7;
const TICK_MS = 30_000;

/** The most urgent work that waits for a person: the first lines of To do. */
export function UrgentItems() {
  const { merchantId, timezone } = useMerchant();
  const query = useQuery(toDoQuery(merchantId));
  const nowMs = useTenantNow(TICK_MS);
  return (
    <QueryContent
      query={query}
      isEmpty={({ items }) => items.length === 0}
      empty={
        <Box sx={{ py: 2, fontSize: 13, color: 'text.secondary' }}>
          {t('Nothing to do.')} {query.data && t('Last checked {{time}}.', { time: shortTime(query.data.checkedAt, timezone, nowMs) })}
        </Box>
      }
    >
      {({ items }) => (
        <Box
          component="ul"
          aria-label={t('To do')}
          sx={(theme) => ({
            m: 0,
            p: 0,
            listStyle: 'none',
            '& > li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
          })}
        >
          {items.slice(0, SHOWN).map((item) => (
            <li key={item.id}>
              <ToDoLine item={item} list={items} nowMs={nowMs} />
            </li>
          ))}
        </Box>
      )}
    </QueryContent>
  );
}
