import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type Message, messageChannelsQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordActions } from '#renderer/kit/record';
import { PanelForm, useSubmit } from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';
import { sendingResult } from '#renderer/shared/messages';
import { refreshMessages, resend } from './queries.ts';

/** Maximum length of an email address. */
const TO_MAX = 254;

const SET_UP = { email: t('Set up email'), sms: t('Set up text messages') } as const;

/** Resends a message, optionally to a corrected address. If that is not possible, it shows the reason. */
export function ResendAction({ message, onClosed }: { message: Message; onClosed: () => void }) {
  const may = useMay();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const channels = useQuery({ ...messageChannelsQuery, enabled: may('settings:read') });
  const { user } = useMe();
  const canWrite = may('notifications:write');
  const canSetUp = may('settings:write') && user.merchantId === null;
  const isSetUp = channels.data?.find(({ channel }) => channel === message.channel)?.isSetUp;
  const reason = obstacleOf(message, isSetUp);
  if (!canWrite) return null;
  const close = () => {
    setOpen(false);
    onClosed();
  };
  const setUp = { label: SET_UP[message.channel], run: () => void navigate(`/settings/channels?channel=${message.channel}`) };
  return (
    <>
      <RecordActions
        group={t('This message')}
        actions={[
          ...(isSetUp === false && canSetUp ? [setUp] : []),
          { label: t('Resend'), keys: 'R', reason, isOpen, run: () => setOpen(true) },
        ]}
      />
      {isOpen && reason === undefined && <ResendPanel message={message} onClose={close} />}
    </>
  );
}

function obstacleOf({ isSecret, channel, status, lastError }: Message, isSetUp: boolean | undefined): string | undefined {
  if (isSecret) return t('One-time codes and links can’t be resent. Request a new one instead.');
  if (isSetUp === false) return channel === 'email' ? t('Email isn’t set up.') : t('Text messages aren’t set up.');
  return status === 'queued' && lastError === null ? t('It’s already being sent.') : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  not_set_up: t('It can’t be sent because its channel isn’t set up. Ask an administrator.'),
  sending: t('It’s being sent right now.'),
  secret: t('One-time codes and links can’t be resent.'),
  expired: t('Its link has expired. Send a new link.'),
};

function ResendPanel({ message: { messageId, to: originalTo, channel, status }, onClose }: { message: Message; onClose: () => void }) {
  const [to, setTo] = useState(originalTo);
  const typed = to.trim();
  const resending = useSubmit({
    send: () => resend(messageId, typed === originalTo ? undefined : typed),
    refresh: refreshMessages,
    announcement: (sent) => sendingResult(sent, sent.to).text,
    onClose,
  });
  const { failure: error } = resending;
  const isFieldError = error !== null && (error.field === 'to' || error.code === 'INVALID_EMAIL' || error.code === 'INVALID_PHONE');
  const reason = REASONS[String(error?.details.reason)];
  const fault = isFieldError ? error.message : reason;
  return (
    <PanelForm
      {...resending}
      title={t('Resend')}
      explanation={
        status === 'sent' ? t('It was already sent: the recipient gets it twice.') : t('It’s sent immediately, with the text below.')
      }
      submitLabel={typed === '' ? t('Resend') : t('Send to {{recipient}}', { recipient: typed })}
      failure={fault === undefined ? error : null}
      onSubmit={() => typed !== '' && resending.onSubmit()}
    >
      <TextField
        id="resend-to"
        label={channel === 'email' ? t('Email') : t('Phone, such as +12075550142')}
        type={channel === 'email' ? 'email' : 'tel'}
        value={to}
        onChange={(event) => setTo(event.target.value)}
        error={fault !== undefined}
        helperText={fault}
        autoFocus
        slotProps={{ htmlInput: { maxLength: TO_MAX, autoComplete: 'off', spellCheck: false } }}
      />
    </PanelForm>
  );
}
