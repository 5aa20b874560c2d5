import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import type { Invoice } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { EmptyState, QueryContent, Screen } from '#renderer/kit/ui';
import { customerQuery } from '#renderer/shared/customers';
import type { InvoiceRequest, Leave } from '../navigation.ts';
import { invoiceQuery } from '../queries.ts';
import { Editor } from './editor.tsx';

/** Editor of a new invoice or a draft. */
export function EditorPage({ invoiceId }: { invoiceId: string | undefined }) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const customerId = params.get('customerId') ?? undefined;
  const search = withoutCustomer(params);
  const leaveEditor = (to: string | undefined, request: InvoiceRequest = {}) =>
    void navigate({ pathname: to === undefined ? '/invoices' : `/invoices/${to}`, search }, { state: request });
  if (invoiceId !== undefined) return <DraftEditor invoiceId={invoiceId} onLeave={leaveEditor} />;
  return customerId === undefined ? <Editor onLeave={leaveEditor} /> : <EditorWithCustomer customerId={customerId} onLeave={leaveEditor} />;
}

function withoutCustomer(params: URLSearchParams): string {
  const rest = new URLSearchParams(params);
  rest.delete('customerId');
  return rest.size === 0 ? '' : `?${rest}`;
}

/** Editor of a new invoice for a known customer. */
function EditorWithCustomer({ customerId, onLeave }: { customerId: string; onLeave: Leave }) {
  const customer = useQuery(customerQuery(customerId));
  if (customer.error) return <Editor onLeave={onLeave} />;
  return customer.data ? <Editor customer={customer.data} onLeave={onLeave} /> : <Screen title={t('New invoice')}>{null}</Screen>;
}

function DraftEditor({ invoiceId, onLeave }: { invoiceId: string; onLeave: Leave }) {
  const invoice = useQuery(invoiceQuery(invoiceId));
  const customer = useQuery({ ...customerQuery(invoice.data?.customerId ?? ''), enabled: Boolean(invoice.data?.customerId) });
  const isReady = invoice.data?.customerId === null || !customer.isLoading;
  if (invoice.data && isReady && isDraft(invoice.data)) {
    return <Editor invoice={invoice.data} {...(customer.data && { customer: customer.data })} onLeave={onLeave} />;
  }
  return (
    <Screen title={t('Edit invoice')}>
      <QueryContent query={invoice}>
        {(data) =>
          isDraft(data) ? null : (
            <EmptyState
              title={t('This invoice is no longer a draft')}
              action={<Button onClick={() => onLeave(data.invoiceId)}>{t('Open invoice')}</Button>}
            >
              {t('A sent invoice can’t be changed. Cancel it and create another.')}
            </EmptyState>
          )
        }
      </QueryContent>
    </Screen>
  );
}

const isDraft = ({ status, kind }: Invoice) => status === 'draft' && kind === 'invoice';
