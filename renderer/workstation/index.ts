export {
  AUTO_PRINT,
  type AutoPrint,
  DENSITIES,
  type Density,
  MOST_COPIES,
  RECEIPT_WIDTHS,
  type ReceiptWidth,
  useWorkstation,
} from './settings.ts';
