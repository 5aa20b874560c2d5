import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { ChevronUp } from 'lucide-react';
import { type Ref, useContext, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { t } from '#renderer/base/language';
import { KeyHint, keyLabel, NOT_PRINTED, showToast, useShortcuts } from '#renderer/kit/ui';
import { PanelFootContext } from './record-panel.tsx';

/** An action on a record. */
export interface RecordAction {
  readonly label: string;
  readonly run: () => void;
  readonly keys?: string | undefined;
  /** Reason why it is not possible now; undefined if it is. */
  readonly reason?: string | undefined;
  /** Ends or removes something, so it has no button of its own. */
  readonly isDangerous?: boolean;
  readonly isBusy?: boolean;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  /** True if the form of the action is open; undefined without a form. */
  readonly isOpen?: boolean | undefined;
}

interface RecordActionsProps {
  /** Heading of the keys in the list of shortcuts. */
  readonly group: string;
  /** The actions that the person may use, the most important first. */
  readonly actions: readonly RecordAction[];
  /** True for the actions of a part of the record: they stay in the part, and none is the primary action of the panel. */
  readonly isPart?: boolean;
}

const BUTTONS = 2;

/**
 * Actions of a record at the foot of its panel: the first that is possible is the primary one, the second has a button, and the others are
 * under More. An action that is not possible is there with its reason.
 */
export function RecordActions({ group, actions, isPart = false }: RecordActionsProps) {
  const panelFoot = useContext(PanelFootContext);
  const foot = isPart ? null : panelFoot;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const chosen = useRef<RecordAction>(undefined);
  useShortcuts(
    group,
    actions.flatMap(({ keys, label, reason, run, isBusy }) =>
      keys === undefined
        ? []
        : [{ keys, label, run: () => (reason !== undefined ? showToast(`${label}: ${reason}`) : isBusy !== true && run()) }],
    ),
  );
  const shown = actions.filter(({ reason, isDangerous }) => reason === undefined && isDangerous !== true).slice(0, BUTTONS);
  const rest = actions.filter((action) => !shown.includes(action));
  if (actions.length === 0) return null;
  const bar = (
    <Box
      role="group"
      aria-label={t('Actions')}
      sx={(theme) => ({
        ...NOT_PRINTED,
        display: 'flex',
        flexWrap: 'wrap',
        gap: 2,
        ...(foot && { px: { xs: 5, md: 6 }, py: 2.5, borderTop: `1px solid ${theme.vars.palette.divider}` }),
      })}
    >
      {shown.map(({ label, keys, run, isBusy, isOpen, buttonRef }, index) => (
        <Button
          key={label}
          {...(buttonRef && { ref: buttonRef })}
          {...(index === 0 && !isPart && { variant: 'contained', color: 'primary' })}
          onClick={run}
          loading={isBusy === true}
          title={keys && keyLabel(keys)}
          aria-keyshortcuts={keys}
          aria-expanded={isOpen}
        >
          {label}
        </Button>
      ))}
      {rest.length > 0 && (
        <Button
          variant="text"
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
          endIcon={<ChevronUp size={14} aria-hidden />}
          sx={{ marginInlineStart: 'auto' }}
        >
          {t('More')}
        </Button>
      )}
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        // The form that opens gets the focus after the menu has restored it, so the menu must close without a transition.
        transitionDuration={0}
        anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
        transformOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        slotProps={{
          list: { 'aria-label': t('More') },
          transition: {
            onExited: () => {
              chosen.current?.run();
              chosen.current = undefined;
            },
          },
        }}
      >
        {rest.map((action) => (
          <MenuItem
            key={action.label}
            disabled={action.reason !== undefined || action.isBusy === true}
            aria-keyshortcuts={action.keys}
            onClick={() => {
              chosen.current = action;
              setAnchor(null);
            }}
            sx={{ '&.Mui-disabled': { opacity: 1, color: 'text.disabled' }, ...(action.isDangerous && { color: 'error.main' }) }}
          >
            <ListItemText
              primary={action.label}
              secondary={action.reason}
              slotProps={{ secondary: { sx: { fontSize: 12, maxWidth: 320, whiteSpace: 'normal' } } }}
            />
            {action.keys && (
              <Box sx={{ marginInlineStart: 4 }}>
                <KeyHint keys={action.keys} />
              </Box>
            )}
          </MenuItem>
        ))}
      </Menu>
    </Box>
  );
  return foot === null ? bar : createPortal(bar, foot);
}
