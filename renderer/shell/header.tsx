import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Search } from 'lucide-react';
import { memo } from 'react';
import { t } from '#renderer/base/language';
import { KeyHint, NOT_PRINTED } from '#renderer/kit/ui';
import { PendingApprovalsButton } from '#renderer/shared/approvals';
import { QueueButton } from '#renderer/shared/receipt-queue';
import { ConnectionDot } from './connection-dot.tsx';
import { HelpLink } from './help-link.tsx';
import { SandboxMenu, type SandboxPanel } from './sandbox/index.ts';

interface HeaderProps {
  readonly onPalette: () => void;
  readonly sandboxPanel: SandboxPanel | undefined;
  readonly onSandboxPanel: (panel: SandboxPanel | undefined) => void;
}

/** Header of every screen: tools of a sandbox, search, requests for approval, print queue, the state of the server if it isn't connected, and help. */
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
          width: 360,
          minWidth: 0,
          height: 34,
          px: 2.5,
          justifyContent: 'flex-start',
          color: theme.vars.palette.text.secondary,
          fontWeight: 450,
          whiteSpace: 'nowrap',
          '&.MuiButton-outlined.MuiButton-colorInherit': { borderColor: theme.vars.palette.outline },
        })}
      >
        <Box component="span" sx={{ flex: 1, minWidth: 0, textAlign: 'start', overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {t('Search or jump to…')}
        </Box>
        <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
          <KeyHint keys="Mod+K" />
        </Box>
      </Button>
      <Box sx={{ ...SIDE, justifyContent: 'flex-end' }}>
        <PendingApprovalsButton />
        <QueueButton />
        <ConnectionDot />
        <HelpLink />
      </Box>
    </Box>
  );
});

/** The search stays in the middle while both sides have room. */
const SIDE = { flex: '1 1 0', display: 'flex', alignItems: 'center', gap: 3 } as const;
