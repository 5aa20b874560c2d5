import type { ReconciliationLine } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { toMinor, writeAmount } from '#renderer/base/money';

/** Probable cause of a difference: a short and a long text, and a note to accept. */
interface Cause {
  readonly brief: string;
  readonly long: string;
  readonly note: string;
}

export function causeOf(line: ReconciliationLine): Cause | null {
  if (line.kind === 'chargeback') return chargebackCause(line);
  switch (line.type) {
    case 'matched':
      return null;
    case 'missing_in_settlement':
      return missingAtProcessorCause(line);
    case 'missing_in_transactions':
      return line.transactionId === null ? unknownPaymentCause(line) : unrecordedCause(line);
    case 'amount_mismatch':
      return amountCause(line);
    case 'duplicate':
      return duplicateCause(line);
  }
}

function missingAtProcessorCause({ kind }: ReconciliationLine): Cause {
  const note = t('Not in the report of this day; asked the processor.');
  return kind === 'refund'
    ? {
        brief: t('The processor didn’t report this refund'),
        long: t('The processor didn’t report this refund. It may be in the next report; if not, ask the processor.'),
        note,
      }
    : {
        brief: t('The processor didn’t report this payment'),
        long: t('The processor didn’t report this payment. It may be in the next report; if not, ask the processor.'),
        note,
      };
}

function unknownPaymentCause({ kind }: ReconciliationLine): Cause {
  const note = t('Made outside of Paydesk.');
  return kind === 'refund'
    ? {
        brief: t('This refund isn’t in Paydesk'),
        long: t(
          'The processor reports a refund that isn’t in Paydesk. It may have been made outside of Paydesk, directly with the processor or in other software.',
        ),
        note,
      }
    : {
        brief: t('This payment isn’t in Paydesk'),
        long: t(
          'The processor reports a payment that isn’t in Paydesk. It may have been made outside of Paydesk, directly with the processor or in other software.',
        ),
        note,
      };
}

function unrecordedCause({ kind }: ReconciliationLine): Cause {
  const note = t('Processed at the processor; corrected with the processor.');
  return kind === 'refund'
    ? {
        brief: t('Refunded at the processor, not in Paydesk'),
        long: t(
          'The processor reports a refund that Paydesk didn’t record for this transaction. A response may have been lost, or a void may have come too late.',
        ),
        note,
      }
    : {
        brief: t('Captured at the processor, not in Paydesk'),
        long: t(
          'The processor reports a payment that Paydesk didn’t record for this transaction. A response may have been lost, or a void may have come too late.',
        ),
        note,
      };
}

/** Chargebacks without a dispute: those of unknown payments, and those that contradict a dispute. */
const chargebackCause = ({ transactionId }: ReconciliationLine): Cause =>
  transactionId === null
    ? {
        brief: t('Charged back at the processor, payment not in Paydesk'),
        long: t(
          'The processor reports a chargeback, or its reversal, of a payment that isn’t in Paydesk. The payment may have been made in other software.',
        ),
        note: t('Payment made outside of Paydesk; handled there.'),
      }
    : {
        brief: t('Chargeback that doesn’t fit the dispute'),
        long: t(
          'The processor reports a chargeback, or its reversal, that contradicts the dispute of this payment. Compare the dispute with the processor’s case, and record the decision.',
        ),
        note: t('Compared with the processor’s case; dispute corrected.'),
      };

function amountCause({ difference, currency, kind }: ReconciliationLine): Cause {
  const amount = writeAmount(Math.abs(difference), currency);
  const isRefund = kind === 'refund';
  if (isRefund ? difference < 0 : difference > 0) {
    return {
      brief: isRefund
        ? t('Settled {{amount}} less than was refunded', { amount })
        : t('Settled {{amount}} less than was captured', { amount }),
      long: isRefund
        ? t('The processor settled {{amount}} less than this refund. It may have deducted a fee or captured only a part.', { amount })
        : t('The processor settled {{amount}} less than this payment. It may have deducted a fee or captured only a part.', { amount }),
      note: t('The processor deducted {{amount}}.', { amount }),
    };
  }
  return {
    brief: isRefund
      ? t('Settled {{amount}} more than was refunded', { amount })
      : t('Settled {{amount}} more than was captured', { amount }),
    long: isRefund
      ? t('The processor settled {{amount}} more than this refund. The processor may have corrected the amount.', { amount })
      : t('The processor settled {{amount}} more than this payment. The processor may have corrected the amount.', { amount }),
    note: t('The processor settled {{amount}} too much; reported to the processor.', { amount }),
  };
}

function duplicateCause({ kind, transactionAmount, settledAmount, currency }: ReconciliationLine): Cause {
  const ours = transactionAmount === null ? 0 : toMinor(transactionAmount, currency);
  const count = ours === 0 || settledAmount === null ? 0 : toMinor(settledAmount, currency) / ours;
  const { reports, ...texts } = repetitionTexts(count, kind === 'refund');
  return {
    ...texts,
    long: `${reports} ${t('It was probably sent again after a lost response; the excess must be returned.')}`,
  };
}

function repetitionTexts(count: number, isRefund: boolean): Pick<Cause, 'brief' | 'note'> & { readonly reports: string } {
  if (count === 2) {
    return {
      brief: t('Reported twice by the processor'),
      reports: isRefund ? t('The processor reports this refund twice.') : t('The processor reports this payment twice.'),
      note: t('Reported twice; asked the processor to correct it.'),
    };
  }
  if (Number.isInteger(count) && count > 2) {
    return {
      brief: t('Reported {{count, number}} times by the processor', { count }),
      reports: isRefund
        ? t('The processor reports this refund {{count, number}} times.', { count })
        : t('The processor reports this payment {{count, number}} times.', { count }),
      note: t('Reported {{count, number}} times; asked the processor to correct it.', { count }),
    };
  }
  return {
    brief: t('Reported more than once by the processor'),
    reports: isRefund ? t('The processor reports this refund more than once.') : t('The processor reports this payment more than once.'),
    note: t('Reported more than once; asked the processor to correct it.'),
  };
}
