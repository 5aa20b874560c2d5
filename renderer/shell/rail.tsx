import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { createElement } from 'react';
import { NavLink } from 'react-router';
import { doubtCountsQuery, failedRefundsQuery } from '#renderer/client';
import { useMay, useMerchant } from '#renderer/session';
import { HIDDEN_FROM_SIGHT, KeyHint, Mark } from '#renderer/ui';
import { doubtBadge } from './doubt-badge.ts';
import { PAGES } from './pages.ts';

export const RAIL_PX = { wide: 200, narrow: 60 } as const;

/** Navigation between the screens by task. Shows only screens that the user may see. */
export function Rail() {
  const may = useMay();
  return (
    <Box
      component="nav"
      aria-label="Main"
      sx={(theme) => ({
        gridArea: 'rail',
        display: 'flex',
        flexDirection: 'column',
        gap: 1,
        px: 2,
        pb: 3,
        minHeight: 0,
        overflowY: 'auto',
        borderRight: `1px solid ${theme.vars.palette.divider}`,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      <Box sx={{ height: 52, flexShrink: 0, px: 2, display: 'flex', alignItems: 'center', gap: 2.5 }}>
        <Mark size={24} />
        <Box component="span" sx={{ fontSize: 16, fontWeight: 650, letterSpacing: '-0.01em', display: { xs: 'none', md: 'inline' } }}>
          Paydesk
        </Box>
      </Box>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
        {PAGES.filter(({ permission }) => may(permission)).map(({ path, name, icon: Icon, keys, badge }) => (
          <li key={path}>
            <Box
              component={NavLink}
              to={path}
              aria-keyshortcuts={keys}
              sx={(theme) => ({
                position: 'relative',
                display: 'flex',
                alignItems: 'center',
                gap: 2.5,
                height: 36,
                px: 2.5,
                borderRadius: 1,
                color: theme.vars.palette.text.secondary,
                fontWeight: 550,
                textDecoration: 'none',
                justifyContent: { xs: 'center', md: 'flex-start' },
                '&:hover': { backgroundColor: theme.vars.palette.wash, color: theme.vars.palette.text.primary },
                '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 1 },
                '&.active': { backgroundColor: theme.vars.palette.tone.primary.tint, color: theme.vars.palette.tone.primary.main },
              })}
            >
              <Icon size={18} strokeWidth={1.9} aria-hidden />
              <Box component="span" sx={{ flex: 1, ...{ '@media (max-width: 899.95px)': HIDDEN_FROM_SIGHT } }}>
                {name}
              </Box>
              {badge && createElement(BADGES[badge])}
              {keys && (
                <Box component="span" sx={{ display: { xs: 'none', md: 'inline' } }}>
                  <KeyHint keys={keys} />
                </Box>
              )}
            </Box>
          </li>
        ))}
      </Box>
    </Box>
  );
}

/** Number of declined refunds that need a person. */
function FailedRefunds() {
  const { data: count = 0 } = useQuery(failedRefundsQuery);
  return <Badge count={count} tone="error" words={count === 1 ? 'refund needs you' : 'refunds need you'} />;
}

/** Number of the merchant's operations that are unconfirmed or need a person. */
function Doubts() {
  const { merchantId } = useMerchant();
  const { data } = useQuery(doubtCountsQuery(merchantId));
  return data ? <Badge {...doubtBadge(data)} /> : null;
}

const BADGES = { 'failed-refunds': FailedRefunds, doubts: Doubts } as const;

/** A count beside a name; nothing while it is none. */
function Badge({ count, tone, words }: { count: number; tone: 'error' | 'warning'; words: string }) {
  if (count === 0) return null;
  return (
    <Box
      component="span"
      sx={(theme) => ({
        // Beside a word, or at the corner of a single icon.
        position: { xs: 'absolute', md: 'static' },
        top: 2,
        right: 2,
        minWidth: { xs: 16, md: 20 },
        px: { xs: 1, md: 1.5 },
        borderRadius: 5,
        fontSize: { xs: 10, md: 12 },
        lineHeight: { xs: '16px', md: '20px' },
        textAlign: 'center',
        color: theme.vars.palette.tone[tone].main,
        backgroundColor: theme.vars.palette.tone[tone].tint,
      })}
    >
      {count}
      <Box component="span" sx={HIDDEN_FROM_SIGHT}>
        {` ${words}`}
      </Box>
    </Box>
  );
}
