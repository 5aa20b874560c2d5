import { useQuery } from '@tanstack/react-query';
import type { Subscription, SubscriptionDetail } from '#renderer/base/client';
import { refusalOf, t } from '#renderer/base/language';
import { methodText } from '#renderer/base/payment-methods';
import { RecordActions } from '#renderer/kit/record';
import { QueryContent, usePanel } from '#renderer/kit/ui';
import { UpdateLinkPanel } from '#renderer/shared/payer-links';
import { CancelPanel, PausePanel, RetryPanel, SkipPanel } from './action-panels.tsx';
import { EditPanel } from './edit-panel.tsx';
import { upcomingQuery } from './queries.ts';
import { ResumePanel } from './resume-panel.tsx';

type ActionId = 'retry' | 'resume' | 'pause' | 'skip' | 'edit' | 'link' | 'cancel';

interface Action {
  readonly id: ActionId;
  /** Operation of the service. */
  readonly operation: keyof SubscriptionDetail['actions'];
  readonly keys: string;
  readonly label: string;
}

const ACTIONS: readonly Action[] = [
  { id: 'retry', operation: 'retry', keys: 'T', label: t('Retry now') },
  { id: 'resume', operation: 'resume', keys: 'U', label: t('Resume') },
  { id: 'edit', operation: 'update', keys: 'E', label: t('Edit') },
  { id: 'pause', operation: 'pause', keys: 'P', label: t('Pause') },
  { id: 'skip', operation: 'skip', keys: 'S', label: t('Skip next') },
  { id: 'link', operation: 'update', keys: 'L', label: t('Update link') },
  { id: 'cancel', operation: 'cancel', keys: 'X', label: t('Cancel subscription') },
];

/** Actions on a subscription. Each opens a panel that explains the effect before it happens. */
export function SubscriptionActions({ subscription, onPanelClosed }: { subscription: SubscriptionDetail; onPanelClosed: () => void }) {
  const { panel, open, closeHandler } = usePanel<ActionId>(onPanelClosed);
  const current = ACTIONS.find(({ id, operation }) => id === panel && subscription.actions[operation].allowed)?.id;
  return (
    <>
      <RecordActions
        group={t('This subscription')}
        actions={ACTIONS.map(({ id, operation, keys, label }) => ({
          label,
          keys,
          reason: refusalOf(subscription.actions[operation]),
          isDangerous: id === 'cancel',
          isOpen: id === current,
          run: () => open(id),
        }))}
      />
      {current && <Panel id={current} subscription={subscription} onClose={closeHandler(current)} />}
    </>
  );
}

/** Panel of an action; shown once the upcoming dates are loaded. */
function Panel({ id, subscription, onClose }: { id: ActionId; subscription: Subscription; onClose: () => void }) {
  const upcoming = useQuery(upcomingQuery(subscription.subscriptionId));
  return (
    <QueryContent query={upcoming}>
      {({ dates, afterSkip }) => {
        const props = { subscription, dates, afterSkip, onClose };
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
          case 'link':
            return (
              <UpdateLinkPanel
                subject={{ subscriptionId: subscription.subscriptionId, customerId: subscription.customerId }}
                methodName={subscription.card && methodText(subscription.card)}
                onClose={onClose}
              />
            );
          case 'cancel':
            return <CancelPanel {...props} />;
        }
      }}
    </QueryContent>
  );
}
