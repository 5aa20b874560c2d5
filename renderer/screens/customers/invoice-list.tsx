import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { api, takePage } from '#renderer/client';
import { Answer, dayText, Entry, MoneyText, StatusChip } from '#renderer/ui';
import { Section } from './section.tsx';
import { counted } from './words.ts';

const LAST_INVOICES = 5;

/** Stored under the invoices, whose changes are published under that topic. */
function lastInvoicesQuery(customerId: string) {
  return queryOptions({
    queryKey: ['invoices', 'of-customer', customerId],
    queryFn: () => takePage(api.GET('/api/v1/invoices', { params: { query: { customerId, limit: LAST_INVOICES } } })),
    staleTime: 0,
  });
}

interface InvoiceListProps {
  readonly customerId: string;
  /** False while the customer is on the way out. */
  readonly isAsking: boolean;
}

/** The last invoices of a customer, each with the way to it. */
export function InvoiceList({ customerId, isAsking }: InvoiceListProps) {
  const invoices = useQuery({ ...lastInvoicesQuery(customerId), enabled: isAsking });
  return (
    <Answer of={invoices}>
      {({ items, total }) => (
        <Section title={total > items.length ? `Last ${items.length} of ${counted(total, 'invoice')}` : 'Invoices'} empty="No invoice.">
          {items.map(({ invoiceId, number, status, dueDate, amount, amountDue, currency }) => {
            const isOwed = status !== 'paid' && status !== 'cancelled';
            return (
              <Entry key={invoiceId}>
                <Link component={RouterLink} to={`/invoices/${invoiceId}`} sx={{ fontWeight: 550 }}>
                  {number}
                </Link>
                <StatusChip state={status} />
                <Box component="span" sx={{ color: 'text.secondary' }}>
                  {isOwed && dueDate && `due on ${dayText(dueDate)}`}
                </Box>
                <Box component="span" sx={{ ml: 'auto', fontWeight: 600 }}>
                  <MoneyText amount={isOwed ? amountDue : amount} currency={currency} code />
                </Box>
              </Entry>
            );
          })}
        </Section>
      )}
    </Answer>
  );
}
