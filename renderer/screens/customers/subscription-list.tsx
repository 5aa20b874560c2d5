import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { dayText, Entry, MoneyText, StatusChip } from '#renderer/kit/ui';
import { frequencyText } from '#renderer/shared/customers';
import { Section } from './section.tsx';
import { isRunning } from './texts.ts';

/** Subscriptions of a customer, running ones first. */
export function SubscriptionList({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const sorted = subscriptions.toSorted((left, right) => Number(isRunning(right)) - Number(isRunning(left)));
  return (
    <Section title={t('Subscriptions')} empty={t('No subscriptions yet.')}>
      {sorted.map(({ subscriptionId, planId, amount, currency, frequency, nextPaymentDate, status }) => (
        <Entry key={subscriptionId}>
          <Link component={RouterLink} to={`/recurring/${subscriptionId}`} sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
            {planId ?? t('Subscription')}
          </Link>
          <span>
            <MoneyText amount={amount} currency={currency} code /> {frequencyText(frequency)}
          </span>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {nextPaymentDate && t('next payment {{date}}', { date: dayText(nextPaymentDate) })}
          </Box>
          <Box component="span" sx={{ marginInlineStart: 'auto' }}>
            <StatusChip state={status} of="subscription" />
          </Box>
        </Entry>
      ))}
    </Section>
  );
}
