export { messageQuery } from './message-query.ts';
export { SendingNote } from './sending-note.tsx';
export { sendingResult } from './sending-result.ts';
export { UnsetChannelNote } from './unset-channel-note.tsx';
