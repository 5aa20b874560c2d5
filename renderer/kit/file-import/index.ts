export { CheckedImportDialog, type ImportedFile, importForm } from './checked-import-dialog.tsx';
export { ChoiceField, ColumnField, columnLabel } from './column-field.tsx';
export { type FileHead, type FileRow, headOf, readFileText } from './file-head.ts';
export {
  apiColumns,
  chosenColumns,
  columnFinder,
  type FileMapping,
  guessMapping,
  isComplete,
  NO_MAPPING,
  signOf,
} from './mapping.ts';
export { MappingFields, type MappingForm } from './mapping-fields.tsx';
export { NamedColumnFields, type NamedField } from './named-columns.tsx';
export { previewCells } from './preview-cells.ts';
export { PREVIEW_ROWS, PreviewTable } from './preview-table.tsx';
