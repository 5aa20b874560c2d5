import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { EVERYWHERE, useShortcuts } from '#renderer/kit/ui';
import { useMe } from '#renderer/session/user';
import { DecisionDialog } from './decision-dialog.tsx';
import { pendingQuery } from './queries.ts';

const OPEN_KEYS = 'Mod+Shift+A';

/** Key that opens the requests of others that wait for the caller's decision one after another, the oldest first. */
export function PendingApprovals() {
  const { user } = useMe();
  const { data } = useQuery(pendingQuery);
  const [isOpen, setOpen] = useState(false);
  const first = data?.items.findLast(({ requesterUserIds }) => !requesterUserIds.includes(user.userId));
  useShortcuts(
    EVERYWHERE,
    first === undefined ? [] : [{ keys: OPEN_KEYS, label: t('Open requests for approval'), run: () => setOpen(true) }],
  );
  return first !== undefined && isOpen && <DecisionDialog key={first.approvalId} approval={first} onClose={() => setOpen(false)} />;
}
