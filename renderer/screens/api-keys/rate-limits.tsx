import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import { useQuery } from '@tanstack/react-query';
import { dateFormat } from '#renderer/base/dates';
import { numberText, Trans, t } from '#renderer/base/language';
import { useMerchant } from '#renderer/session/user';
import { rateLimitQuery } from './queries.ts';

/** Value of `limit` for accounts whose tier has no limits. */
const UNLIMITED = 2_147_483_647;

/** Requests of the signed-in user, and what remains of the limit closest to exhaustion. Every API key is counted separately. */
export function RateLimits() {
  const { timezone } = useMerchant();
  const { data } = useQuery(rateLimitQuery);
  if (data === undefined) return null;
  const { limit, remaining, resetAt, usage } = data;
  const counts = t('Your requests: {{minute}} this minute, {{hour}} this hour, {{day}} today. Each API key has its own count.', {
    minute: numberText(usage.minute),
    hour: numberText(usage.hour),
    day: numberText(usage.day),
  });
  if (limit === UNLIMITED)
    return (
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        {t('Requests of this account are not limited.')} {counts}
      </Box>
    );
  const used = limit - remaining;
  const time = dateFormat({ timeZone: timezone, timeStyle: 'short' }).format(new Date(resetAt));
  return (
    <Box
      component="section"
      aria-label={t('Rate limits')}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 6, rowGap: 2, fontSize: 13 }}
    >
      <Box sx={{ width: 240 }}>
        <Box sx={{ mb: 1 }}>
          <Trans
            i18nKey="<0>{{remaining}}</0> of {{limit}} requests left until {{time}}"
            components={[<strong key="0" />]}
            values={{ remaining: numberText(remaining), limit: numberText(limit), time }}
          />
        </Box>
        <LinearProgress
          variant="determinate"
          value={(used / limit) * 100}
          color={remaining === 0 ? 'error' : remaining < limit / 10 ? 'warning' : 'primary'}
          aria-label={t('Used part of the limit')}
        />
      </Box>
      <Box sx={{ color: 'text.secondary' }}>{counts}</Box>
    </Box>
  );
}
