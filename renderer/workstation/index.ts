export {
  AUTO_PRINT,
  type AutoPrint,
  DENSITIES,
  type Density,
  RECEIPT_WIDTHS,
  type ReceiptWidth,
  useWorkstation,
} from './settings.ts';
