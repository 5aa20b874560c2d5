import { useParams } from 'react-router';
import { useMay } from '#renderer/session/user';
import { EditorPage } from './editor/editor-page.tsx';
import { InvoiceLists } from './list/invoice-lists.tsx';

/** Stands for a new invoice instead of an ID. */
const NEW = 'new';

/** Invoices and payment links: open, overdue, and the editor for new ones. */
export function InvoicesScreen() {
  const { invoiceId, act } = useParams();
  const may = useMay();
  const canWrite = may('invoices:write') && may('customers:read');
  if (invoiceId === NEW && canWrite) return <EditorPage key={NEW} invoiceId={undefined} />;
  if (invoiceId !== undefined && act === 'edit' && canWrite) return <EditorPage key={invoiceId} invoiceId={invoiceId} />;
  return <InvoiceLists openId={invoiceId === NEW ? undefined : invoiceId} />;
}
