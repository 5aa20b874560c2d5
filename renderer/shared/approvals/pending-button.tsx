import Badge from '@mui/material/Badge';
import IconButton from '@mui/material/IconButton';
import { useQuery } from '@tanstack/react-query';
import { UserCheck } from 'lucide-react';
import { useState } from 'react';
import type { Approval } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, EVERYWHERE, useShortcuts } from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';
import { DecisionDialog } from './decision-dialog.tsx';
import { pendingQuery } from './queries.ts';

const OPEN_KEYS = 'Mod+Shift+A';

/** Returns the requests of others that wait for the caller's decision, oldest first. */
function usePendingForMe(): readonly Approval[] {
  const may = useMay();
  const { user } = useMe();
  const { data } = useQuery({ ...pendingQuery, enabled: may('approvals:write') });
  return (data?.items ?? []).filter(({ requesterUserIds }) => !requesterUserIds.includes(user.userId)).toReversed();
}

/** Button in the header that counts the requests of others, and opens them one after another. Hidden without a request. */
export function PendingApprovalsButton() {
  const pending = usePendingForMe();
  const [isOpen, setOpen] = useState(false);
  useShortcuts(
    EVERYWHERE,
    pending.length === 0 ? [] : [{ keys: OPEN_KEYS, label: t('Open requests for approval'), run: () => setOpen(true) }],
  );
  const [first] = pending;
  if (first === undefined) return null;
  const label = t('{{count, number}} requests wait for your approval', { count: pending.length });
  return (
    <>
      <IconButton
        aria-label={label}
        title={label}
        onClick={() => {
          announce(label);
          setOpen(true);
        }}
      >
        <Badge badgeContent={pending.length} color="error">
          <UserCheck size={18} aria-hidden />
        </Badge>
      </IconButton>
      {isOpen && <DecisionDialog key={first.approvalId} approval={first} onClose={() => setOpen(false)} />}
    </>
  );
}
