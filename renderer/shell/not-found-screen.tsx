import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { t } from '#renderer/base/language';
import { EmptyState, Screen } from '#renderer/kit/ui';

export function NotFoundScreen() {
  return (
    <Screen title={t('Page not found')}>
      <EmptyState
        title={t('No page at this address')}
        action={
          <Button component={Link} to="/sell" variant="contained" color="primary">
            {t('Go to Sell')}
          </Button>
        }
      >
        {t('The address may be mistyped or from another version of Paydesk.')}
      </EmptyState>
    </Screen>
  );
}
