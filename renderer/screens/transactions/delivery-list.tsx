import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { useMay, useMerchant } from '#renderer/session';
import { StatusChip, TimeText } from '#renderer/ui';
import { deliveriesQuery } from './queries.ts';

/** Webhook deliveries about a transaction; empty without endpoints. */
export function DeliveryList({ transactionId }: { transactionId: string }) {
  const may = useMay();
  const { timezone } = useMerchant();
  const { data } = useQuery({ ...deliveriesQuery(transactionId), enabled: may('webhooks:read') });
  if (!data?.length) return null;
  return (
    <Box component="section">
      <Typography variant="h3" sx={{ mb: 2 }}>
        Webhook deliveries
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data.map(({ id, endpointId, eventType, status, createdAt }) => (
          <Box
            component="li"
            key={id}
            sx={(theme) => ({
              display: 'grid',
              gridTemplateColumns: 'auto minmax(0, 1fr) auto',
              gap: 3,
              alignItems: 'center',
              py: 2,
              fontSize: 13,
              borderTop: `1px solid ${theme.vars.palette.divider}`,
            })}
          >
            <StatusChip state={status} />
            <Link component={RouterLink} to={`/webhooks/${endpointId}/${id}`}>
              {eventType}
            </Link>
            <TimeText at={createdAt} timeZone={timezone} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}
