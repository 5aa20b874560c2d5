import Alert from '@mui/material/Alert';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '#renderer/session/user';
import { messageQuery } from './message-query.ts';
import { sendingResult } from './sending-result.ts';

/** Says of a new message that it is on its way, or what it waits for. */
export function SendingNote({ messageId }: { messageId: string }) {
  const message = useQuery({ ...messageQuery(messageId), enabled: useMay()('notifications:read') }).data;
  if (message === undefined) return null;
  const { state, text } = sendingResult(message, message.to);
  return <Alert severity={state === 'ok' ? 'success' : 'warning'}>{text}</Alert>;
}
