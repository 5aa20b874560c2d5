export { openReader, useOpenReader } from './open-reader.ts';
export { actAtReader, cardReadersQuery, checkCardReader, refreshCardReaders, simulatedReaderQuery } from './queries.ts';
export { NO_CARD_READER, readerOfWorkstation } from './reader-of-workstation.ts';
export { TEST_CARDS, type TestCard, testCardValues } from './test-cards.ts';
export { useMaySimulate } from './use-may-simulate.ts';
export { verificationText } from './verification.ts';
