import { Button, Text } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Panel } from '../../ui/page/panel.tsx'

interface ReportTableProps<Row> {
  title: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Where the same rows are had for a spreadsheet; undefined: nowhere. */
  csv?: string
  /** Instead of rows. */
  empty: string
}

/** A part of a report, with its rows for a spreadsheet. */
export function ReportTable<Row>({ title, columns, rows, rowKey, csv, empty }: ReportTableProps<Row>) {
  return (
    <Panel
      title={title}
      actions={
        csv !== undefined && (
          <Button
            component="a"
            size="xs"
            variant="default"
            href={csv}
            download
            aria-label={t('{title}, as CSV', { title })}
            leftSection={<Icon name="download" size={16} />}
          >
            CSV
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <Text c="dimmed">{empty}</Text>
      ) : (
        <DataTable label={title} columns={columns} rows={rows} rowKey={rowKey} />
      )}
    </Panel>
  )
}
