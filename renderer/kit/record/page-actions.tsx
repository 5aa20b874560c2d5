import type { ReactNode } from 'react';
import { ActionButton } from './action-button.tsx';
import { MoreMenu } from './more-menu.tsx';
import type { RecordAction } from './record-action.ts';
import { useActionKeys } from './use-action-keys.ts';

interface PageActionsProps {
  /** Heading of the keys in the list of shortcuts. */
  readonly group: string;
  /** The actions that the person may use, the most important first. */
  readonly actions: readonly RecordAction[];
  /** Other fields and links before them. */
  readonly children?: ReactNode;
}

/** Actions beside the title of a page: the first is the primary one at the end of the row, the second has a button, and the others are under More. */
export function PageActions({ group, actions, children }: PageActionsProps) {
  useActionKeys(group, actions);
  const [primary, second, ...rest] = actions;
  return (
    <>
      {children}
      {rest.length > 0 && <MoreMenu actions={rest} />}
      {second && <ActionButton action={second} />}
      {primary && <ActionButton action={primary} isPrimary />}
    </>
  );
}
