import type { Customer } from '#renderer/base/client';
import type { Cell, LineForm } from './lines.ts';

/** Values of the invoice editor. */
export interface EditorForm {
  readonly customer: Customer | null;
  readonly dueDate: string;
  readonly lines: readonly LineForm[];
  /** Tax within the amount, as typed. */
  readonly tax: string;
  readonly purchaseOrder: string;
  readonly note: string;
  readonly allowPartial: boolean;
  readonly collectShippingAddress: boolean;
}

/** Returns the element ID of a cell's input. */
export const cellId = (lineId: number, cell: Cell) => `line-${lineId}-${cell}`;
