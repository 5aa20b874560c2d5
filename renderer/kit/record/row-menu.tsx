import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { PopoverActions } from '@mui/material/Popover';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useHref } from 'react-router';
import { t } from '#renderer/base/language';
import { copyText, KeyLayer, type MenuRow, NoKeys } from '#renderer/kit/ui';
import { ActionItem } from './action-item.tsx';
import { MenuActionsContext } from './menu-context.ts';
import type { RecordAction } from './record-action.ts';

interface RowMenuProps {
  readonly row: MenuRow;
  readonly path: string | undefined;
  /** Called with the action to run in the record, which opens. */
  readonly onAction: (label: string) => void;
  readonly onClosed: () => void;
  /** Returns the record of the panel. */
  readonly children: (id: string, isOpen: boolean) => ReactNode;
}

/**
 * Context menu of a row. The actions of its record follow when the record is read, and a line waits for them: the record is rendered without being shown,
 * so that they are those of the panel, and a chosen one runs in the panel.
 */
export function RowMenu({ row, path, onAction, onClosed, children }: RowMenuProps) {
  const [actions, setActions] = useState<readonly RecordAction[]>();
  const isWaiting = useIsReading() && actions === undefined;
  const link = useHref(`${path}/${row.id}`);
  const [isOpen, setOpen] = useState(true);
  const chosen = useRef<() => void>(undefined);
  const place = useRef<PopoverActions>(null);
  const choose = (run: () => void) => () => {
    chosen.current = run;
    setOpen(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu grows with its actions.
  useLayoutEffect(() => place.current?.updatePosition(), [actions?.length, isWaiting]);
  return (
    <KeyLayer isBlocking>
      <Menu
        open={isOpen}
        onClose={() => setOpen(false)}
        action={place}
        anchorReference="anchorPosition"
        anchorPosition={row}
        // The record that opens gets the focus after the menu has restored it, so the menu must close without a transition.
        transitionDuration={0}
        slotProps={{
          list: { 'aria-label': t('Actions') },
          transition: {
            onExited: () => {
              onClosed();
              chosen.current?.();
            },
          },
        }}
      >
        <MenuItem onClick={choose(row.open)}>{t('Open', { context: 'verb' })}</MenuItem>
        <MenuItem onClick={choose(() => void copyText(row.id, 'ID'))}>{t('Copy ID')}</MenuItem>
        {path && (
          <MenuItem onClick={choose(() => void copyText(new URL(link, location.href).href, t('Link')))}>
            {t('Copy link to record')}
          </MenuItem>
        )}
        {isWaiting && (
          <MenuItem disabled aria-busy>
            {t('Loading…')}
          </MenuItem>
        )}
        {actions !== undefined && actions.length > 0 && <Divider />}
        {actions?.map((action) => (
          <ActionItem key={action.label} action={action} onChoose={choose(() => onAction(action.label))} />
        ))}
      </Menu>
      <UnseenRecord id={row.id} onActions={setActions}>
        {children}
      </UnseenRecord>
    </KeyLayer>
  );
}

/** Returns true until the first moment in which no request of the service is open. */
function useIsReading(): boolean {
  const queries = useQueryClient();
  const open = useIsFetching();
  const [isReading, setReading] = useState(true);
  // The record that is rendered for the menu starts its request in an effect before this one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the number of open requests changes.
  useEffect(() => {
    if (queries.isFetching() === 0) setReading(false);
  }, [queries, open]);
  return isReading;
}

interface UnseenRecordProps extends Pick<RowMenuProps, 'children'> {
  readonly id: string;
  readonly onActions: (actions: readonly RecordAction[]) => void;
}

/** A record whose actions are reported. It renders again for changes of the record only, not for the menu that its report changes. */
const UnseenRecord = memo(function UnseenRecord({ id, onActions, children }: UnseenRecordProps) {
  return createPortal(
    <div hidden>
      <NoKeys>
        <MenuActionsContext value={onActions}>{children(id, true)}</MenuActionsContext>
      </NoKeys>
    </div>,
    document.body,
  );
});
