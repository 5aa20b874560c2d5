import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { api, takeData } from '#renderer/base/client';
import { writeMoney } from '#renderer/base/money';
import { CopyText } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { customerName } from '#renderer/shared/customers';
import { paidWith } from '#renderer/shared/receipt';
import { relatedRecord } from './related-record.ts';

type Prefix = NonNullable<ReturnType<typeof relatedRecord>>['prefix'];

const at = (id: string) => ({ params: { path: { id } } });

/** Reads records by their ID, and returns their names in words, such as "Visa ••5126, 61.20 USD". */
const RECORD_NAMES: Readonly<Record<Prefix, (id: string) => Promise<string>>> = {
  txn_: async (id) => {
    const payment = await takeData(api.GET('/api/v1/transactions/{id}', at(id)));
    return `${paidWith(payment)}, ${writeMoney(payment.amount, payment.currency)}`;
  },
  inv_: async (id) => {
    const { number, amount, currency } = await takeData(api.GET('/api/v1/invoices/{id}', at(id)));
    return `${number}, ${writeMoney(amount, currency)}`;
  },
  sub_: async (id) => {
    const { customer, amount, currency } = await takeData(api.GET('/api/v1/recurring/{id}', at(id)));
    return [customer.name ?? customer.email, writeMoney(amount, currency)].filter(Boolean).join(', ');
  },
  cus_: async (id) => customerName(await takeData(api.GET('/api/v1/customers/{id}', at(id)))),
};

/** A record as a link that names it in words; its ID for people who may not open it, and for records without a screen. */
export function RecordLink({ resourceId }: { readonly resourceId: string }) {
  const may = useMay();
  const record = relatedRecord(resourceId);
  const isShown = record !== undefined && may(record.permission);
  const { data: name } = useQuery({
    queryKey: ['record-name', resourceId],
    queryFn: () => (record === undefined ? '' : RECORD_NAMES[record.prefix](resourceId)),
    enabled: isShown,
  });
  if (!isShown) return <CopyText text={resourceId} label="ID" />;
  return (
    <Link component={RouterLink} to={record.path} sx={{ font: 'inherit' }}>
      {[record.what, name].filter(Boolean).join(': ')}
    </Link>
  );
}
