import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { t } from '#renderer/base/language';
import { QueryContent, shortTime } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { ToDoLine, toDoQuery } from '#renderer/shared/to-do';
import { Panel } from './panel.tsx';

const SHOWN = 7;
const TICK_MS = 30_000;

/** The most urgent work that waits for a person. */
export function ToDo() {
  const { merchantId, timezone } = useMerchant();
  const query = useQuery(toDoQuery(merchantId));
  const nowMs = useTenantNow(TICK_MS);
  const total = query.data?.total ?? 0;
  return (
    <Panel
      title={t('To do')}
      link={
        total > 0 && (
          <MuiLink component={Link} to="/to-do" sx={{ fontSize: 13 }}>
            {t('All {{count, number}}', { count: total })}
          </MuiLink>
        )
      }
    >
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
    </Panel>
  );
}
