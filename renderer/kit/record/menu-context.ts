import { createContext } from 'react';
import type { RecordAction } from './record-action.ts';

/** Takes the actions of a record that is rendered for its context menu only; null for a record on screen. */
export const MenuActionsContext = createContext<((actions: readonly RecordAction[]) => void) | null>(null);

/** An action that was chosen in the context menu of a row, whose record opens. */
export interface ChosenAction {
  readonly label: string;
  /** Called when the action runs. */
  readonly onRun: () => void;
}

export const ChosenActionContext = createContext<ChosenAction | null>(null);
