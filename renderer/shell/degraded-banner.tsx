import { CloudOff } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type Health, queryClient, useHealth } from '#renderer/client';
import { announce, Banner } from '#renderer/ui';

const WORDS: Partial<Record<Health, string>> = {
  unreachable:
    'The service on this machine does not answer. What you have typed stays here; it goes on by itself when the service is back.',
  'database-down':
    'The database does not answer, so nothing can be taken at the moment. What you have typed stays here; it goes on by itself when the database is back.',
  'database-damaged':
    'A database file is damaged, so payments and all other changes are stopped. System, Status says how to restore the data.',
  'disk-full': 'The disk is full, so payments and other changes fail. Make room on the disk; System, Status names it.',
  outdated: 'A newer version of Paydesk has changed the database. Update Paydesk on this station; until then nothing can be taken here.',
};

/** Names the part that is down, on every screen, until it is up again. */
export function DegradedBanner() {
  const { health } = useHealth();
  const words = WORDS[health];
  const wasDown = useRef(false);
  useEffect(() => {
    if (words) announce(words);
    // Queries that failed in the meantime are repeated immediately.
    else if (wasDown.current) void queryClient.invalidateQueries();
    wasDown.current = words !== undefined;
  }, [words]);
  if (!words) return null;
  return (
    <Banner icon={CloudOff} tone="error">
      {words}
    </Banner>
  );
}
