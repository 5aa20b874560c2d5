import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { ChevronDown } from 'lucide-react';
import { useRef, useState } from 'react';
import type { TransactionDetail } from '#renderer/client';
import { useMay } from '#renderer/session';
import { copyText, KeyHint, type Shortcut, showToast, useShortcuts } from '#renderer/ui';
import { ACTION_LABELS, type ActionId, barredReasons } from './actions.ts';
import { curlOf } from './curl.ts';

interface Shown {
  readonly id: ActionId;
  readonly keys: string;
}

const FIRST: readonly Shown[] = [
  { id: 'give-back', keys: 'R' },
  { id: 'capture', keys: 'C' },
  { id: 'void', keys: 'V' },
];
const FURTHER: readonly ActionId[] = ['cancel-capture', 'credit', 'rerun'];
const NEEDS_PERMISSION = 'Your role does not allow this.';

interface ActionBarProps {
  readonly transaction: TransactionDetail;
  readonly current: ActionId | undefined;
  readonly onAct: (action: ActionId) => void;
}

/** Actions on a transaction. An unavailable action stays visible with its reason. */
export function ActionBar({ transaction, current, onAct }: ActionBarProps) {
  const may = useMay();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const pending = useRef<ActionId>(undefined);
  const actNow = () => {
    const id = pending.current;
    pending.current = undefined;
    if (id) onAct(id);
  };
  const reasons = barredReasons(transaction);
  const reasonOf = (id: ActionId) => {
    const permission = id === 'give-back' && transaction.captured ? 'refunds:write' : 'transactions:write';
    return may(permission) ? reasons[id] : NEEDS_PERMISSION;
  };
  const shown = FIRST.filter(({ id }) => id !== 'capture' || transaction.type === 'auth');

  useShortcuts(
    'This transaction',
    shown.map(
      ({ id, keys }): Shortcut => ({
        keys,
        label: ACTION_LABELS[id],
        run: () => {
          const reason = reasonOf(id);
          if (reason === undefined) onAct(id);
          else showToast(`${ACTION_LABELS[id]}: ${reason}`);
        },
      }),
    ),
  );

  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {shown.map(({ id, keys }) => (
        <Act key={id} id={id} keys={keys} reason={reasonOf(id)} isCurrent={current === id} onAct={onAct} />
      ))}
      <Button
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={<ChevronDown size={14} aria-hidden />}
      >
        More
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        // The form that opens takes the focus as soon as the menu has given it back, which must not take time.
        transitionDuration={0}
        slotProps={{ list: { 'aria-label': 'More' }, transition: { onExited: actNow } }}
      >
        {FURTHER.map((id) => (
          <MenuItem
            key={id}
            disabled={reasonOf(id) !== undefined}
            onClick={() => {
              setAnchor(null);
              pending.current = id;
            }}
            sx={{ '&.Mui-disabled': { opacity: 1, color: 'text.disabled' } }}
          >
            <ListItemText primary={ACTION_LABELS[id]} secondary={reasonOf(id)} slotProps={{ secondary: { sx: { fontSize: 12 } } }} />
          </MenuItem>
        ))}
        <Divider />
        <MenuItem
          onClick={() => {
            setAnchor(null);
            void copyText(curlOf(transaction.transactionId, location.origin), 'Command');
          }}
        >
          Copy as cURL
        </MenuItem>
      </Menu>
    </Box>
  );
}

const BARRED = { '&&&': { color: 'text.disabled', borderColor: 'divider', borderStyle: 'dashed', cursor: 'default' } } as const;
const CURRENT = { backgroundColor: 'tone.primary.tint' } as const;

interface ActProps {
  readonly id: ActionId;
  readonly keys: string;
  readonly reason: string | undefined;
  readonly isCurrent: boolean;
  readonly onAct: (id: ActionId) => void;
}

/** A barred button can still be reached, so that its reason can be read and heard. */
function Act({ id, keys, reason, isCurrent, onAct }: ActProps) {
  const isBarred = reason !== undefined;
  const isMain = id === 'give-back' || id === 'capture';
  const button = (
    <Button
      variant="outlined"
      color={isMain ? 'primary' : 'inherit'}
      aria-disabled={isBarred || undefined}
      aria-expanded={isBarred ? undefined : isCurrent}
      aria-keyshortcuts={keys}
      endIcon={<KeyHint keys={keys} />}
      onClick={() => !isBarred && onAct(id)}
      sx={isBarred ? BARRED : isCurrent ? CURRENT : undefined}
    >
      {ACTION_LABELS[id]}
    </Button>
  );
  return isBarred ? (
    <Tooltip title={reason} describeChild>
      {button}
    </Tooltip>
  ) : (
    button
  );
}
