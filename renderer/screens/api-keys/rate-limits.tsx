import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import { useQuery } from '@tanstack/react-query';
import { dateFormat } from '#renderer/dates';
import { useMerchant } from '#renderer/session';
import { rateLimitQuery } from './queries.ts';

/** Value of `limit` for accounts whose tier has no limits. */
const UNLIMITED = 2_147_483_647;

/** Requests of the signed-in user, and what remains of the limit closest to exhaustion. Every API key is counted separately. */
export function RateLimits() {
  const { timezone } = useMerchant();
  const { data } = useQuery(rateLimitQuery);
  if (data === undefined) return null;
  const { limit, remaining, resetAt, usage } = data;
  if (limit === UNLIMITED) return <Box sx={{ fontSize: 13, color: 'text.secondary' }}>Requests of this account are not limited.</Box>;
  const used = limit - remaining;
  const time = dateFormat({ timeZone: timezone, timeStyle: 'short' }).format(new Date(resetAt));
  const number = (value: number) => value.toLocaleString('en-US');
  return (
    <Box
      component="section"
      aria-label="Rate limits"
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 6, rowGap: 2, fontSize: 13 }}
    >
      <Box sx={{ width: 240 }}>
        <Box sx={{ mb: 1 }}>
          <strong>{number(remaining)}</strong> of {number(limit)} requests left until {time}
        </Box>
        <LinearProgress
          variant="determinate"
          value={(used / limit) * 100}
          color={remaining === 0 ? 'error' : remaining < limit / 10 ? 'warning' : 'primary'}
          aria-label="Used part of the limit"
        />
      </Box>
      <Box sx={{ color: 'text.secondary' }}>
        Your requests: {number(usage.minute)} this minute, {number(usage.hour)} this hour, {number(usage.day)} today. Each API key has its
        own count.
      </Box>
    </Box>
  );
}
