import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { type ApiFailure, CONFIRMATION_CANCELED, describeFailure } from '#renderer/base/client';
import { Trans, t } from '#renderer/base/language';
import { CopyText } from './copy-text.tsx';
import { useNow } from './time-text.tsx';

const TICK_MS = 500;

interface FailureNoteProps {
  readonly failure: ApiFailure;
  /** Absent if a retry makes no sense. */
  readonly onRetry?: () => void;
  /** Text of the screen instead of the general explanation. */
  readonly children?: ReactNode;
}

/** Explains a failure: what happened, what to do, the code, the request ID for support, and a retry. After a 429 it counts down first. */
export function FailureNote({ failure, onRetry, children }: FailureNoteProps) {
  const { problem, advice } = describeFailure(failure);
  const waitSeconds = useSecondsUntil(failure.retryAtMs);
  // The person canceled: nothing failed.
  if (failure.code === CONFIRMATION_CANCELED) return <Alert severity="info">{failure.message}</Alert>;
  return (
    <Alert
      severity="error"
      sx={{ alignItems: 'flex-start', '& .MuiAlert-action': { pt: 0.5 } }}
      action={
        onRetry && (
          <Button size="small" onClick={onRetry} disabled={waitSeconds > 0}>
            {waitSeconds > 0 ? t('Try again in {{seconds}} s', { seconds: waitSeconds }) : t('Try again')}
          </Button>
        )
      }
    >
      {children ?? (
        <Box>
          <strong>{problem}</strong> {advice}
        </Box>
      )}
      <Box sx={{ mt: 0.5, display: 'flex', flexWrap: 'wrap', columnGap: 3, alignItems: 'center', fontSize: 12 }}>
        <span className="mono">{failure.code}</span>
        {!onRetry && waitSeconds > 0 && <span aria-hidden>{t('Try again in {{seconds}} s', { seconds: waitSeconds })}</span>}
        {failure.requestId && (
          <span>
            <Trans i18nKey="Request <0/>" components={[<CopyText key="0" text={failure.requestId} label={t('Request ID')} />]} />
          </span>
        )}
      </Box>
    </Alert>
  );
}

/** Whole seconds left until an instant; 0 when it has passed or there is none. */
function useSecondsUntil(atMs: number | undefined): number {
  const now = useNow(atMs !== undefined && atMs > Date.now(), TICK_MS);
  return atMs === undefined ? 0 : Math.max(0, Math.ceil((atMs - now) / 1000));
}
