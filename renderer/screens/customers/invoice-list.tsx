import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordEntry } from '#renderer/kit/record';
import { dayText, QueryContent } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { shownState } from '#renderer/shared/invoices';
import { Section } from './section.tsx';

const LAST_INVOICES = 5;
const REFRESH_MS = 60_000;

/** Last invoices of a customer. The key belongs to the invoices, so that their change notifications refresh it. */
function lastInvoicesQuery(customerId: string) {
  return queryOptions({
    queryKey: ['invoices', 'of-customer', customerId],
    queryFn: () => takePage(api.GET('/api/v1/invoices', { params: { query: { customerId, limit: LAST_INVOICES } } })),
    staleTime: 0,
  });
}

interface InvoiceListProps {
  readonly customerId: string;
  /** False while the customer is being deleted. */
  readonly isLoadingEnabled: boolean;
}

/** Last invoices of a customer, each with a link. */
export function InvoiceList({ customerId, isLoadingEnabled }: InvoiceListProps) {
  const invoices = useQuery({ ...lastInvoicesQuery(customerId), enabled: isLoadingEnabled });
  const nowMs = useTenantNow(REFRESH_MS);
  return (
    <QueryContent query={invoices}>
      {({ items, total }) => (
        <Section
          title={
            total > items.length
              ? t('Last {{shown, number}} of {{count, number}} invoices', { shown: items.length, count: total })
              : t('Invoices')
          }
          empty={t('No invoices yet.')}
        >
          {items.map((invoice) => {
            const { invoiceId, number, status, dueDate, amount, amountDue, currency } = invoice;
            const isOwed = status !== 'paid' && status !== 'cancelled';
            return (
              <RecordEntry
                key={invoiceId}
                to={`/invoices/${invoiceId}`}
                name={number}
                state={shownState(invoice, nowMs)}
                of="invoice"
                note={isOwed && dueDate && t('due {{date}}', { date: dayText(dueDate) })}
                amount={isOwed ? amountDue : amount}
                currency={currency}
              />
            );
          })}
        </Section>
      )}
    </QueryContent>
  );
}
