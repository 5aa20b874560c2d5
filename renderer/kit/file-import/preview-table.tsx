import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';

/** Rows of a file that are shown. */
export const PREVIEW_ROWS = 5;

/** A value of a row. A problem is shown in its place. */
export interface PreviewCell {
  readonly text?: string;
  readonly problem?: string | undefined;
}

interface PreviewTableProps {
  readonly columns: readonly { readonly label: string; readonly isNumber?: boolean }[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly PreviewCell[] }[];
}

/** The first rows of a file with the values that are read from them. */
export function PreviewTable({ columns, rows }: PreviewTableProps) {
  return (
    <Box
      role="region"
      aria-label={t('First rows of the file')}
      tabIndex={0}
      sx={(theme) => ({ overflowX: 'auto', border: `1px solid ${theme.vars.palette.divider}`, borderRadius: 1 })}
    >
      <Box
        component="table"
        sx={(theme) => ({
          width: '100%',
          borderCollapse: 'collapse',
          fontSize: 13,
          lineHeight: '20px',
          '& th': { fontSize: 12, fontWeight: 600, textAlign: 'start', color: theme.vars.palette.text.secondary },
          '& thead': { backgroundColor: theme.vars.palette.wash },
          '& th, & td': { px: 2, py: 1, whiteSpace: 'nowrap', maxWidth: 280, overflow: 'hidden', textOverflow: 'ellipsis' },
          '& tbody tr': { borderTop: `1px solid ${theme.vars.palette.divider}` },
          '& .number': { textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
          '& .problem': { color: theme.vars.palette.error.main },
        })}
      >
        <thead>
          <tr>
            <th scope="col">{t('Line')}</th>
            {columns.map(({ label, isNumber }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: The columns keep their order.
              <th key={at} scope="col" className={isNumber ? 'number' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, cells }) => (
            <tr key={line}>
              <td>{line}</td>
              {cells.map(({ text, problem }, at) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: The columns keep their order.
                  key={at}
                  className={`${columns[at]?.isNumber ? 'number' : ''} ${problem === undefined ? '' : 'problem'}`}
                >
                  {problem ?? text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}
