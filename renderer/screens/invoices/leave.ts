/** What is done with an invoice beneath its buttons. */
export type PanelId = 'send' | 'record' | 'cancel';

/** What the way to an invoice asks to be open already. */
export interface InvoiceRequest {
  readonly panel?: PanelId;
}

/** Leads away from the editor: to the invoice of an id, or to the list. */
export type Leave = (to: string | undefined, request?: InvoiceRequest) => void;
