import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { actorText, shortTime } from '#renderer/kit/ui';
import { WorkstationDialog } from '#renderer/screens/workstation';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { useDrawer } from './use-drawer.tsx';

const NOW_MS = 60_000;

/** The drawer of this workstation, whether a shift is open, and its operations. Cash without a shift is in no report of a shift. */
export function ShiftChip() {
  const { timezone, vtSettings } = useMerchant();
  const may = useMay();
  const now = useTenantNow(NOW_MS);
  const { name, current, actions, dialog } = useDrawer();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isSettingUp, setSettingUp] = useState(false);
  const takesCash = vtSettings.tenders.includes('cash') && may('shifts:read');
  const shift = current.data;
  const tone = takesCash && shift !== undefined ? (shift === null ? 'warning' : 'success') : undefined;
  const text = () => {
    if (tone === undefined) return t('This workstation');
    if (!shift) return t('{{drawer}} · no shift open', { drawer: name });
    const person = actorText(shift.openedBy).split('@', 1).join('');
    return t('{{drawer}} · open since {{time}} · {{person}}', { drawer: name, time: shortTime(shift.openedAt, timezone, now), person });
  };
  const choices = [...(takesCash ? actions : []), { label: t('This workstation'), run: () => setSettingUp(true) }];
  return (
    <>
      <Button
        size="small"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={<ChevronDown size={14} aria-hidden />}
        sx={(theme) => ({
          borderRadius: 4,
          minWidth: 0,
          '& > span:first-of-type': { overflow: 'hidden', textOverflow: 'ellipsis' },
          ...(tone && {
            color: theme.vars.palette.tone[tone].main,
            backgroundColor: theme.vars.palette.tone[tone].tint,
            '&.MuiButton-outlined.MuiButton-colorInherit': { borderColor: 'transparent' },
          }),
        })}
      >
        <span>{text()}</span>
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': t('This drawer') } }}
      >
        {choices.map(({ label, run }) => (
          <MenuItem
            key={label}
            onClick={() => {
              setAnchor(null);
              run();
            }}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
      {dialog}
      {isSettingUp && <WorkstationDialog onClose={() => setSettingUp(false)} />}
    </>
  );
}
