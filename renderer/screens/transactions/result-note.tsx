import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { useEffect } from 'react';
import { t } from '#renderer/base/language';
import { announce } from '#renderer/kit/ui';

/** Result of an operation. */
export interface Result {
  readonly tone: 'success' | 'warning' | 'error';
  readonly text: string;
  /** ID of the transaction that the operation created. */
  readonly transactionId?: string;
}

/** Shows and announces the result of an operation until the next one. */
export function ResultNote({ result, onOpen }: { result: Result; onOpen: (transactionId: string) => void }) {
  const { tone, text, transactionId: madeId } = result;
  useEffect(() => announce(text), [text]);
  return (
    <Alert severity={tone} role="presentation">
      {text}{' '}
      {madeId && (
        <Link component="button" onClick={() => onOpen(madeId)} sx={{ font: 'inherit' }}>
          {t('Open transaction')}
        </Link>
      )}
    </Alert>
  );
}
