import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useNavigate } from 'react-router';
import { t } from '#renderer/base/language';
import { KeyHint, Screen } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { weekdayText } from '#renderer/shared/reporting';
import { NeedsAttention } from './attention.tsx';
import { ExpiringAuthorizations } from './expiring-authorizations.tsx';
import { LastSales } from './last-sales.tsx';
import { NextPayout } from './next-payout.tsx';
import { SystemState } from './system.tsx';
import { Today } from './today.tsx';
import { Week } from './week.tsx';

/** Home: the business at a glance. Each part is shown to users who may read it. */
export function HomeScreen() {
  const { merchantId, name } = useMerchant();
  const today = useToday();
  const may = useMay();
  const navigate = useNavigate();
  return (
    <Screen
      title={t('Home')}
      subtitle={`${name}, ${weekdayText(today)}`}
      actions={
        may('transactions:write') && (
          <Button variant="contained" color="primary" endIcon={<KeyHint keys="F2" />} onClick={() => void navigate('/sell')}>
            {t('New sale')}
          </Button>
        )
      }
    >
      <Box
        key={merchantId}
        sx={{
          display: 'grid',
          gap: 4,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 5fr) minmax(0, 3fr)' },
        }}
      >
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Today />
          <Week today={today} />
          {may('transactions:read') && <LastSales />}
        </Box>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <NeedsAttention today={today} />
          {may('transactions:read') && <ExpiringAuthorizations />}
          {may('settlement:read') && <NextPayout />}
          {may('settings:read') && <SystemState />}
        </Box>
      </Box>
    </Screen>
  );
}
