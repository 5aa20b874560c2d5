import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Search } from 'lucide-react';
import { memo } from 'react';
import { t } from '#renderer/base/language';
import { KeyHint, NOT_PRINTED } from '#renderer/kit/ui';
import { useMe } from '#renderer/session/user';
import { PendingApprovalsButton } from '#renderer/shared/approvals';
import { QueueButton } from '#renderer/shared/receipt-queue';
import { ConnectionDot } from './connection-dot.tsx';
import { MerchantSwitcher } from './merchant-switcher.tsx';
import { SandboxBar, type SandboxPanel } from './sandbox/index.ts';
import { UserMenu } from './user-menu.tsx';

interface HeaderProps {
  readonly onPalette: () => void;
  readonly onKeyList: () => void;
  readonly sandboxPanel: SandboxPanel | undefined;
  readonly onSandboxPanel: (panel: SandboxPanel | undefined) => void;
}

/** Header of every screen: merchant, test clock and recorder of a sandbox, state of the service, and user. */
export const Header = memo(function Header({ onPalette, onKeyList, sandboxPanel, onSandboxPanel }: HeaderProps) {
  const { tenant } = useMe();
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
      <MerchantSwitcher fallback={tenant.name} />
      <SandboxBar openPanel={sandboxPanel} onPanel={onSandboxPanel} />
      <Box sx={{ flex: 1 }} />
      <Button
        variant="outlined"
        size="small"
        onClick={onPalette}
        aria-keyshortcuts="Control+K"
        startIcon={<Search size={15} aria-hidden />}
        sx={(theme) => ({
          color: theme.vars.palette.text.secondary,
          fontWeight: 450,
          '&.MuiButton-outlined.MuiButton-colorInherit': { borderColor: theme.vars.palette.divider },
        })}
      >
        {t('Go to')}
        <Box component="span" sx={{ marginInlineStart: 4, display: { xs: 'none', sm: 'inline' } }}>
          <KeyHint keys="Mod+K" />
        </Box>
      </Button>
      <PendingApprovalsButton />
      <QueueButton />
      <ConnectionDot />
      <UserMenu onKeyList={onKeyList} />
    </Box>
  );
});
