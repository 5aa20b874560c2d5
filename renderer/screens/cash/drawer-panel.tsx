import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { Shift } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { actorText, keyTip, MoneyText, QueryContent, TimeText, useShortcuts } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { useDrawer } from './use-drawer.tsx';

/** State of this workstation's drawer, with the operations on its shift. */
export function DrawerPanel() {
  const { name, current, actions, dialog } = useDrawer();
  useShortcuts(
    t('This drawer'),
    actions.filter(({ isGlobal }) => !isGlobal),
  );
  return (
    <Box
      component="section"
      aria-label={name}
      sx={(theme) => ({
        flex: 1,
        minWidth: 'min(100%, 320px)',
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 3,
        px: 4,
        py: 3,
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      <QueryContent query={current}>{(found) => <DrawerState drawer={name} shift={found} />}</QueryContent>
      <Box sx={{ marginInlineStart: 'auto', display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {actions.map(({ keys, label, run, isPrimary }) => (
          <Button key={keys} {...(isPrimary && { variant: 'contained', color: 'primary' })} onClick={run} {...keyTip(keys)}>
            {label}
          </Button>
        ))}
      </Box>
      {dialog}
    </Box>
  );
}

function DrawerState({ drawer, shift }: { drawer: string; shift: Shift | null }) {
  const { timezone } = useMerchant();
  return (
    <Box>
      <Box sx={{ fontWeight: 600 }}>{drawer}</Box>
      {shift === null ? (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('No open shift')}</Box>
      ) : (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          <Trans
            i18nKey="Open since <0/> by {{user}}. Float: <1/>"
            components={[
              <TimeText key="0" at={shift.openedAt} timeZone={timezone} />,
              <MoneyText key="1" amount={shift.floatAmount} currency={shift.currency} />,
            ]}
            values={{ user: actorText(shift.openedBy) }}
          />
        </Box>
      )}
    </Box>
  );
}
