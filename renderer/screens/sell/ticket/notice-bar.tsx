import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Ban, CircleHelp, CircleX, type LucideIcon, Nfc, RotateCcw, TriangleAlert } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Link } from 'react-router';
import { ApiFailure, describeFailure } from '#renderer/base/client';
import { dateFormat } from '#renderer/base/dates';
import { Trans, t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import type { ToneName } from '#renderer/base/theme';
import { actorText, addressCheck, CopyText, codeCheck, FailureNote } from '#renderer/kit/ui';
import { OpenShiftButton } from '#renderer/screens/cash';
import { useMerchant } from '#renderer/session/user';
import type { Decline } from '../charge/charge-result.ts';
import { isReaderRefusal, isStateRefusal } from '../charge/charge-result.ts';
import type { EarlierCharge } from '../charge/earlier-charge.ts';
import type { PendingCharge } from '../charge/unconfirmed-charges.ts';
import type { Notice } from '../state/stage.ts';
import { CHARGED_TWICE, readerEndText, SAME_CHARGE_TITLES } from '../state/texts.ts';

interface NoticeBarProps {
  readonly notice: Notice;
  /** The button of the notice, if it has one; it gets the focus. */
  readonly actionRef: Ref<HTMLButtonElement>;
  readonly onUseOtherMethod: () => void;
  readonly onNewSale: () => void;
  readonly onWait: () => void;
  readonly onChargeAnyway: (charge: PendingCharge) => void;
}

/** Explains above the unchanged form why the sale was not charged. */
export function NoticeBar({ notice, actionRef, onUseOtherMethod, onNewSale, onWait, onChargeAnyway }: NoticeBarProps) {
  switch (notice.kind) {
    case 'declined':
      return <DeclinedBar notice={notice} actionRef={actionRef} onUseOtherMethod={onUseOtherMethod} onNewSale={onNewSale} />;
    case 'refused':
      return <RefusedBar notice={notice} actionRef={actionRef} onNewSale={onNewSale} onWait={onWait} />;
    case 'no-response':
      return (
        <Bar tone="warning" icon={CircleHelp} title={t('No response from the service')}>
          {t('We don’t know yet whether the card was charged. Press Charge to check again; it can’t charge twice. Your entries are kept.')}
        </Bar>
      );
    case 'failed':
      return (
        <Bar tone="error" icon={TriangleAlert} title={t('Payment failed: nothing was charged')}>
          <Trans
            i18nKey="The processor has no record of this payment. You can charge again. <0/>"
            components={[<CopyText key="0" text={notice.transactionId} label={t('Transaction ID')} />]}
          />
        </Bar>
      );
    case 'not-charged-on-reader':
      return (
        <Bar tone="warning" icon={Ban} title={readerEndText(notice.terminal)}>
          {t('Nothing was charged. Charge again, or choose another way to pay.')}
        </Bar>
      );
    case 'same-charge':
      return <SameChargeBar notice={notice} actionRef={actionRef} onWait={onWait} onChargeAnyway={onChargeAnyway} />;
    case 'bad-read':
      return (
        <Bar tone="warning" icon={RotateCcw} title={t('Swipe again')}>
          {t('The card couldn’t be read. No fields were filled in.')}
        </Bar>
      );
    case 'interrupted':
      return (
        <Bar tone="warning" icon={CircleHelp} title={t('This page was closed or reloaded during a charge')}>
          {t('Check the recent sales before you charge again.')}
        </Bar>
      );
  }
}

type DeclinedBarProps = Pick<NoticeBarProps, 'actionRef' | 'onUseOtherMethod' | 'onNewSale'> & {
  readonly notice: Extract<Notice, { kind: 'declined' }>;
};

function DeclinedBar({ notice: { decline, advice }, actionRef, onUseOtherMethod, onNewSale }: DeclinedBarProps) {
  const { step } = advice;
  const checks = [
    decline.cvvResponse !== null && t('CVV: {{result}}', { result: lowerFirst(codeCheck(decline.cvvResponse)) }),
    decline.avsResponse !== null && t('Address: {{result}}', { result: lowerFirst(addressCheck(decline.avsResponse, decline.billing)) }),
  ].filter(Boolean);
  return (
    <Bar
      tone="error"
      icon={step.kind === 'stop' ? Ban : CircleX}
      // The customer must not see what the bank suspects.
      title={step.kind === 'stop' ? t('Declined') : declineTitle(decline)}
      action={
        step.kind === 'other-method' ? (
          <Button ref={actionRef} size="small" onClick={onUseOtherMethod}>
            {t('Use another card')}
          </Button>
        ) : (
          step.kind === 'stop' && (
            <Button ref={actionRef} size="small" onClick={onNewSale}>
              {t('New sale')}
            </Button>
          )
        )
      }
    >
      {advice.text}
      {step.kind !== 'stop' && checks.length > 0 && <Box sx={{ fontSize: 12, mt: 1 }}>{checks.join(' · ')}</Box>}
    </Bar>
  );
}

/** Returns "Card declined" for a decline without a particular reason, else the reason. */
function declineTitle({ declineCode, declineReason }: Decline): string {
  return declineCode === 'card_declined' ? t('Card declined') : t('Declined: {{reason}}', { reason: lowerFirst(declineReason) });
}

type SameChargeBarProps = Pick<NoticeBarProps, 'actionRef' | 'onWait' | 'onChargeAnyway'> & {
  readonly notice: Extract<Notice, { kind: 'same-charge' }>;
};

/** Leaving it is the default; charging again requires a deliberate press. */
function SameChargeBar({ notice: { earlier, charge }, actionRef, onWait, onChargeAnyway }: SameChargeBarProps) {
  const { transactionId, reason } = earlier;
  const isApproved = reason === 'approved';
  return (
    <Bar tone="warning" icon={CircleHelp} title={SAME_CHARGE_TITLES[reason]}>
      <SameChargeText earlier={earlier} /> {CHARGED_TWICE[reason]}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, mt: 1, mb: -1, marginInlineStart: -1 }}>
        <Button ref={actionRef} size="small" onClick={onWait}>
          {isApproved ? t('Don’t charge') : t('Wait')}
        </Button>
        <Button size="small" variant="text" component={Link} to={isApproved ? `/transactions/${transactionId}` : '/unconfirmed-payments'}>
          {isApproved ? t('View') : t('View unconfirmed payments')}
        </Button>
        <Button size="small" color="error" variant="text" onClick={() => onChargeAnyway(charge)}>
          {t('Charge anyway')}
        </Button>
      </Box>
    </Bar>
  );
}

function SameChargeText({ earlier: { amount, currency, methodLabel, transactionId, reason, since } }: { readonly earlier: EarlierCharge }) {
  const { timezone } = useMerchant();
  const time = since ? dateTimeText(since, timezone) : '';
  const shown = {
    components: [
      <span key="0" className="mono">
        {transactionId}
      </span>,
    ],
    values: { amount: writeMoney(amount, currency), method: methodLabel, time },
  };
  if (reason === 'approved') return t('{{amount}}, {{method}}, {{time}}.', shown.values);
  if (reason === 'no-response')
    return time ? (
      <Trans i18nKey="A payment of {{amount}} with {{method}} has been unconfirmed since {{time}} (<0/>)." {...shown} />
    ) : (
      <Trans i18nKey="A payment of {{amount}} with {{method}} is unconfirmed (<0/>)." {...shown} />
    );
  return (
    <>
      {time ? (
        <Trans i18nKey="A payment of {{amount}} with {{method}} has been held for review since {{time}} (<0/>)." {...shown} />
      ) : (
        <Trans i18nKey="A payment of {{amount}} with {{method}} is held for review (<0/>)." {...shown} />
      )}{' '}
      {t('It completes once the gateway releases it.')}
    </>
  );
}

/** Returns a date and time such as "Nov 22, 10:42 AM". */
function dateTimeText(at: string, timeZone: string): string {
  return dateFormat({ timeZone, month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(new Date(at));
}

/** Lower-cases the first letter of a sentence, for use after a colon; an abbreviation, such as ZIP, stays. */
function lowerFirst(sentence: string): string {
  const text = sentence.replace(/\.$/, '');
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

type RefusedBarProps = Pick<NoticeBarProps, 'actionRef' | 'onNewSale' | 'onWait'> & {
  readonly notice: Extract<Notice, { kind: 'refused' }>;
};

function RefusedBar({ notice: { refusal }, actionRef, onNewSale, onWait }: RefusedBarProps) {
  const { transactionId } = refusal.details;
  if (isReaderRefusal(refusal)) {
    const { reason, usedBy } = refusal.details;
    const isBusy = reason === 'terminal_busy';
    return (
      <Bar tone="warning" icon={Nfc} title={isBusy ? t('The card reader is in use') : t('The card reader is offline')}>
        {typeof usedBy === 'string' && t('In use by {{person}}.', { person: actorText(usedBy) })}{' '}
        {isBusy
          ? t('Nothing was charged. Wait until that payment ends, or choose another way to pay.')
          : t('Nothing was charged. Check its power and its network, and charge again, or key the card.')}
      </Bar>
    );
  }
  const { reason, drawer } = refusal.details;
  if (reason === 'no_open_shift' && typeof drawer === 'string') {
    return (
      <Bar
        tone="warning"
        icon={TriangleAlert}
        title={t('No shift is open at {{drawer}}', { drawer })}
        action={<OpenShiftButton drawer={drawer} buttonRef={actionRef} onOpened={onWait} />}
      >
        {t('Nothing was recorded. Open a shift, then take the cash.')}
      </Bar>
    );
  }
  if (refusal.code === 'RESOURCE_CONFLICT' && !isStateRefusal(refusal)) {
    return (
      <Bar
        tone="warning"
        icon={CircleHelp}
        title={t('This payment was already submitted')}
        action={
          <Button ref={actionRef} size="small" onClick={onNewSale}>
            {t('New sale')}
          </Button>
        }
      >
        {t('Your later changes were not charged. Find the payment in the recent sales, then start a new sale.')}
      </Bar>
    );
  }
  if (refusal.code === 'DUPLICATE_TRANSACTION') {
    return (
      <Bar tone="warning" icon={TriangleAlert} title={t('Possible duplicate: this card was just charged the same amount')}>
        {typeof transactionId === 'string' ? (
          <Link to={`/transactions/${transactionId}`}>{t('View the earlier sale')}</Link>
        ) : (
          t('Check the recent sales.')
        )}
      </Bar>
    );
  }
  const failure = new ApiFailure(refusal.code, refusal.message, refusal);
  const { problem, advice } = describeFailure(failure);
  return (
    <FailureNote failure={failure}>
      <strong>{problem}</strong> {advice} {refusal.status >= 500 || refusal.status === 429 ? t('Your entries are kept.') : ''}
    </FailureNote>
  );
}

interface BarProps {
  readonly tone: ToneName;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

function Bar({ tone, icon: Icon, title, action, children }: BarProps) {
  return (
    <Box
      data-notice={tone}
      sx={(theme) => ({
        display: 'flex',
        gap: 2,
        alignItems: 'flex-start',
        px: 3,
        py: 2,
        fontSize: 13,
        lineHeight: '18px',
        borderRadius: 1,
        color: theme.vars.palette.tone[tone].main,
        backgroundColor: theme.vars.palette.tone[tone].tint,
      })}
    >
      <Icon size={16} aria-hidden style={{ flex: 'none', marginTop: 1 }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 600 }}>{title}</Box>
        <Box sx={{ color: 'text.primary' }}>{children}</Box>
      </Box>
      {action}
    </Box>
  );
}
