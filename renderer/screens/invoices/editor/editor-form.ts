import type { Customer } from '#renderer/client';
import type { Cell, LineForm } from './lines.ts';

/** An invoice as it stands while it is written. */
export interface EditorForm {
  readonly customer: Customer | null;
  readonly dueDate: string;
  readonly lines: readonly LineForm[];
  readonly note: string;
  readonly allowPartial: boolean;
}

/** The id of a cell's input. */
export const cellId = (lineId: number, cell: Cell) => `line-${lineId}-${cell}`;

/** Leads to a field, with what stands in it selected. */
export function focusField(id: string): void {
  const field = document.getElementById(id);
  field?.focus();
  if (field instanceof HTMLInputElement && field.type === 'text') field.select();
}
