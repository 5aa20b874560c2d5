import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { UserCheck } from 'lucide-react';
import { useState } from 'react';
import type { Approval } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, EVERYWHERE, useShortcuts, VISUALLY_HIDDEN } from '#renderer/kit/ui';
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
      <Button
        variant="text"
        title={label}
        startIcon={<UserCheck size={18} aria-hidden />}
        onClick={() => {
          announce(label);
          setOpen(true);
        }}
      >
        <Box component="span" sx={{ '@media (max-width: 599px)': VISUALLY_HIDDEN }}>
          {t('{{count, number}} approvals', { count: pending.length })}
        </Box>
      </Button>
      {isOpen && <DecisionDialog key={first.approvalId} approval={first} onClose={() => setOpen(false)} />}
    </>
  );
}
