import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { t } from '#renderer/base/language';
import { announce, FailureNote } from '#renderer/kit/ui';
import { resendCode, type SentCode } from '#renderer/session/user';
import { SignInFailure } from './sign-in-failure.tsx';

const DIGITS = 6;
const RESEND_EVERY_S = 30;
const RESENDS_MAX = 3;

interface CodeFormProps {
  readonly sent: SentCode;
  /** Verifies a code. The form shows the failure. */
  readonly onCode: (code: string) => Promise<void>;
  readonly onBack: () => void;
}

/** Asks for the code that was sent, the code of the authenticator app, or a recovery code. Six digits are submitted without Enter. */
export function CodeForm({ sent, onCode, onBack }: CodeFormProps) {
  const isApp = sent.channel === 'totp';
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const [resent, setResent] = useState(0);
  const waitSeconds = useCountdown(resent);
  const field = useRef<HTMLInputElement>(null);
  const attempt = useMutation({
    mutationFn: onCode,
    onError: () => {
      setCode('');
      field.current?.focus();
    },
  });
  const resend = useMutation({
    mutationFn: () => resendCode(sent.otpId),
    onSuccess: () => {
      setResent(resent + 1);
      attempt.reset();
      announce(t('Another code was sent.'));
      field.current?.focus();
    },
  });
  const change = (text: string) => {
    if (isRecovery) return setCode(text);
    const digits = text.replace(/\D/g, '').slice(0, DIGITS);
    setCode(digits);
    if (digits.length === DIGITS && !attempt.isPending) attempt.mutate(digits);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if ((isRecovery ? code.trim() !== '' : code.length === DIGITS) && !attempt.isPending) attempt.mutate(code);
  };
  const left = RESENDS_MAX - resent;
  const remaining = attempt.error?.details.attemptsRemaining;
  const isCodeWrong = attempt.error?.field === 'code';

  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 5 }}>
      <Box>
        <Typography variant="h1">{t('Enter the code')}</Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1 }}>
          {introduction(sent, isRecovery)}
        </Typography>
      </Box>
      {attempt.error && !isCodeWrong && <SignInFailure failure={attempt.error} />}
      {resend.error && <FailureNote failure={resend.error} />}
      <TextField
        id="sign-in-code"
        label={isRecovery ? t('Recovery code') : t('Code')}
        value={code}
        onChange={(event) => change(event.target.value)}
        inputRef={field}
        autoFocus
        error={isCodeWrong}
        helperText={
          isCodeWrong ? `${attempt.error?.message} ${attemptsText(remaining)}` : isRecovery ? t('Ten letters and digits') : t('Six digits')
        }
        slotProps={{
          htmlInput: {
            inputMode: isRecovery ? 'text' : 'numeric',
            autoComplete: isRecovery ? 'off' : 'one-time-code',
            maxLength: 20,
            className: 'mono',
            'aria-live': 'off',
          },
          formHelperText: { role: isCodeWrong ? 'alert' : undefined },
        }}
      />
      <Box sx={{ display: 'flex', gap: 3, alignItems: 'center', flexWrap: 'wrap' }}>
        {!isApp && (
          <>
            <Button variant="outlined" disabled={waitSeconds > 0 || left === 0} loading={resend.isPending} onClick={() => resend.mutate()}>
              {waitSeconds > 0 && left > 0 ? t('Send again in {{seconds}} s', { seconds: waitSeconds }) : t('Send again')}
            </Button>
            <Box component="span" sx={{ fontSize: 12, color: 'text.secondary' }}>
              {t('{{left}} of {{total}} resends left', { left, total: RESENDS_MAX })}
            </Box>
          </>
        )}
        <Button
          variant="text"
          onClick={() => {
            setCode('');
            attempt.reset();
            setRecovery(!isRecovery);
            field.current?.focus();
          }}
        >
          {isRecovery ? t('Use a code') : t('Use a recovery code')}
        </Button>
        <Box sx={{ flex: 1 }} />
        <Button variant="text" onClick={onBack}>
          {t('Back')}
        </Button>
      </Box>
    </Box>
  );
}

function introduction({ channel, destination }: SentCode, isRecovery: boolean): string {
  if (isRecovery) return t('Enter one of the recovery codes that you saved. Each works once.');
  if (channel === 'totp') return t('Open your authenticator app and enter its code for Paydesk.');
  return channel === 'sms'
    ? t('We sent a text message to {{destination}}. The code is valid for 10 minutes.', { destination: destination ?? '' })
    : t('We sent an email to {{destination}}. The code is valid for 10 minutes.', { destination: destination ?? '' });
}

function attemptsText(remaining: unknown): string {
  if (typeof remaining !== 'number') return '';
  return remaining === 0 ? t('No attempts left.') : t('{{count}} attempts left.', { count: remaining });
}

/** Seconds until another code can be sent; restarts with each. */
function useCountdown(round: number): number {
  const [left, setLeft] = useState(RESEND_EVERY_S);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round restarts the countdown.
  useEffect(() => {
    const until = Date.now() + RESEND_EVERY_S * 1_000;
    setLeft(RESEND_EVERY_S);
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1_000))), 1_000);
    return () => clearInterval(timer);
  }, [round]);
  return left;
}
