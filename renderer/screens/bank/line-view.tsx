import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import type { ApiFailure, BankLine } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { dayText, FactList, FailureNote, KeyHint, MoneyText, StatusChip, useHeadingFocus, useShortcuts } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { OnItsWay } from './on-its-way.tsx';
import { acceptedParts, KIND_NAMES, type PartKind, partText, reasonText } from './texts.ts';

interface LineViewProps {
  readonly line: BankLine;
  readonly takesFocus: boolean;
  readonly isBusy: boolean;
  readonly failure: ApiFailure | null;
  readonly onAccept: () => void;
  readonly onKind: (kind: Exclude<PartKind, 'payout'>) => void;
  readonly onSplit: () => void;
  readonly onUndo: () => void;
}

/** One bank line: its suggestion with the ways to explain it, or its matches. */
export function LineView({ line, takesFocus, isBusy, failure, onAccept, onKind, onSplit, onUndo }: LineViewProps) {
  const canWrite = useMay()('settlement:write');
  const isOpen = line.state === 'open';
  const isCredit = line.amount > 0;
  const canAccept = canWrite && isOpen && acceptedParts(line) !== undefined;
  const heading = useHeadingFocus(takesFocus && !canAccept);
  const accept = useRef<HTMLButtonElement>(null);
  // The button is disabled while the line before is saved, and then cannot have the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next line takes the focus again.
  useEffect(() => {
    if (takesFocus && canAccept && !isBusy) accept.current?.focus();
  }, [line.lineId, takesFocus, canAccept, isBusy]);
  useShortcuts(t('This bank line'), [
    ...(canWrite && isOpen
      ? [
          ...(isCredit ? [] : [{ keys: 'F', label: t('Mark as fee'), run: () => onKind('fee') }]),
          { keys: 'S', label: t('Split'), run: onSplit },
        ]
      : []),
    ...(canWrite && line.matches.length > 0 ? [{ keys: 'U', label: t('Undo match'), run: onUndo }] : []),
  ]);
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <Box component="header" sx={{ paddingInlineEnd: 10 }}>
        <Typography variant="h2" ref={heading} tabIndex={-1}>
          <MoneyText amount={line.amount} currency={line.currency} code />
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mt: 1.5, fontSize: 13, color: 'text.secondary' }}>
          <StatusChip state={line.state} of="line" />
          <span>{dayText(line.day)}</span>
        </Box>
      </Box>
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
                {partText(match, line.currency)}
                <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{t('by {{user}}', { user: match.createdBy })}</Box>
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
            <Box key={part.payout?.payoutId ?? part.kind} sx={{ display: 'flex', gap: 3 }}>
              <Box sx={{ flex: 1 }}>{partText(part, line.currency)}</Box>
              <MoneyText amount={part.amount} currency={line.currency} />
            </Box>
          ))}
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            {reasonText(line.suggestion)} {t('Not posted yet.')}
          </Box>
        </Box>
      )}
      {canWrite && isOpen && isCredit && !line.suggestion && <OnItsWay line={line} />}
      {failure && <FailureNote failure={failure} />}
      {canWrite && isOpen && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          {canAccept && (
            <Button ref={accept} variant="contained" color="primary" loading={isBusy} onClick={onAccept}>
              {t('Accept match')}
            </Button>
          )}
          {!isCredit && (
            <Button onClick={() => onKind('fee')} disabled={isBusy} endIcon={<KeyHint keys="F" />} aria-keyshortcuts="F">
              {t('Fee')}
            </Button>
          )}
          <Button onClick={onSplit} disabled={isBusy} endIcon={<KeyHint keys="S" />} aria-keyshortcuts="S">
            {t('Split')}
          </Button>
          {isCredit && (
            <Button variant="text" disabled={isBusy} onClick={() => onKind('fee')}>
              {t('Fee refund')}
            </Button>
          )}
          {(['chargeback', 'own', 'ignore'] as const).map((kind) => (
            <Button key={kind} variant="text" disabled={isBusy} onClick={() => onKind(kind)}>
              {KIND_NAMES[kind]}
            </Button>
          ))}
        </Box>
      )}
      {canWrite && line.matches.length > 0 && (
        <Box>
          <Button onClick={onUndo} loading={isBusy} endIcon={<KeyHint keys="U" />} aria-keyshortcuts="U">
            {t('Undo match')}
          </Button>
        </Box>
      )}
    </Box>
  );
}
