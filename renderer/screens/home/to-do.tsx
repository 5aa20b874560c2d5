import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { t } from '#renderer/base/language';
import { useMerchant } from '#renderer/session/user';
import { toDoQuery, UrgentItems } from '#renderer/shared/to-do';
import { Panel } from './panel.tsx';

/** The most urgent work that waits for a person, with a link to all of it. */
export function ToDo() {
  const { merchantId } = useMerchant();
  const { data: { total } = { total: 0 } } = useQuery(toDoQuery(merchantId));
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
      <UrgentItems />
    </Panel>
  );
}
