import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { isOrderId } from '#shared/order-id';
import { orderQuery } from './queries.ts';

/** The order of a payment as a link with its number; the order number of a shop as text. */
export function OrderLink({ orderId }: { orderId: string }) {
  const { data } = useQuery({ ...orderQuery(orderId), enabled: isOrderId(orderId) });
  if (!isOrderId(orderId)) return orderId;
  return (
    <Link component={RouterLink} to={`/orders/${orderId}`} sx={{ font: 'inherit' }}>
      {data?.number ?? orderId}
    </Link>
  );
}
