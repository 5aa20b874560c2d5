import { CloudOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type Health, queryClient, useHealth } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, Banner } from '#renderer/kit/ui';

const MESSAGES: Partial<Record<Health, string>> = {
  unreachable: t('The server isn’t responding. Your input is kept, and Paydesk continues automatically when the server is back.'),
  'database-down': t(
    'The database isn’t responding, so payments aren’t possible right now. Your input is kept, and Paydesk continues automatically when the database is back.',
  ),
  'database-damaged': t(
    'A database file is damaged, so payments and all other changes are stopped. To restore the data, see System > Status.',
  ),
  'disk-full': t('The disk is full, so payments and other changes fail. Free up disk space; System > Status shows which disk.'),
  outdated: t(
    'A newer version of Paydesk has upgraded the database. Update Paydesk on this workstation; until then it can’t take payments.',
  ),
};

/** Names the part that is down, on every screen, until it is up again. */
export function DegradedBanner() {
  const { health } = useHealth();
  const message = MESSAGES[health];
  const wasDown = useRef(false);
  useEffect(() => {
    if (message) announce(message);
    // Queries that failed in the meantime are repeated immediately.
    else if (wasDown.current) void queryClient.invalidateQueries();
    wasDown.current = message !== undefined;
  }, [message]);
  if (!message) return null;
  return (
    <Banner icon={CloudOff} tone="error">
      {message}
    </Banner>
  );
}
