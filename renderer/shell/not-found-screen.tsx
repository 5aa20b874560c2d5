import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { EmptyState, Screen } from '#renderer/ui';

export function NotFoundScreen() {
  return (
    <Screen title="Page not found">
      <EmptyState
        title="No page at this address"
        action={
          <Button component={Link} to="/sell" variant="contained" color="primary">
            Go to Sell
          </Button>
        }
      >
        The address may be mistyped or from another version of Paydesk.
      </EmptyState>
    </Screen>
  );
}
