import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useRef, useState } from 'react';
import { channelName } from '#renderer/base/channels';
import type { Customer, PaymentMethod, Subscription } from '#renderer/base/client';
import { dayIn } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { datedDay, Entry, FailureNote, StatusChip, showToast, useSubmit } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useIsSandbox, useMay, useMerchant } from '#renderer/session/user';
import { UpdateLinkPanel } from '#renderer/shared/payer-links';
import { consentPrintJob } from './consent-print-layout.ts';
import { ExpiryNote } from './expiry-note.tsx';
import { refreshCustomers, setDefault } from './queries.ts';
import { RemoveMethodPanel } from './remove-method-panel.tsx';
import { daysBetween, EXPIRING_DAYS, expiryOf, lastDayOf, methodName, nameOf } from './texts.ts';

interface MethodEntryProps {
  readonly customer: Customer;
  readonly method: PaymentMethod;
  readonly isOnly: boolean;
  readonly subscriptions: readonly Subscription[];
  readonly merchantName: string;
  readonly newId: string | undefined;
  readonly onRemoved: () => void;
}

/** A saved card or account: expiry, consent and actions. */
export function MethodEntry({ customer, method, isOnly, subscriptions, merchantName, newId, onRemoved }: MethodEntryProps) {
  const canWrite = useMay()('customers:write');
  const today = useToday();
  const { timezone } = useMerchant();
  const isSandbox = useIsSandbox();
  const desktop = useDesktop();
  const [panel, setPanel] = useState<'link' | 'remove'>();
  const name = useRef<HTMLSpanElement>(null);
  const defaultButton = useRef<HTMLButtonElement>(null);
  const isNew = method.paymentMethodId === newId;
  useEffect(() => {
    if (isNew) (defaultButton.current ?? name.current)?.focus();
  }, [isNew]);
  const makingDefault = useSubmit({
    send: () => setDefault(customer.customerId, method.paymentMethodId),
    refreshFirst: refreshCustomers,
    announcement: t('{{card}} is now the default.', { card: methodName(method) }),
    onDone: () => {
      // The button disappears, so the focus moves to the name.
      name.current?.focus();
    },
  });
  const lastDay = lastDayOf(method);
  const isExpiring = lastDay !== null && daysBetween(today, lastDay) <= EXPIRING_DAYS;
  const consentDay = method.consentAt === null ? '' : datedDay(dayIn(timezone, Date.parse(method.consentAt)));
  const label = methodName(method);
  const closePanel = () => {
    setPanel(undefined);
    name.current?.focus();
  };
  const print = async () => {
    const job = consentPrintJob({
      merchantName,
      customerName: nameOf(customer),
      method: methodName(method),
      text: method.consentText ?? '',
      day: consentDay,
      isSandbox,
    });
    const { sent, problem } = await desktop
      .printReceipt(job)
      .catch(() => ({ sent: false, problem: t('The printer could not be reached.') }));
    showToast(sent ? t('Consent sent to the printer') : t('The consent was not printed. {{problem}}', { problem: problem ?? '' }));
  };
  return (
    <Entry>
      <Box component="span" ref={name} tabIndex={-1} sx={{ fontSize: 14, fontWeight: 600, outline: 'none' }}>
        {label}
      </Box>
      {lastDay && (
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {expiryOf(method)}
        </Box>
      )}
      {lastDay && isExpiring && <ExpiryNote lastDay={lastDay} today={today} />}
      {method.isDefault && (
        <Box component="span" sx={{ marginInlineStart: 'auto' }}>
          <StatusChip state="active" label={t('Default')} />
        </Box>
      )}
      <Box sx={{ flexBasis: '100%', color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {method.consentText
          ? t('“{{text}}” Agreed to on {{date}}. Channel: {{channel}}.', {
              text: method.consentText,
              date: consentDay,
              channel: channelName(method.agreementChannel),
            })
          : t('No consent on record.')}
        {method.gatewayId !== null && ` ${t('Read by a card reader: only its processor can charge it.')}`}
      </Box>
      <Box sx={{ flexBasis: '100%', display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {canWrite && !method.isDefault && (
          <Button
            size="small"
            ref={defaultButton}
            loading={makingDefault.isBusy}
            onClick={() => makingDefault.onSubmit()}
            aria-label={t('Set as default, {{card}}', { card: label })}
          >
            {t('Set as default')}
          </Button>
        )}
        {method.consentText && (
          <Button size="small" onClick={() => void print()} aria-label={t('Print consent for {{card}}', { card: label })}>
            {t('Print consent')}
          </Button>
        )}
        {canWrite && (
          <Button
            size="small"
            aria-expanded={panel === 'link'}
            onClick={() => setPanel('link')}
            aria-label={t('Update link, {{card}}', { card: label })}
          >
            {t('Update link')}
          </Button>
        )}
        {canWrite && panel !== 'remove' && (
          <Button size="small" onClick={() => setPanel('remove')} aria-label={t('Remove {{card}}', { card: label })}>
            {t('Remove')}
          </Button>
        )}
      </Box>
      {makingDefault.failure && (
        <Box sx={{ flexBasis: '100%' }}>
          <FailureNote failure={makingDefault.failure} />
        </Box>
      )}
      {panel === 'link' && (
        <Box sx={{ flexBasis: '100%' }}>
          <UpdateLinkPanel
            subject={{ customerId: customer.customerId, paymentMethodId: method.paymentMethodId }}
            methodName={label}
            onClose={closePanel}
          />
        </Box>
      )}
      {panel === 'remove' && (
        <Box sx={{ flexBasis: '100%' }}>
          <RemoveMethodPanel method={method} isOnly={isOnly} subscriptions={subscriptions} onRemoved={onRemoved} onClose={closePanel} />
        </Box>
      )}
    </Entry>
  );
}
