import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { ApiFailure, BankLine } from '#renderer/base/client';
import { refusalOf, t } from '#renderer/base/language';
import { type RecordAction, RecordActions, RecordHeader } from '#renderer/kit/record';
import {
  actorText,
  dayText,
  FactList,
  FailureNote,
  KeyHint,
  MoneyText,
  MutedText,
  Section,
  showToast,
  useHeadingFocus,
  useShortcuts,
} from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { OnItsWay } from './on-its-way.tsx';
import { lineQuery } from './queries.ts';
import { acceptedParts, KIND_NAMES, keyOf, type Part, partText, reasonText, restOf, suggestedText } from './texts.ts';

interface LineViewProps {
  readonly line: BankLine;
  readonly takesFocus: boolean;
  readonly isBusy: boolean;
  readonly failure: ApiFailure | null;
  readonly onAccept: () => void;
  readonly onKind: (kind: 'fee' | 'chargeback' | 'own' | 'ignore') => void;
  readonly onSplit: () => void;
  readonly onUndo: () => void;
}

/** One bank line: its suggestion with the ways to explain it, or its matches. */
export function LineView({ line, takesFocus, isBusy, failure, onAccept, onKind, onSplit, onUndo }: LineViewProps) {
  const canWrite = useMay()('settlement:write');
  const isOpen = line.state === 'open';
  const isCredit = line.amount > 0;
  const { data: detail } = useQuery(lineQuery(line.lineId));
  /** The line of the list can be newer than the actions, so that the operations of its state are offered until a refusal is known. */
  const isSame = detail?.state === line.state;
  const [matchReason, undoReason] = isSame ? [refusalOf(detail.actions.match), refusalOf(detail.actions.undo)] : [];
  const canAccept = canWrite && isOpen && acceptedParts(line) !== undefined && matchReason === undefined;
  const heading = useHeadingFocus(takesFocus && !canAccept);
  /** The button appears after the record, because it is in the foot of the panel. */
  const [accept, setAccept] = useState<HTMLButtonElement | null>(null);
  // The button is disabled while the line before is saved, and then cannot have the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next line takes the focus again.
  useEffect(() => {
    if (takesFocus && canAccept && !isBusy) accept?.focus();
  }, [line.lineId, takesFocus, canAccept, isBusy, accept]);
  const actions: readonly RecordAction[] = canWrite
    ? [
        ...(canAccept ? [{ label: t('Accept match'), isBusy, buttonRef: setAccept, run: onAccept }] : []),
        ...(line.matches.length > 0 ? [{ label: t('Undo match'), keys: 'U', isBusy, reason: undoReason, run: onUndo }] : []),
      ]
    : [];
  const answers = [
    { label: isCredit ? t('Payout, invoice or several parts…') : t('Refund, check or several parts…'), run: onSplit },
    ...(['fee', 'chargeback', 'own', 'ignore'] as const).map((kind) => ({
      label: kind === 'fee' && isCredit ? t('Fee refund') : KIND_NAMES[kind],
      run: () => onKind(kind),
    })),
  ];
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <RecordHeader title={{ amount: line.amount, currency: line.currency }} status={line.state} of="line" headingRef={heading}>
        <span>{dayText(line.day)}</span>
      </RecordHeader>
      <FactList
        facts={[
          [t('Bank text'), line.text],
          [t('Bank reference'), line.reference],
          [
            t('Booked in'),
            line.bookedDay === line.day ? null : t('{{day}}, because the period of the line is closed', { day: dayText(line.bookedDay) }),
          ],
          [
            t('Not matched'),
            isOpen && line.matches.length > 0 ? <MoneyText key="rest" amount={line.remaining} currency={line.currency} code /> : null,
          ],
        ]}
      />
      {line.matches.length > 0 && (
        <Box component="section" aria-label={t('Matches')} sx={{ display: 'grid', gap: 2 }}>
          {line.matches.map((match) => (
            <Box key={match.matchId} sx={{ display: 'flex', gap: 3, fontSize: 14 }}>
              <Box sx={{ flex: 1 }}>
                <PartName part={match} text={partText(match, line.currency)} />
                <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{t('by {{user}}', { user: actorText(match.createdBy) })}</Box>
              </Box>
              <MoneyText amount={match.amount} currency={line.currency} />
            </Box>
          ))}
        </Box>
      )}
      {isOpen && line.suggestion && (
        <Box
          component="section"
          aria-label={t('Suggestion')}
          sx={(theme) => ({
            p: 4,
            display: 'grid',
            gap: 2,
            border: `1px dashed ${theme.vars.palette.outline}`,
            borderRadius: 1,
            fontSize: 14,
          })}
        >
          {line.suggestion.parts.map((part) => (
            <Box key={keyOf(part)} sx={{ display: 'flex', gap: 3 }}>
              <Box sx={{ flex: 1 }}>
                <PartName part={part} text={suggestedText(part, line.currency)} />
              </Box>
              <MoneyText amount={part.amount} currency={line.currency} />
            </Box>
          ))}
          {restOf(line) > 0 && (
            <Box sx={{ display: 'flex', gap: 3 }}>
              <Box sx={{ flex: 1 }}>{t('Stays open on this line')}</Box>
              <MoneyText amount={restOf(line)} currency={line.currency} />
            </Box>
          )}
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            {reasonText(line.suggestion)} {t('Not posted yet.')}
          </Box>
        </Box>
      )}
      {canWrite && isOpen && isCredit && !line.suggestion && <OnItsWay line={line} />}
      {canWrite && isOpen && <Question answers={answers} isBusy={isBusy} reason={matchReason} />}
      {failure && <FailureNote failure={failure} />}
      <RecordActions group={t('This bank line')} actions={actions} />
    </Box>
  );
}

interface QuestionProps {
  readonly answers: readonly { readonly label: string; readonly run: () => void }[];
  readonly isBusy: boolean;
  /** Reason why the line cannot be matched now. */
  readonly reason: string | undefined;
}

/** Asks what a line is; each answer has the key of its number, and can be undone. */
function Question({ answers, isBusy, reason }: QuestionProps) {
  const shown = answers.map(({ label, run }, index) => ({
    label,
    keys: String(index + 1),
    run: () => (reason === undefined ? !isBusy && run() : showToast(reason)),
  }));
  useShortcuts(t('What is this?'), shown);
  return (
    <Section title={t('What is this?')}>
      <Box sx={{ display: 'grid', justifyItems: 'start' }}>
        {shown.map(({ label, keys, run }) => (
          <Button key={keys} variant="text" size="small" onClick={run} aria-keyshortcuts={keys} sx={{ gap: 2 }}>
            <KeyHint keys={keys} />
            {label}
          </Button>
        ))}
      </Box>
      {reason && <MutedText>{reason}</MutedText>}
    </Section>
  );
}

/** Name of a part; that of an invoice leads to it. */
function PartName({ part, text }: { readonly part: Part; readonly text: string }) {
  if (!part.invoice) return text;
  return (
    <Link component={RouterLink} to={`/invoices/${part.invoice.invoiceId}`} sx={{ font: 'inherit' }}>
      {text}
    </Link>
  );
}
