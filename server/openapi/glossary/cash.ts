import { type Glossary, id, time } from './entry.ts';

/** Fields of tenders and shifts. */
export const CASH: Glossary = {
  tenderId: id('tnd', 'tender'),
  terminalId: id('trm', 'card reader'),
  cardSaveId: id('csv', 'request to store a card by a card reader'),
  model: ['Model of the card reader', 'Simulated reader'],
  workstation: ['Workstation whose Sell screen uses the card reader first: the name of its drawer; null for none', 'Drawer 1'],
  connection: ['Connection of the card reader, online or offline', 'online'],
  entryMode: ['How the card reader read the card: chip, contactless, swipe or keyed; null before it did', 'chip'],
  shiftId: id('shf', 'shift'),
  queuedPaymentId: id('qpy', 'payment that is charged later'),
  chargeLaterMaxAmount: ['Largest amount of a payment that is charged later', 200],
  chargeLaterMaxPerCustomer: ['Largest sum of the open payments of a customer that are charged later', 500],
  chargeLaterCurrency: [
    'Currency of the limits of payments that are charged later. Set with a limit; if the merchant changes its currency, no payment is queued until the limits are set again',
    'USD',
  ],
  unit: ['Smallest sum that coins can pay, in major units', 0.05],
  zNumber: ['Number of the Z report, per merchant and without gaps', 1],
  drawer: ['Name of the cash drawer', 'Drawer 1'],
  openedBy: ['Person or program that opened the shift', 'cashier@example.com'],
  openedAt: time('Time of the opening'),

  giftCardId: id('gcd', 'gift card'),
  lateFeeId: id('lfe', 'late fee'),
  lastCharacters: ['Last characters of the code of the gift card', '7K2M'],
  expiresOn: ['Last day on which the gift card pays; null for never', '2031-11-30'],
};
