import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import { ChevronDown } from 'lucide-react';
import { useRef, useState } from 'react';
import type { TransactionDetail } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { copyText, KeyHint, type Shortcut, showToast, useShortcuts } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { type ActionId, blockedReason, isOffered, labelOf } from './actions.ts';
import { curlOf } from './curl.ts';
import { isOpenAuthorization } from './status.ts';

interface MainAction {
  readonly id: ActionId;
  readonly keys: string;
  readonly blockedText: (reason: string) => string;
}

const CAPTURE: MainAction = { id: 'capture', keys: 'C', blockedText: (reason) => t('Can’t capture: {{reason}}', { reason }) };
const REFUND: MainAction = { id: 'refund', keys: 'R', blockedText: (reason) => t('Can’t refund: {{reason}}', { reason }) };
/** A refund voids the payment where that is possible, so a void is a manual choice, but keeps its key. */
const VOID: MainAction = { id: 'void', keys: 'V', blockedText: (reason) => t('Can’t void: {{reason}}', { reason }) };
const DISPUTE: MainAction = { id: 'dispute', keys: 'B', blockedText: (reason) => t('Can’t record dispute: {{reason}}', { reason }) };
const MORE_ACTIONS: readonly ActionId[] = ['void', 'adjust', 'tip', 'refund-only', 'cancelCapture', 'credit', 'rerun', 'dispute'];
const MORE_KEYS: Readonly<Partial<Record<ActionId, string>>> = { void: VOID.keys, dispute: DISPUTE.keys };

interface ActionBarProps {
  readonly transaction: TransactionDetail;
  readonly current: ActionId | undefined;
  readonly onAct: (action: ActionId) => void;
}

/** Actions on a transaction. An unavailable action stays visible with its reason. */
export function ActionBar({ transaction, current, onAct }: ActionBarProps) {
  const may = useMay();
  const { vtSettings } = useMerchant();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const pending = useRef<ActionId>(undefined);
  const runPending = () => {
    const id = pending.current;
    pending.current = undefined;
    if (id) onAct(id);
  };
  const reasonOf = (id: ActionId) => blockedReason(id, transaction);
  // Held money is captured or released; after that, a refund is the action that remains.
  const mainActions = transaction.type !== 'auth' ? [REFUND] : isOpenAuthorization(transaction) ? [CAPTURE, VOID] : [REFUND, CAPTURE];

  useShortcuts(
    t('This transaction'),
    [...new Set([...mainActions, REFUND, VOID, DISPUTE])].map(
      ({ id, keys, blockedText }): Shortcut => ({
        keys,
        label: labelOf(id, transaction),
        run: () => {
          const reason = reasonOf(id);
          if (reason === undefined) onAct(id);
          else showToast(blockedText(lowerFirst(reason)));
        },
      }),
    ),
  );

  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {mainActions.map(({ id, keys }) => (
        <ActionButton
          key={id}
          id={id}
          label={labelOf(id, transaction)}
          keys={keys}
          reason={reasonOf(id)}
          isCurrent={current === id}
          onAct={onAct}
        />
      ))}
      <Button
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={<ChevronDown size={14} aria-hidden />}
      >
        {t('More')}
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        // The form that opens gets the focus after the menu has restored it, so the menu must close without a transition.
        transitionDuration={0}
        slotProps={{ list: { 'aria-label': t('More') }, transition: { onExited: runPending } }}
      >
        {MORE_ACTIONS.filter(
          (id) =>
            mainActions.every((main) => main.id !== id) &&
            isOffered(id, transaction, vtSettings.tipEnabled) &&
            (id !== 'credit' || may('credits:write')),
        ).map((id) => (
          <MenuItem
            key={id}
            disabled={reasonOf(id) !== undefined}
            onClick={() => {
              setAnchor(null);
              pending.current = id;
            }}
            sx={{ '&.Mui-disabled': { opacity: 1, color: 'text.disabled' } }}
          >
            <ListItemText primary={labelOf(id, transaction)} secondary={reasonOf(id)} slotProps={{ secondary: { sx: { fontSize: 12 } } }} />
            {MORE_KEYS[id] !== undefined && (
              <Box sx={{ marginInlineStart: 4 }}>
                <KeyHint keys={MORE_KEYS[id]} />
              </Box>
            )}
          </MenuItem>
        ))}
        <Divider />
        <MenuItem
          onClick={() => {
            setAnchor(null);
            void copyText(curlOf(transaction.transactionId, location.origin), t('Command'));
          }}
        >
          {t('Copy as cURL')}
        </MenuItem>
      </Menu>
    </Box>
  );
}

/** Lower-cases the first letter of a sentence, for use after a colon. */
function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

const BLOCKED_STYLE = { '&&&': { color: 'text.disabled', borderColor: 'divider', borderStyle: 'dashed', cursor: 'default' } } as const;
const CURRENT_STYLE = { backgroundColor: 'tone.primary.tint' } as const;

interface ActionButtonProps {
  readonly id: ActionId;
  readonly label: string;
  readonly keys: string;
  readonly reason: string | undefined;
  readonly isCurrent: boolean;
  readonly onAct: (id: ActionId) => void;
}

/** A blocked button stays focusable, so that its reason is readable and announced. */
function ActionButton({ id, label, keys, reason, isCurrent, onAct }: ActionButtonProps) {
  const isBlocked = reason !== undefined;
  const isMain = id === 'refund' || id === 'capture';
  const button = (
    <Button
      variant="outlined"
      color={isMain ? 'primary' : 'inherit'}
      aria-disabled={isBlocked || undefined}
      aria-expanded={isBlocked ? undefined : isCurrent}
      aria-keyshortcuts={keys}
      endIcon={<KeyHint keys={keys} />}
      onClick={() => !isBlocked && onAct(id)}
      sx={isBlocked ? BLOCKED_STYLE : isCurrent ? CURRENT_STYLE : undefined}
    >
      {label}
    </Button>
  );
  return isBlocked ? (
    <Tooltip title={reason} describeChild>
      {button}
    </Tooltip>
  ) : (
    button
  );
}
