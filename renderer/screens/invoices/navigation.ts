/** Panels below the buttons of an invoice. */
export type PanelId = 'send' | 'record' | 'cancel';

/** Panel that a link to an invoice opens. */
export interface InvoiceRequest {
  readonly panel?: PanelId;
}

/** Leaves the editor for the invoice with an ID, or for the list. */
export type Leave = (to: string | undefined, request?: InvoiceRequest) => void;
