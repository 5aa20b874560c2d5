import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Ban, CircleHelp, CircleX, type LucideIcon, RotateCcw, TriangleAlert } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Link } from 'react-router';
import { ApiFailure, wordsOf } from '#renderer/client';
import { dateFormat } from '#renderer/dates';
import { writeMoney } from '#renderer/money';
import { useMerchant } from '#renderer/session';
import type { ToneName } from '#renderer/theme';
import { addressCheck, CopyText, codeCheck, FailureNote } from '#renderer/ui';
import type { Notice, PendingCharge } from './stage.ts';
import { SAME_CHARGE } from './words.ts';

interface NoticeBarProps {
  readonly notice: Notice;
  /** The one thing that the notice asks for, where it is a button: it has the focus. */
  readonly actionRef: Ref<HTMLButtonElement>;
  readonly onOtherMeans: () => void;
  readonly onNewSale: () => void;
  readonly onWait: () => void;
  readonly onChargeAnyway: (charge: PendingCharge) => void;
}

/** Explains above the unchanged form why the sale was not charged. */
export function NoticeBar({ notice, actionRef, onOtherMeans, onNewSale, onWait, onChargeAnyway }: NoticeBarProps) {
  switch (notice.kind) {
    case 'declined':
      return <DeclinedBar notice={notice} actionRef={actionRef} onOtherMeans={onOtherMeans} onNewSale={onNewSale} />;
    case 'refused':
      return <RefusedBar notice={notice} actionRef={actionRef} onNewSale={onNewSale} />;
    case 'silence':
      return (
        <Bar tone="warning" icon={CircleHelp} title="The service gave no answer">
          Whether the card was charged is not known yet. Press Charge to ask again: it cannot charge twice. Nothing you typed is lost.
        </Bar>
      );
    case 'failed':
      return (
        <Bar tone="error" icon={TriangleAlert} title="Failed: nothing was charged">
          The processor never had this payment. You may charge again. <CopyText text={notice.transactionId} what="Transaction id" />
        </Bar>
      );
    case 'same-charge':
      return <SameChargeBar notice={notice} actionRef={actionRef} onWait={onWait} onChargeAnyway={onChargeAnyway} />;
    case 'bad-read':
      return (
        <Bar tone="warning" icon={RotateCcw} title="Swipe again">
          The card was not read. Nothing was filled in.
        </Bar>
      );
    case 'interrupted':
      return (
        <Bar tone="warning" icon={CircleHelp} title="A charge was under way when this page was closed or loaded anew">
          Look at the last sales before you charge again.
        </Bar>
      );
  }
}

type DeclinedBarProps = Pick<NoticeBarProps, 'actionRef' | 'onOtherMeans' | 'onNewSale'> & {
  readonly notice: Extract<Notice, { kind: 'declined' }>;
};

function DeclinedBar({ notice: { decline, advice }, actionRef, onOtherMeans, onNewSale }: DeclinedBarProps) {
  const { step } = advice;
  const checks = [
    decline.cvvResponse !== null && `CVV: ${afterColon(codeCheck(decline.cvvResponse))}`,
    decline.avsResponse !== null && `Address: ${afterColon(addressCheck(decline.avsResponse))}`,
  ].filter(Boolean);
  return (
    <Bar
      tone="error"
      icon={step.kind === 'stop' ? Ban : CircleX}
      // What the bank suspects is not for a customer's eyes.
      title={step.kind === 'stop' ? 'Declined' : `Declined: ${afterColon(decline.declineReason)}`}
      action={
        step.kind === 'other-means' ? (
          <Button ref={actionRef} size="small" onClick={onOtherMeans}>
            Use another card
          </Button>
        ) : (
          step.kind === 'stop' && (
            <Button ref={actionRef} size="small" onClick={onNewSale}>
              New sale
            </Button>
          )
        )
      }
    >
      {advice.words}
      {step.kind !== 'stop' && checks.length > 0 && <Box sx={{ fontSize: 12, mt: 1 }}>{checks.join(' · ')}</Box>}
    </Bar>
  );
}

type SameChargeBarProps = Pick<NoticeBarProps, 'actionRef' | 'onWait' | 'onChargeAnyway'> & {
  readonly notice: Extract<Notice, { kind: 'same-charge' }>;
};

/** Waiting is the default; charging again requires a deliberate press. */
function SameChargeBar({ notice: { doubt, charge }, actionRef, onWait, onChargeAnyway }: SameChargeBarProps) {
  const { timezone } = useMerchant();
  const since = doubt.since ? ` since ${momentText(doubt.since, timezone)}` : '';
  const isHeld = doubt.reason === 'held';
  return (
    <Bar tone="warning" icon={CircleHelp} title={SAME_CHARGE[doubt.reason]}>
      A payment of {writeMoney(doubt.amount, doubt.currency)} with {doubt.means} {isHeld ? 'has been held for review' : 'is still in doubt'}
      {since} (<span className="mono">{doubt.transactionId}</span>){isHeld && ': it goes through once the gateway releases it'}. Charging
      again may take the money twice.
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 2 }}>
        <Button ref={actionRef} size="small" onClick={onWait}>
          Wait
        </Button>
        <Button size="small" component={Link} to="/doubts">
          Look
        </Button>
        <Button size="small" color="error" variant="text" onClick={() => onChargeAnyway(charge)}>
          Charge anyway
        </Button>
      </Box>
    </Bar>
  );
}

/** "Nov 22, 10:42 AM". */
function momentText(at: string, timeZone: string): string {
  return dateFormat({ timeZone, month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(new Date(at));
}

/** Lower-cases the beginning of a sentence after a colon. */
function afterColon(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

type RefusedBarProps = Pick<NoticeBarProps, 'actionRef' | 'onNewSale'> & { readonly notice: Extract<Notice, { kind: 'refused' }> };

function RefusedBar({ notice: { refusal }, actionRef, onNewSale }: RefusedBarProps) {
  const { transactionId } = refusal.details;
  if (refusal.code === 'RESOURCE_CONFLICT') {
    return (
      <Bar
        tone="warning"
        icon={CircleHelp}
        title="An earlier press of Charge has reached the service"
        action={
          <Button ref={actionRef} size="small" onClick={onNewSale}>
            New sale
          </Button>
        }
      >
        What you changed since was not charged. Find the earlier charge among the last sales, then begin a new one.
      </Bar>
    );
  }
  if (refusal.code === 'DUPLICATE_TRANSACTION') {
    return (
      <Bar tone="warning" icon={TriangleAlert} title="The same card was charged the same amount a moment ago">
        {typeof transactionId === 'string' ? (
          <Link to={`/transactions/${transactionId}`}>Show the earlier sale</Link>
        ) : (
          'See the last sales.'
        )}
      </Bar>
    );
  }
  const failure = new ApiFailure(refusal.code, refusal.message, refusal);
  const { what, next } = wordsOf(failure);
  return (
    <FailureNote failure={failure}>
      <strong>{what}</strong> {next} {refusal.status >= 500 || refusal.status === 429 ? 'Nothing you typed is lost.' : ''}
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
        gap: 3,
        alignItems: 'flex-start',
        p: 3,
        borderRadius: 1,
        color: theme.vars.palette.tone[tone].main,
        backgroundColor: theme.vars.palette.tone[tone].tint,
      })}
    >
      <Icon size={20} aria-hidden style={{ flex: 'none', marginTop: 1 }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 600 }}>{title}</Box>
        <Box sx={{ color: 'text.primary' }}>{children}</Box>
      </Box>
      {action}
    </Box>
  );
}
