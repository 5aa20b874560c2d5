import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { CircleHelp, Search } from 'lucide-react';
import { memo } from 'react';
import { useLocation } from 'react-router';
import { type Health, useHealth } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { KeyHint, NOT_PRINTED, VISUALLY_HIDDEN } from '#renderer/kit/ui';
import { QueueButton } from '#renderer/shared/receipt-queue';
import { guideAddressOf } from './navigation/index.ts';
import { SandboxMenu, type SandboxPanel } from './sandbox/index.ts';
import { ToDoBell } from './to-do-bell.tsx';

const DESCRIPTIONS: Readonly<Record<Exclude<Health, 'healthy' | 'unknown'>, string>> = {
  'database-down': t('The database isn’t responding'),
  'database-damaged': t('A database file is damaged'),
  'disk-full': t('The disk is full'),
  outdated: t('The database is newer than this program'),
  unreachable: t('The server isn’t responding'),
};
const LABELS: Readonly<Record<Exclude<Health, 'healthy' | 'unknown'>, string>> = {
  'database-down': t('Degraded'),
  'database-damaged': t('Degraded'),
  'disk-full': t('Degraded'),
  outdated: t('Outdated'),
  unreachable: t('Offline'),
};

/** State of the server beside the search, as a label and a ring; hidden while the server is connected. */
function ConnectionDot() {
  const { health } = useHealth();
  if (health === 'healthy' || health === 'unknown') return null;
  return (
    <Tooltip describeChild title={DESCRIPTIONS[health]}>
      <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5, fontSize: 12, color: 'text.secondary' }}>
        <Box
          component="span"
          aria-hidden
          sx={{ width: 8, height: 8, borderRadius: '50%', border: '2px solid', borderColor: 'error.main' }}
        />
        {LABELS[health]}
      </Box>
    </Tooltip>
  );
}

interface HeaderProps {
  readonly onPalette: () => void;
  readonly sandboxPanel: SandboxPanel | undefined;
  readonly onSandboxPanel: (panel: SandboxPanel | undefined) => void;
}

/** Header of every screen: tools of a sandbox, search, print queue, the state of the server if it isn't connected, work to do, and help. */
export const Header = memo(function Header({ onPalette, sandboxPanel, onSandboxPanel }: HeaderProps) {
  return (
    <Box
      component="header"
      sx={(theme) => ({
        gridArea: 'header',
        ...NOT_PRINTED,
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        height: 52,
        px: { xs: 3, md: 5 },
        borderBottom: `1px solid ${theme.vars.palette.divider}`,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      <Box sx={SIDE}>
        <SandboxMenu openPanel={sandboxPanel} onPanel={onSandboxPanel} />
      </Box>
      <Button
        variant="outlined"
        onClick={onPalette}
        aria-keyshortcuts="Control+K"
        startIcon={<Search size={15} aria-hidden />}
        sx={(theme) => ({
          width: { xs: 44, sm: 360 },
          minWidth: 0,
          height: 34,
          px: 2.5,
          '& .MuiButton-startIcon': { marginInlineEnd: { xs: 0, sm: 2 } },
          justifyContent: 'flex-start',
          color: theme.vars.palette.text.secondary,
          fontWeight: 450,
          whiteSpace: 'nowrap',
          '&.MuiButton-outlined.MuiButton-colorInherit': { borderColor: theme.vars.palette.outline },
        })}
      >
        <Box
          component="span"
          sx={{
            flex: 1,
            minWidth: 0,
            textAlign: 'start',
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            '@media (max-width: 599px)': VISUALLY_HIDDEN,
          }}
        >
          {t('Search or jump to…')}
        </Box>
        <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
          <KeyHint keys="Mod+K" />
        </Box>
      </Button>
      <Box sx={{ ...SIDE, justifyContent: 'flex-end' }}>
        <QueueButton />
        <ConnectionDot />
        <ToDoBell />
        <HelpLink />
      </Box>
    </Box>
  );
});

/** The search stays in the middle while both sides have room. */
const SIDE = { flex: '1 1 0', display: 'flex', alignItems: 'center', gap: 3 } as const;

/** Link to the guide of the open screen, which this server also serves without the internet. */
function HelpLink() {
  const { pathname } = useLocation();
  return (
    <Tooltip title={t('Help for this page')}>
      <IconButton component="a" href={guideAddressOf(pathname)} target="_blank" rel="noreferrer" aria-label={t('Help for this page')}>
        <CircleHelp size={18} aria-hidden />
      </IconButton>
    </Tooltip>
  );
}
