import { useParams } from 'react-router';
import { useMay } from '#renderer/session';
import { EditorPage } from './editor/editor-page.tsx';
import { InvoiceLists } from './list/invoice-lists.tsx';

/** In place of an id: an invoice that is being made. */
const NEW = 'new';

/** What is asked for by invoice or by link: what is open, what is late, and the paper on which a new one is written. */
export function InvoicesScreen() {
  const { invoiceId, act } = useParams();
  const may = useMay();
  const canWrite = may('invoices:write') && may('customers:read');
  if (invoiceId === NEW && canWrite) return <EditorPage key={NEW} invoiceId={undefined} />;
  if (invoiceId !== undefined && act === 'edit' && canWrite) return <EditorPage key={invoiceId} invoiceId={invoiceId} />;
  return <InvoiceLists openId={invoiceId === NEW ? undefined : invoiceId} />;
}
