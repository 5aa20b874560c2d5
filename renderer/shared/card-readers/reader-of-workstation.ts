import type { CardReader } from '#renderer/base/client';

/** Value of the workstation's setting if it has no card reader, also if one is assigned to its drawer. */
export const NO_CARD_READER = 'none';

interface WorkstationReader {
  /** The setting of the workstation. */
  readonly cardReader: string | null;
  readonly drawer: string;
}

/** Returns the card reader that a workstation uses first: the chosen one, otherwise the one that is assigned to its drawer; undefined if it has none. */
export function readerOfWorkstation<Reader extends Pick<CardReader, 'terminalId' | 'workstation'>>(
  readers: readonly Reader[],
  { cardReader, drawer }: WorkstationReader,
): Reader | undefined {
  if (cardReader === NO_CARD_READER) return undefined;
  const chosen = readers.find(({ terminalId }) => terminalId === cardReader);
  return chosen ?? readers.find(({ workstation }) => workstation === drawer);
}
