import { count, group, nullable, type RecordOf, text, time } from '#core/platform/fields';
import { ChainVerification } from '#core/records/audit';

/** Address that receives anchors. */
export const AnchorSettings = group('The address', {
  email: nullable(text('null if nothing is sent', 'ann@customer.example')),
  lastSentAt: nullable(time('time of the last message; null before')),
});
export type AnchorSettings = RecordOf<typeof AnchorSettings>;

/** Result of a verification with anchors. */
export const AnchoredVerification = group('The result', {
  ...ChainVerification.properties,
  lastEntry: nullable(
    group('the last entry, to be noted as an anchor; null if the log is empty', {
      position: count('number of the entry in the log, from 1', 42),
      hash: text('Hash of the entry and its predecessor', 'b5d4045c…'),
    }),
  ),
  uncomparedAnchors: count('number of anchors that name entries in archives whose files are not on the computer of the server', 0),
});
export type AnchoredVerification = RecordOf<typeof AnchoredVerification>;
