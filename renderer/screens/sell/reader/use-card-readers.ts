import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CardReader } from '#renderer/base/client';
import { useWorkstation } from '#renderer/base/workstation';
import { useMay, useMerchant } from '#renderer/session/user';
import { cardReadersQuery, NO_CARD_READER, readerOfWorkstation } from '#renderer/shared/card-readers';

/** Card readers of the merchant, as the Sell screen of this workstation offers them. */
export interface ReaderChoice {
  readonly readers: readonly CardReader[];
  /** The card reader that takes the payment; null until they are loaded, or if there is none. */
  readonly reader: CardReader | null;
  readonly areOffered: boolean;
  /** True if a card reader is the first way to pay on this workstation. Known before they are loaded. */
  readonly isFirst: boolean;
  /** Uses a card reader on this workstation from now on. */
  readonly choose: (terminalId: string) => void;
  /** The same with the present one after its first payment, unless the workstation was set up otherwise. */
  readonly remember: () => void;
}

export function useCardReaders(): ReaderChoice {
  const { merchantId } = useMerchant();
  const mayRead = useMay()('terminals:read');
  const drawer = useWorkstation((workstation) => workstation.drawer);
  const cardReader = useWorkstation((workstation) => workstation.cardReader);
  const change = useWorkstation((workstation) => workstation.change);
  const { data, error } = useQuery({ ...cardReadersQuery(merchantId), enabled: mayRead });
  return useMemo(() => {
    const choose = (terminalId: string) => change({ cardReader: terminalId });
    if (data === undefined || !mayRead) {
      const isExpected = mayRead && error === null && cardReader !== null && cardReader !== NO_CARD_READER;
      return { readers: [], reader: null, areOffered: isExpected, isFirst: isExpected, choose, remember: () => {} };
    }
    const own = readerOfWorkstation(data, { cardReader, drawer });
    const reader = own ?? data.find(({ workstation }) => workstation === null) ?? data[0] ?? null;
    const remember = () => reader && cardReader === null && choose(reader.terminalId);
    return { readers: data, reader, areOffered: data.length > 0, isFirst: own !== undefined, choose, remember };
  }, [data, error, mayRead, cardReader, drawer, change]);
}
