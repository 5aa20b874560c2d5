import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { t } from '#renderer/base/language';
import { Dialog } from '#renderer/kit/ui';
import { peopleQuery, useMe } from '#renderer/session/user';
import { PersonForm } from '#renderer/shared/pin-entry';

/** Lets another person take over the screen with a PIN. Mounted while it is open. */
export function SwitchDialog({ onClose }: { readonly onClose: () => void }) {
  const { user } = useMe();
  const navigate = useNavigate();
  const { data: people = [], isPending } = useQuery(peopleQuery);
  const others = people.filter(({ userId }) => userId !== user.userId);
  return (
    <Dialog title={t('Switch person')} isOpen onClose={onClose} maxWidth="xs">
      {isPending ? (
        <Box sx={{ height: 160 }} />
      ) : others.length > 0 ? (
        <PersonForm
          people={others}
          onDone={() => void navigate('/')}
          actions={
            <Button variant="text" onClick={onClose}>
              {t('Cancel')}
            </Button>
          }
        />
      ) : (
        <Box>{t('No other user has a PIN. Users set theirs in “Your account”.')}</Box>
      )}
    </Dialog>
  );
}
