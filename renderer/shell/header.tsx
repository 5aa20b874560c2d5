import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Search } from 'lucide-react';
import { PendingApprovalsButton } from '#renderer/approvals';
import { QueueButton } from '#renderer/receipt-queue';
import { useIsSandbox, useMe } from '#renderer/session';
import { KeyHint, NOT_PRINTED } from '#renderer/ui';
import { ConnectionDot } from './connection-dot.tsx';
import { MerchantSwitcher } from './merchant-switcher.tsx';
import { TestClock, useHasTestClock } from './test-clock.tsx';
import { UserMenu } from './user-menu.tsx';

interface HeaderProps {
  readonly onPalette: () => void;
  readonly onKeyList: () => void;
  readonly isClockOpen: boolean;
  readonly onClock: (isOpen: boolean) => void;
}

/** Header of every screen: merchant, test clock of a sandbox, state of the service, and user. */
export function Header({ onPalette, onKeyList, isClockOpen, onClock }: HeaderProps) {
  const { tenant } = useMe();
  const isSandbox = useIsSandbox();
  const hasTestClock = useHasTestClock();
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
      {isSandbox && (
        <Box
          component="span"
          title="Payments go to a simulated processor. No money moves."
          sx={(theme) => ({
            px: 2,
            borderRadius: 1,
            fontSize: 12,
            lineHeight: '22px',
            fontWeight: 650,
            letterSpacing: '0.06em',
            color: theme.vars.palette.tone.warning.main,
            backgroundColor: theme.vars.palette.tone.warning.tint,
          })}
        >
          SANDBOX
        </Box>
      )}
      {hasTestClock && <TestClock isOpen={isClockOpen} onOpen={() => onClock(true)} onClose={() => onClock(false)} />}
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
        Go to
        <Box component="span" sx={{ ml: 4, display: { xs: 'none', sm: 'inline' } }}>
          <KeyHint keys="Mod+K" />
        </Box>
      </Button>
      <PendingApprovalsButton />
      <QueueButton />
      <ConnectionDot />
      <UserMenu onKeyList={onKeyList} />
    </Box>
  );
}
