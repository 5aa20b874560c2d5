import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import type { FieldChange } from './field-changes.ts';

const HEADS = [t('Field'), t('Before'), t('After')] as const;
const ABSENT = '–';

/** Table of changed fields with the old and the new value. */
export function ChangeTable({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <Box
      component="table"
      sx={(theme) => ({
        borderCollapse: 'collapse',
        fontSize: 13,
        width: '100%',
        tableLayout: 'fixed',
        '& td, & th': {
          textAlign: 'start',
          verticalAlign: 'top',
          fontWeight: 400,
          p: 1.5,
          paddingInlineStart: 0,
          overflowWrap: 'anywhere',
          borderBottom: `1px solid ${theme.vars.palette.divider}`,
        },
        '& thead th': { fontSize: 12, fontWeight: 600, color: theme.vars.palette.text.secondary },
        '& del': { color: theme.vars.palette.text.secondary },
        '& ins': { textDecoration: 'none', fontWeight: 600 },
      })}
    >
      <thead>
        <tr>
          {HEADS.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{before === undefined ? ABSENT : <del>{before}</del>}</td>
            <td>{after === undefined ? ABSENT : <ins>{after}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </Box>
  );
}
