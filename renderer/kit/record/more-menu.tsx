import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { ActionItem } from './action-item.tsx';
import type { RecordAction } from './record-action.ts';

interface MoreMenuProps {
  /** Actions with their keys, which the caller binds. */
  readonly actions: readonly RecordAction[];
  /** True at the foot of a panel. */
  readonly opensUp?: boolean;
}

/** Menu of the actions that have no button of their own; one that is not possible is there with its reason. */
export function MoreMenu({ actions, opensUp = false }: MoreMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const chosen = useRef<RecordAction>(undefined);
  const Icon = opensUp ? ChevronUp : ChevronDown;
  const [near, far] = opensUp ? (['top', 'bottom'] as const) : (['bottom', 'top'] as const);
  return (
    <>
      <Button
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={<Icon size={14} aria-hidden />}
        sx={{ marginInlineStart: opensUp ? 'auto' : 0 }}
      >
        {t('More')}
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        // The form that opens gets the focus after the menu has restored it, so the menu must close without a transition.
        transitionDuration={0}
        anchorOrigin={{ vertical: near, horizontal: 'right' }}
        transformOrigin={{ vertical: far, horizontal: 'right' }}
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
        {actions.map((action) => (
          <ActionItem
            key={action.label}
            action={action}
            onChoose={() => {
              chosen.current = action;
              setAnchor(null);
            }}
          />
        ))}
      </Menu>
    </>
  );
}
