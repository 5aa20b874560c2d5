import Box from '@mui/material/Box';
import { useContext, useEffect, useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { t } from '#renderer/base/language';
import { NOT_PRINTED } from '#renderer/kit/ui';
import { ActionButton } from './action-button.tsx';
import { ChosenActionContext, MenuActionsContext } from './menu-context.ts';
import { MoreMenu } from './more-menu.tsx';
import type { RecordAction } from './record-action.ts';
import { PanelFootContext } from './record-panel.tsx';
import { useActionKeys } from './use-action-keys.ts';

interface RecordActionsProps {
  /** Heading of the keys in the list of shortcuts. */
  readonly group: string;
  /** The actions that the person may use, the most important first. */
  readonly actions: readonly RecordAction[];
  /** True while only the row of the record is known: its menu waits for what is possible. */
  readonly isPartial?: boolean;
  /** True for the actions of a part of the record: they stay in the part, and none is the primary action of the panel. */
  readonly isPart?: boolean;
  /** Place of the buttons in the order of the Tab key, for actions in a row of a list. */
  readonly tabIndex?: number;
}

const BUTTONS = 2;

/**
 * Actions of a record at the foot of its panel: the first that is possible is the primary one, the second has a button, and the others are
 * under More. An action that is not possible is there with its reason.
 */
export function RecordActions({ group, actions, isPartial = false, isPart = false, tabIndex }: RecordActionsProps) {
  const panelFoot = useContext(PanelFootContext);
  const foot = isPart ? null : panelFoot;
  useActionKeys(group, actions);
  const report = useContext(MenuActionsContext);
  const chosen = useContext(ChosenActionContext);
  useLayoutEffect(() => {
    if (!isPart && !isPartial) report?.(actions);
  });
  useEffect(() => {
    const action = isPart ? undefined : actions.find(({ label }) => label === chosen?.label);
    if (chosen === null || action === undefined) return;
    chosen.onRun();
    if (action.reason === undefined) action.run();
  });
  const shown = actions.filter(({ reason, isDangerous }) => reason === undefined && isDangerous !== true).slice(0, BUTTONS);
  const rest = actions.filter((action) => !shown.includes(action));
  if (actions.length === 0 || report !== null) return null;
  const bar = (
    <Box
      role="group"
      aria-label={t('Actions')}
      sx={(theme) => ({
        ...NOT_PRINTED,
        display: 'flex',
        flexWrap: 'wrap',
        gap: { xs: 1, sm: 2 },
        '& .MuiButton-root': { px: { xs: 2, sm: 3 } },
        ...(foot && { px: { xs: 3, sm: 4 }, py: 2.5, borderTop: `1px solid ${theme.vars.palette.divider}` }),
      })}
    >
      {shown.map((action, index) => (
        <ActionButton
          key={action.label}
          action={action}
          isPrimary={index === 0 && !isPart}
          {...(tabIndex !== undefined && { tabIndex, size: 'small' })}
        />
      ))}
      {rest.length > 0 && <MoreMenu actions={rest} opensUp />}
    </Box>
  );
  return foot === null ? bar : createPortal(bar, foot);
}
