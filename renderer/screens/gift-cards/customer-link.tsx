import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { t } from '#renderer/base/language';
import { CopyText } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { customerName, customerQuery } from '#renderer/shared/customers';

/** Name of a customer with a link to the record, for people who may see customers. */
export function CustomerLink({ customerId }: { readonly customerId: string }) {
  const maySee = useMay()('customers:read');
  const { data } = useQuery({ ...customerQuery(customerId), enabled: maySee });
  if (data === undefined) return <CopyText text={customerId} label={t('Customer')} />;
  return (
    <Link component={RouterLink} to={`/customers/${customerId}`}>
      {customerName(data)}
    </Link>
  );
}
