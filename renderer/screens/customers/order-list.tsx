import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordEntry } from '#renderer/kit/record';
import { QueryContent, TimeText } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { Section } from './section.tsx';

const LAST_ORDERS = 5;

/** Last sales with several payments of a customer. The key belongs to the orders, so that their change notifications refresh it. */
function lastOrdersQuery(customerId: string) {
  return queryOptions({
    queryKey: ['orders', 'of-customer', customerId],
    queryFn: () => takePage(api.GET('/api/v1/orders', { params: { query: { customerId, limit: LAST_ORDERS } } })),
    staleTime: 0,
  });
}

interface OrderListProps {
  readonly customerId: string;
  /** False while the customer is being deleted. */
  readonly isLoadingEnabled: boolean;
}

/** Last sales with several payments of a customer, each with a link. A customer without any has no section for them. */
export function OrderList({ customerId, isLoadingEnabled }: OrderListProps) {
  const { timezone } = useMerchant();
  const orders = useQuery({ ...lastOrdersQuery(customerId), enabled: isLoadingEnabled });
  return (
    <QueryContent query={orders}>
      {({ items, total }) =>
        items.length > 0 && (
          <Section
            title={
              total > items.length
                ? t('Last {{shown, number}} of {{count, number}} split and parked sales', { shown: items.length, count: total })
                : t('Split and parked sales')
            }
          >
            {items.map(({ orderId, number, name, status, createdAt, amount, currency }) => (
              <RecordEntry
                key={orderId}
                to={`/orders/${orderId}`}
                name={[name, number].filter(Boolean).join(', ')}
                state={status}
                of="order"
                note={<TimeText at={createdAt} timeZone={timezone} />}
                amount={amount}
                currency={currency}
              />
            ))}
          </Section>
        )
      }
    </QueryContent>
  );
}
