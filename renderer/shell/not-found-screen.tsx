import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { EmptyNote, Screen } from '#renderer/ui';

export function NotFoundScreen() {
  return (
    <Screen title="There is no such page">
      <EmptyNote
        title="The address leads nowhere"
        action={
          <Button component={Link} to="/sell" variant="contained" color="primary">
            Go to Sell
          </Button>
        }
      >
        It may have been mistyped, or be from another version.
      </EmptyNote>
    </Screen>
  );
}
