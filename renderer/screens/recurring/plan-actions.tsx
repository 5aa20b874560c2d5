import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#renderer/client';
import { Answer, KeyHint, usePanel, useShortcuts } from '#renderer/ui';
import { CancelPanel, PausePanel, RetryPanel, SkipPanel } from './action-panels.tsx';
import { EditPanel } from './edit-panel.tsx';
import { upcomingQuery } from './queries.ts';
import { ResumePanel } from './resume-panel.tsx';

type ActionId = 'retry' | 'resume' | 'pause' | 'skip' | 'edit' | 'cancel';

interface Action {
  readonly id: ActionId;
  readonly keys: string;
  readonly label: string;
}

const ACTIONS: readonly Action[] = [
  { id: 'retry', keys: 'T', label: 'Try now' },
  { id: 'resume', keys: 'U', label: 'Resume' },
  { id: 'pause', keys: 'P', label: 'Pause' },
  { id: 'skip', keys: 'K', label: 'Skip next' },
  { id: 'edit', keys: 'E', label: 'Edit' },
  { id: 'cancel', keys: 'X', label: 'Cancel' },
];

/** Returns true if the service allows an operation on a subscription now. */
function isPossible(id: ActionId, { status, paymentInProgress, nextPaymentDate }: Subscription): boolean {
  switch (id) {
    case 'retry':
      return status === 'past_due' && !paymentInProgress;
    case 'resume':
      return status === 'paused';
    case 'pause':
      return status === 'active' || status === 'past_due';
    case 'skip':
      return status === 'active' && !paymentInProgress && nextPaymentDate !== null;
    default:
      return status !== 'cancelled' && status !== 'expired';
  }
}

/** Actions on a subscription. Each opens a panel that explains the effect before it happens. */
export function PlanActions({ plan, onPanelClosed }: { plan: Subscription; onPanelClosed: () => void }) {
  const { panel, open, closing } = usePanel<ActionId>(onPanelClosed);
  const possible = ACTIONS.filter(({ id }) => isPossible(id, plan));
  const current = possible.find(({ id }) => id === panel)?.id;
  useShortcuts(
    'This plan',
    possible.map(({ id, keys, label }) => ({ keys, label, run: () => open(id) })),
  );
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {possible.map(({ id, keys, label }) => (
          <Button
            key={id}
            variant={id === 'retry' ? 'contained' : 'outlined'}
            color={id === 'retry' ? 'primary' : 'inherit'}
            aria-expanded={id === current}
            aria-keyshortcuts={keys}
            endIcon={<KeyHint keys={keys} />}
            onClick={() => open(id)}
          >
            {label}
          </Button>
        ))}
      </Box>
      {current && <Panel id={current} plan={plan} onClose={closing(current)} />}
    </>
  );
}

/** A panel opens only when its date is known. */
function Panel({ id, plan, onClose }: { id: ActionId; plan: Subscription; onClose: () => void }) {
  const upcoming = useQuery(upcomingQuery(plan.subscriptionId));
  return (
    <Answer of={upcoming}>
      {({ dates, afterSkip }) => {
        const props = { plan, dates, afterSkip, onClose };
        switch (id) {
          case 'retry':
            return <RetryPanel {...props} />;
          case 'resume':
            return <ResumePanel {...props} />;
          case 'pause':
            return <PausePanel {...props} />;
          case 'skip':
            return <SkipPanel {...props} />;
          case 'edit':
            return <EditPanel {...props} />;
          case 'cancel':
            return <CancelPanel {...props} />;
        }
      }}
    </Answer>
  );
}
