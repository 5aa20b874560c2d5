import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { NavLink } from 'react-router';
import { failedRefundsQuery } from '#renderer/client';
import { useMay } from '#renderer/session';
import { HIDDEN_FROM_SIGHT, KeyHint, Mark } from '#renderer/ui';
import { PAGES } from './pages.ts';

export const RAIL_PX = { wide: 200, narrow: 60 } as const;

/** The way between the screens, by task. Names a screen only to those who may read it. */
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
      <Box sx={{ height: 52, px: 2, display: 'flex', alignItems: 'center', gap: 2.5 }}>
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
              {badge && <Badge />}
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

/** How many declined refunds need somebody; nothing while there are none. */
function Badge() {
  const { data: count = 0 } = useQuery(failedRefundsQuery);
  if (count === 0) return null;
  return (
    <Box
      component="span"
      sx={(theme) => ({
        minWidth: 20,
        px: 1.5,
        borderRadius: 5,
        fontSize: 12,
        lineHeight: '20px',
        textAlign: 'center',
        color: theme.vars.palette.tone.error.main,
        backgroundColor: theme.vars.palette.tone.error.tint,
      })}
    >
      {count}
      <Box component="span" sx={HIDDEN_FROM_SIGHT}>
        {count === 1 ? ' refund needs you' : ' refunds need you'}
      </Box>
    </Box>
  );
}
